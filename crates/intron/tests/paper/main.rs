//! Every statement of the paper that can be checked, in the paper's order; names start with the place.

#[path = "../runs/mod.rs"]
mod runs;
#[path = "../tables/mod.rs"]
mod tables;
#[path = "../tokens/mod.rs"]
mod tokens;

mod method;
mod multistart;
mod measures;
mod ties;
mod experiments;
