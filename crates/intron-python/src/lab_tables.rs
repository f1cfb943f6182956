//! Records as columns, for data frames.

use intron_lab::{Found, LabError, Record, Store, Task};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// All valid records, in the order of the runs.
pub(crate) fn records(tasks: &[Task], store: &Store) -> Result<Vec<Record>, LabError> {
    let mut records = Vec::new();
    for task in tasks {
        if let Found::Done(record) = store.find(&task.id)? {
            records.push(*record);
        }
    }
    Ok(records)
}

/// Settings that are the same in all runs.
pub(crate) fn common_settings(tasks: &[Task]) -> Vec<(String, String)> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let is_common = |pair: &&(String, String)| tasks.iter().all(|t| t.settings.contains(pair));
    first.settings.iter().filter(is_common).cloned().collect()
}

/// One value per run in each column.
pub(crate) fn results<'py>(py: Python<'py>, records: Vec<Record>) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    let text = |name: &str, of: &dyn Fn(&Record) -> String| {
        table.set_item(name, records.iter().map(of).collect::<Vec<_>>())
    };
    let whole = |name: &str, of: &dyn Fn(&Record) -> u64| {
        let values: Vec<u64> = records.iter().map(of).collect();
        // Differences of unsigned numbers surprise; only a seed can need the last bit.
        match values.iter().map(|&value| i64::try_from(value)).collect::<Result<Vec<_>, _>>() {
            Ok(values) => table.set_item(name, values.into_pyarray(py)),
            Err(_) => table.set_item(name, values.into_pyarray(py)),
        }
    };
    let number = |name: &str, of: &dyn Fn(&Record) -> f64| {
        let values: Vec<f64> = records.iter().map(of).collect();
        table.set_item(name, values.into_pyarray(py))
    };
    text("id", &|r| r.result.task.id.clone())?;
    text("data", &|r| r.result.task.data.clone())?;
    whole("height", &|r| r.result.task.height as u64)?;
    text("linear_scaling", &|r| r.result.task.linear_scaling.clone())?;
    text("operators", &|r| r.result.task.operators.clone())?;
    text("linkage", &|r| r.result.task.linkage.clone())?;
    whole("repeat", &|r| r.result.task.repeat as u64)?;
    whole("fold", &|r| r.result.task.fold as u64)?;
    whole("seed", &|r| setting(&r.result.task, "seed").parse().unwrap_or_default())?;
    number("r2_train", &|r| r.result.r2_train)?;
    number("r2_test", &|r| r.result.r2_test)?;
    whole("size", &|r| r.result.size as u64)?;
    text("formula", &|r| r.result.formula.clone())?;
    whole("n_evaluations", &|r| r.result.n_evaluations)?;
    whole("n_generations", &|r| r.result.n_generations)?;
    text("stop_reason", &|r| r.result.stop_reason.clone())?;
    number("cpu_seconds", &|r| r.measured.cpu_seconds)?;
    number("wall_seconds", &|r| r.measured.wall_seconds)?;
    text("host", &|r| r.measured.host.clone())?;
    text("version", &|r| r.measured.version.clone())?;
    Ok(table)
}

/// One value per point of a trace in each column, and the number of points of each record.
pub(crate) fn traces<'py>(
    py: Python<'py>,
    records: &[Record],
) -> PyResult<(Bound<'py, PyDict>, Vec<usize>)> {
    let points = || records.iter().flat_map(|record| &record.result.trace);
    let evaluations: Vec<i64> = points().map(|point| point.evaluations as i64).collect();
    let sizes: Vec<i64> = points().map(|point| point.size as i64).collect();
    let r2_train: Vec<f64> = points().map(|point| point.r2_train).collect();
    let r2_test: Vec<f64> = points().map(|point| point.r2_test).collect();
    let seconds: Vec<f64> = records
        .iter()
        .flat_map(|Record { result, measured }| {
            let at = |k| measured.trace_seconds.get(k).copied().unwrap_or(f64::NAN);
            (0..result.trace.len()).map(at)
        })
        .collect();
    let table = PyDict::new(py);
    table.set_item("evaluations", evaluations.into_pyarray(py))?;
    table.set_item("cpu_seconds", seconds.into_pyarray(py))?;
    table.set_item("r2_train", r2_train.into_pyarray(py))?;
    table.set_item("r2_test", r2_test.into_pyarray(py))?;
    table.set_item("size", sizes.into_pyarray(py))?;
    Ok((table, records.iter().map(|record| record.result.trace.len()).collect()))
}

fn setting(task: &Task, key: &str) -> String {
    let found = task.settings.iter().find(|(name, _)| name == key);
    found.map_or_else(String::new, |(_, value)| value.clone())
}
