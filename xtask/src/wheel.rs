//! `cargo xtask wheel`: a wheel of the Python package that others can install, tried in a clean environment.

use crate::command::run_command;
use crate::python::{empty_folder, package_folder};
use crate::step::Verdict;
use crate::virtual_environment::{VirtualEnvironment, target_folder};

/// What builds wheels, and what tries them.
const REQUIREMENTS: &str = "python/requirements-wheel.txt";
const TRIAL: &str = "try_wheel.py";

/// Linux wheels run on every system since 2014; zig links against a C library that old. maturin looks into the wheel and
/// refuses it if it needs a newer one.
const FOR_LINUX: [&str; 3] = ["--zig", "--compatibility", "manylinux2014"];

/// Builds and tries the wheel; skipped where there is no Python or no network.
pub(crate) fn build() -> Result<Verdict, String> {
    let environment = match VirtualEnvironment::with("wheel-python", REQUIREMENTS) {
        Ok(environment) => environment,
        Err(lack) => return lack.verdict(),
    };
    let folder = empty_folder("wheels")?;
    let mut maturin = environment.python();
    maturin.args(["-m", "maturin", "build", "--release", "--locked"]);
    maturin.args(FOR_LINUX.iter().filter(|_| cfg!(target_os = "linux")));
    maturin.arg("--target-dir").arg(target_folder()).arg("--out").arg(&folder);
    run_command(maturin.current_dir(package_folder()))?;
    let mut trial = environment.python();
    run_command(trial.arg(TRIAL).arg(&folder).current_dir(package_folder()))?;
    Ok(Verdict::Passed)
}
