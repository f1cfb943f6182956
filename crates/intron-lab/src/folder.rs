//! The folder of an experiment: its plan, what is known of its data, and its records. All that is needed to go on is in it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::error::LabError;
use crate::plan::Plan;
use crate::store::{Store, replace};
use crate::task::{AllFacts, Task};

/// An experiment on the disk.
#[derive(Debug)]
pub struct Folder {
    /// The plan, every change written in.
    pub plan: Plan,
    /// What is known of the data.
    pub facts: AllFacts,
    /// The records.
    pub store: Store,
}

const PLAN: &str = "plan.toml";
const DATA: &str = "data.toml";

impl Folder {
    /// Begins an experiment, or goes on with the same one. A folder of another experiment is refused.
    pub fn begin(path: &Path, plan: Plan, facts: AllFacts) -> Result<Folder, LabError> {
        // What cannot be looked at may be there.
        let refuse = |error: std::io::Error| LabError::at(&path.join(PLAN), &error);
        if path.join(PLAN).try_exists().map_err(refuse)? {
            let there = Folder::open(path)?;
            there.refuse_unless_same(&plan, &facts)?;
            return Ok(there);
        }
        let store = Store::open(path)?;
        let facts_text = toml::to_string(&facts).expect("facts are made of what TOML has");
        // The plan comes last: where it is, the rest is too.
        replace(&path.join(DATA), facts_text.as_bytes())?;
        replace(&path.join(PLAN), plan.to_text().as_bytes())?;
        Ok(Folder { plan, facts, store })
    }

    /// Refuses a plan, or data, that is not that of this folder.
    pub fn refuse_unless_same(&self, plan: &Plan, facts: &AllFacts) -> Result<(), LabError> {
        let mut differences = self.plan.differences(plan);
        if differences.is_empty() {
            let changed = facts.iter().filter(|(name, facts)| self.facts.get(*name) != Some(facts));
            differences
                .extend(changed.map(|(name, _)| format!("the content of {name} has changed")));
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(LabError::Plan(format!(
            "{}: holds another experiment: {}; choose another folder with --out",
            self.store.folder().display(),
            differences.join("; ")
        )))
    }

    /// Whether there is an experiment in a folder.
    pub fn is_at(path: &Path) -> bool {
        path.join(PLAN).is_file()
    }

    /// Opens the folder of an experiment.
    pub fn open(path: &Path) -> Result<Folder, LabError> {
        let read = |name: &str| {
            fs::read_to_string(path.join(name)).map_err(|error| match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => LabError::Work(format!(
                    "{}: is not the folder of an experiment ({name}: {error}); begin one with `intron lab run`",
                    path.display()
                )),
                _ => LabError::at(&path.join(name), &error),
            })
        };
        let plan = Plan::read(&read(PLAN)?, &[])
            .map_err(|error| LabError::Work(format!("{}: {error}", path.join(PLAN).display())))?;
        let facts = toml::from_str(&read(DATA)?)
            .map_err(|error| LabError::Work(format!("{}: {error}", path.join(DATA).display())))?;
        Ok(Folder { plan, facts, store: Store::open(path)? })
    }

    /// Writes a file into the folder, whole; what was there under that name is replaced.
    pub fn keep(&self, name: &str, text: &str) -> Result<(), LabError> {
        replace(&self.store.folder().join(name), text.as_bytes())
    }

    /// The runs of the plan.
    pub fn tasks(&self) -> Result<Vec<Task>, LabError> {
        self.plan.tasks(&self.facts)
    }
}
