//! Counting: short runs of the released program under callgrind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A run that is counted.
pub(crate) struct Case {
    /// Name in the table.
    pub(crate) name: &'static str,
    /// How many evaluations it does, exactly.
    n_evaluations: u32,
    /// What it has on top of what all cases have.
    arguments: &'static [&'static str],
}

/// Evaluations of most cases: enough that the start of the program is below a hundredth, few enough to wait for.
const N_EVALUATIONS: u32 = 100_000;

/// The plain evaluator is many times slower.
const N_EVALUATIONS_PLAIN: u32 = 10_000;

pub(crate) const CASES: [Case; 4] = [
    Case {
        name: "node-5",
        n_evaluations: N_EVALUATIONS,
        arguments: &["--linkage", "node", "--height", "5"],
    },
    Case {
        name: "node-7",
        n_evaluations: N_EVALUATIONS,
        arguments: &["--linkage", "node", "--height", "7"],
    },
    Case {
        name: "mi-masked-5",
        n_evaluations: N_EVALUATIONS,
        arguments: &["--linkage", "mi-masked", "--height", "5"],
    },
    Case {
        name: "plain-5",
        n_evaluations: N_EVALUATIONS_PLAIN,
        arguments: &["--height", "5", "--set", "evaluator=full", "--set", "early_rejection=off"],
    },
];

/// What all cases have: the paper's setting on the rows that the paper trains on.
const ARGUMENTS: &[&str] = &[
    "fit",
    "airfoil",
    "--preset",
    "paper",
    "--threads",
    "1",
    "--test-fraction",
    "0.4",
    "--seed",
    "1",
    "--quiet",
];

impl Case {
    /// Instructions per evaluation.
    pub(crate) fn count(&self, program: &Path) -> Result<f64, String> {
        let profile = self.profile(program);
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind");
        command.arg(format!("--callgrind-out-file={}", profile.display()));
        command.arg(program).args(ARGUMENTS).args(self.arguments);
        command.args(["--evaluations", &self.n_evaluations.to_string()]).stdout(Stdio::null());
        let output = command.output();
        let output = output.map_err(|error| format!("valgrind could not be started: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{said}`valgrind` ended with {}", output.status));
        }
        let text = fs::read_to_string(&profile);
        let text = text.map_err(|error| format!("{}: {error}", profile.display()))?;
        let total = total(&text).ok_or_else(|| format!("no total in {}", profile.display()))?;
        Ok(total as f64 / f64::from(self.n_evaluations))
    }

    /// Where callgrind's profile lies: beside the program.
    pub(crate) fn profile(&self, program: &Path) -> PathBuf {
        program.with_file_name(format!("callgrind.out.{}", self.name))
    }
}

/// The number of all instructions in a profile.
fn total(profile: &str) -> Option<u64> {
    profile.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_a_profile_is_found() {
        assert_eq!(total("# callgrind format\nevents: Ir\nfn=(1)\n7 12\n\ntotals: 12\n"), Some(12));
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn every_case_is_in_the_setting_of_the_paper() {
        assert!(ARGUMENTS.windows(2).any(|words| words == ["--preset", "paper"]));
    }

    #[test]
    fn names_differ() {
        for (index, case) in CASES.iter().enumerate() {
            assert!(CASES[..index].iter().all(|other| other.name != case.name));
        }
    }
}
