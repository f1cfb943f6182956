//! From the folder of an experiment to the files of its report, each written whole.

use std::fs;
use std::path::{Path, PathBuf};

use super::assembly::Report;
use crate::error::LabError;
use crate::folder::Folder;
use crate::plan::Plan;
use crate::record::Record;
use crate::store::{Found, replace};
use crate::task::AllFacts;

impl Report {
    /// The report of all runs that have a valid record.
    pub fn of(folder: &Folder) -> Result<Report, LabError> {
        Report::of_all(std::slice::from_ref(folder))
    }

    /// One report of several experiments that are alike but for their operator sets, which it compares.
    pub fn of_all(folders: &[Folder]) -> Result<Report, LabError> {
        let (plan, facts) = joined(folders)?;
        let mut records: Vec<Record> = Vec::new();
        for folder in folders {
            for task in folder.tasks()? {
                if let Found::Done(record) = folder.store.find(&task.id)? {
                    records.push(*record);
                }
            }
        }
        if records.is_empty() {
            let paths = folders.iter().map(|folder| folder.store.folder().display().to_string());
            return Err(LabError::Work(format!(
                "{}: no run has a record yet, so there is nothing to report; `intron lab run` does the runs",
                paths.collect::<Vec<_>>().join(", ")
            )));
        }
        Ok(Report::new(&plan, facts, &records))
    }

    /// Writes the report into the folder of the experiment; says where.
    pub fn write(&self, folder: &Folder) -> Result<PathBuf, LabError> {
        self.write_to(&folder.store.folder().join("report"))
    }

    /// Writes the report into a folder of its own; says where. Files of an earlier report that this one does not have are
    /// removed, so that figures and page agree.
    pub fn write_to(&self, place: &Path) -> Result<PathBuf, LabError> {
        // The page comes last: where it is, its files are too.
        for (name, content) in self.files.iter().rev() {
            replace(&place.join(name), content.as_bytes())?;
        }
        for part in ["figures", "data"] {
            self.remove_others(&place.join(part), part)?;
        }
        Ok(place.join("index.html"))
    }

    fn remove_others(&self, folder: &Path, part: &str) -> Result<(), LabError> {
        let refuse = |error: std::io::Error| LabError::at(folder, &error);
        if !folder.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(folder).map_err(refuse)? {
            let path = entry.map_err(refuse)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let own = format!("{part}/{name}");
            let is_ours = name.ends_with(".svg") || name.ends_with(".csv");
            if is_ours && !self.files.iter().any(|file| file.0 == own) {
                fs::remove_file(&path).map_err(refuse)?;
            }
        }
        Ok(())
    }
}

/// One plan with the operator sets of all, and what is known of the data, which must be the same for all.
fn joined(folders: &[Folder]) -> Result<(Plan, &AllFacts), LabError> {
    let (first, others) = folders
        .split_first()
        .ok_or_else(|| LabError::Work("there is no experiment to report".to_owned()))?;
    let mut plan = first.plan.clone();
    for Folder { plan: other, facts, store } in others {
        let alike = Plan {
            name: plan.name.clone(),
            title: plan.title.clone(),
            operators: plan.operators.clone(),
            ..other.clone()
        };
        let is_shared = other.operators.iter().any(|set| plan.operators.contains(set));
        if alike != plan || *facts != first.facts || is_shared {
            return Err(LabError::Plan(format!(
                "{} and {}: only experiments that differ in nothing but their operator sets can share a report",
                first.store.folder().display(),
                store.folder().display()
            )));
        }
        plan.name += &format!("-{}", other.name);
        plan.title += &format!("; {}", other.title);
        plan.operators.extend_from_slice(&other.operators);
    }
    Ok((plan, &first.facts))
}
