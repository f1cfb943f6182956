//! Formulas written in other languages: the expression alone (`format`) or a whole function with test points (`export`).

mod format;
mod forms;
mod writer;
mod identifiers;
mod comments;
mod origin;
mod languages;
mod export;
mod json;
#[cfg(test)]
mod tests;

pub use export::TestPoint;
pub use format::Format;
pub use origin::{FeatureOrigin, Made};
