//! A search between two generations as plain data, and its text form.

mod state;
mod writing;
mod reading;
#[cfg(test)]
mod tests;

pub use state::Checkpoint;
pub(super) use state::{Origin, SavedLane, SavedPopulation, SavedSlot, Schedule};
