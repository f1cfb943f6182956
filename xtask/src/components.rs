//! Toolchain components: a minimal rustup installation has neither rustfmt nor clippy.

use std::process::{Command, Stdio};

use crate::command::{cargo, run_command};

/// Cargo's subcommand and the component it comes from.
const NEEDED: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Adds the missing components through rustup; an error says what the user has to do.
pub(crate) fn ensure_installed() -> Result<(), String> {
    let missing = missing_components();
    if missing.is_empty() {
        return Ok(());
    }
    let request = format!("rustup component add {}", missing.join(" "));
    println!("    missing: {}; running {request}", missing.join(", "));
    run_command(Command::new("rustup").args(["component", "add"]).args(&missing))
        .map_err(|reason| format!("{reason}\nplease install by hand: {request}"))?;
    match missing_components().as_slice() {
        [] => Ok(()),
        still => Err(format!("still missing after {request}: {}", still.join(", "))),
    }
}

/// The components whose subcommand does not answer.
fn missing_components() -> Vec<&'static str> {
    let is_missing = |subcommand: &str| {
        let mut question = cargo(&[subcommand, "--version"]);
        let answer = question.stdout(Stdio::null()).stderr(Stdio::null()).status();
        !answer.is_ok_and(|status| status.success())
    };
    NEEDED
        .into_iter()
        .filter(|(subcommand, _)| is_missing(subcommand))
        .map(|(_, component)| component)
        .collect()
}
