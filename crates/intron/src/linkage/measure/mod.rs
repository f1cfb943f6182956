//! Linkage measures, one file each.

mod random;
mod mutual_information;
mod adjusted_mutual_information;
mod masked_mutual_information;
mod node_proximity;
mod common_subfunction_count;
mod catalogue;

pub use catalogue::{CustomMeasure, LinkageMeasure, MeasureContext, SimilarityMeasure};
