//! One run of a plan: what it is made of, and an id that stays the same as long as its result does.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use intron::{
    Dataset, Key, RESULTS_VERSION, Seed, Settings, Split, ValidSettings, folds, hold_out,
};
use intron_files::sha256;
use serde::{Deserialize, Serialize};

use crate::error::LabError;
use crate::plan::{Plan, text_of};

/// What a plan needs to know of a data set to list its runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFacts {
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Number of rows.
    pub n_rows: usize,
}

/// A data set as a plan names it.
#[derive(Debug, Clone)]
pub struct Data {
    /// The rows; the target is what formulas predict.
    pub dataset: Dataset,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl Data {
    /// What a plan needs to know of it.
    pub fn facts(&self) -> DataFacts {
        DataFacts { sha256: self.sha256.clone(), n_rows: self.dataset.n_rows() }
    }
}

/// What a run is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// 32 hexadecimal digits: a hash of the settings, the data, the split and the version of the results.
    pub id: String,
    /// The data set, as the plan names it.
    pub data: String,
    /// Its checksum.
    pub data_sha256: String,
    /// Template height in levels.
    pub height: usize,
    /// `on` or `off`.
    pub linear_scaling: String,
    /// The operator set, as the plan names it.
    pub operators: String,
    /// The linkage setting.
    pub linkage: String,
    /// Number of the run in its cell, from 0.
    pub repeat: usize,
    /// The fold that the run does not learn from.
    pub fold: usize,
    /// Number of folds.
    pub folds: usize,
    /// The share of the rows that is held out.
    pub test_fraction: f64,
    /// The seed that decides which rows are held out.
    pub split_seed: u64,
    /// All settings, by key.
    pub settings: Vec<(String, String)>,
    /// Generations at which similarities are recorded.
    pub similarity_generations: Vec<u64>,
}

/// Data sets by the names that plans give them.
pub type DataSets = HashMap<String, Arc<Data>>;

/// What is known of data sets, by the names that plans give them.
pub type AllFacts = BTreeMap<String, DataFacts>;

impl Task {
    /// The settings of the run; one thread, since runs are done side by side.
    pub fn settings(&self) -> Result<ValidSettings, LabError> {
        let mut settings = Settings::default();
        for (key, value) in &self.settings {
            settings.set(key, value)?;
        }
        settings.threads = 1;
        Ok(settings.validate()?)
    }

    /// The rows to learn from and those held out.
    pub fn split(&self, dataset: &Dataset) -> Result<Split, LabError> {
        let seed = Seed(self.split_seed);
        let held_out = hold_out(dataset, self.test_fraction, seed)?;
        let rest = dataset.rows(&held_out.train);
        let fold = &folds(&rest, self.folds, seed)?[self.fold];
        let train = fold.train.iter().map(|&row| held_out.train[row]).collect();
        Ok(Split { train, test: held_out.test })
    }

    /// Roughly how much work the run is, for an even spread.
    pub fn cost(&self, facts: &AllFacts) -> u64 {
        let n_rows = facts.get(&self.data).map_or(1, |facts| facts.n_rows as u64);
        n_rows * 2_u64.saturating_pow(self.height as u32 / 2)
    }

    fn hash(&self) -> String {
        let mut text = String::new();
        let mut add = |key: &str, value: &dyn std::fmt::Display| {
            text += &format!("{key}={value}\n");
        };
        add("results", &RESULTS_VERSION);
        add("data", &self.data_sha256);
        add("split", &format!("{} {} {}", self.split_seed, self.test_fraction, self.folds));
        add("fold", &self.fold);
        add("similarity", &format!("{:?}", self.similarity_generations));
        self.settings.iter().for_each(|(key, value)| add(key, value));
        sha256(text.as_bytes())[..32].to_owned()
    }
}

impl Plan {
    /// The runs of the plan. Expensive ones come first, and those that cost the same are mixed, so that any share of every n-th
    /// run is about as much work as any other.
    pub fn tasks(&self, facts: &AllFacts) -> Result<Vec<Task>, LabError> {
        self.refuse_too_many_folds(facts)?;
        let mut tasks = Vec::new();
        for name in &self.data {
            for &height in &self.heights {
                for linear_scaling in &self.linear_scaling {
                    for operators in &self.operators {
                        for repeat in 0..self.repeats {
                            for linkage in &self.linkage {
                                let cell = (name.as_str(), height, linear_scaling.as_str());
                                tasks.push(self.task(cell, operators, linkage, repeat, facts)?);
                            }
                        }
                    }
                }
            }
        }
        // An id is as good as a random number. All linkages of a run stay together, for a report before the end.
        let mix = |task: &Task| {
            let cell =
                (&task.data, task.height, &task.linear_scaling, &task.operators, task.repeat);
            sha256(format!("{cell:?}").as_bytes())
        };
        let in_cell = |task: &Task| {
            let shift = usize::from_str_radix(&mix(task)[..4], 16).unwrap_or(0);
            let place = self.linkage.iter().position(|linkage| *linkage == task.linkage);
            (place.unwrap_or(0) + shift) % self.linkage.len()
        };
        tasks.sort_by_cached_key(|task| {
            (std::cmp::Reverse(task.cost(facts)), mix(task), in_cell(task))
        });
        refuse_doubles(&tasks)?;
        Ok(tasks)
    }

    /// Refuses folds that the rows are too few for, before every single run fails for it.
    fn refuse_too_many_folds(&self, facts: &AllFacts) -> Result<(), LabError> {
        for name in &self.data {
            let n_rows = facts.get(name).map_or(usize::MAX, |facts| facts.n_rows);
            let n_kept = n_rows as f64 * (1.0 - self.test_fraction);
            if n_kept < 2.0 * self.folds as f64 {
                return Err(LabError::Plan(format!(
                    "`folds` is {}, too many for {name} (rows: {n_rows}): two rows of each fold are needed",
                    self.folds
                )));
            }
        }
        Ok(())
    }

    fn task(
        &self,
        (name, height, linear_scaling): (&str, usize, &str),
        operators: &str,
        linkage: &str,
        repeat: usize,
        facts: &AllFacts,
    ) -> Result<Task, LabError> {
        let seed = self.seed + (repeat / self.folds.max(1)) as u64;
        let mut settings = Settings::default();
        let refuse = |error: intron::Error| LabError::Plan(error.to_string());
        for (key, value) in [
            ("height", height.to_string()),
            ("linear_scaling", linear_scaling.to_owned()),
            ("operators", operators.to_owned()),
            ("linkage", linkage.to_owned()),
            ("seed", seed.to_string()),
        ] {
            settings.set(key, &value).map_err(refuse)?;
        }
        for (key, value) in &self.settings {
            settings.set(key, &text_of(value)).map_err(refuse)?;
        }
        settings.limits.evaluations = self.budget.evaluations.map(|limit| limit as u64);
        settings.limits.generations = self.budget.generations.map(|limit| limit as u64);
        settings.threads = 1;
        let settings = settings.validate().map_err(refuse)?;
        let of_key = |key: &Key| (key.name.to_owned(), key.value(settings.settings()));
        let data = facts.get(name).ok_or_else(|| LabError::Work(format!("{name}: is not here")))?;
        let mut task = Task {
            id: String::new(),
            data: name.to_owned(),
            data_sha256: data.sha256.clone(),
            height,
            linear_scaling: linear_scaling.to_owned(),
            operators: operators.to_owned(),
            linkage: linkage.to_owned(),
            repeat,
            fold: repeat % self.folds.max(1),
            folds: self.folds,
            test_fraction: self.test_fraction,
            split_seed: self.seed,
            settings: Key::all()
                .iter()
                .filter(|key| key.describes(settings.settings()))
                .map(of_key)
                .collect(),
            similarity_generations: self
                .similarity
                .as_ref()
                .map_or_else(Vec::new, |plan| plan.generations.clone()),
        };
        task.id = task.hash();
        Ok(task)
    }
}

/// Refuses runs that are the same: that is how data looks which is listed twice under different names.
fn refuse_doubles(tasks: &[Task]) -> Result<(), LabError> {
    let mut known: HashMap<&str, &Task> = HashMap::new();
    for task in tasks {
        if let Some(first) = known.insert(&task.id, task) {
            return Err(LabError::Plan(format!(
                "`data`: {} and {} hold the same, so that every run would be done twice; name one of them",
                first.data, task.data
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{shipped_plan, shipped_plans};

    /// Whoever has records of a plan must find them again: ids change with [`RESULTS_VERSION`] only.
    #[test]
    fn ids_of_shipped_plans_stay_what_they_are() {
        let digest = |name: &str| {
            let plan = Plan::read(shipped_plan(name).unwrap(), &[]).unwrap();
            let fact =
                |name: &String| (name.clone(), DataFacts { sha256: name.clone(), n_rows: 99 });
            let facts: AllFacts = plan.data.iter().map(fact).collect();
            let tasks = plan.tasks(&facts).unwrap();
            let mut ids: Vec<String> = tasks.into_iter().map(|task| task.id).collect();
            ids.sort();
            sha256(ids.concat().as_bytes())[..16].to_owned()
        };
        let found: Vec<String> =
            shipped_plans().map(|name| format!("{name} {}", digest(name))).collect();
        let expected = [
            "smoke df0948da65a4b11f",
            "linkage-measures 208b1776d3747d28",
            "operator-set 27565570763b6550",
            "learned-structure eac9c4e258192d89",
            "beyond-the-paper c1972d05cc4e66db",
        ];
        assert_eq!(found, expected);
    }
}
