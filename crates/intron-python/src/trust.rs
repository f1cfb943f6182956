//! What the estimator needs to say how far its formulas can be trusted: rows held out, intervals, shuffled targets.

use intron::{NullFront, NullFronts, Seed};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays;
use crate::border::{detached, guarded, wrong_input};

/// The levels for which half-widths are kept.
#[pyfunction]
pub(crate) fn interval_levels() -> Vec<f64> {
    intron::interval_levels()
}

/// Half the width of the prediction interval at each level, from rows that had no part in the fit.
#[pyfunction]
pub(crate) fn half_widths(
    py: Python<'_>,
    target: PyReadonlyArray1<'_, f64>,
    predictions: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Vec<f64>> {
    let (target, predictions) = (target.as_array().to_vec(), predictions.as_array().to_vec());
    let weights = weights.map(|weights| weights.as_array().to_vec());
    let n = target.len();
    if predictions.len() != n || weights.as_ref().is_some_and(|weights| weights.len() != n) {
        return Err(wrong_input("targets, predictions and weights must be equally many"));
    }
    detached(py, || Ok(intron::half_widths(&target, &predictions, weights.as_deref())))
}

/// The rows to learn from and those held out, as the command line splits them.
#[pyfunction]
pub(crate) fn hold_out(
    py: Python<'_>,
    x: PyReadonlyArray2<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    names: Vec<String>,
    fraction: f64,
    seed: u64,
) -> PyResult<(Vec<usize>, Vec<usize>)> {
    let dataset = arrays::dataset(names, &x, &y, weights.as_ref())?;
    detached(py, || {
        let split = intron::hold_out(&dataset, fraction, Seed(seed)).map_err(wrong_input)?;
        Ok((split.train, split.test))
    })
}

/// Of the rows held out, where some are equal, one of each, and how often it counts.
#[pyfunction]
pub(crate) fn independent_rows(
    py: Python<'_>,
    x: PyReadonlyArray2<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    names: Vec<String>,
    held_out: Vec<usize>,
) -> PyResult<(Vec<usize>, Option<Vec<f64>>)> {
    let dataset = arrays::dataset(names, &x, &y, weights.as_ref())?;
    if held_out.iter().any(|&row| row >= dataset.n_rows()) {
        return Err(wrong_input("a row that was held out is not there"));
    }
    detached(py, || Ok(intron::independent_rows(&dataset, &held_out)))
}

/// Rows, targets and weights.
type Table<'py> =
    (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>, Option<Bound<'py, PyArray1<f64>>>);

/// The rows with their targets shuffled, and the seed for a search on them.
#[pyfunction]
pub(crate) fn shuffled_targets<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    names: Vec<String>,
    seed: u64,
    repetition: u64,
) -> PyResult<(Table<'py>, u64)> {
    guarded(|| {
        let dataset = arrays::dataset(names, &x, &y, weights.as_ref())?;
        let shuffle = || intron::shuffled_targets(&dataset, Seed(seed), repetition);
        let (shuffled, seed) = detached(py, || shuffle().map_err(wrong_input))?;
        let row = |row: usize| shuffled.features().iter().map(|column| column[row]).collect();
        let rows: Vec<Vec<f64>> = (0..shuffled.n_rows()).map(row).collect();
        let table = PyArray2::from_vec2(py, &rows).map_err(wrong_input)?;
        let target = shuffled.target().to_vec().into_pyarray(py);
        let weights = shuffled.weights().map(|weights| weights.to_vec().into_pyarray(py));
        Ok(((table, target, weights), seed.0))
    })
}

/// The chance that a formula with this description length comes from noise, by the shortest ones of searches on shuffled targets.
#[pyfunction]
pub(crate) fn p_value(least_mdl: Vec<f64>, mdl: f64) -> f64 {
    let front = |least_mdl: f64| NullFront { least_mdl, entries: Vec::new() };
    NullFronts(least_mdl.into_iter().map(front).collect()).p_value(mdl)
}
