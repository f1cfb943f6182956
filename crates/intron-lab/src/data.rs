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
        let (source, bytes) = bytes_of(name, data_dir)?;
        let dataset = whole_table(&source, &bytes)?;
        Ok((name.clone(), Arc::new(Data { dataset, sha256: sha256(&bytes) })))
    };
    plan.data.iter().map(read).collect()
}

/// What is known of each data set.
pub fn facts_of(data: &DataSets) -> AllFacts {
    data.iter().map(|(name, data)| (name.clone(), data.facts())).collect()
}
