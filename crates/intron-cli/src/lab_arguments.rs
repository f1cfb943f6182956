//! What can be typed after `intron lab`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
pub(crate) struct LabArguments {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// List the plans that come with the program
    Plans(PlansArguments),
    /// Do the runs of a plan that are not done yet
    #[command(after_help = RUN_EXAMPLES)]
    Run(LabRunArguments),
    /// List the runs of a plan, one id per line
    Tasks(TasksArguments),
    /// Say how far an experiment is
    Status(StatusArguments),
    /// Check every record, and do a sample of the runs again
    Verify(VerifyArguments),
}

const RUN_EXAMPLES: &str = "\
Examples:
  intron lab run smoke                                             a minute
  intron lab run linkage-measures --data-dir ~/data                Experiment I of the paper: days
  intron lab run linkage-measures --set repeats=10 --set budget.evaluations=3e5
  intron lab run mine.toml --out results                           a plan of your own
  intron lab run linkage-measures --out shared --shard 3/20        one share of twenty

Ctrl-C stops within a second; the same command goes on where it stopped. Exit code 75: try again.";

#[derive(Args, Debug)]
pub(crate) struct PlansArguments {
    /// Print the text of this plan, to start one of your own from
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

/// A plan, and where its data is.
#[derive(Args, Debug)]
pub(crate) struct PlanArguments {
    /// A plan by name (see `intron lab plans`), or a TOML file
    pub(crate) plan: String,
    /// Change a key of the plan, such as budget.evaluations=1e6 or data=airfoil,concrete
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// A folder with more data sets by name, such as tower.csv
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct LabRunArguments {
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    /// The folder of the experiment [default: lab/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Runs at a time, 0 for one per core
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) threads: usize,
    /// Do one share of the runs: number from 0, and number of shares
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<String>,
    /// Print nothing but results and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TasksArguments {
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    /// Print all that is known of each run, one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct StatusArguments {
    /// The folder of the experiment [default: that of the last `lab run`]
    pub(crate) folder: Option<PathBuf>,
    /// Print the ids of the runs without a record, one per line, and nothing else
    #[arg(long)]
    pub(crate) missing: bool,
    /// Print one JSON object, for other programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    /// The folder of the experiment [default: that of the last `lab run`]
    pub(crate) folder: Option<PathBuf>,
    /// How many runs to do again
    #[arg(long, value_name = "N", default_value = "5")]
    pub(crate) sample: usize,
    /// A folder with more data sets by name, such as tower.csv
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
}
