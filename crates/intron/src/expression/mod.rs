//! Expressions: what can stand where, and what it means.

mod operator;
mod symbol;
mod names;
mod formula;
mod composition;
mod folding;
mod parsing;
mod simple_number;
mod unscaled;
mod formatting;
mod simplification;
mod alphabet;
mod template;
mod genome;
mod activity;
mod complexity;

pub use activity::active_positions;
pub use alphabet::{Alphabet, ConstantRange, MAX_FEATURES};
pub use complexity::{Complexity, ComplexityMeasure};
pub(crate) use composition::MAX_COMPOSITIONS;
pub use composition::{Composition, Compositions};
pub use formatting::{FeatureOrigin, Format, Made, TestPoint};
pub use formula::{Formula, Node};
pub use genome::Genome;
pub(crate) use genome::SizeLimits;
pub use names::FeatureNames;
pub(crate) use operator::N_OPERATORS;
pub use operator::Operator;
pub use simple_number::SimpleNumber;
pub use simplification::{DigitTolerance, Simplifier, rounded_constants, snap_constants};
pub use symbol::{Meaning, Symbol};
pub use template::{MAX_POSITIONS, PositionSet, Template, positions_of};
