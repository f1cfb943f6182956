//! The search: optimal mixing, one population, many populations, and the whole run.

mod budget;
mod shelves;
mod known;
mod archive;

mod polish;
mod thinning;
mod observer;
mod checkpoint;
mod workers;
mod optimal_mixing;
mod constant_tuning;
mod coefficient_mutation;
mod weighing;
mod grafting;
mod pruning;
mod evolution;
mod lane;
mod interleaved_multistart;
mod lanes;
mod run;
mod null;

pub use archive::Archive;
pub use budget::{Interrupt, StopReason};
pub use checkpoint::Checkpoint;
pub use null::{NullFront, NullFronts, null_budget, null_run, shuffled_targets};
pub use observer::{Event, Observer, RetirementReason, Silent};
pub use run::{Given, Listed, Outcome, Run};
