//! Safety: whether a formula stays finite, and near the training target, wherever new rows may lie. Interval arithmetic proves
//! it; where it over-estimates, the box is bisected.

mod rounding;
mod interval;
mod mean_value;
mod enclosure;
mod verdict;

#[cfg(test)]
mod tests;

pub use verdict::{Danger, Region, Safety};
