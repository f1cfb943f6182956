//! Experiments with Intron: plan → runs → records → statistics → figures and report.

mod error;
mod plan;
mod task;
mod data;
mod record;
mod owner;
mod naming;
mod store;
mod claims;
mod runner;
mod status;
mod folder;
pub mod slurm;
pub mod statistics;
pub mod figures;
mod report;
#[cfg(test)]
mod scratch;

pub use data::{facts_of, read_data};
pub use error::LabError;
pub use folder::Folder;
pub use plan::{Plan, PlanBudget, SimilarityPlan, shipped_plan, shipped_plans};
pub use record::{Damage, Measured, Record, RunResult, Similarity, TracePoint};
pub use report::{Claim, ClaimVerdict, Finding, Report};
pub use runner::{LabEvent, RunOptions, RunSummary, run_one, run_task, run_tasks};
pub use status::{Status, Verdict, verify_task};
pub use store::{Found, Published, Store};
pub use task::{AllFacts, Data, DataFacts, DataSets, Task};
