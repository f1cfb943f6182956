//! Every knob and its default, once; checked here.

mod tuning;
mod knobs;
mod text;
mod words;
mod keys;
mod description;
mod idle;
mod valid;

pub use keys::Key;
pub use knobs::{
    ConstantSource, Convergence, EarlyRejection, ForcedImprovement, Limits, Multistart, Polish,
    PopulationSize, RetireOnEqual, Settings, Simplify, WhenSolved,
};
pub use tuning::{MutationPlace, Tuning};
pub use valid::ValidSettings;
pub(crate) use valid::population_bytes;
