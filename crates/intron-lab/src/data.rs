//! The data of a plan, and what the runs must know of it.

use std::path::Path;
use std::sync::Arc;

use intron_files::{bytes_of, sha256, whole_table};

use crate::error::LabError;
use crate::plan::Plan;
use crate::task::{AllFacts, Data, DataSets};

/// Reads the data of a plan: each name is a data set that is built in or in the data folder, or the path of a table. The last
/// column is the target.
pub fn read_data(plan: &Plan, data_dir: Option<&Path>) -> Result<DataSets, LabError> {
    let read = |name: &String| -> Result<(String, Arc<Data>), LabError> {
        let (source, bytes) = bytes_of(&place_of(name, data_dir), data_dir)?;
        let dataset = whole_table(&source, &bytes)?;
        Ok((name.clone(), Arc::new(Data { dataset, sha256: sha256(&bytes) })))
    };
    plan.data.iter().map(read).collect()
}

/// A file that is not where it was may have been moved to the data folder; its checksum tells whether it is the same.
fn place_of(name: &str, data_dir: Option<&Path>) -> String {
    let path = Path::new(name);
    let moved = data_dir.zip(path.file_name()).map(|(folder, name)| folder.join(name));
    match moved.filter(|moved| path.is_absolute() && !path.exists() && moved.is_file()) {
        Some(moved) => moved.display().to_string(),
        None => name.to_owned(),
    }
}

/// What is known of each data set.
pub fn facts_of(data: &DataSets) -> AllFacts {
    data.iter().map(|(name, data)| (name.clone(), data.facts())).collect()
}
