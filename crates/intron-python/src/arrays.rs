//! NumPy arrays as columns: read in place, in C or Fortran order, and copied once.

use intron::Dataset;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::border::wrong_input;

/// A table of numbers: an array of float64 as it is, and whatever else NumPy makes such an array of.
pub(crate) fn table<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, f64>> {
    if let Ok(table) = given.extract() {
        return Ok(table);
    }
    let array = given.py().import("numpy")?.call_method1("asarray", (given, "float64"))?;
    let n_dimensions: usize = array.getattr("ndim")?.extract()?;
    let wrong =
        |_| wrong_input(format!("a table has rows and columns, not {n_dimensions} dimensions"));
    array.extract().map_err(wrong)
}

/// The columns of a table.
pub(crate) fn columns(table: &PyReadonlyArray2<'_, f64>) -> Vec<Vec<f64>> {
    let table = table.as_array();
    match table.as_slice() {
        // Row by row: the whole table passes through the cache once, not once per column.
        Some(values) if table.ncols() > 0 => {
            let mut columns = vec![Vec::with_capacity(table.nrows()); table.ncols()];
            for row in values.chunks_exact(table.ncols()) {
                for (column, &value) in columns.iter_mut().zip(row) {
                    column.push(value);
                }
            }
            columns
        }
        _ => table.columns().into_iter().map(|column| column.to_vec()).collect(),
    }
}

/// A table with target and weights, checked.
pub(crate) fn dataset(
    names: Vec<String>,
    table: &PyReadonlyArray2<'_, f64>,
    target: &PyReadonlyArray1<'_, f64>,
    weights: Option<&PyReadonlyArray1<'_, f64>>,
) -> PyResult<Dataset> {
    let weights = weights.map(|weights| weights.as_array().to_vec());
    Dataset::new(names, columns(table), target.as_array().to_vec(), weights).map_err(wrong_input)
}
