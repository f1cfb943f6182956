//! What the user keeps: a finished formula with its scaling, its size and its score.

use crate::evaluation::{Fitness, LinearFit, predict};
use crate::expression::{Formula, Operator, Symbol};

/// A formula that a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The formula as it is printed: its scaling is part of it.
    pub formula: Formula,
    /// Number of active template positions; the two scaling constants are not counted.
    pub size: usize,
    /// The score of `formula` on the training rows, in 64 bits; an R² of 1 to the last bit counts as no error.
    pub fitness: Fitness,
}

impl Model {
    /// The predictions for columns of feature values.
    pub fn predict(&self, features: &[Vec<f64>], n_rows: usize) -> Vec<f64> {
        predict(&self.formula, features, n_rows)
    }
}

/// Writes the scaling into a formula: `intercept + slope * formula`, or the intercept alone where the slope is 0.
pub(crate) fn scaled_formula(formula: Formula, fit: Option<LinearFit>) -> Formula {
    let Some(LinearFit { intercept, slope, .. }) = fit else { return formula };
    if slope == 0.0 {
        let mut constant = Formula::new();
        constant.push(Symbol::constant(intercept), &[]);
        return constant;
    }
    let mut scaled = formula;
    let root = (scaled.size() - 1) as u32;
    let slope = scaled.push(Symbol::constant(slope), &[]);
    let product = scaled.push(Symbol::operator(Operator::Multiply), &[slope, root]);
    let intercept = scaled.push(Symbol::constant(intercept), &[]);
    scaled.push(Symbol::operator(Operator::Add), &[intercept, product]);
    scaled
}
