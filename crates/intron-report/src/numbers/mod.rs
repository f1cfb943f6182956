//! Every number of the report.

mod quantile;
mod sample;
mod fit;
mod histogram;
mod importance;
mod effect;
mod trace;
mod linkage;
mod analysis;

pub(crate) use analysis::{Analysis, FormulaNumbers};
pub(crate) use effect::{Effect, EffectPoint};
pub(crate) use fit::{PartFit, Scores};
pub(crate) use histogram::Histogram;
pub(crate) use importance::{Importance, N_REPEATS};
pub(crate) use linkage::Linkage;
pub(crate) use trace::Trace;
