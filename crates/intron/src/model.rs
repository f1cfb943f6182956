//! What the user keeps: a finished formula with its scaling, its size and its score.

use crate::data::Dataset;
use crate::evaluation::{Criteria, Fitness, LinearFit, Safety, predict};
use crate::expression::{Formula, Node, Operator, Symbol};
use crate::selection::Candidate;

/// A formula that a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The formula as it is printed: its scaling is part of it.
    pub formula: Formula,
    /// Number of active template positions; the two scaling constants are not counted.
    pub size: usize,
    /// How complex the front takes it to be: its size unless another measure was asked for.
    pub complexity: usize,
    /// The score of `formula` on the training rows, in 64 bits; an R² of 1 to the last bit counts as no error.
    pub fitness: Fitness,
}

impl Model {
    /// What the choice from a front looks at; with rows to choose by and a verdict on safety, if there are such.
    pub fn candidate(
        &self,
        criteria: Criteria,
        validation: Option<&Dataset>,
        safety: Option<&Safety>,
    ) -> Candidate {
        Candidate {
            complexity: self.complexity,
            error: self.fitness.nmse(),
            bic: criteria.bic,
            mdl: criteria.mdl,
            validation_error: validation.map(|rows| self.mean_squared_error(rows)),
            is_safe: safety.map(Safety::is_safe),
        }
    }

    /// The weighted mean of squared errors; infinite where a prediction is not finite.
    fn mean_squared_error(&self, rows: &Dataset) -> f64 {
        let predictions = self.predict(rows.features(), rows.n_rows());
        let weight = |row: usize| rows.weights().map_or(1.0, |weights| weights[row]);
        let (mut sum, mut total) = (0.0, 0.0);
        for (row, (y, prediction)) in rows.target().iter().zip(&predictions).enumerate() {
            sum += weight(row) * (y - prediction) * (y - prediction);
            total += weight(row);
        }
        if f64::is_finite(sum) { sum / total } else { f64::INFINITY }
    }

    /// The predictions for columns of feature values.
    pub fn predict(&self, features: &[Vec<f64>], n_rows: usize) -> Vec<f64> {
        predict(&self.formula, features, n_rows)
    }
}

/// Writes the scaling into a formula: `intercept + slope * formula`, without the parts that change nothing.
pub(crate) fn scaled_formula(formula: Formula, fit: Option<LinearFit>) -> Formula {
    let Some(LinearFit { intercept, slope, .. }) = fit else { return formula };
    let mut scaled = if slope == 0.0 { Formula::new() } else { formula };
    if slope == 0.0 {
        scaled.push(Symbol::constant(intercept), &[]);
        return scaled;
    }
    if slope != 1.0 {
        push_with_constant(&mut scaled, Operator::Multiply, slope);
    }
    if intercept != 0.0 {
        push_with_constant(&mut scaled, Operator::Add, intercept);
    }
    scaled
}

/// The part without the two scaling constants and their operators, where the formula begins with such.
pub(crate) fn without_outer_scaling(formula: &Formula) -> Formula {
    let mut root = formula.size() - 1;
    for operators in [&[Operator::Add, Operator::Subtract][..], &[Operator::Multiply][..]] {
        let Node { symbol, arguments: [a, b] } = formula.nodes()[root];
        let Some(operator) = symbol.as_operator() else { break };
        let is_constant =
            |place: u32| formula.nodes()[place as usize].symbol.as_constant().is_some();
        if !operators.contains(&operator) {
            continue;
        }
        // A constant and something else, in either order.
        match (is_constant(a), is_constant(b)) {
            (true, false) => root = b as usize,
            (false, true) => root = a as usize,
            _ => continue,
        }
    }
    formula.part(root)
}

/// Makes `constant <operator> formula` of a formula.
fn push_with_constant(formula: &mut Formula, operator: Operator, constant: f64) {
    let root = (formula.size() - 1) as u32;
    let constant = formula.push(Symbol::constant(constant), &[]);
    formula.push(Symbol::operator(operator), &[constant, root]);
}
