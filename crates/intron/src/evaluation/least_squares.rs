//! Constants by least squares: Levenberg (1944) and Marquardt (1963), with exact derivatives.
//! Written here and not taken from a crate: sums and solutions must have the same bits on every machine.

use super::derivatives::{Derivatives, NormalEquations};
use super::evaluator::Problem;
use super::gains::{Bringing, Gain};
use crate::expression::{Formula, Symbol};
use crate::halt::Halt;

/// Tunes formulas on the training rows; keeps its memory from formula to formula. Once the halt is called, what is being
/// tuned stays as it was, and nothing of it is counted.
#[derive(Debug, Default)]
pub(crate) struct LeastSquares {
    halt: Halt,
    derivatives: Derivatives,
    n_evaluations: u64,
    most_evaluations: u64,
    is_halted: bool,
}

/// How long to go on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) n_steps: usize,
    pub(crate) most_evaluations: u64,
    /// A squared error; a formula that stays far above it is given up. Infinite where none is to be given up.
    pub(crate) to_reach: f64,
}

/// What became of the constants of a formula.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tuned {
    /// They are others now.
    Moved(Formula),
    /// No step lowers the error.
    Unmoved,
    /// Given up: the error is too far from the one to be reached.
    Hopeless,
}

impl Tuned {
    /// The formula, if its constants are others.
    pub(crate) fn moved(self) -> Option<Formula> {
        match self {
            Tuned::Moved(formula) => Some(formula),
            Tuned::Unmoved | Tuned::Hopeless => None,
        }
    }
}

/// What comes after a step.
#[derive(Debug, Clone, Copy)]
enum After {
    /// Another one, which needs the derivatives at the constants reached. They are taken with the error: most steps are good.
    AStep,
    /// Nothing.
    Nothing,
}

impl After {
    /// What it costs to try a step.
    fn n_evaluations(self) -> u64 {
        match self {
            After::AStep => EVALUATIONS_OF_DERIVATIVES,
            After::Nothing => 1,
        }
    }
}

/// What an error with derivatives costs.
const EVALUATIONS_OF_DERIVATIVES: u64 = 2;
/// The damping at the start, and how it changes when a step fails or succeeds.
const FIRST_DAMPING: f64 = 1e-3;
const DAMPING_FACTOR: f64 = 10.0;
const LEAST_DAMPING: f64 = 1e-12;
const MOST_DAMPING: f64 = 1e8;
/// A step that gains less than this share of the error is the last.
const LEAST_GAIN: f64 = 1e-10;
/// After so many steps, an error that is still more than so many times the one to be reached is as good as never brought down to it.
const HOPELESS: [f64; 5] = [2.0, 1.5, 1.2, 1.1, 1.05];

impl LeastSquares {
    pub(crate) fn new(halt: Halt) -> LeastSquares {
        LeastSquares { halt, ..LeastSquares::default() }
    }

    /// Makes up to so many steps from the constants at some places of a formula, in their order. Gives up where the squared error
    /// to be reached is too far away.
    ///
    /// Where more evaluations are wanted than it may do, all that it may do are used up: whoever has a limit and finds some
    /// left knows that without the limit the result would be the same.
    pub(crate) fn tune(
        &mut self,
        formula: &Formula,
        places: &[usize],
        effort: Effort,
        problem: &Problem,
    ) -> Tuned {
        self.n_evaluations = 0;
        self.most_evaluations = effort.most_evaluations;
        self.is_halted = false;
        self.descend(formula, places, effort, problem)
    }

    /// What each feature would bring at a place of a formula; nothing where that is more than it may do, and then all that it may
    /// do is used up, as for [`LeastSquares::tune`].
    pub(crate) fn gains_of_features(
        &mut self,
        formula: &Formula,
        (place, bringing): (usize, Bringing),
        most_evaluations: u64,
        problem: &Problem,
    ) -> Vec<Gain> {
        (self.n_evaluations, self.most_evaluations) = (0, most_evaluations);
        match self.spend(EVALUATIONS_OF_DERIVATIVES) {
            true => self.derivatives.gains_of_features(formula, place, bringing, problem),
            false => Vec::new(),
        }
    }

    fn descend(
        &mut self,
        formula: &Formula,
        places: &[usize],
        effort: Effort,
        problem: &Problem,
    ) -> Tuned {
        if places.is_empty() || effort.n_steps == 0 || !self.spend(EVALUATIONS_OF_DERIVATIVES) {
            return Tuned::Unmoved;
        }
        let limit = effort.to_reach * HOPELESS[0];
        let first = self.derivatives.normal_equations(formula, places, limit, problem);
        let Some(mut equations) = first else {
            return if limit == f64::INFINITY { Tuned::Unmoved } else { Tuned::Hopeless };
        };
        let mut formula = formula.clone();
        let mut damping = FIRST_DAMPING;
        let mut has_moved = false;
        for n_done in 0..effort.n_steps {
            if is_hopeless(equations.squared_error, effort.to_reach, n_done) {
                return Tuned::Hopeless;
            }
            let after = if n_done + 1 == effort.n_steps { After::Nothing } else { After::AStep };
            let step = self.step(&formula, places, &equations, &mut damping, after, problem);
            if self.halt.is_called() {
                (self.n_evaluations, self.is_halted) = (0, true);
                return Tuned::Unmoved;
            }
            let Some((next, next_equations)) = step else { break };
            let gain = equations.squared_error - next_equations.squared_error;
            let is_over = gain <= LEAST_GAIN * equations.squared_error;
            (formula, equations, has_moved) = (next, next_equations, true);
            if is_over {
                break;
            }
        }
        if has_moved { Tuned::Moved(formula) } else { Tuned::Unmoved }
    }

    /// Evaluations of the last [`LeastSquares::tune`]: two for each set of constants tried with its derivatives, one without.
    pub(crate) fn n_evaluations(&self) -> u64 {
        self.n_evaluations
    }

    /// Whether the last [`LeastSquares::tune`] was given up because the halt was called.
    pub(crate) fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// The first step that lowers the error, with more and more damping, and what it leads to; none if no step promises to.
    fn step(
        &mut self,
        formula: &Formula,
        places: &[usize],
        equations: &NormalEquations,
        damping: &mut f64,
        after: After,
        problem: &Problem,
    ) -> Option<(Formula, NormalEquations)> {
        while *damping <= MOST_DAMPING && !self.halt.is_called() {
            if let Some(step) = solve(equations, *damping) {
                if promise(&step, equations) <= LEAST_GAIN * equations.squared_error {
                    return None;
                }
                let next = moved(formula, places, &step)?;
                if !self.spend(after.n_evaluations()) {
                    return None;
                }
                let limit = equations.squared_error;
                let wanted = match after {
                    After::AStep => places,
                    After::Nothing => &[],
                };
                let reached = self.derivatives.normal_equations(&next, wanted, limit, problem);
                if let Some(reached) = reached.filter(|reached| reached.squared_error < limit) {
                    *damping = (*damping / DAMPING_FACTOR).max(LEAST_DAMPING);
                    return Some((next, reached));
                }
            }
            *damping *= DAMPING_FACTOR;
        }
        None
    }

    /// Counts evaluations about to be done; if they are too many, the rest counts as used up.
    fn spend(&mut self, n: u64) -> bool {
        let is_enough = n <= self.most_evaluations - self.n_evaluations;
        self.n_evaluations = if is_enough { self.n_evaluations + n } else { self.most_evaluations };
        is_enough
    }
}

/// Whether an error will hardly come down to another one, after so many steps.
pub(crate) fn is_hopeless(error: f64, to_reach: f64, n_done: usize) -> bool {
    error > to_reach * HOPELESS[n_done.min(HOPELESS.len() - 1)]
}

/// The most by which a step would lower the error if the formula were linear in its constants.
fn promise(step: &[f64], equations: &NormalEquations) -> f64 {
    2.0 * step.iter().zip(&equations.gradient).map(|(step, slope)| step * slope).sum::<f64>()
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

#[cfg(test)]
mod tests {
    use super::*;

    impl LeastSquares {
        fn tune_all(
            &mut self,
            formula: &Formula,
            n_steps: usize,
            most: u64,
            problem: &Problem,
        ) -> Option<Formula> {
            let effort = Effort { n_steps, most_evaluations: most, to_reach: f64::INFINITY };
            self.tune(formula, &formula.constants(), effort, problem).moved()
        }
    }
    use crate::evaluation::{Instructions, LinearScaling, Objective};
    use crate::expression::{FeatureNames, Template};

    fn problem(of: impl Fn(f64, f64) -> f64) -> Problem {
        let a: Vec<f64> = (0..300).map(|row| 0.5 + f64::from(row) * 0.01).collect();
        let b: Vec<f64> = (0..300).map(|row| 1.0 + f64::from(row % 17) * 0.2).collect();
        let y: Vec<f64> = a.iter().zip(&b).map(|(&a, &b)| of(a, b)).collect();
        let objective = Objective::new(&y, None, LinearScaling::Off, Instructions::Detected);
        Problem::new(Template::full(2, 2).unwrap(), &[a, b], objective, Instructions::Detected)
    }

    fn formula(text: &str) -> Formula {
        Formula::parse(text, &FeatureNames::new(&["a".to_owned(), "b".to_owned()])).unwrap()
    }

    fn constants(formula: &Formula) -> Vec<f64> {
        formula.nodes().iter().filter_map(|node| node.symbol.as_constant()).collect()
    }

    #[test]
    fn constants_are_found_again() {
        let problem = problem(|a, b| 3.0 * (1.7 * a).sin() + (0.4 * b).exp());
        let start = formula("2.5 * sin(1.5 * a) + exp(0.3 * b)");
        let tuned = LeastSquares::default().tune_all(&start, 50, u64::MAX, &problem).unwrap();
        for (found, true_value) in constants(&tuned).iter().zip([3.0, 1.7, 0.4]) {
            assert!((found - true_value).abs() < 1e-9, "{found} for {true_value}");
        }
    }

    #[test]
    fn the_error_never_grows_and_the_budget_holds() {
        let problem = problem(|a, b| a * a / b);
        let mut tuner = LeastSquares::default();
        let error = |formula: &Formula| problem.objective.squared_error(&problem.outputs(formula));
        for text in ["a / (b - 1.0001)", "exp(a * 100.5)", "sin(a * 30.5) / 1e-9", "log(a - 0.4)"] {
            let start = formula(text);
            for most in [1, 3, 4, 10, 1000] {
                if let Some(tuned) = tuner.tune_all(&start, 20, most, &problem) {
                    assert!(error(&tuned) < error(&start), "{text}");
                }
                assert!(tuner.n_evaluations() <= most, "{text}");
            }
        }
    }

    #[test]
    fn what_leaves_evaluations_over_has_not_felt_the_limit() {
        let problem = problem(|a, b| a * a / b);
        let mut tuner = LeastSquares::default();
        for text in ["a / (b - 1.0001)", "exp(a * 100.5)", "sin(a * 3.5) + 1e9", "log(a - 0.4)"] {
            let start = formula(text);
            let expected = tuner.tune_all(&start, 5, u64::MAX, &problem);
            let needed = tuner.n_evaluations();
            for most in 0..40 {
                let tuned = tuner.tune_all(&start, 5, most, &problem);
                assert_eq!(tuner.n_evaluations(), needed.min(most), "{text} {most}");
                assert!(most < needed || tuned == expected, "{text} {most}");
            }
        }
    }

    #[test]
    fn nothing_is_moved_nor_counted_once_the_halt_is_called() {
        let problem = problem(|a, b| 3.0 * a + b);
        let mut tuner = LeastSquares::new(Halt::when(|| true));
        assert_eq!(tuner.tune_all(&formula("2.5 * a + b"), 5, u64::MAX, &problem), None);
        assert_eq!(tuner.n_evaluations(), 0);
        assert!(tuner.is_halted());
    }

    #[test]
    fn a_formula_that_stays_far_from_what_is_to_be_reached_is_given_up() {
        let problem = problem(|a, b| (1.7 * a).sin() + b);
        let start = formula("1.25 * b - 0.4 * a");
        let effort = |to_reach| Effort { n_steps: 5, most_evaluations: u64::MAX, to_reach };
        let mut tuner = LeastSquares::default();
        let mut tune =
            |to_reach| tuner.tune(&start, &start.constants(), effort(to_reach), &problem);
        let Tuned::Moved(best) = tune(f64::INFINITY) else { panic!("it can be tuned") };
        let error = problem.objective.squared_error(&problem.outputs(&best));
        assert_eq!(tune(error * 0.99), Tuned::Moved(best));
        assert_eq!(tune(error * 0.3), Tuned::Hopeless);
        // Its error before the first step is enough to give it up.
        assert_eq!(tune(0.0), Tuned::Hopeless);
        assert_eq!(tuner.n_evaluations(), EVALUATIONS_OF_DERIVATIVES);
    }

    #[test]
    fn what_cannot_move_stays() {
        let problem = problem(|a, b| a + b);
        let mut tuner = LeastSquares::default();
        assert_eq!(tuner.tune_all(&formula("a + b"), 5, u64::MAX, &problem), None);
        assert_eq!(tuner.tune_all(&formula("log(0 - 1.5) + a"), 5, u64::MAX, &problem), None);
        let useless = tuner.tune_all(&formula("a * 0.5 + 0 * 3.5"), 5, u64::MAX, &problem).unwrap();
        assert!(constants(&useless).iter().all(|value| value.is_finite()));
    }
}
