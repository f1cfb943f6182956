//! What can be typed: commands, flags and their help pages.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use intron_files::Missing;

/// Small formulas out of data.
#[derive(Parser, Debug)]
#[command(
    name = "intron",
    version,
    about = "Finds small formulas in tables of numbers (GP-GOMEA with intron- and template-aware linkage)",
    after_help = "Start with:  intron fit airfoil          (a built-in data set)\n            intron fit mydata.csv       (the last column is the target)"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Search for formulas that fit a table of numbers
    #[command(
        after_help = FIT_EXAMPLES,
        mut_arg("data", |data| data.required(false).required_unless_present("resume"))
    )]
    Fit(Box<FitArguments>),
    /// Apply a model to new rows
    #[command(after_help = PREDICT_EXAMPLES)]
    Predict(PredictArguments),
    /// Show the formulas of a model, or one of them in another notation
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArguments),
    /// Write a page about a run: front, formulas, fit, features, search
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportArguments),
    /// Score a formula of your own on a table of numbers
    #[command(after_help = EVALUATE_EXAMPLES)]
    Evaluate(EvaluateArguments),
    /// Learn linkage from a population in a JSON file, and print what was learned
    #[command(after_help = LINKAGE_EXAMPLES)]
    Linkage(LinkageArguments),
    /// List the data sets that are known by name
    #[command(after_help = "Example:  intron datasets --data-dir ~/data")]
    Datasets(DatasetsArguments),
    /// Measure how fast this machine searches
    #[command(after_help = BENCH_EXAMPLES)]
    Bench(BenchArguments),
    /// Run whole experiments: the paper's, or your own
    #[command(after_help = "Start with:  intron lab run smoke          (a minute)")]
    Lab(crate::lab_arguments::LabArguments),
    /// List every setting that --set reaches, with its default
    #[command(
        after_help = "Example:  intron settings\n          intron fit airfoil --set ims.start=128 --set init.grow=0.5"
    )]
    Settings(SettingsArguments),
}

const FIT_EXAMPLES: &str = "\
Examples:
  intron fit airfoil                                30 seconds on a built-in data set
  intron fit data.csv --target price --time 5m      another target, a longer search
  intron fit data.csv --max-size 15 --operators +,*,sqrt   smaller formulas, other operators
  intron fit airfoil --evaluations 1e6 --seed 1     exactly repeatable, for any --threads
  intron fit data.csv --missing drop --one-hot auto gaps and words in the table
  cat data.csv | intron fit - --json                for other programs
  intron fit --resume run                           go on with a search that --out run began
  intron fit --resume run --evaluations 1e7         the same, with a larger limit

Ctrl-C ends the search and keeps its result. The table shows the best formula of each size; one is
marked: the one that says most with least, or --select another way. --out DIR keeps everything:
hall_of_fame.csv, model.json, run.json.";

const PREDICT_EXAMPLES: &str = "\
Example:
  intron fit data.csv --out myrun
  intron predict myrun new.csv > predictions.csv
  intron predict myrun new.csv --interval 0.9       also where 9 of 10 true values lie

New rows need the columns that the model was fitted to, by name; other columns are ignored. Without
a header they must stand in the same order (a last column for the target may follow). Words become
what they were in the fit, and gaps are filled in if they were; say --missing drop again for rows
with gaps to be left out.";

const SHOW_EXAMPLES: &str = "\
Examples:
  intron show myrun                      all formulas of the run
  intron show myrun --format latex       the chosen one, for a paper
  intron show myrun --format c --data data.csv > predict.c
  intron show myrun/model.json --format python --index 2

Code is a function `predict` with one parameter for each feature in use, and three points to try it
with: rows of --data, or made-up ones. SQL is a query, Excel a formula for row 2. docs/exports.md
says what each language does where the formula is not defined.";

const REPORT_EXAMPLES: &str = "\
Examples:
  intron fit data.csv --out myrun
  intron report myrun                                   writes myrun/report.html
  intron report myrun --data moved/data.csv             where the table has another place now
  intron report myrun/model.json --data new.csv --out new.html   the formulas on other rows

The page is one file that needs no network: the front to click through, each formula as mathematics and
as a tree, predictions, errors, effects and importance of the features, the course of the search and the
linkage learned, settings, and the command that repeats the run. `intron fit --report` writes it at once.";

const EVALUATE_EXAMPLES: &str = "\
Examples:
  intron evaluate --expression 'x0 + sin(x1)' data.csv
  intron evaluate --expression '-2.5 * `wind speed` / temp^2' data.csv --linear-scaling on --json
  intron evaluate --expression '2 * a' data.csv --rows train    the rows that `intron fit` learns from

Features go by their names in the header (in backticks if they are no plain words) and, where no
name looks like x<number>, also by x0, x1, … in the order of the features. Operators: + - * / ^ and
sin cos exp log sqrt square neg abs tanh inv cube pow min max aq pdiv plog psqrt.";

const LINKAGE_EXAMPLES: &str = "\
Example:
  echo '{\"height\": 2, \"operators\": [\"+\", \"sin\"], \"n_features\": 2,
         \"solutions\": [[\"sin\", \"x0\", \"x1\"], [\"+\", \"x0\", 3.5]]}' > population.json
  intron linkage population.json --measure mi-masked

Tokens stand breadth-first: an operator's name, x<k>, or a number. Height counts levels.";

const BENCH_EXAMPLES: &str = "\
Examples:
  intron bench                                       a minute or two
  intron bench --evaluations 2e6 --data-dir ~/data   as in docs/performance.md, with Tower

Every figure stands next to its reference from the same run, since machines differ and are busy.
Searches are measured in CPU time, the rest in wall time.";

#[derive(Args, Debug)]
pub(crate) struct BenchArguments {
    /// Evaluations per search, at least 1e4; references get a tenth; tables of more rows than this are left out
    #[arg(long, value_name = "N", default_value = "1e6", allow_hyphen_values = true)]
    pub(crate) evaluations: String,
    /// A folder with more data sets by name: tower.csv is measured where it is
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct SettingsArguments {
    /// Whose values: default (what `intron fit` starts from) or paper (what the lab starts from)
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = ["default", "paper"])]
    pub(crate) preset: String,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct OutputArguments {
    /// Print one JSON object, for other programs
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but results and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Where the rows come from, and what their columns are.
#[derive(Args, Debug, Clone)]
pub(crate) struct DataArguments {
    /// A CSV, TSV, .xlsx, .ods or Parquet file, `-` for standard input, or the name of a data set (see `intron
    /// datasets`)
    #[arg(required = true)]
    pub(crate) data: Option<String>,
    /// The column to predict, by name or by number from 0 [default: the last one]
    #[arg(long, value_name = "NAME|INDEX", allow_hyphen_values = true)]
    pub(crate) target: Option<String>,
    /// The columns to use, names or numbers from 0 separated by commas [default: all others]
    #[arg(long, value_name = "COLUMNS", allow_hyphen_values = true)]
    pub(crate) features: Option<String>,
    /// A column with the weight of each row, by name or by number from 0
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub(crate) weights: Option<String>,
    /// Missing values: error, drop (their rows are left out) or impute (the median of the training rows)
    #[arg(long, value_name = "WAY", default_value = "error", value_parser = Missing::NAMES)]
    pub(crate) missing: String,
    /// A column of words becomes features of 0 and 1, one per word but the first; auto: every column with text
    #[arg(long, value_name = "COLUMN|auto", allow_hyphen_values = true)]
    pub(crate) one_hot: Vec<String>,
    /// The sheet of a spreadsheet [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// A folder with more data sets by name, such as tower.csv
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct FitArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Where settings start from: default (tuned constants, short formulas) or paper (constants never change);
    /// flags change single ones, `intron settings` lists them
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = ["default", "paper"])]
    pub(crate) preset: String,
    /// Template height in levels: 5 has 31 positions, 7 has 127 [default: 7; paper: 5]
    #[arg(long, value_name = "LEVELS", allow_hyphen_values = true)]
    pub(crate) height: Option<String>,
    /// small (+ - * / sin), large (also cos exp log sqrt square), or a list [default: large; paper: small]
    #[arg(long, value_name = "SET", allow_hyphen_values = true)]
    pub(crate) operators: Option<String>,
    #[command(flatten)]
    pub(crate) front: crate::front_arguments::FrontArguments,
    /// random, mi, mi-adjusted, mi-masked, node, node-static, cs, univariate or node-subtrees
    /// [default: cs; paper: node]
    #[arg(long, value_name = "NAME")]
    pub(crate) linkage: Option<String>,
    /// Fit slope and intercept of every formula: on or off [default: on]
    #[arg(long, value_name = "on|off")]
    pub(crate) linear_scaling: Option<String>,
    /// incremental, or full: every candidate from scratch, for comparison; the same result, slower
    /// [default: incremental]
    #[arg(long, value_name = "NAME")]
    pub(crate) evaluator: Option<String>,
    /// Stop after exactly this many evaluations, such as 1e6
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) evaluations: Option<String>,
    /// Stop after this many generations, those of all populations added up
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) generations: Option<String>,
    /// Stop after this time, such as 60s, 5m or 2h [default: 30s if there is no other budget]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) time: Option<String>,
    /// Stop as soon as the training R² is at least this
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    pub(crate) target_r2: Option<String>,
    /// One population of this size instead of the interleaved multistart
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) population: Option<String>,
    /// Seed of the search and of the split [default: 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Number of threads, 0 for all; the result is the same for any number [default: 0]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) threads: Option<String>,
    /// Share of the rows that is held out to test the formulas; 0 for none
    #[arg(long, value_name = "SHARE", default_value = "0.25", allow_hyphen_values = true)]
    pub(crate) test_fraction: String,
    /// Search this often on shuffled targets, too, to tell how likely so good and small a formula comes from noise:
    /// 20 times takes 20 times as long again
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) null: Option<String>,
    /// Write hall_of_fame.csv, model.json and run.json to this folder, and while searching checkpoint.txt
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the search of this folder, which was ended or killed, to the very result of an undisturbed one
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// Time between two checkpoints [default: 60s]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) checkpoint: Option<String>,
    /// Write a page about the result: FILE, else report.html in the folder of --out, or here
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) report: Option<Option<PathBuf>>,
    /// Any other setting; see `intron settings`
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct PredictArguments {
    /// A model.json, or the folder of a run
    pub(crate) model: PathBuf,
    /// A table: CSV, TSV, .xlsx, .ods or Parquet; `-` for standard input, or the name of a data set
    pub(crate) data: String,
    /// The formula with this number in the front [default: the chosen one]
    #[arg(long, value_name = "N")]
    pub(crate) index: Option<usize>,
    /// Add the columns lower and upper: intervals that hold this share of the true values, such as 0.9, learned from the
    /// rows that the fit held out
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub(crate) interval: Option<String>,
    /// Missing values: error, drop (no prediction for the row) or impute (as the model was told) [default: impute
    /// where the model knows how, else error]
    #[arg(long, value_name = "WAY", value_parser = Missing::NAMES)]
    pub(crate) missing: Option<String>,
    /// The sheet of a spreadsheet [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// A folder with more data sets by name
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// A model.json, or the folder of a run
    pub(crate) model: PathBuf,
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", help = crate::show::formats())]
    pub(crate) format: Option<String>,
    /// The formula with this number in the front, 0 for the smallest [default: the chosen one]
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub(crate) index: Option<usize>,
    /// A table with the features, or the name of a data set: three of its rows become points to try the code with
    #[arg(long, value_name = "DATA", conflicts_with = "json")]
    pub(crate) data: Option<String>,
    /// A folder with more data sets by name
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The folder of a run, or a model.json with --data
    pub(crate) run: PathBuf,
    /// The table: where that of the run has another place now, or rows for a model.json
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<String>,
    /// The page [default: report.html in the folder of the run]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The sheet of a spreadsheet, for a model.json [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// A folder with more data sets by name
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct EvaluateArguments {
    /// The formula
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) expression: String,
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Fit slope and intercept first: on or off
    #[arg(long, value_name = "on|off", default_value = "off", value_parser = ["on", "off"])]
    pub(crate) linear_scaling: String,
    /// Which rows count: all, or the train or test rows of a fit with the same seed and test fraction
    #[arg(long, value_name = "PART", default_value = "all", value_parser = ["all", "train", "test"])]
    pub(crate) rows: String,
    /// Seed of the split, for --rows
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true)]
    pub(crate) seed: String,
    /// Share of the rows that is held out, for --rows
    #[arg(long, value_name = "SHARE", default_value = "0.25", allow_hyphen_values = true)]
    pub(crate) test_fraction: String,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct LinkageArguments {
    /// A population in a JSON file, `-` for standard input
    pub(crate) population: PathBuf,
    /// random, mi, mi-adjusted, mi-masked, node, node-static, cs, univariate or node-subtrees
    #[arg(long, value_name = "NAME")]
    pub(crate) measure: String,
    /// The population's initial solutions, which mi-adjusted takes its factors from
    #[arg(long, value_name = "FILE")]
    pub(crate) initial_population: Option<PathBuf>,
    /// Seed of random similarities and of tie-breaking
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true)]
    pub(crate) seed: String,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct DatasetsArguments {
    /// A folder with more data sets by name
    #[arg(long, value_name = "DIR", env = "INTRON_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
