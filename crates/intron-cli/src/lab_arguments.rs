//! What can be typed after `intron lab`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
    /// Hand the runs of a plan that are not done yet to a cluster
    #[command(after_help = SUBMIT_EXAMPLES)]
    Submit(SubmitArguments),
    /// Submit the shards in which runs are missing once more; what `lab submit` does by itself after its jobs
    Resubmit(ResubmitArguments),
    /// List the runs of a plan, one id per line
    Tasks(TasksArguments),
    /// Say how far an experiment is
    Status(StatusArguments),
    /// Compute statistics, draw figures and write one page with all of them
    Report(ReportArguments),
    /// Check every record, and do a sample of the runs again
    Verify(VerifyArguments),
}

const RUN_EXAMPLES: &str = "\
Examples:
  intron lab run smoke                                             a minute
  intron lab run linkage-measures --data-dir ~/data                Experiment I of the paper: days
  intron lab run linkage-measures --set repeats=10 --set budget.evaluations=3e5
  intron lab run mine.toml --out results                           a plan of your own
  intron lab run results                                           go on with it, from anywhere
  intron lab run linkage-measures --out shared --shard 3/20        one share of twenty

Ctrl-C stops within a second; the same command goes on where it stopped. Exit code 75: try again.";

const SUBMIT_EXAMPLES: &str = "\
Examples:
  intron lab submit linkage-measures --out shared/one --dry-run    see the scripts, do nothing
  intron lab submit linkage-measures --out shared/one --shards 500 --time 8:00:00 --partition long
  SBATCH_ACCOUNT=mine intron lab submit mine.toml --out shared/two what else sbatch needs, from its own variables

The folder must be one that every node sees. The same command again submits what is still missing.";

#[derive(Args, Debug)]
pub(crate) struct PlansArguments {
    /// Print the text of this plan, to start one of your own from
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

/// A plan, and where its data is.
#[derive(Args, Debug)]
pub(crate) struct PlanArguments {
    /// A plan by name (see `intron lab plans`), a TOML file, or the folder of an experiment that is to go on
    pub(crate) plan: String,
    /// Change a key of the plan, such as budget.evaluations=1e6 or data=airfoil,concrete; operator sets are separated by
    /// semicolons: 'operators=small;+,-,*'
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// A folder with more data sets by name, such as tower.csv, and with files that are not where they were
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

/// What runs the jobs.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// A Slurm job array
    Slurm,
}

#[derive(Args, Debug)]
pub(crate) struct SubmitArguments {
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    /// What runs the jobs
    #[arg(long, value_enum, default_value = "slurm")]
    pub(crate) engine: Engine,
    /// The folder of the experiment, which every node sees [default: lab/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Shares that the runs are split into: at most the runs, and what the cluster allows
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) shards: u32,
    /// Time limit of a shard; one that reaches it goes on later
    #[arg(long, default_value = "4:00:00")]
    pub(crate) time: String,
    /// The partition [default: the cluster's]
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Memory of a shard, such as 2G [default: the cluster's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Shards at a time
    #[arg(long, value_name = "N", default_value = "200")]
    pub(crate) max_jobs: usize,
    /// Print the scripts and what would be submitted, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ResubmitArguments {
    /// The folder of the experiment [default: that of the last `lab run` or `lab submit`]
    pub(crate) folder: Option<PathBuf>,
    /// Which time this is; after the third nothing is submitted any more
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) round: u32,
    /// Do not ask whether jobs are still in the queue; for the job after an array, which is one of them
    #[arg(long)]
    pub(crate) after_array: bool,
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
pub(crate) struct ReportArguments {
    /// The folder of the experiment [default: that of the last `lab run`]; several that differ in their operator sets are
    /// compared in one report, in joint-report/ of the first
    #[arg(value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Where the report goes [default: report/ in the folder of the experiment]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
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
