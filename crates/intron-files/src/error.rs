//! What can go wrong with files, by what the caller should do about it.

use crate::table::TableError;

/// Why something was not read or not written. Its text is for the user: what, where, how to mend it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FilesError {
    /// There is no file, or no data set, of that name.
    #[error("{0}")]
    Absent(String),
    /// The disk does not give a file, or does not take it.
    #[error("{0}")]
    Disk(String),
    /// A file that does not hold what it should: a table, JSON, a model.
    #[error("{0}")]
    Content(String),
}

impl FilesError {
    /// The same kind, with another text.
    pub(crate) fn reworded(self, reword: impl Fn(String) -> String) -> FilesError {
        match self {
            FilesError::Absent(text) => FilesError::Absent(reword(text)),
            FilesError::Disk(text) => FilesError::Disk(reword(text)),
            FilesError::Content(text) => FilesError::Content(reword(text)),
        }
    }
}

impl From<TableError> for FilesError {
    fn from(error: TableError) -> FilesError {
        FilesError::Content(error.to_string())
    }
}
