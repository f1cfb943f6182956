//! One step of a command: says what it runs, runs it, says how long it took.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::{cargo, repository_root, run_command};
use crate::{components, exports, instructions, memcheck, python, slurm, statistics, tidy, wheel};

/// A step, named for what it guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The parts of the toolchain that the other steps need.
    Components,
    /// Every file is formatted.
    Format,
    /// No warning from the compiler or clippy.
    Lints,
    /// The documentation builds without a warning.
    Documentation,
    /// The house rules hold.
    Tidy,
    /// All tests, those in the documentation included.
    Tests,
    /// No more instructions than before.
    Instructions,
    /// What is counted now becomes what later counts are compared with.
    KeepInstructions,
    /// The unsafe code touches no memory that is not its own.
    Memcheck,
    /// The lab survives what happens on a cluster.
    Slurm,
    /// The lab's statistics are those of the packages that the paper used.
    Statistics,
    /// The Python package does what it promises.
    Python,
    /// A wheel can be built that others can install.
    Wheel,
    /// Exported formulas give what the library gives.
    Exports,
}

/// How a step ends that has not failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// What the step guards holds.
    Passed,
    /// What the step needs is not there; says what.
    Skipped(String),
}

impl Step {
    /// Name in messages.
    fn name(self) -> &'static str {
        match self {
            Step::Components => "components",
            Step::Format => "format",
            Step::Lints => "lints",
            Step::Documentation => "documentation",
            Step::Tidy => "tidy",
            Step::Tests => "tests",
            Step::Instructions | Step::KeepInstructions => "instructions",
            Step::Memcheck => "memcheck",
            Step::Slurm => "slurm",
            Step::Statistics => "statistics",
            Step::Python => "python",
            Step::Wheel => "wheel",
            Step::Exports => "exports",
        }
    }

    /// Arguments for cargo; none if the step is done here.
    fn cargo_arguments(self) -> &'static [&'static str] {
        match self {
            Step::Components | Step::Tidy => &[],
            Step::Statistics | Step::Python | Step::Wheel | Step::Exports => &[],
            Step::Instructions | Step::KeepInstructions | Step::Memcheck | Step::Slurm => &[],
            Step::Format => &["fmt", "--all", "--check"],
            Step::Lints => &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
            Step::Documentation => &["doc", "--workspace", "--no-deps"],
            Step::Tests => &["test", "--workspace"],
        }
    }

    /// What the reader is told before the step starts.
    fn announcement(self) -> String {
        match self {
            Step::Components => "rustfmt and clippy are installed".to_owned(),
            Step::Tidy => "house rules on all tracked files".to_owned(),
            Step::Instructions => "instructions per evaluation against the kept ones".to_owned(),
            Step::KeepInstructions => "instructions per evaluation, to be kept".to_owned(),
            Step::Slurm => "the lab on a real Slurm, parts of which are killed".to_owned(),
            Step::Memcheck => "kernels and evaluators under valgrind".to_owned(),
            Step::Statistics => "intron-lab against rliable, autorank and scipy".to_owned(),
            Step::Python => "the Python package with its newest and oldest packages".to_owned(),
            Step::Wheel => "a wheel in target/wheels, and a search with it".to_owned(),
            Step::Exports => "exported formulas in the languages that are installed".to_owned(),
            Step::Documentation => {
                format!("RUSTDOCFLAGS=\"-D warnings\" cargo {}", self.cargo_arguments().join(" "))
            }
            _ => format!("cargo {}", self.cargo_arguments().join(" ")),
        }
    }

    /// Runs the step; the error is the reason of the failure.
    fn run(self) -> Result<Verdict, String> {
        match self {
            Step::Statistics => return statistics::compare_with_python(),
            Step::Python => return python::test(),
            Step::Wheel => return wheel::build(),
            Step::Exports => return exports::run(),
            Step::Components => components::ensure_installed(),
            Step::Tidy => tidy::check_repository(&repository_root()),
            Step::Instructions => instructions::compare_with_kept(),
            Step::KeepInstructions => instructions::keep(),
            Step::Memcheck => memcheck::run(),
            Step::Slurm => slurm::run(),
            Step::Documentation => {
                run_command(cargo(self.cargo_arguments()).env("RUSTDOCFLAGS", "-D warnings"))
            }
            _ => run_command(&mut cargo(self.cargo_arguments())),
        }
        .map(|()| Verdict::Passed)
    }
}

/// Runs the steps in order and stops at the first failure.
pub(crate) fn run_all(command: &str, steps: &[Step]) -> ExitCode {
    let start = Instant::now();
    let mut n_skipped = 0;
    for step in steps {
        let step_start = Instant::now();
        println!("==> {}: {}", step.name(), step.announcement());
        let outcome = step.run();
        let took = seconds(step_start.elapsed());
        match outcome {
            Ok(Verdict::Passed) => println!("    {} passed in {took}", step.name()),
            Ok(Verdict::Skipped(reason)) => {
                println!("    {} skipped: {reason}", step.name());
                n_skipped += 1;
            }
            Err(reason) => {
                eprintln!("error: {reason}");
                eprintln!("cargo xtask {command}: step `{}` FAILED after {took}", step.name());
                return ExitCode::FAILURE;
            }
        }
    }
    let steps = match n_skipped {
        0 => "all steps passed".to_owned(),
        n_skipped => format!("no step failed, {n_skipped} skipped"),
    };
    println!("cargo xtask {command}: SUCCESS, {steps} in {}", seconds(start.elapsed()));
    ExitCode::SUCCESS
}

/// A duration as text, with its unit.
fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
