//! Memory: the tests that reach all unsafe code, under valgrind.

use std::path::Path;
use std::process::Command;

use crate::command::run_command;
use crate::executables::build_one;
use crate::valgrind;

/// Arguments for cargo, name of the tests' executable, and which of its tests are run.
const TESTS: [(&[&str], &str, &str); 2] = [
    (&["test", "--package", "intron", "--lib", "--no-run"], "intron", "kernels"),
    (
        &["test", "--package", "intron", "--test", "properties", "--no-run"],
        "properties",
        "evaluation::",
    ),
];

/// Tests of the sign of zero and of NaN, in which valgrind's own fused multiplication and addition errs. What they reach,
/// the properties reach too, which do not look at bits here.
const TESTS_OF_BITS: [&str; 2] =
    ["every_loop_equals_the_definition_bit_by_bit", "waves_are_symmetric_and_bounded"];

/// Cases of each property: few, since valgrind is slow, but each is a sequence of many changes.
const N_CASES: &str = "100";

/// Runs the tests; an access to memory that is not theirs, or a decision on an unset value, is an error.
pub(crate) fn run() -> Result<(), String> {
    if !valgrind::is_installed() {
        return Ok(());
    }
    for (build, name, filter) in TESTS {
        let executable = build_one(build, name)?;
        require_tests(&executable, filter)?;
        println!("    valgrind {name} {filter}");
        run_command(
            Command::new("valgrind")
                .args(["--quiet", "--error-exitcode=1"])
                .arg(&executable)
                .args([filter, "--test-threads=1"])
                .args(TESTS_OF_BITS.iter().flat_map(|name| ["--skip", name]))
                .envs([("PROPTEST_CASES", N_CASES), ("INTRON_MEMORY_ONLY", "1")]),
        )
        .map_err(|reason| format!("{reason}: see above for what {name} did"))?;
    }
    Ok(())
}

/// A filter that has become wrong would pass with no test at all.
fn require_tests(executable: &Path, filter: &str) -> Result<(), String> {
    let listing = Command::new(executable).args([filter, "--list"]).output();
    let listing = listing.map_err(|error| format!("{}: {error}", executable.display()))?;
    let has_tests =
        String::from_utf8_lossy(&listing.stdout).lines().any(|line| line.ends_with(": test"));
    has_tests.then_some(()).ok_or_else(|| format!("no test has `{filter}` in its name"))
}
