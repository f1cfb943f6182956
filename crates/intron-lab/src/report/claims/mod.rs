//! The paper's claims, each with what the records say of it.

mod claim;
mod evidence;
mod order;
mod baselines;
mod conditions;
mod speed;
mod structure;
mod operator_sets;
mod all;

pub(super) use all::{against_the_paper, against_the_paper_in_time, claims_csv};
pub use claim::{Claim, ClaimVerdict, Finding};
