//! Every knob and its default, once; checked here.

mod knobs;
mod text;
mod words;
mod keys;
mod description;
mod idle;
mod valid;

pub use keys::Key;
pub use knobs::{
    ConstantSource, Convergence, EarlyRejection, ForcedImprovement, Limits, Multistart,
    MutationPlace, Polish, PopulationSize, RetireOnEqual, Settings, Simplify, Tuning, WhenSolved,
};
pub use valid::ValidSettings;
pub(crate) use valid::population_bytes;
