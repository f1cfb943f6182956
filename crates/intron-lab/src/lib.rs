//! Experiments with Intron: plan → runs → records → statistics → figures and report.

mod statistics;
pub mod figures;
