//! Whether two formulas compute the same on the data, and the simplifier that asks for it.

use super::evaluator::Problem;
use super::full::predict;
use super::kernels::apply;
use crate::expression::{Formula, Operator, Simplifier};

/// A formula is the same if it differs by at most this share of the target's standard deviation.
const SAME: f64 = 1e-9;

/// Rounding of a value that is computed in another order, as a share of it.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Simplifier {
    /// A simplifier whose results use these operators, `+`, `*`, and those of the formula itself.
    pub fn new(operators: &[Operator]) -> Simplifier {
        Simplifier::with_arithmetic(operators, apply)
    }
}

/// Whether a formula gives what the original gives on every row, up to `tolerance` and rounding. Where the original
/// is finite the other must be, too; where it is not, nothing is asked.
pub fn is_same_on(
    original: &Formula,
    other: &Formula,
    features: &[Vec<f64>],
    n_rows: usize,
    tolerance: f64,
) -> bool {
    are_same(&predict(original, features, n_rows), &predict(other, features, n_rows), tolerance)
}

/// Whether outputs are the same as those of the original, up to `tolerance` and rounding.
fn are_same(original: &[f64], other: &[f64], tolerance: f64) -> bool {
    original.iter().zip(other).all(|(&a, &b)| {
        !a.is_finite() || (b.is_finite() && (a - b).abs() <= tolerance + ROUNDING * a.abs())
    })
}

impl Problem {
    /// Whether a formula gives what the original gives on the training rows, up to this share of the target's
    /// standard deviation.
    pub fn is_same(&self, original: &Formula, other: &Formula, share: f64) -> bool {
        let tolerance = share * self.objective.target_variance().sqrt();
        are_same(&self.outputs(original), &self.outputs(other), tolerance)
    }

    /// The smallest form of a formula that gives the same on the training rows, up to 1e-9 of the target's spread.
    /// Operators of one's own stay whole: what is around them and in their arguments is simplified.
    pub fn simplified(&self, simplifier: &Simplifier, formula: &Formula) -> Formula {
        if !self.compositions.is_empty() {
            return self.simplified_around(simplifier, formula);
        }
        let outputs = self.outputs(formula);
        let tolerance = SAME * self.objective.target_variance().sqrt();
        simplifier.simplify(formula, |other| are_same(&outputs, &self.outputs(other), tolerance))
    }

    fn simplified_around(&self, simplifier: &Simplifier, formula: &Formula) -> Formula {
        // Numbers of features that no column has stand for calls of own operators.
        let first = self.features.n_columns() as u32;
        let (outside, calls) = self.compositions.folded(formula).taken_apart(first);
        let simplified_call = |call: &Formula| {
            let root = call.nodes()[call.size() - 1];
            let mut whole = Formula::new();
            let mut places = [0; 2];
            for (place, &argument) in places.iter_mut().zip(&root.arguments[..root.symbol.arity()])
            {
                let argument = self.compositions.expanded(&call.part(argument as usize));
                *place = whole.append(&self.simplified_around(simplifier, &argument));
            }
            self.compositions.push(&mut whole, root.symbol, &places[..root.symbol.arity()]);
            whole
        };
        let calls: Vec<Formula> = calls.iter().map(simplified_call).collect();
        let outputs = self.outputs(formula);
        let tolerance = SAME * self.objective.target_variance().sqrt();
        let is_same = |other: &Formula| are_same(&outputs, &self.outputs(other), tolerance);
        let smaller = simplifier
            .simplify(&outside, |other| is_same(&other.put_together(first, &calls)))
            .put_together(first, &calls);
        if is_same(&smaller) { smaller } else { formula.clone() }
    }
}
