//! A plan (TOML): a grid of data sets, heights, scalings, operator sets and linkages, each cell run a number of times.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::error::LabError;

/// What is to be run. Every combination of the lists is a cell; a cell is run `repeats` times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// A short name, which folders can have.
    pub name: String,
    /// What the plan is about, in one line.
    #[serde(default)]
    pub title: String,
    /// Data sets: known names, or paths of files.
    pub data: Vec<String>,
    /// Template heights in levels.
    pub heights: Vec<usize>,
    /// `on`, `off` or both.
    pub linear_scaling: Vec<String>,
    /// Operator sets: `small`, `large`, or lists of names with commas.
    pub operators: Vec<String>,
    /// Linkage settings.
    pub linkage: Vec<String>,
    /// Runs of each cell. Run r uses fold r mod `folds` and seed `seed` + r div `folds`.
    pub repeats: usize,
    /// Parts that the rows which are not held out are split into; a run learns from all but one.
    pub folds: usize,
    /// The share of the rows that is held out, the same for all runs of a problem.
    pub test_fraction: f64,
    /// The first seed; it also decides which rows are held out.
    #[serde(default)]
    pub seed: u64,
    /// When a run ends.
    pub budget: PlanBudget,
    /// Other settings, as `intron settings` lists them.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
    /// Whether similarities are recorded, and when.
    #[serde(default)]
    pub similarity: Option<SimilarityPlan>,
}

/// When a run ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanBudget {
    /// After so many evaluations.
    #[serde(default)]
    pub evaluations: Option<f64>,
    /// After so many generations, those of all populations added up.
    #[serde(default)]
    pub generations: Option<f64>,
}

/// At which generations the similarities of the first population are recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimilarityPlan {
    /// Generations; 0 is before any variation.
    pub generations: Vec<u64>,
}

/// The plans that come with the program.
static SHIPPED: [(&str, &str); 5] = [
    ("smoke", include_str!("../../../experiments/plans/smoke.toml")),
    ("linkage-measures", include_str!("../../../experiments/plans/linkage-measures.toml")),
    ("operator-set", include_str!("../../../experiments/plans/operator-set.toml")),
    ("learned-structure", include_str!("../../../experiments/plans/learned-structure.toml")),
    ("beyond-the-paper", include_str!("../../../experiments/plans/beyond-the-paper.toml")),
];

/// Names of the plans that come with the program.
pub fn shipped_plans() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The text of a plan that comes with the program.
pub fn shipped_plan(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

impl Plan {
    /// Reads a plan and changes keys, given as `key=value`; keys inside a table are written `budget.evaluations`.
    pub fn read(text: &str, changes: &[String]) -> Result<Plan, LabError> {
        let refuse = |error: &dyn std::fmt::Display| {
            LabError::Plan(format!("this is not a plan: {}", error.to_string().trim_end()))
        };
        let mut table: Table = text.parse().map_err(|error: toml::de::Error| refuse(&error))?;
        let mut changed: Vec<&str> = Vec::new();
        for change in changes {
            let key = apply(&mut table, change)?;
            if changed.contains(&key) {
                return Err(LabError::Plan(format!(
                    "--set {change}: `{key}` was set before; say once what it is to be"
                )));
            }
            changed.push(key);
        }
        let plan: Plan = table.try_into().map_err(|error: toml::de::Error| refuse(&error))?;
        plan.check()?;
        Ok(plan)
    }

    /// The plan as text, every change written in.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a plan is made of what TOML has")
    }

    fn check(&self) -> Result<(), LabError> {
        let refuse =
            |problem: String| Err(LabError::Plan(format!("plan `{}`: {problem}", self.name)));
        let is_tame = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.name.is_empty() || !self.name.chars().all(is_tame) {
            return refuse("the name is made of letters, digits, `-` and `_`".to_owned());
        }
        for (key, is_empty) in [
            ("data", self.data.is_empty()),
            ("heights", self.heights.is_empty()),
            ("linear_scaling", self.linear_scaling.is_empty()),
            ("operators", self.operators.is_empty()),
            ("linkage", self.linkage.is_empty()),
            ("repeats", self.repeats == 0),
        ] {
            if is_empty {
                return refuse(format!("`{key}` is empty: there is nothing to run"));
            }
        }
        if self.budget.evaluations.is_none() && self.budget.generations.is_none() {
            return refuse(
                "`budget` needs `evaluations` or `generations`: a run must end".to_owned(),
            );
        }
        for (key, limit) in
            [("evaluations", self.budget.evaluations), ("generations", self.budget.generations)]
        {
            if limit.is_some_and(|limit| !(1.0..=1e18).contains(&limit) || limit.fract() != 0.0) {
                return refuse(format!("`budget.{key}` is a whole number from 1"));
            }
        }
        if !(0.0..0.9).contains(&self.test_fraction) {
            return refuse(
                "`test_fraction` is a share of the rows, from 0 to below 0.9".to_owned(),
            );
        }
        for key in [
            "seed",
            "threads",
            "time",
            "evaluations",
            "generations",
            "linkage",
            "height",
            "operators",
            "linear_scaling",
        ] {
            if self.settings.contains_key(key) {
                return refuse(format!("`settings.{key}` is set by the plan itself, not here"));
            }
        }
        // All settings are part of a run's id, and one run must not have two.
        for key in ["evaluator", "early_rejection", "instructions"] {
            if self.settings.contains_key(key) {
                return refuse(format!(
                    "`settings.{key}` changes how fast a run is, not what it finds, so it is no part of a plan"
                ));
            }
        }
        Ok(())
    }
}

/// Changes one key; says which. A list takes values separated by commas.
fn apply<'c>(table: &mut Table, change: &'c str) -> Result<&'c str, LabError> {
    let refuse = |problem: &str| LabError::Plan(format!("--set {change}: {problem}"));
    let (path, text) =
        change.split_once('=').ok_or_else(|| refuse("write it as --set key=value"))?;
    let mut keys: Vec<&str> = path.trim().split('.').collect();
    let last = keys.pop().unwrap_or_default();
    // What follows `settings.` is one key, dots and all.
    let (keys, last) = match keys.first() {
        Some(&"settings") => (vec!["settings"], path.trim()["settings.".len()..].to_owned()),
        _ => (keys, last.to_owned()),
    };
    let mut inner = table;
    for key in keys {
        let entry = inner.entry(key).or_insert_with(|| Value::Table(Table::new()));
        inner = entry.as_table_mut().ok_or_else(|| refuse("there is no such key"))?;
    }
    const LISTS: [&str; 6] =
        ["data", "heights", "linear_scaling", "operators", "linkage", "similarity.generations"];
    let is_list = LISTS.contains(&path.trim());
    let value = match parse_value(text.trim()) {
        Value::Array(values) if is_list => Value::Array(values),
        _ if is_list => {
            Value::Array(text.split(',').map(|item| parse_value(item.trim())).collect())
        }
        value => value,
    };
    inner.insert(last, value);
    Ok(path.trim())
}

/// A TOML value, or else the text itself.
fn parse_value(text: &str) -> Value {
    let value = format!("value = {text}").parse::<Table>().ok().and_then(|mut t| t.remove("value"));
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_plan_can_be_read_and_written() {
        for name in shipped_plans() {
            let plan = Plan::read(shipped_plan(name).unwrap(), &[]).unwrap();
            assert_eq!(plan.name, name);
            assert_eq!(Plan::read(&plan.to_text(), &[]).unwrap(), plan);
        }
    }

    #[test]
    fn keys_are_changed_by_name() {
        let changes = [
            "budget.evaluations=1e6",
            "repeats=10",
            "data=airfoil,concrete",
            "heights=5",
            "settings.ims.start=128",
        ];
        let changes = changes.map(str::to_owned);
        let plan = Plan::read(shipped_plan("linkage-measures").unwrap(), &changes).unwrap();
        assert_eq!(plan.budget.evaluations, Some(1e6));
        assert_eq!((plan.repeats, plan.heights), (10, vec![5]));
        assert_eq!(plan.data, ["airfoil", "concrete"]);
        assert_eq!(plan.settings["ims.start"].as_integer(), Some(128));
    }

    #[test]
    fn a_key_is_changed_once() {
        let text = shipped_plan("smoke").unwrap();
        let changes = ["repeats=1", "heights=3", " repeats =2"].map(str::to_owned);
        let error = Plan::read(text, &changes).unwrap_err().to_string();
        assert!(error.contains("`repeats` was set before"), "{error}");
        let similar = ["settings.ims.start=32", "settings.ims.factor=5"].map(str::to_owned);
        Plan::read(text, &similar).unwrap();
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (change, reason) in [
            ("repeats=0", "nothing to run"),
            ("repeats=many", "expected"),
            ("budget.evaluations=0.5", "whole number"),
            ("settings.seed=3", "by the plan itself"),
            ("colour=red", "unknown field"),
            ("repeats", "key=value"),
            ("name=a/b", "letters"),
            ("settings.evaluator=full", "not what it finds"),
            ("settings.early_rejection=off", "not what it finds"),
            ("settings.instructions=portable", "not what it finds"),
        ] {
            let text = shipped_plan("smoke").unwrap();
            let error = Plan::read(text, &[change.to_owned()]).unwrap_err().to_string();
            assert!(error.contains(reason), "{change}: {error}");
        }
        assert!(Plan::read("not = [toml", &[]).is_err());
    }
}
