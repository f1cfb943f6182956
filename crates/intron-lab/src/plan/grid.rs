//! A plan (TOML): a grid of data sets, heights, scalings, operator sets and linkages, each cell run a number of times.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::{changes, keys, places, values};
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
    /// Data sets: known names, or paths of files; whole ones where the plan was read with [`Plan::read_in`].
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

impl Plan {
    /// Reads a plan and changes keys, given as `key=value`; keys inside a table are written `budget.evaluations`.
    pub fn read(text: &str, changes: &[String]) -> Result<Plan, LabError> {
        let mut table = parsed(text)?;
        changes::apply_all(&mut table, changes)?;
        Plan::of(table)
    }

    /// The same, with paths of data made whole: those of the plan start from its folder, those of the changes from the working
    /// folder, where they are typed.
    pub fn read_in(folder: &Path, text: &str, changes: &[String]) -> Result<Plan, LabError> {
        let mut table = parsed(text)?;
        places::make_whole(&mut table, folder);
        changes::apply_all(&mut table, changes)?;
        places::make_whole(&mut table, Path::new(""));
        Plan::of(table)
    }

    fn of(mut table: Table) -> Result<Plan, LabError> {
        refuse_all(&keys::problems(&mut table))?;
        let mut plan: Plan = table.try_into().map_err(|error: toml::de::Error| refusal(&error))?;
        refuse_all(&values::problems(&plan))?;
        // One spelling of each, so that reports know them.
        for (key, list) in
            [("linear_scaling", &mut plan.linear_scaling), ("linkage", &mut plan.linkage)]
        {
            for entry in list {
                *entry = values::meaning(key, entry).map_err(LabError::Plan)?;
            }
        }
        Ok(plan)
    }

    /// The plan as text, every change written in.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a plan is made of what TOML has")
    }

    /// Number of its runs; none if that cannot be counted.
    pub fn n_runs(&self) -> Option<usize> {
        let lists = [
            self.data.len(),
            self.heights.len(),
            self.linear_scaling.len(),
            self.operators.len(),
            self.linkage.len(),
        ];
        lists.into_iter().try_fold(self.repeats, usize::checked_mul)
    }

    /// In which keys another plan differs from this one, in words.
    pub(crate) fn differences(&self, other: &Plan) -> Vec<String> {
        let table = |plan: &Plan| Table::try_from(plan).expect("a plan is made of what TOML has");
        let (own, others) = (table(self), table(other));
        let mut names: Vec<&String> = own.keys().chain(others.keys()).collect();
        names.sort();
        names.dedup();
        let shown = |value: Option<&Value>| value.map_or("not set".to_owned(), Value::to_string);
        let differs = |name: &&&String| own.get(**name) != others.get(**name);
        let words = |name: &String| {
            format!(
                "`{name}` is {} there and {} here",
                shown(own.get(name)),
                shown(others.get(name))
            )
        };
        names.iter().filter(differs).map(|name| words(name)).collect()
    }
}

fn parsed(text: &str) -> Result<Table, LabError> {
    text.parse().map_err(|error: toml::de::Error| refusal(&error))
}

fn refusal(error: &dyn Display) -> LabError {
    LabError::Plan(format!("this is not a plan: {}", error.to_string().trim_end()))
}

fn refuse_all(problems: &[String]) -> Result<(), LabError> {
    match problems {
        [] => Ok(()),
        [only] => Err(LabError::Plan(only.clone())),
        _ => Err(LabError::Plan(format!("this cannot be run:\n  {}", problems.join("\n  ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{shipped_plan, shipped_plans};

    fn smoke(changes: &[&str]) -> Result<Plan, LabError> {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        Plan::read(shipped_plan("smoke").unwrap(), &changes)
    }

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
            "repeats=1e1",
            "data=airfoil,concrete",
            "heights=5",
            "settings.ims.start=128",
            "linkage=mi_masked",
        ];
        let changes = changes.map(str::to_owned);
        let plan = Plan::read(shipped_plan("linkage-measures").unwrap(), &changes).unwrap();
        assert_eq!(plan.budget.evaluations, Some(1e6));
        assert_eq!((plan.repeats, plan.heights), (10, vec![5]));
        assert_eq!(plan.data, ["airfoil", "concrete"]);
        assert_eq!(plan.settings["ims.start"].as_integer(), Some(128));
        assert_eq!(plan.linkage, ["mi-masked"]);
    }

    #[test]
    fn a_key_is_changed_once() {
        let error = smoke(&["repeats=1", "heights=3", " repeats =2"]).unwrap_err().to_string();
        assert!(error.contains("`repeats` was set before"), "{error}");
        smoke(&["settings.ims.start=32", "settings.ims.factor=5"]).unwrap();
    }

    #[test]
    fn settings_with_dots_need_no_quotes() {
        let text = format!("{}\n[settings]\nims.start = 32\n", shipped_plan("smoke").unwrap());
        let plan = Plan::read(&text, &[]).unwrap();
        assert_eq!(plan.settings["ims.start"].as_integer(), Some(32));
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (change, reason) in [
            ("repeats=0", "nothing to run"),
            ("repeats=-1", "whole number of zero or more"),
            ("repeats=1.5", "whole number of zero or more"),
            ("repeats=many", "whole number of zero or more, such as 30, not \"many\""),
            ("repeats=9e15", "more than 1000000 runs"),
            ("folds=0", "take at least 2"),
            ("folds=1", "take at least 2"),
            ("test_fraction=1", "to below 0.9"),
            ("test_fraction=-0.1", "to below 0.9"),
            ("test_fraction=nan", "to below 0.9"),
            ("test_fraction=half", "a number, such as 0.25"),
            ("seed=-1", "whole number of zero or more"),
            ("seed=18446744073709551615", "whole number of zero or more"),
            ("budget.evaluations=0.5", "whole number from 1"),
            ("budget.evaluations=0", "whole number from 1"),
            ("budget.generations=-3", "whole number from 1"),
            ("budget.hours=3", "`budget.hours` is no key"),
            ("data=[]", "`data` is empty"),
            ("data=airfoil,airfoil", "airfoil is listed twice"),
            ("data=-", "name a file"),
            ("data=", "name a data set or a file"),
            ("heights=5,5", "5 is listed twice"),
            ("heights=0", "`heights`"),
            ("heights=99", "`heights`"),
            ("heights=[]", "`heights` is empty"),
            ("linear_scaling=maybe", "`linear_scaling`"),
            ("linkage=none", "unknown linkage"),
            ("linkage=mi-masked,mi_masked", "the same"),
            ("operators=+,nothing", "nothing"),
            ("operators=small,large", "separated by `;`"),
            ("operators=[\"+\", \"*\"]", "one set of them is written \"+,*\""),
            ("operators=small;+,-,*,/,sin", "the same"),
            ("similarity.generations=[]", "is empty"),
            ("similarity.generations=0,0", "0 is listed twice"),
            ("settings.seed=3", "by the plan itself"),
            ("settings.nonsense=3", "unknown setting"),
            ("settings.population=many", "population"),
            ("settings.population=[1, 2]", "one number or text"),
            ("colour=red", "`colour` is no key of a plan"),
            ("repeats", "key=value"),
            ("repeats.x=1", "there is no such key"),
            ("name=a/b", "letters"),
            ("settings.evaluator=full", "not what it finds"),
            ("settings.early_rejection=off", "not what it finds"),
            ("settings.instructions=portable", "not what it finds"),
        ] {
            let error = smoke(&[change]).expect_err(change).to_string();
            assert!(error.contains(reason), "{change}: {error}");
        }
        assert!(Plan::read("not = [toml", &[]).is_err());
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let error = Plan::read("nam = 'mine'\nrepeats = 'x'\n", &[]).unwrap_err().to_string();
        for part in ["`name` is missing", "`budget` is missing", "`nam` is no key", "`repeats` is"]
        {
            assert!(error.contains(part), "{part}: {error}");
        }
        let error = smoke(&["repeats=0", "folds=1", "linkage=x,y"]).unwrap_err().to_string();
        for part in ["`repeats` is 0", "`folds` is 1", "`x`", "`y`"] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn a_difference_is_named() {
        let (one, other) = (smoke(&[]).unwrap(), smoke(&["repeats=3"]).unwrap());
        assert_eq!(one.differences(&other), ["`repeats` is 5 there and 3 here"]);
        assert!(one.differences(&one).is_empty());
    }
}
