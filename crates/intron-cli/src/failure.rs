//! Why a command failed, in one message, and the exit code that goes with it.

use clap::CommandFactory;
use intron_files::{FilesError, TableError};

use crate::arguments::Arguments;

/// A message for the user, and the exit code: 1 for failure, 2 for wrong usage.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) exit_code: u8,
}

impl Failure {
    /// The work could not be done: a file, the data, the disk.
    pub(crate) fn work(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), exit_code: 1 }
    }

    /// The command was not typed as it should be.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), exit_code: 2 }
    }

    /// The same, said of a file or data set.
    pub(crate) fn about(self, what: &str) -> Failure {
        Failure { message: format!("{what}: {}", self.message), ..self }
    }
}

/// Whether a setting has a flag of its own; `fit` has them all.
fn has_flag(key: &str) -> bool {
    let command = Arguments::command();
    let fit = command.find_subcommand("fit").expect("there is a command `fit`");
    fit.get_arguments().any(|argument| argument.get_id() == key)
}

impl From<intron::Error> for Failure {
    fn from(error: intron::Error) -> Failure {
        let message = error.to_string();
        match error {
            // A setting that has a flag is called by it.
            intron::Error::Setting { key, .. } if has_flag(&key) => {
                Failure::usage(format!("--{}{}", key.replace('_', "-"), &message[key.len()..]))
            }
            intron::Error::UnknownSetting { nearest: None, .. } => {
                Failure::usage(format!("{message}; see `intron settings`"))
            }
            intron::Error::Data { .. } | intron::Error::Population(_) => Failure::work(message),
            _ => Failure::usage(message),
        }
    }
}

impl From<FilesError> for Failure {
    fn from(error: FilesError) -> Failure {
        Failure::work(error.to_string())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::work(error.to_string())
    }
}
