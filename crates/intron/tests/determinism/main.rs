//! The same seed gives the same result, bit for bit, whatever computes it; and a run stops when and why it should.

#[path = "../runs/mod.rs"]
mod runs;

mod diary;
mod drawn_settings;
mod same_result;
mod same_decisions;
mod stopping;
mod small_problems;
mod checkpoints;
mod tuned_limits;
mod mutated;
