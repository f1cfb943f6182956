//! How far a folder of records is, and whether what is in it can be trusted.

use std::collections::HashSet;

use intron::Interrupt;

use crate::error::LabError;
use crate::runner::run_task;
use crate::store::{Found, Store};
use crate::task::{DataSets, Task};

/// How far the runs of a plan are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Status {
    /// Ids of runs with a valid record.
    pub done: Vec<String>,
    /// Ids of runs that somebody is doing.
    pub running: Vec<String>,
    /// Ids of runs that could not be done, and why.
    pub failed: Vec<(String, String)>,
    /// Ids of runs with a damaged record, and what is wrong.
    pub damaged: Vec<(String, String)>,
    /// Ids of all other runs.
    pub left: Vec<String>,
    /// Names of files that are no records of this plan.
    pub foreign: Vec<String>,
}

impl Status {
    /// Looks at every run of a plan.
    pub fn of(tasks: &[Task], store: &Store) -> Result<Status, LabError> {
        let running: HashSet<String> = store.claims()?.into_iter().collect();
        let mut status = Status::default();
        for Task { id, .. } in tasks {
            match store.find(id)? {
                Found::Done(_) => status.done.push(id.clone()),
                Found::Damaged(what) => status.damaged.push((id.clone(), what)),
                Found::Missing if running.contains(id) => status.running.push(id.clone()),
                Found::Missing => match store.failure(id) {
                    Some(reason) => status.failed.push((id.clone(), reason)),
                    None => status.left.push(id.clone()),
                },
            }
        }
        let known: HashSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        status.foreign =
            store.names()?.into_iter().filter(|name| !known.contains(name.as_str())).collect();
        Ok(status)
    }

    /// Ids of all runs without a valid record.
    pub fn missing(&self) -> Vec<&str> {
        let others = self.failed.iter().chain(&self.damaged).map(|(id, _)| id.as_str());
        self.running.iter().chain(&self.left).map(String::as_str).chain(others).collect()
    }
}

/// The outcome of running again what has a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The same bits.
    Same,
    /// Other bits.
    Differs,
}

/// Runs a task again and compares the result with its record; nothing if it was interrupted or has no record.
pub fn verify_task(
    task: &Task,
    data: &DataSets,
    store: &Store,
    interrupt: Interrupt,
) -> Result<Option<Verdict>, LabError> {
    let Found::Done(record) = store.find(&task.id)? else { return Ok(None) };
    let Some(again) = run_task(task, data, interrupt)? else { return Ok(None) };
    let is_same = again.result.sha256() == record.result.sha256();
    Ok(Some(if is_same { Verdict::Same } else { Verdict::Differs }))
}
