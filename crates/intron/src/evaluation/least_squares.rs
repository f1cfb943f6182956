//! Constants by least squares: Levenberg (1944) and Marquardt (1963), with exact derivatives.
//! Written here and not taken from a crate: sums and solutions must have the same bits on every machine.

use super::derivatives::{Derivatives, NormalEquations, constants_of};
use super::evaluator::Problem;
use super::full::Scratch;
use crate::expression::{Formula, Symbol};

/// Tunes formulas on the training rows; keeps its memory from formula to formula.
#[derive(Debug, Default)]
pub(crate) struct LeastSquares {
    derivatives: Derivatives,
    scratch: Scratch,
    n_evaluations: u64,
    most_evaluations: u64,
}

/// Evaluations that a step takes at least.
const EVALUATIONS_OF_A_STEP: u64 = 3;
/// The damping at the start, and how it changes when a step fails or succeeds.
const FIRST_DAMPING: f64 = 1e-3;
const DAMPING_FACTOR: f64 = 10.0;
const LEAST_DAMPING: f64 = 1e-12;
const MOST_DAMPING: f64 = 1e8;
/// A step that gains less than this share of the error is the last.
const LEAST_GAIN: f64 = 1e-10;

impl LeastSquares {
    /// Makes up to so many steps from the constants of a formula. Returns nothing if no step lowers the error.
    pub(crate) fn tune(
        &mut self,
        formula: &Formula,
        n_steps: usize,
        most_evaluations: u64,
        problem: &Problem,
    ) -> Option<Formula> {
        self.n_evaluations = 0;
        self.most_evaluations = most_evaluations;
        let places = constants_of(formula);
        if places.is_empty() {
            return None;
        }
        let mut formula = formula.clone();
        let mut damping = FIRST_DAMPING;
        let mut has_moved = false;
        for _ in 0..n_steps {
            if self.n_evaluations + EVALUATIONS_OF_A_STEP > most_evaluations {
                break;
            }
            let equations = self.derivatives.normal_equations(&formula, &places, problem);
            self.n_evaluations += 2;
            let Some((next, error)) = self.step(&formula, &places, &equations, &mut damping, problem) else {
                break;
            };
            formula = next;
            has_moved = true;
            if equations.squared_error - error <= LEAST_GAIN * equations.squared_error {
                break;
            }
        }
        has_moved.then_some(formula)
    }

    /// Evaluations of the last [`LeastSquares::tune`]: one for each set of constants tried, two for each set of derivatives.
    pub(crate) fn n_evaluations(&self) -> u64 {
        self.n_evaluations
    }

    /// The first step that lowers the error, with more and more damping.
    fn step(
        &mut self,
        formula: &Formula,
        places: &[usize],
        equations: &NormalEquations,
        damping: &mut f64,
        problem: &Problem,
    ) -> Option<(Formula, f64)> {
        while *damping <= MOST_DAMPING && self.n_evaluations < self.most_evaluations {
            if let Some(step) = solve(equations, *damping) {
                let next = moved(formula, places, &step)?;
                let error = self.squared_error(&next, problem);
                if error < equations.squared_error {
                    *damping = (*damping / DAMPING_FACTOR).max(LEAST_DAMPING);
                    return Some((next, error));
                }
            }
            *damping *= DAMPING_FACTOR;
        }
        None
    }

    fn squared_error(&mut self, formula: &Formula, problem: &Problem) -> f64 {
        self.n_evaluations += 1;
        let outputs = problem.outputs_with(formula, &mut self.scratch);
        problem.objective.squared_error(&outputs)
    }
}

/// The formula with its constants moved; nothing if one of them would not be finite.
fn moved(formula: &Formula, places: &[usize], step: &[f64]) -> Option<Formula> {
    let mut next = Formula::new();
    let mut steps = places.iter().zip(step).peekable();
    for (place, node) in formula.nodes().iter().enumerate() {
        let mut symbol = node.symbol;
        if let Some((_, step)) = steps.next_if(|&(&at, _)| at == place) {
            let value = symbol.as_constant().expect("a constant stands here") + step;
            if !value.is_finite() {
                return None;
            }
            symbol = Symbol::constant(value);
        }
        next.push(symbol, &node.arguments[..symbol.arity()]);
    }
    Some(next)
}

/// Solves `(A + damping · diag A) x = g` by Cholesky's method; nothing if that matrix is not positive definite.
fn solve(equations: &NormalEquations, damping: f64) -> Option<Vec<f64>> {
    let NormalEquations { matrix, gradient, .. } = equations;
    let n = gradient.len();
    let mut lower = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = matrix[i * n + j];
            if i == j {
                // A constant that changes nothing must not make the matrix singular.
                sum = if sum == 0.0 { 1.0 } else { sum + damping * sum };
            }
            for k in 0..j {
                sum -= lower[i * n + k] * lower[j * n + k];
            }
            if i == j {
                if !(sum > 0.0 && sum.is_finite()) {
                    return None;
                }
                lower[i * n + i] = sum.sqrt();
            } else {
                lower[i * n + j] = sum / lower[j * n + j];
            }
        }
    }
    let mut x = gradient.clone();
    for i in 0..n {
        for k in 0..i {
            x[i] -= lower[i * n + k] * x[k];
        }
        x[i] /= lower[i * n + i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= lower[k * n + i] * x[k];
        }
        x[i] /= lower[i * n + i];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}
