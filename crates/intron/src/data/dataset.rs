//! Feature columns (column-major), target, names and row weights, checked once.

use std::collections::HashSet;

use crate::error::Error;

/// A table of finite numbers: at least one row, as many values in every column.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    names: Vec<String>,
    features: Vec<Vec<f64>>,
    target: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Dataset {
    /// Checks the columns. `names` are those of the features.
    pub fn new(
        names: Vec<String>,
        features: Vec<Vec<f64>>,
        target: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Result<Dataset, Error> {
        if names.len() != features.len() {
            return Err(Error::data(
                format!("{} names for {} features", names.len(), features.len()),
                "give each feature one name",
            ));
        }
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
            return Err(Error::data(format!("two features are named `{name}`"), "rename one"));
        }
        if features.is_empty() {
            return Err(Error::data("there is no feature", "give at least one feature"));
        }
        if target.is_empty() {
            return Err(Error::data("there are no rows", "give at least two"));
        }
        for (name, column) in names.iter().zip(&features) {
            check_column(&format!("feature `{name}`"), column, target.len())?;
        }
        check_column("the target", &target, target.len())?;
        if let Some(weights) = &weights {
            check_weights(weights, target.len())?;
        }
        Ok(Dataset { names, features, target, weights })
    }

    /// Names of the features.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Columns of the features.
    pub fn features(&self) -> &[Vec<f64>] {
        &self.features
    }

    /// The target, one value per row.
    pub fn target(&self) -> &[f64] {
        &self.target
    }

    /// The weight of each row; absent means 1 everywhere.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.target.len()
    }

    /// The given rows, in the given order.
    pub fn rows(&self, rows: &[usize]) -> Dataset {
        let pick = |column: &[f64]| -> Vec<f64> { rows.iter().map(|&row| column[row]).collect() };
        Dataset {
            names: self.names.clone(),
            features: self.features.iter().map(|column| pick(column)).collect(),
            target: pick(&self.target),
            weights: self.weights.as_deref().map(pick),
        }
    }

    /// The rows that count: those of weight 0 say nothing, whatever they hold.
    pub fn without_weightless_rows(self) -> Dataset {
        match &self.weights {
            Some(weights) if weights.contains(&0.0) => {
                let kept: Vec<usize> =
                    (0..self.n_rows()).filter(|&row| weights[row] > 0.0).collect();
                self.rows(&kept)
            }
            _ => self,
        }
    }

    /// Compares two rows by all their values: a total order of the row's content.
    pub(crate) fn compare_rows(&self, a: usize, b: usize) -> std::cmp::Ordering {
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        self.target[a]
            .total_cmp(&self.target[b])
            .then_with(|| self.compare_features(a, b))
            .then_with(|| weight(a).total_cmp(&weight(b)))
    }

    fn compare_features(&self, a: usize, b: usize) -> std::cmp::Ordering {
        let orders = self.features.iter().map(|column| column[a].total_cmp(&column[b]));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    }

    /// Whether two rows agree in target and features.
    pub(crate) fn has_equal_rows(&self, a: usize, b: usize) -> bool {
        self.target[a].total_cmp(&self.target[b]).is_eq() && self.compare_features(a, b).is_eq()
    }
}

fn check_column(what: &str, column: &[f64], n_rows: usize) -> Result<(), Error> {
    if column.len() != n_rows {
        return Err(Error::data(
            format!("{what} has {} rows, the target {n_rows}", column.len()),
            "give every column the same number of rows",
        ));
    }
    match column.iter().position(|value| !value.is_finite()) {
        Some(row) => Err(Error::data(
            format!("{what}, row {}: {} is not a finite number", row + 1, column[row]),
            "drop the row or fill the value in",
        )),
        None => Ok(()),
    }
}

fn check_weights(weights: &[f64], n_rows: usize) -> Result<(), Error> {
    check_column("the weights column", weights, n_rows)?;
    if let Some(row) = weights.iter().position(|&weight| weight < 0.0) {
        return Err(Error::data(
            format!("the weights column, row {}: {} is negative", row + 1, weights[row]),
            "weights are zero or more",
        ));
    }
    if weights.iter().all(|&weight| weight == 0.0) {
        return Err(Error::data(
            "every weight is zero",
            "give at least two rows a weight above zero",
        ));
    }
    if !weights.iter().sum::<f64>().is_finite() {
        return Err(Error::data(
            "the sum of the weights overflows",
            "divide the weights by their largest",
        ));
    }
    Ok(())
}
