//! `cargo xtask`: every check of the repository behind one command that needs nothing but rustup.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal: printing is its purpose"
)]

mod command;
mod components;
mod executables;
mod exports;
mod valgrind;
mod instructions;
mod memcheck;
mod slurm;
mod tidy;
mod virtual_environment;
mod statistics;
mod python;
mod wheel;
mod step;

use std::env;
use std::process::ExitCode;

use crate::step::Step;

/// What `cargo xtask --help` prints.
const USAGE: &str = "\
usage: cargo xtask <command>

commands:
  test         check, then all tests, those of the Python package included
  check        format, lints, documentation, tidy
  tidy         house rules: lengths, names, purpose lines, reasons for dependencies
  python       the Python package with the newest and the oldest packages it works with
  wheel        a wheel for many Linux systems in target/wheels, tried in a clean environment
  statistics   the lab's statistics against the Python packages that the paper used
  exports      exported formulas run in every language that is installed

with valgrind, where it is installed:
  instructions            instructions per evaluation: fails if they grew by more than 3 %
  instructions --update   the same, and keeps the new counts in xtask/instructions.txt
  memcheck                tests of the kernels and the evaluators under valgrind

with Slurm and munge, where they are installed:
  slurm                   starts a cluster of three nodes, breaks parts of it, and checks that no record is missing";

/// Exit code for a command line that cannot be understood.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        [command] => match steps_of(command) {
            Some(steps) => step::run_all(command, &steps),
            None => refuse(&format!("unknown command `{command}`")),
        },
        ["instructions", "--update"] => {
            step::run_all("instructions --update", &[Step::KeepInstructions])
        }
        [] => refuse("no command given"),
        _ => refuse("one command only, without further arguments"),
    }
}

/// The steps behind a command, in the order they run, or nothing for an unknown command.
fn steps_of(command: &str) -> Option<Vec<Step>> {
    match command {
        "tidy" => Some(vec![Step::Tidy]),
        "instructions" => Some(vec![Step::Instructions]),
        "memcheck" => Some(vec![Step::Memcheck]),
        "slurm" => Some(vec![Step::Slurm]),
        "check" => Some(check_steps()),
        "statistics" => Some(vec![Step::Statistics]),
        "exports" => Some(vec![Step::Exports]),
        "python" => Some(vec![Step::Python]),
        "wheel" => Some(vec![Step::Wheel]),
        "test" => Some(check_steps().into_iter().chain([Step::Tests, Step::Python]).collect()),
        _ => None,
    }
}

/// The steps of `cargo xtask check`.
fn check_steps() -> Vec<Step> {
    vec![Step::Components, Step::Format, Step::Lints, Step::Documentation, Step::Tidy]
}

/// Says what is wrong with the command line, and how it is meant.
fn refuse(complaint: &str) -> ExitCode {
    eprintln!("error: {complaint}\n\n{USAGE}");
    ExitCode::from(EXIT_USAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn testing_starts_with_every_step_of_the_check() {
        let check = steps_of("check").unwrap();
        let test = steps_of("test").unwrap();
        assert_eq!(test[..check.len()], check[..]);
        assert_eq!(test[check.len()..], [Step::Tests, Step::Python]);
    }

    #[test]
    fn an_unknown_command_has_no_steps() {
        assert_eq!(steps_of("tset"), None);
    }
}
