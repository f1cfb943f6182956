//! A search for Python: settings as text and arrays in, a front of formulas out.

use std::sync::mpsc::Sender;

use intron::{
    Candidate, Checkpoint, Criteria, Dataset, FeatureNames, Fitness, Interrupt, Key, Listed, Model,
    Outcome, Run, Safety, Selection, Settings, Symbol, ValidSettings, score,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays;
use crate::border::{accompanied, guarded, wrong_input};
use crate::formula::Formula;
use crate::watch::{Listener, Notes, Record, Told, TracePoint, listen};

/// Every setting: its name, its value in a preset as text, and what it means.
#[pyfunction]
#[pyo3(signature = (preset="default"))]
pub(crate) fn settings(preset: &str) -> PyResult<Vec<(&'static str, String, &'static str)>> {
    let settings = Settings::preset(preset).map_err(wrong_input)?;
    Ok(Key::all().iter().map(|key| (key.name, key.value(&settings), key.help)).collect())
}

/// The names of the ways to choose a formula from a front.
#[pyfunction]
pub(crate) fn selections() -> Vec<&'static str> {
    Selection::TABLE.iter().map(|row| row.0).collect()
}

/// One formula of a front for [`choose`]: complexity, error, BIC, description length, error on validation rows, safety.
type Entry = (usize, f64, f64, f64, Option<f64>, Option<bool>);

fn candidates(front: Vec<Entry>) -> Vec<Candidate> {
    let candidate = |(complexity, error, bic, mdl, validation_error, is_safe): Entry| Candidate {
        complexity,
        error,
        bic,
        mdl,
        validation_error,
        is_safe,
    };
    front.into_iter().map(candidate).collect()
}

/// The place of the formula that a way of choosing takes from a front, ordered by complexity.
#[pyfunction]
pub(crate) fn choose(front: Vec<Entry>, selection: &str) -> PyResult<Option<usize>> {
    let selection = Selection::from_name(selection).map_err(wrong_input)?;
    Ok(selection.choose(&candidates(front)))
}

/// How fast the error falls with complexity, for each formula of a front.
#[pyfunction]
pub(crate) fn scores(front: Vec<Entry>) -> Vec<f64> {
    intron::scores(&candidates(front))
}

/// The settings, of those given as pairs of key and text, that do nothing beside the others, and why.
#[pyfunction]
pub(crate) fn idle_settings(
    settings: Vec<(String, String)>,
) -> PyResult<Vec<(String, &'static str)>> {
    let keys: Vec<String> = settings.iter().map(|(key, _)| key.clone()).collect();
    let valid = valid(settings)?;
    let why = |key: String| valid.settings().why_idle(&key).map(|why| (key, why));
    Ok(keys.into_iter().filter_map(why).collect())
}

/// Checks settings, given as pairs of key and text, as `search` does.
#[pyfunction]
pub(crate) fn check_settings(settings: Vec<(String, String)>) -> PyResult<()> {
    valid(settings).map(|_| ())
}

/// Searches in a thread of its own, and returns a dictionary with the front and how it was found. Meanwhile this thread looks
/// at signals, and calls `observer(event, details)` with "generation" after every generation, which waits for the answer, and
/// with "progress" twenty times a second; a true answer ends the search. What it or a signal handler raises ends the search
/// too, and comes back in `exception` beside what was found until then. With a checkpoint the search goes on from there; an
/// empty one starts anew. With either, the last one comes back as text.
#[pyfunction]
#[pyo3(signature = (x, y, weights, names, settings, observer=None, keeps_similarity=false, checkpoint=None))]
#[allow(clippy::too_many_arguments, reason = "one call per search; the Python side names them all")]
pub(crate) fn search<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    names: Vec<String>,
    settings: Vec<(String, String)>,
    observer: Option<Py<PyAny>>,
    keeps_similarity: bool,
    checkpoint: Option<String>,
) -> PyResult<Bound<'py, PyDict>> {
    guarded(|| {
        let dataset = arrays::dataset(names, &x, &y, weights.as_ref())?.without_weightless_rows();
        let settings = valid(settings)?;
        let interrupt = Interrupt::default();
        let (mut listener, answers) = listen(observer, interrupt.clone());
        let work = |telling: &Sender<Told>| {
            let mut notes = Notes::new(telling, answers, keeps_similarity);
            let (outcome, checkpoint) = match constant_target(&dataset) {
                Some(value) => (constant_outcome(value), None),
                None => find(&dataset, &settings, checkpoint.as_deref(), interrupt, &mut notes)?,
            };
            let scored = scored(&outcome, &dataset);
            Ok((outcome, scored, checkpoint, notes.record))
        };
        let (outcome, scored, checkpoint, record) =
            accompanied(py, work, |py, told| listener.hear(py, told))?;
        // A signal that came at the very end must not cost the result.
        listener.hear(py, None);
        let names = FeatureNames::new(dataset.names());
        let result = result(py, &outcome, &scored, &names, record, listener)?;
        result.set_item("checkpoint", checkpoint)?;
        Ok(result)
    })
}

fn valid(pairs: Vec<(String, String)>) -> PyResult<ValidSettings> {
    let mut settings = Settings::default();
    for (key, value) in pairs {
        settings.set(&key, &value).map_err(wrong_input)?;
    }
    settings.validate().map_err(wrong_input)
}

/// The outcome, and the state to go on from if it was asked for.
fn find(
    dataset: &Dataset,
    settings: &ValidSettings,
    checkpoint: Option<&str>,
    interrupt: Interrupt,
    notes: &mut Notes<'_>,
) -> PyResult<(Outcome, Option<String>)> {
    let mut run = match checkpoint {
        None | Some("") => Run::new(dataset, settings, interrupt).map_err(wrong_input)?,
        Some(text) => {
            let checkpoint = Checkpoint::from_text(text).map_err(wrong_input)?;
            notes.go_on_from(&checkpoint);
            Run::resume(dataset, settings, &checkpoint, interrupt).map_err(wrong_input)?
        }
    };
    while run.step(notes).is_none() {}
    let kept = checkpoint.map(|_| run.checkpoint().to_text());
    Ok((run.outcome().expect("the run has ended"), kept))
}

fn constant_target(dataset: &Dataset) -> Option<f64> {
    let first = dataset.target()[0];
    dataset.target().iter().all(|&y| y == first).then_some(first)
}

/// There is nothing to search for where all targets are equal.
fn constant_outcome(value: f64) -> Outcome {
    let mut formula = intron::Formula::new();
    formula.push(Symbol::constant(value), &[]);
    let model = Model { formula, size: 1, complexity: 1, fitness: Fitness::from_nmse(0.0) };
    let candidate = model.candidate(Criteria { bic: 0.0, mdl: 0.0 }, None, Some(&Safety::Safe));
    let candidate = Candidate { validation_error: Some(0.0), ..candidate };
    Outcome {
        front: vec![model],
        candidates: vec![candidate],
        region: None,
        chosen: Some(0),
        alternatives: Vec::new(),
        given: Vec::new(),
        n_polish_evaluations: 0,
        is_polish_whole: true,
        stop_reason: intron::StopReason::Solved,
        n_evaluations: 0,
        n_generations: 0,
        elapsed_seconds: 0.0,
    }
}

/// A formula with all that Python is told of it. Computed in the thread of the search: with many rows it takes long.
struct Scored {
    model: Model,
    candidate: Candidate,
    rank: usize,
    mse: f64,
    verdict: Option<Safety>,
}

/// The front and its alternatives, and the formulas that were given.
fn scored(outcome: &Outcome, dataset: &Dataset) -> (Vec<Scored>, Vec<Scored>) {
    let scored = |model: &Model, candidate: &Candidate, rank: usize| Scored {
        model: model.clone(),
        candidate: *candidate,
        rank,
        mse: mean_square_error(model, dataset),
        verdict: outcome.region.as_ref().map(|region| region.examine(&model.formula)),
    };
    let listed = outcome.listed().into_iter();
    let front = listed.map(|Listed { model, candidate, rank, .. }| scored(model, candidate, rank));
    let given = outcome.given.iter().map(|given| scored(&given.model, &given.candidate, 1));
    (front.collect(), given.collect())
}

fn entry<'py>(
    py: Python<'py>,
    scored: &Scored,
    names: &FeatureNames,
) -> PyResult<Bound<'py, PyDict>> {
    let Scored { model, candidate, rank, mse, verdict } = scored;
    let entry = PyDict::new(py);
    entry.set_item("formula", Formula::from_parts(model.formula.clone(), names))?;
    entry.set_item("size", model.size)?;
    entry.set_item("complexity", model.complexity)?;
    entry.set_item("rank", rank)?;
    entry.set_item("r2", model.fitness.r2())?;
    entry.set_item("mse", mse)?;
    entry.set_item("bic", candidate.bic)?;
    entry.set_item("mdl", candidate.mdl)?;
    entry.set_item("validation_mse", candidate.validation_error)?;
    entry.set_item("safety", verdict.as_ref().map(Safety::name))?;
    entry.set_item("danger", verdict.as_ref().and_then(|verdict| verdict.describe(names)))?;
    Ok(entry)
}

fn result<'py>(
    py: Python<'py>,
    outcome: &Outcome,
    (front, given): &(Vec<Scored>, Vec<Scored>),
    names: &FeatureNames,
    record: Record,
    listener: Listener,
) -> PyResult<Bound<'py, PyDict>> {
    let front =
        front.iter().map(|scored| entry(py, scored, names)).collect::<PyResult<Vec<_>>>()?;
    let given = given.iter().zip(&outcome.given).map(|(scored, given)| {
        let entry = entry(py, scored, names)?;
        entry.set_item("is_searched", given.is_searched)?;
        Ok(entry)
    });
    let point = |point: &TracePoint| {
        let TracePoint { n_evaluations, n_generations, seconds, r2, size, population_size } =
            *point;
        (n_evaluations, n_generations, seconds, r2, size, population_size)
    };
    let result = PyDict::new(py);
    result.set_item("front", front)?;
    result.set_item("start", given.collect::<PyResult<Vec<_>>>()?)?;
    result.set_item("stop_reason", outcome.stop_reason.name())?;
    result.set_item("n_evaluations", outcome.n_evaluations)?;
    result.set_item("n_polish_evaluations", outcome.n_polish_evaluations)?;
    result.set_item("n_generations", outcome.n_generations)?;
    result.set_item("seconds", outcome.elapsed_seconds)?;
    result.set_item("trace", record.trace.iter().map(point).collect::<Vec<_>>())?;
    result.set_item("similarities", record.similarities)?;
    result.set_item("exception", listener.exception().map(|error| error.into_value(py)))?;
    Ok(result)
}

fn mean_square_error(model: &Model, dataset: &Dataset) -> f64 {
    if constant_target(dataset).is_some() {
        return 0.0;
    }
    score(dataset, &model.predict(dataset.features(), dataset.n_rows())).mse
}
