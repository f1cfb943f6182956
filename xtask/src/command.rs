//! Calls of other programs, cargo above all, from the root of the repository.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A call of the cargo that started this program, in the root of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repository_root());
    command
}

/// Runs a command with its output shown; anything but success is an error.
pub(crate) fn run_command(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{program}` ended with {status}")),
        Err(error) => Err(format!("`{program}` could not be started: {error}")),
    }
}

/// The folder above this package.
pub(crate) fn repository_root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the package lies inside the repository").to_path_buf()
}
