//! The statistics of the lab for Python: lists of arrays in, numbers and tuples out. Nothing is computed here.

use std::fmt::Display;

use intron::Seed;
use intron_lab::statistics::{self as lab, Bootstrap, Friedman, Interval, Quartiles, Trace};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::border::{detached, wrong_input};

/// Tasks × runs, or blocks × settings.
type Rows<'py> = Vec<PyReadonlyArray1<'py, f64>>;
/// Number of resamples, confidence, seed.
type Draws = (usize, f64, u64);
/// Estimate, lower and upper end.
type Ends = (f64, f64, f64);

fn rows(table: &Rows<'_>) -> Vec<Vec<f64>> {
    table.iter().map(|row| row.as_array().to_vec()).collect()
}

fn traces(list: &[PyReadonlyArray2<'_, f64>]) -> Vec<Trace> {
    let trace = |points: &PyReadonlyArray2<'_, f64>| {
        points.as_array().rows().into_iter().map(|point| (point[0], point[1])).collect()
    };
    list.iter().map(trace).collect()
}

fn bootstrap((n_resamples, confidence, seed): Draws) -> Bootstrap {
    Bootstrap { n_resamples, confidence, seed: Seed(seed) }
}

fn ends(interval: Interval) -> Ends {
    (interval.estimate, interval.lower, interval.upper)
}

fn quarters(quartiles: Quartiles) -> Ends {
    (quartiles.lower, quartiles.median, quartiles.upper)
}

/// Computes without the interpreter's lock.
fn compute<T: Send, E: Display>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    detached(py, || work().map_err(wrong_input))
}

#[pyfunction]
pub(crate) fn interquartile_mean(py: Python<'_>, tasks: Rows<'_>) -> PyResult<f64> {
    let tasks = rows(&tasks);
    compute(py, || lab::interquartile_mean(&tasks))
}

#[pyfunction]
pub(crate) fn interquartile_mean_interval(
    py: Python<'_>,
    tasks: Rows<'_>,
    draws: Draws,
) -> PyResult<Ends> {
    let tasks = rows(&tasks);
    compute(py, || lab::interquartile_mean_interval(&tasks, &bootstrap(draws)).map(ends))
}

#[pyfunction]
pub(crate) fn mean_of_medians(py: Python<'_>, tasks: Rows<'_>) -> PyResult<f64> {
    let tasks = rows(&tasks);
    compute(py, || lab::mean_of_medians(&tasks))
}

#[pyfunction]
pub(crate) fn median_of_means(py: Python<'_>, tasks: Rows<'_>) -> PyResult<f64> {
    let tasks = rows(&tasks);
    compute(py, || lab::median_of_means(&tasks))
}

#[pyfunction]
pub(crate) fn medians(py: Python<'_>, tasks: Rows<'_>) -> PyResult<Vec<f64>> {
    let tasks = rows(&tasks);
    compute(py, || lab::medians(&tasks))
}

#[pyfunction]
pub(crate) fn stratified_bootstrap(
    py: Python<'_>,
    tasks: Rows<'_>,
    statistic: &str,
    draws: Draws,
) -> PyResult<Ends> {
    let tasks = rows(&tasks);
    let statistic = match statistic {
        "interquartile_mean" => lab::interquartile_mean,
        "mean_of_medians" => lab::mean_of_medians,
        "median_of_means" => lab::median_of_means,
        other => {
            return Err(wrong_input(format!(
                "{other}: no such statistic; choose interquartile_mean, mean_of_medians or median_of_means"
            )));
        }
    };
    compute(py, || bootstrap(draws).interval(&tasks, statistic).map(ends))
}

#[pyfunction]
pub(crate) fn probability_of_improvement(
    py: Python<'_>,
    scores: Rows<'_>,
    others: Rows<'_>,
) -> PyResult<f64> {
    let (scores, others) = (rows(&scores), rows(&others));
    compute(py, || lab::probability_of_improvement(&scores, &others))
}

#[pyfunction]
pub(crate) fn probability_of_improvement_interval(
    py: Python<'_>,
    scores: Rows<'_>,
    others: Rows<'_>,
    draws: Draws,
) -> PyResult<Ends> {
    let (scores, others) = (rows(&scores), rows(&others));
    let interval =
        || lab::probability_of_improvement_interval(&scores, &others, &bootstrap(draws)).map(ends);
    compute(py, interval)
}

#[pyfunction]
pub(crate) fn quantile(values: PyReadonlyArray1<'_, f64>, fraction: f64) -> Option<f64> {
    lab::quantile(&values.as_array().to_vec(), fraction)
}

#[pyfunction]
pub(crate) fn quartiles(values: PyReadonlyArray1<'_, f64>) -> Option<Ends> {
    lab::quartiles(&values.as_array().to_vec()).map(quarters)
}

#[pyfunction]
pub(crate) fn rank_correlation(
    values: PyReadonlyArray1<'_, f64>,
    others: PyReadonlyArray1<'_, f64>,
) -> Option<f64> {
    lab::rank_correlation(&values.as_array().to_vec(), &others.as_array().to_vec())
}

#[pyfunction]
pub(crate) fn matrix_rank_correlation(matrix: Rows<'_>, other: Rows<'_>) -> Option<f64> {
    lab::matrix_rank_correlation(&rows(&matrix), &rows(&other))
}

#[pyfunction]
pub(crate) fn floored(values: PyReadonlyArray1<'_, f64>, floor: f64) -> (Vec<f64>, usize) {
    lab::floored(&values.as_array().to_vec(), floor)
}

#[pyfunction]
pub(crate) fn ranks(scores: PyReadonlyArray1<'_, f64>) -> Vec<f64> {
    lab::ranks(&scores.as_array().to_vec())
}

#[pyfunction]
pub(crate) fn mean_ranks(py: Python<'_>, blocks: Rows<'_>) -> PyResult<Vec<f64>> {
    let blocks = rows(&blocks);
    compute(py, || lab::mean_ranks(&blocks))
}

#[pyfunction]
pub(crate) fn blocks_of_runs(py: Python<'_>, settings: Vec<Rows<'_>>) -> PyResult<Vec<Vec<f64>>> {
    let settings: Vec<_> = settings.iter().map(rows).collect();
    compute(py, || lab::blocks_of_runs(&settings))
}

#[pyfunction]
pub(crate) fn blocks_of_medians(
    py: Python<'_>,
    settings: Vec<Rows<'_>>,
) -> PyResult<Vec<Vec<f64>>> {
    let settings: Vec<_> = settings.iter().map(rows).collect();
    compute(py, || lab::blocks_of_medians(&settings))
}

/// Statistic, degrees of freedom, p value, number of blocks, mean ranks.
type FriedmanParts = (f64, usize, f64, usize, Vec<f64>);

#[pyfunction]
pub(crate) fn friedman(py: Python<'_>, blocks: Rows<'_>) -> PyResult<FriedmanParts> {
    let blocks = rows(&blocks);
    let Friedman { statistic, degrees_of_freedom, p_value, n_blocks, mean_ranks } =
        compute(py, || lab::friedman(&blocks))?;
    Ok((statistic, degrees_of_freedom, p_value, n_blocks, mean_ranks))
}

/// Critical difference, order, and the first and last place of each group.
type NemenyiParts = (f64, Vec<usize>, Vec<(usize, usize)>);

#[pyfunction]
pub(crate) fn nemenyi(
    py: Python<'_>,
    mean_ranks: Vec<f64>,
    n_blocks: usize,
) -> PyResult<NemenyiParts> {
    let degrees_of_freedom = mean_ranks.len().saturating_sub(1);
    let (statistic, p_value) = (f64::NAN, f64::NAN);
    let test = Friedman { statistic, degrees_of_freedom, p_value, n_blocks, mean_ranks };
    let result = compute(py, || lab::nemenyi(&test))?;
    let groups = result.groups.into_iter().map(|group| (group.start, group.end)).collect();
    Ok((result.critical_difference, result.order, groups))
}

#[pyfunction]
pub(crate) fn critical_difference(
    py: Python<'_>,
    n_settings: usize,
    n_blocks: usize,
) -> PyResult<f64> {
    compute(py, || lab::critical_difference(n_settings, n_blocks))
}

#[pyfunction]
pub(crate) fn trace_on_grid(
    trace: PyReadonlyArray2<'_, f64>,
    grid: PyReadonlyArray1<'_, f64>,
    floor: f64,
) -> Vec<f64> {
    lab::trace_on_grid(&traces(&[trace])[0], &grid.as_array().to_vec(), floor)
}

#[pyfunction]
pub(crate) fn median_curve(
    py: Python<'_>,
    runs: Vec<PyReadonlyArray2<'_, f64>>,
    grid: PyReadonlyArray1<'_, f64>,
    floor: f64,
) -> PyResult<Vec<Ends>> {
    let (runs, grid) = (traces(&runs), grid.as_array().to_vec());
    let curve = compute(py, || lab::median_curve(&runs, &grid, floor))?;
    Ok(curve.into_iter().map(quarters).collect())
}

#[pyfunction]
pub(crate) fn interquartile_mean_curve(
    py: Python<'_>,
    tasks: Vec<Vec<PyReadonlyArray2<'_, f64>>>,
    grid: PyReadonlyArray1<'_, f64>,
    floor: f64,
    draws: Draws,
) -> PyResult<Vec<Ends>> {
    let tasks: Vec<Vec<Trace>> = tasks.iter().map(|runs| traces(runs)).collect();
    let grid = grid.as_array().to_vec();
    let curve =
        compute(py, || lab::interquartile_mean_curve(&tasks, &grid, floor, &bootstrap(draws)))?;
    Ok(curve.into_iter().map(ends).collect())
}
