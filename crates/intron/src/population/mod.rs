//! Populations: candidate solutions, and how the first ones are made.

mod solution;
mod initialization;

pub use initialization::{Duplicates, GrowRule, Initialization, initialize};
pub use solution::{Population, Solution};
