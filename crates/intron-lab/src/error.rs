//! What can go wrong in the lab, by what the caller should do about it.

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LabError {
    /// A plan, or a change to one, that makes no sense.
    #[error("{0}")]
    Plan(String),
    /// Data or settings that cannot be used: trying again does not help.
    #[error("{0}")]
    Work(String),
    /// A full disk, a failing file system: trying again may help.
    #[error("{0}")]
    Temporary(String),
}

impl LabError {
    /// An error of the file system, at a path.
    pub(crate) fn at(path: &std::path::Path, error: &std::io::Error) -> LabError {
        LabError::Temporary(format!("{}: {error}", path.display()))
    }
}

impl From<intron::Error> for LabError {
    fn from(error: intron::Error) -> LabError {
        LabError::Work(error.to_string())
    }
}

impl From<intron_files::FilesError> for LabError {
    fn from(error: intron_files::FilesError) -> LabError {
        LabError::Work(error.to_string())
    }
}
