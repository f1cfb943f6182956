//! Experiments for Python: one run at a time, since executors hand them out; the folder of records says what is done.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use intron::{Interrupt, Seed, StreamName};
use intron_lab::{
    DataSets, Folder, LabError, LabEvent, Plan, Report, RunOptions, Status, Task, Verdict,
    facts_of, read_data, run_one, shipped_plan, shipped_plans, verify_task,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::border::{detached, supervised};
use crate::lab_tables;

/// Names of the plans that come with the package.
#[pyfunction]
pub(crate) fn plans() -> Vec<&'static str> {
    shipped_plans().collect()
}

/// The text of such a plan.
#[pyfunction]
pub(crate) fn plan_text(name: &str) -> PyResult<&'static str> {
    shipped_plan(name).ok_or_else(|| {
        let known: Vec<&str> = shipped_plans().collect();
        PyValueError::new_err(format!("{name}: no such plan; plans: {}", known.join(" ")))
    })
}

/// Ends the runs that it was given to.
#[pyclass(frozen, module = "intron._native")]
#[derive(Default)]
pub(crate) struct Stop {
    interrupt: Interrupt,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop::default()
    }

    /// Ends them, within about a second.
    fn set(&self) {
        self.interrupt.raise();
    }

    fn is_set(&self) -> bool {
        self.interrupt.is_raised()
    }
}

/// The folder of an experiment, with its runs and the data that was read for them.
#[pyclass(frozen, module = "intron._native")]
pub(crate) struct Experiment {
    folder: Folder,
    tasks: Vec<Task>,
    data: Mutex<DataSets>,
    data_dir: Option<PathBuf>,
}

#[pymethods]
impl Experiment {
    /// Begins an experiment in a folder, or goes on with the same one. Paths in the plan start from the folder of the plan, or
    /// else from the working folder.
    #[staticmethod]
    #[pyo3(signature = (folder, plan, changes, data_dir, plan_folder=None))]
    fn begin(
        py: Python<'_>,
        folder: PathBuf,
        plan: &str,
        changes: Vec<String>,
        data_dir: Option<PathBuf>,
        plan_folder: Option<PathBuf>,
    ) -> PyResult<Experiment> {
        let plan = (plan, plan_folder.unwrap_or_default());
        detached(py, || begin(&folder, plan, &changes, data_dir).map_err(refusal))
    }

    /// Opens the folder of an experiment.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf, data_dir: Option<PathBuf>) -> PyResult<Experiment> {
        detached(py, || open(&folder, data_dir).map_err(refusal))
    }

    /// The name of the plan.
    #[getter]
    fn name(&self) -> &str {
        &self.folder.plan.name
    }

    /// Ids of all runs, in the order in which they should be done.
    fn ids(&self) -> Vec<&str> {
        self.tasks.iter().map(|task| task.id.as_str()).collect()
    }

    /// Does a run if it has no record yet; says what became of it, and why. An exception is temporary (`OSError`) or a bug.
    fn run(
        &self,
        py: Python<'_>,
        id: &str,
        stop: &Stop,
        heeds_claims: bool,
    ) -> PyResult<(&'static str, String)> {
        let interrupt = stop.interrupt.clone();
        supervised(py, &stop.interrupt, || self.run_one(id, interrupt, heeds_claims))
    }

    /// How far the runs are.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let look = || -> Result<_, LabError> {
            Ok((Status::of(&self.tasks, &self.folder.store)?, self.folder.store.differing()?))
        };
        let (status, differing) = detached(py, || look().map_err(refusal))?;
        let answer = PyDict::new(py);
        answer.set_item("plan", self.name())?;
        answer.set_item("done", status.done)?;
        answer.set_item("running", status.running)?;
        answer.set_item("failed", status.failed)?;
        answer.set_item("damaged", status.damaged)?;
        answer.set_item("left", status.left)?;
        answer.set_item("foreign", status.foreign)?;
        answer.set_item("differing", differing)?;
        Ok(answer)
    }

    /// Does so many of the finished runs again. Says which gave the same bits and which did not.
    fn verify(
        &self,
        py: Python<'_>,
        n: usize,
        stop: &Stop,
    ) -> PyResult<(Vec<String>, Vec<String>)> {
        let interrupt = stop.interrupt.clone();
        supervised(py, &stop.interrupt, || self.verify_some(n, &interrupt).map_err(refusal))
    }

    /// Writes the report; says where its page is.
    fn report(&self, py: Python<'_>) -> PyResult<PathBuf> {
        let write = || Report::of(&self.folder)?.write(&self.folder);
        detached(py, || write().map_err(refusal))
    }

    /// Settings that all runs have in common.
    fn common_settings(&self) -> Vec<(String, String)> {
        lab_tables::common_settings(&self.tasks)
    }

    /// One value per finished run, by column.
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let records = detached(py, || self.records().map_err(refusal))?;
        lab_tables::results(py, records)
    }

    /// One value per improvement in a finished run, by column; and how many improvements each run has.
    fn traces<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Vec<usize>)> {
        let records = detached(py, || self.records().map_err(refusal))?;
        lab_tables::traces(py, &records)
    }
}

impl Experiment {
    fn records(&self) -> Result<Vec<intron_lab::Record>, LabError> {
        lab_tables::records(&self.tasks, &self.folder.store)
    }

    fn run_one(
        &self,
        id: &str,
        interrupt: Interrupt,
        heeds_claims: bool,
    ) -> PyResult<(&'static str, String)> {
        let task = self.tasks.iter().find(|task| task.id == id);
        let task = task.ok_or_else(|| PyValueError::new_err(format!("{id}: no such run")))?;
        let data = self.data_of(&task.data).map_err(refusal)?;
        let options = RunOptions { threads: 1, shard: (0, 1), heeds_claims, interrupt };
        let told = Mutex::new(("stopped", String::new()));
        let notify = |event: LabEvent<'_>| {
            if let Some(words) = words_of(&event) {
                *told.lock().expect("no panic") = words;
            }
        };
        run_one(task, &data, &self.folder.store, &options, &notify).map_err(refusal)?;
        Ok(told.into_inner().expect("no panic"))
    }

    fn verify_some(
        &self,
        n: usize,
        interrupt: &Interrupt,
    ) -> Result<(Vec<String>, Vec<String>), LabError> {
        let done = Status::of(&self.tasks, &self.folder.store)?.done;
        let mut order: Vec<_> = self.tasks.iter().filter(|task| done.contains(&task.id)).collect();
        // The same sample as the command line's.
        Seed(0).stream(StreamName::Split).shuffle(&mut order);
        let (mut same, mut other) = (Vec::new(), Vec::new());
        for task in order.into_iter().take(n) {
            let data = self.data_of(&task.data)?;
            match verify_task(task, &data, &self.folder.store, interrupt.clone())? {
                Some(Verdict::Same) => same.push(task.id.clone()),
                Some(Verdict::Differs) => other.push(task.id.clone()),
                None => break,
            }
        }
        Ok((same, other))
    }

    /// One data set of the plan, read when it is first needed. It must be that of the experiment.
    fn data_of(&self, name: &str) -> Result<DataSets, LabError> {
        let mut data = self.data.lock().expect("no panic");
        if !data.contains_key(name) {
            let plan = Plan { data: vec![name.to_owned()], ..self.folder.plan.clone() };
            let found = read_data(&plan, self.data_dir.as_deref())?;
            if facts_of(&found).get(name) != self.folder.facts.get(name) {
                return Err(LabError::Work(format!("{name}: is not the data of the experiment")));
            }
            data.extend(found);
        }
        let known = data.get(name).cloned();
        Ok(known.into_iter().map(|known| (name.to_owned(), known)).collect())
    }
}

fn begin(
    folder: &Path,
    (plan, plan_folder): (&str, PathBuf),
    changes: &[String],
    data_dir: Option<PathBuf>,
) -> Result<Experiment, LabError> {
    let plan = Plan::read_in(&plan_folder, plan, changes)?;
    let data = read_data(&plan, data_dir.as_deref())?;
    let facts = facts_of(&data);
    // Before anything is written: a plan that cannot be run leaves nothing behind.
    let tasks = plan.tasks(&facts)?;
    let folder = Folder::begin(folder, plan, facts)?;
    folder.store.sweep()?;
    Ok(Experiment { folder, tasks, data: Mutex::new(data), data_dir })
}

fn open(folder: &Path, data_dir: Option<PathBuf>) -> Result<Experiment, LabError> {
    let folder = Folder::open(folder)?;
    let tasks = folder.tasks()?;
    Ok(Experiment { folder, tasks, data: Mutex::default(), data_dir })
}

/// What became of a run, as an event tells it.
fn words_of(event: &LabEvent<'_>) -> Option<(&'static str, String)> {
    match event {
        LabEvent::Skipped(_) | LabEvent::Done(_) => Some(("done", String::new())),
        LabEvent::Elsewhere(_) => Some(("elsewhere", String::new())),
        LabEvent::Failed(_, why) | LabEvent::Blocked(_, why) => Some(("failed", (*why).to_owned())),
        LabEvent::Differs(_, path) => Some(("differs", path.display().to_string())),
        _ => None,
    }
}

/// Wrong plans and data are wrong input; a full disk is not.
fn refusal(error: LabError) -> PyErr {
    let text = error.to_string();
    match error {
        LabError::Plan(_) | LabError::Work(_) => PyValueError::new_err(text),
        LabError::Temporary(_) => PyOSError::new_err(text),
    }
}
