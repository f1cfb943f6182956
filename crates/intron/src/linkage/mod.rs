//! Linkage learning: from a population to groups of positions that are mixed together (section 3).

mod similarity;
mod labels;
mod entropy;
mod measure;
mod upgma;
mod family_of_subsets;
mod model;

pub use family_of_subsets::{FamilyOfSubsets, Subset};
pub use labels::Binning;
pub(crate) use labels::{DEFAULT_BINS, MAX_BINS};
pub use measure::{CustomMeasure, LinkageMeasure, MeasureContext, SimilarityMeasure};
pub use model::{Linkage, LinkageModel, Rebuild};
pub use similarity::SimilarityMatrix;
pub use upgma::linkage_tree;
