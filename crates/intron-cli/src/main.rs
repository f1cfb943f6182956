//! The command line of Intron: typed arguments → settings → run → print. No algorithm lives here.

mod failure;
mod terminal;
mod wording;
mod json;
mod arguments;
mod datasets;
mod preparing;
mod input;
mod model;
mod front_arguments;
mod front_table;
mod kept_linkage;
mod progress;
mod signals;
mod run_files;
mod kept_nulls;
mod checkpoint_file;
mod checkpoints;
mod resume;
mod beginning;
mod repeating;
mod given_rows;
mod report;
mod null_test;
mod given_formulas;
mod evidence;
mod fit_settings;
mod fit;
mod interval;
mod predict;
mod show;
mod evaluate;
mod population_file;
mod linkage;
mod settings_list;
mod bench;
mod lab_arguments;
mod lab_memory;
mod lab_plan;
mod lab_progress;
mod lab_submit;
mod lab_report;
mod lab;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to standard output with exit code 0, wrong usage to standard error with 2.
            let exit_code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(exit_code);
        }
    };
    match dispatch(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, exit_code }) => {
            terminal::tell(&format!("error: {message}"));
            ExitCode::from(exit_code)
        }
    }
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Fit(arguments) => fit::fit(*arguments),
        Command::Predict(arguments) => predict::predict(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Evaluate(arguments) => evaluate::evaluate(&arguments),
        Command::Linkage(arguments) => linkage::linkage(&arguments),
        Command::Datasets(arguments) => datasets::list(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Lab(arguments) => lab::lab(&arguments.command),
        Command::Settings(arguments) => settings_list::list(&arguments),
    }
}
