//! From the name of data to its bytes, and to a data set of all its columns.

use std::path::Path;

use intron::Dataset;

use crate::datasets::{self, KNOWN};
use crate::error::FilesError;
use crate::table::read_columns;
use crate::whole_files::{name_of, read};

/// The bytes of a data set by its name or of a file by its path (`-` is standard input), and how messages call them.
pub fn bytes_of(data: &str, data_dir: Option<&Path>) -> Result<(String, Vec<u8>), FilesError> {
    if let Some(found) = datasets::find(data, data_dir) {
        return Ok((data.to_owned(), found?));
    }
    let path = Path::new(data);
    if data != "-" && !path.exists() {
        let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
        return Err(FilesError::Absent(format!(
            "{data}: there is no such file, and no data set of that name; data sets: {}",
            names.join(" ")
        )));
    }
    if path.is_dir() {
        return Err(FilesError::Content(format!("{data}: is a folder; name a table in it")));
    }
    Ok((name_of(path), read(path)?))
}

/// Whether a name stands for a file, and not for a data set.
pub fn is_file(data: &str, data_dir: Option<&Path>) -> bool {
    datasets::find(data, data_dir).is_none() && Path::new(data).is_file()
}

/// All columns of a table; the last one is the target.
pub fn whole_table(source: &str, bytes: &[u8]) -> Result<Dataset, FilesError> {
    let mut table = read_columns(source, bytes, |_, _| true)?;
    let target = table.columns.pop();
    let target = target.ok_or_else(|| FilesError::Content(format!("{source}: is empty")))?;
    table.names.pop();
    Dataset::new(table.names, table.columns, target, None)
        .map_err(|error| FilesError::Content(format!("{source}: {error}")))
}
