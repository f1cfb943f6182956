//! Experiments with Intron: plan → runs → records → statistics → figures and report.

pub mod statistics;
mod figures;
