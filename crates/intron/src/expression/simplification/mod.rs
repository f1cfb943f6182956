//! The smallest equal form of a formula, and its constants with as few digits as matter.

mod facts;
mod term;
mod laws;
mod rules;
mod saturation;
mod extraction;
mod assembly;
mod sums;
mod collection;
mod writing;
mod layout;
mod digits;
mod simplifier;
#[cfg(test)]
mod tests;

pub use digits::{DigitTolerance, rounded_constants, snap_constants};
pub use simplifier::Simplifier;
