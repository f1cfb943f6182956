//! The report of an experiment: from records to one page, with a drawing and a table for each figure.

mod parts;
mod analysis;
mod comparison;
mod estimates;
mod convergence;
mod intervals;
mod ranks;
mod improvement;
mod boxes;
mod similarity;
mod operators;
mod tables;
mod claims;
mod page;
mod assembly;
mod write;

pub use assembly::Report;
pub use claims::{Claim, ClaimVerdict, Finding};
