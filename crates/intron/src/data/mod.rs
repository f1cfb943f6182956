//! Data: columns of numbers, and which rows are held out.

mod dataset;
mod canonical;
mod split;

pub use canonical::TrainingRows;
pub use dataset::Dataset;
pub use split::{Split, folds, hold_out};
