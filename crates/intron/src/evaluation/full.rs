//! A whole formula from scratch, one number at a time: the reference that every faster way must equal,
//! and the way test rows are predicted (uncounted).

use super::kernels::apply;
use crate::expression::{Formula, Meaning};

/// The output of a formula on every row. `features` has at least as many columns as the formula needs.
pub fn predict(formula: &Formula, features: &[Vec<f64>], n_rows: usize) -> Vec<f64> {
    let mut values = Vec::with_capacity(formula.size());
    (0..n_rows).map(|row| evaluate_row(formula, |k| features[k][row], &mut values)).collect()
}

/// The output of a formula on one row of feature values.
pub fn predict_row(formula: &Formula, row: &[f64]) -> f64 {
    evaluate_row(formula, |k| row[k], &mut Vec::with_capacity(formula.size()))
}

fn evaluate_row(formula: &Formula, feature: impl Fn(usize) -> f64, values: &mut Vec<f64>) -> f64 {
    values.clear();
    for node in formula.nodes() {
        let [a, b] = node.arguments;
        values.push(match node.symbol.meaning() {
            Meaning::Feature(k) => feature(k as usize),
            Meaning::Constant(value) => value,
            Meaning::Operator(operator) if operator.arity() == 1 => {
                apply(operator, values[a as usize], 0.0)
            }
            Meaning::Operator(operator) => apply(operator, values[a as usize], values[b as usize]),
        });
    }
    *values.last().expect("a formula has at least one node")
}
