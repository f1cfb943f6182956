//! Data: columns of numbers, and which rows are held out.

mod dataset;
mod canonical;
mod split;
mod feature_ranges;

pub use canonical::TrainingRows;
pub use dataset::Dataset;
pub use feature_ranges::FeatureRanges;
pub use split::{Split, folds, hold_out, independent_rows};
