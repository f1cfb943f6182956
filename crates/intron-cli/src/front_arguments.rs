//! The flags of `fit` about what goes into the front.

use clap::Args;
use intron::Settings;

use crate::failure::Failure;

#[derive(Args, Debug)]
pub(crate) struct FrontArguments {
    /// Formulas have at most this many nodes, instead of the 28 positions of `--set max_positions` [default: none]
    #[arg(long, value_name = "NODES", allow_hyphen_values = true)]
    pub(crate) max_size: Option<String>,
    /// How one formula is chosen: accuracy, best, score, bic, mdl or validation [default: mdl; paper: accuracy]
    #[arg(long, value_name = "WAY")]
    pub(crate) select: Option<String>,
    /// What the front weighs against accuracy: size, cost, depth, constants or recursive [default: size, or cost with
    /// --cost]
    #[arg(long, value_name = "NAME")]
    pub(crate) complexity: Option<String>,
    /// What an operator, `feature` or `constant` costs, such as sin=3; all others cost 1; may be given many times
    #[arg(long, value_name = "NAME=COST", allow_hyphen_values = true)]
    pub(crate) cost: Vec<String>,
    /// Show this many different formulas of each size
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) per_size: Option<String>,
    /// An operator of your own, such as "logistic(a) = 1/(1+exp(-a))", with one or two arguments; may be given many times
    #[arg(long, value_name = "DEFINITION")]
    pub(crate) operator: Vec<String>,
    /// A formula to start from, or @FILE with one per line; may be given many times. It is scored beside the front, too
    #[arg(long, value_name = "FORMULA|@FILE", allow_hyphen_values = true)]
    pub(crate) start: Vec<String>,
}

impl FrontArguments {
    /// Adds operators of one's own, after all that sets the others.
    pub(crate) fn define_operators(&self, settings: &mut Settings) -> Result<(), Failure> {
        let mut definitions = self.operator.iter();
        definitions
            .try_for_each(|text| settings.own_operators.define(text))
            .map_err(|error| about_flag("--operator", "operators: ", &error))
    }

    /// An error of the settings; one about costs that a flag gives has the flag in front.
    pub(crate) fn about_cost(&self, error: intron::Error) -> Failure {
        let is_about_costs = match &error {
            intron::Error::Setting { key, .. } => key == "costs",
            intron::Error::UnknownName { what, .. } => *what == "cost",
            _ => false,
        };
        if is_about_costs && !self.cost.is_empty() {
            about_flag("--cost", "costs: ", &error)
        } else {
            Failure::from(error)
        }
    }

    /// The flags that are settings by the same name, with their values.
    fn settings(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let flags = [
            ("max_size", &self.max_size),
            ("select", &self.select),
            ("complexity", &self.complexity),
            ("per_size", &self.per_size),
        ];
        flags.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }

    /// The names of those that are given.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.settings().map(|(key, _)| key)
    }

    /// Puts the flags into the settings.
    pub(crate) fn apply(&self, settings: &mut Settings) -> Result<(), Failure> {
        for (key, value) in self.settings() {
            settings.set(key, value)?;
        }
        if !self.cost.is_empty() {
            let costs = settings.set("costs", &self.cost.join(","));
            costs.map_err(|error| about_flag("--cost", "costs: ", &error))?;
            if self.complexity.is_none() {
                settings.set("complexity", "cost")?;
            }
        }
        if !self.start.is_empty() {
            settings.start = formulas(&self.start)?;
        }
        Ok(())
    }
}

/// An error with the flag in front, in the place of the setting.
fn about_flag(flag: &str, setting: &str, error: &intron::Error) -> Failure {
    let message = error.to_string();
    Failure::usage(format!("{flag}: {}", message.strip_prefix(setting).unwrap_or(&message)))
}

/// Formulas as given, and those of files.
fn formulas(given: &[String]) -> Result<Vec<String>, Failure> {
    let mut formulas = Vec::new();
    for text in given {
        let Some(path) = text.strip_prefix('@') else {
            formulas.push(text.trim().to_owned());
            continue;
        };
        let content = std::fs::read_to_string(path).map_err(|error| {
            Failure::work(format!(
                "--start @{path}: {error}; give a text file with one formula per line"
            ))
        })?;
        let lines = content.lines().map(str::trim).filter(|line| !line.is_empty());
        formulas.extend(lines.map(str::to_owned));
    }
    Ok(formulas)
}
