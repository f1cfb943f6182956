//! `Formula`: an expression with the names of its features, as Python sees it. It never changes.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use intron::{
    FeatureNames, FeatureRanges, Format, Meaning, Outside, SimpleNumber, Symbol, made_up_points,
    predict,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arrays;
use crate::border::{detached, guarded, wrong_input};

/// A formula with the names of its features.
///
/// >>> import numpy as np
/// >>> from intron import Formula
/// >>> formula = Formula("2 * a + sin(b)", ["a", "b"])
/// >>> formula.predict(np.array([[1.0, 0.0], [2.0, 0.0]]))
/// array([2., 4.])
#[pyclass(frozen, module = "intron._native", from_py_object)]
#[derive(Clone)]
pub(crate) struct Formula {
    formula: intron::Formula,
    names: FeatureNames,
}

impl Formula {
    pub(crate) fn from_parts(formula: intron::Formula, names: &FeatureNames) -> Formula {
        Formula { formula, names: names.clone() }
    }

    fn all_names(&self) -> Vec<String> {
        (0..self.names.len()).map(|index| self.names.name(index as u32).to_owned()).collect()
    }
}

#[pymethods]
impl Formula {
    #[new]
    fn new(text: &str, names: Vec<String>) -> PyResult<Formula> {
        guarded(|| {
            let names = FeatureNames::new(&names);
            let formula = intron::Formula::parse(text, &names).map_err(wrong_input)?;
            Ok(Formula { formula, names })
        })
    }

    /// The formula as text, with every digit; `Formula(text, names)` reads it back to the same values.
    #[getter]
    fn text(&self) -> PyResult<String> {
        guarded(|| Ok(self.formula.to_text(&self.names)))
    }

    /// Names of the features, in the order of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.all_names()
    }

    /// Number of operators, features and constants, scaling included.
    #[getter]
    fn n_nodes(&self) -> usize {
        self.formula.size()
    }

    /// One value for each row of a table of numbers, such as a two-dimensional array.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let table = arrays::table(table)?;
        let needed = self.formula.n_features_needed();
        let (n_rows, n_columns) = (table.as_array().nrows(), table.as_array().ncols());
        if n_columns < needed {
            return Err(wrong_input(format!(
                "the table has {n_columns} columns, the formula uses column {needed}"
            )));
        }
        let columns = arrays::columns(&table);
        let values = detached(py, || Ok(predict(&self.formula, &columns, n_rows)))?;
        Ok(values.into_pyarray(py))
    }

    /// A warning if rows of a table lie outside the ranges of the features, widened by a share: how many rows, and in which
    /// features of the formula. None if no row does.
    #[pyo3(signature = (table, ranges, margin=None))]
    fn outside(
        &self,
        table: PyReadonlyArray2<'_, f64>,
        ranges: Vec<[f64; 2]>,
        margin: Option<f64>,
    ) -> PyResult<Option<String>> {
        let table = table.as_array();
        if ranges.len() != table.ncols() || ranges.len() < self.formula.n_features_needed() {
            return Err(wrong_input(
                "give one range for each column, and a column for each feature",
            ));
        }
        guarded(|| {
            let (ranges, margin) = (FeatureRanges(ranges), margin.unwrap_or(FeatureRanges::MARGIN));
            let value = |feature: usize, row: usize| table[[row, feature]];
            let outside = Outside::of(&self.formula, &ranges, margin, table.nrows(), value);
            Ok(outside.map(|outside| outside.describe(&self.names)))
        })
    }

    /// The formula in another language: `text`, `latex`, `sympy` or `python`.
    fn format(&self, format: &str) -> PyResult<String> {
        let format = Format::from_name(format).map_err(wrong_input)?;
        guarded(|| Ok(self.formula.format(&self.names, format)))
    }

    /// A whole function in another language, with three points to try it with.
    fn export(&self, format: &str) -> PyResult<String> {
        let format = Format::from_name(format).map_err(wrong_input)?;
        guarded(|| {
            let points = made_up_points(&self.formula, self.names.len());
            self.formula.export(&self.names, format, &points).map_err(wrong_input)
        })
    }

    /// The same formula with its constants rounded to so many significant digits; on request thirds, multiples of π and the like
    /// stay, which some formats write without digits.
    #[pyo3(signature = (digits, keep_simple=false))]
    fn rounded(&self, digits: usize, keep_simple: bool) -> PyResult<Formula> {
        if !(1..=17).contains(&digits) {
            return Err(wrong_input(format!("{digits} digits: give 1 to 17")));
        }
        guarded(|| {
            Ok(Formula::from_parts(rounded(&self.formula, digits, keep_simple), &self.names))
        })
    }

    /// The same formula with other names for its features, one for each.
    fn renamed(&self, names: Vec<String>) -> PyResult<Formula> {
        if names.len() != self.names.len() {
            let (given, needed) = (names.len(), self.names.len());
            return Err(wrong_input(format!("{given} names for {needed} features")));
        }
        Ok(Formula { formula: self.formula.clone(), names: FeatureNames::new(&names) })
    }

    /// The nodes, arguments before the operator that uses them, the root last: `("feature", index)`,
    /// `("constant", value)` or `(operator, places of the arguments)`.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let convert = |node: &intron::Node| match node.symbol.meaning() {
            Meaning::Feature(index) => ("feature", index).into_pyobject(py).map(Bound::into_any),
            Meaning::Constant(value) => ("constant", value).into_pyobject(py).map(Bound::into_any),
            Meaning::Operator(operator) => {
                let arguments = node.arguments[..operator.arity()].to_vec();
                (operator.name(), arguments).into_pyobject(py).map(Bound::into_any)
            }
        };
        guarded(|| self.formula.nodes().iter().map(convert).collect())
    }

    fn __call__<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.predict(py, table)
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Formula({:?})", self.text()?))
    }

    /// Equal where text and names are: the order in which a search has built the nodes does not matter.
    fn __eq__(&self, other: &Formula) -> PyResult<bool> {
        Ok(self.names == other.names && self.text()? == other.text()?)
    }

    fn __hash__(&self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.text()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<Formula>(), (self.text()?, self.all_names())))
    }
}

/// What pickle keeps: the class and its arguments.
type Reduced<'py> = (Bound<'py, PyType>, (String, Vec<String>));

/// The formula with constants of so many significant digits; one that would round to infinity stays as it is.
fn rounded(formula: &intron::Formula, digits: usize, keep_simple: bool) -> intron::Formula {
    let has_name = |value| SimpleNumber::of(value).is_some_and(SimpleNumber::has_many_digits);
    let mut copy = intron::Formula::new();
    for node in formula.nodes() {
        let symbol = match node.symbol.meaning() {
            Meaning::Constant(value) if !(keep_simple && has_name(value)) => {
                let text = format!("{value:.*e}", digits - 1);
                let near: f64 = text.parse().expect("a number as Rust writes it");
                Symbol::constant(if near.is_finite() { near } else { value })
            }
            _ => node.symbol,
        };
        copy.push(symbol, &node.arguments[..symbol.arity()]);
    }
    copy
}
