//! Valgrind, which not every machine has.

use std::process::{Command, Stdio};

/// Whether it answers; if not, says that the step is skipped.
pub(crate) fn is_installed() -> bool {
    let mut question = Command::new("valgrind");
    let answer = question.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_installed = answer.is_ok_and(|status| status.success());
    if !is_installed {
        println!("    skipped: valgrind is not installed");
    }
    is_installed
}
