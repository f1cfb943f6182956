//! What goes into the front.

#[path = "../runs/mod.rs"]
mod runs;

mod complexity;
mod start;
mod own_operators;
