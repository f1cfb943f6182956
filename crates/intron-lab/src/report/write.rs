//! From the folder of an experiment to the files of its report, each written whole.

use std::fs;
use std::path::PathBuf;

use super::assembly::Report;
use crate::error::LabError;
use crate::folder::Folder;
use crate::record::Record;
use crate::store::{Found, replace};

impl Report {
    /// The report of all runs that have a valid record.
    pub fn of(folder: &Folder) -> Result<Report, LabError> {
        let mut records: Vec<Record> = Vec::new();
        for task in folder.tasks()? {
            if let Found::Done(record) = folder.store.find(&task.id)? {
                records.push(*record);
            }
        }
        if records.is_empty() {
            return Err(LabError::Work(format!(
                "{}: no run has a record yet, so there is nothing to report; `intron lab run` does the runs",
                folder.store.folder().display()
            )));
        }
        Ok(Report::new(&folder.plan, &folder.facts, &records))
    }

    /// Writes the report into the folder of the experiment; says where. Files of an earlier report that this one does not
    /// have are removed, so that figures and page agree.
    pub fn write(&self, folder: &Folder) -> Result<PathBuf, LabError> {
        let place = folder.store.folder().join("report");
        // The page comes last: where it is, its files are too.
        for (name, content) in self.files.iter().rev() {
            replace(&place.join(name), content.as_bytes())?;
        }
        for part in ["figures", "data"] {
            self.remove_others(&place.join(part), part)?;
        }
        Ok(place.join("index.html"))
    }

    fn remove_others(&self, folder: &std::path::Path, part: &str) -> Result<(), LabError> {
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
