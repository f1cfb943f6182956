//! `cargo xtask statistics`: the lab's statistics against the Python packages that the paper used.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command::{cargo, repository_root, run_command};
use crate::step::Verdict;

/// The Python side, with the versions it needs beside it.
const SCRIPT: &str = "crates/intron-lab/tests/reference/check_statistics.py";
const REQUIREMENTS: &str = "crates/intron-lab/tests/reference/requirements.txt";

/// The Rust side: data sets in, statistics out.
const PROGRAM: [&str; 6] =
    ["run", "--quiet", "--package", "intron-lab", "--example", "print_statistics"];

/// What pip says, in lower case, when it cannot reach a registry.
const UNREACHABLE: [&str; 4] =
    ["connection broken", "max retries exceeded", "failed to establish", "proxyerror"];

/// Where Python keeps its program in a virtual environment, and its name outside of one.
const PYTHON: [&str; 2] =
    if cfg!(windows) { ["Scripts/python.exe", "python"] } else { ["bin/python", "python3"] };

/// Compares every statistic; skipped where the packages cannot be had.
pub(crate) fn compare_with_python() -> Result<Verdict, String> {
    let root = repository_root();
    let environment = target_folder(&root).join("statistics-python");
    if let Verdict::Skipped(reason) = prepare(&environment, &root.join(REQUIREMENTS))? {
        return Ok(Verdict::Skipped(reason));
    }
    run_command(&mut cargo(&["build", "--package", "intron-lab", "--example", PROGRAM[5]]))?;
    let rust_side = cargo(&PROGRAM);
    let mut python_side = Command::new(environment.join(PYTHON[0]));
    python_side.arg(SCRIPT).arg(rust_side.get_program()).args(rust_side.get_args());
    run_command(python_side.current_dir(root))?;
    Ok(Verdict::Passed)
}

/// Makes the virtual environment, unless it is there with these very requirements.
fn prepare(environment: &Path, requirements: &Path) -> Result<Verdict, String> {
    let wanted = fs::read_to_string(requirements).map_err(|error| format!("{error}"))?;
    let stamp = environment.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Verdict::Passed);
    }
    let made = Command::new(PYTHON[1]).args(["-m", "venv", "--clear"]).arg(environment).output();
    if !made.is_ok_and(|output| output.status.success()) {
        let reason = format!("`{} -m venv` does not work here", PYTHON[1]);
        return Ok(Verdict::Skipped(reason));
    }
    println!("    installing the Python packages into {}", environment.display());
    let installed = Command::new(environment.join(PYTHON[0]))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--retries", "2", "--requirement"])
        .arg(requirements)
        .output()
        .map_err(|error| format!("pip could not be started: {error}"))?;
    if !installed.status.success() {
        return judge_failure(&installed);
    }
    // Last, so that an environment that was not finished is made again.
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(Verdict::Passed)
}

/// Without a network there is nothing to compare with; any other failure of pip is one of ours.
fn judge_failure(installation: &Output) -> Result<Verdict, String> {
    let message = String::from_utf8_lossy(&installation.stderr);
    if is_unreachable(&message) {
        return Ok(Verdict::Skipped("pip cannot reach a package registry".to_owned()));
    }
    Err(format!("pip cannot install {REQUIREMENTS}:\n{message}"))
}

fn is_unreachable(message: &str) -> bool {
    let message = message.to_lowercase();
    UNREACHABLE.iter().any(|sign| message.contains(sign))
}

/// Where cargo builds.
fn target_folder(root: &Path) -> PathBuf {
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_network_is_an_excuse() {
        let retry =
            "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError'";
        assert!(is_unreachable(retry));
        assert!(!is_unreachable("ERROR: No matching distribution found for rliable==99"));
    }
}
