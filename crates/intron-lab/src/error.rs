//! What can go wrong in the lab, by what the caller should do about it.

use std::io::{self, ErrorKind};
use std::path::Path;

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
    /// An error of the file system, at a path. A full or failing disk may be better later; what is not allowed stays so.
    pub(crate) fn at(path: &Path, error: &io::Error) -> LabError {
        let text = format!("{}: {error}", path.display());
        match error.kind() {
            ErrorKind::PermissionDenied => LabError::Work(format!(
                "{text}; make it readable and writable for you, or choose another folder"
            )),
            ErrorKind::ReadOnlyFilesystem => {
                LabError::Work(format!("{text}; choose a folder that can be written"))
            }
            ErrorKind::NotADirectory | ErrorKind::IsADirectory | ErrorKind::InvalidFilename => {
                LabError::Work(format!("{text}; move what is in the way, or choose another folder"))
            }
            _ => LabError::Temporary(text),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_is_not_allowed_is_no_reason_to_try_again_and_a_full_disk_is() {
        let at = |number| LabError::at(Path::new("there"), &io::Error::from_raw_os_error(number));
        // EPERM, EACCES, ENOTDIR, EISDIR, EROFS, ENAMETOOLONG.
        for number in [1, 13, 20, 21, 30, 36] {
            assert!(matches!(at(number), LabError::Work(_)), "{number}");
        }
        // EIO, EAGAIN, ENFILE, ENOSPC, ETIMEDOUT, ESTALE, EDQUOT.
        for number in [5, 11, 23, 28, 110, 116, 122] {
            assert!(matches!(at(number), LabError::Temporary(_)), "{number}");
        }
    }
}
