//! Plans: the grid of runs, its keys and values, changes to it, where its data is, and the plans that come with the program.

mod grid;
mod keys;
mod values;
mod changes;
mod places;
mod shipped;

pub use grid::{Plan, PlanBudget, SimilarityPlan};
pub use shipped::{shipped_plan, shipped_plans};
pub(crate) use values::text_of;
