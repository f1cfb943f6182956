//! `cargo xtask statistics`: the lab's statistics against the Python packages that the paper used.

use crate::command::{cargo, repository_root, run_command};
use crate::step::Verdict;
use crate::virtual_environment::VirtualEnvironment;

/// The Python side, with the versions it needs beside it.
const SCRIPT: &str = "crates/intron-lab/tests/reference/check_statistics.py";
const REQUIREMENTS: &str = "crates/intron-lab/tests/reference/requirements.txt";

/// The Rust side: data sets in, statistics out.
const PROGRAM: [&str; 6] =
    ["run", "--quiet", "--package", "intron-lab", "--example", "print_statistics"];

/// Compares every statistic; skipped where the packages cannot be had.
pub(crate) fn compare_with_python() -> Result<Verdict, String> {
    let environment = match VirtualEnvironment::with("statistics-python", REQUIREMENTS) {
        Ok(environment) => environment,
        Err(lack) => return lack.verdict(),
    };
    run_command(&mut cargo(&["build", "--package", "intron-lab", "--example", PROGRAM[5]]))?;
    let rust_side = cargo(&PROGRAM);
    let mut python_side = environment.python();
    python_side.arg(SCRIPT).arg(rust_side.get_program()).args(rust_side.get_args());
    run_command(python_side.current_dir(repository_root()))?;
    Ok(Verdict::Passed)
}
