//! Instructions per evaluation: a gate against slowness that noise does not move.

mod surroundings;
mod counts;
mod callgrind;
mod gate;

pub(crate) use gate::{compare_with_kept, keep};
