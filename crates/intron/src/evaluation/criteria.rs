//! Criteria that weigh the error of a formula against what it takes to write it down: the Bayesian information criterion
//! and the description length of Bartlett, Desmond and Ferreira (2023). Smaller is better.

use std::collections::HashSet;
use std::f64::consts::LN_2;

use super::derivatives::Derivatives;
use super::evaluator::Problem;
use super::objective::Fitness;
use crate::expression::{Formula, SimpleNumber};

/// What a formula costs, error included, in natural units of information.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    /// n · ln(error) + ln n for each constant.
    pub bic: f64,
    /// Description length: the error, the symbols, and the digits of the constants that the data can tell apart.
    pub mdl: f64,
}

/// Errors below this share of the variance are rounding noise, and all the same.
const LEAST_NMSE: f64 = 1e-20;

impl Criteria {
    /// The criteria of a formula as printed, with its fitness on the training rows.
    pub(crate) fn of(formula: &Formula, fitness: Fitness, problem: &Problem) -> Criteria {
        if !fitness.is_valid() {
            return Criteria { bic: f64::INFINITY, mdl: f64::INFINITY };
        }
        let n = problem.objective.n_observations();
        let (nmse, variance) =
            (fitness.nmse().max(LEAST_NMSE), problem.objective.target_variance());
        let mean_error = nmse * variance;
        // A target whose squares are beyond numbers: the same for all formulas, so its share alone tells them apart.
        let is_ordinary = variance.is_finite() && (variance * LEAST_NMSE).is_normal();
        let log_error = libm::log(if is_ordinary { mean_error } else { nmse });
        let places = formula.constants();
        let n_parameters = places.len() as f64 + 1.0;
        let bic = n * log_error + n_parameters * libm::log(n);
        let symbols = symbols_length(formula);
        let digits = constants_length(formula, &places, problem, mean_error / n);
        Criteria { bic, mdl: 0.5 * n * log_error + symbols + digits }
    }
}

/// Every node names one of the symbols in use.
fn symbols_length(formula: &Formula) -> f64 {
    let symbol = |node: &crate::expression::Node| match node.symbol.as_constant() {
        // All constants share a symbol.
        Some(_) => None,
        None => Some(node.symbol),
    };
    let kinds: HashSet<_> = formula.nodes().iter().map(symbol).collect();
    formula.size() as f64 * libm::log(kinds.len() as f64)
}

/// Simple numbers by their parts; other constants by the digits that matter.
fn constants_length(formula: &Formula, places: &[usize], problem: &Problem, unit: f64) -> f64 {
    if places.is_empty() {
        return 0.0;
    }
    let no_limit = f64::INFINITY;
    let equations = Derivatives::default().normal_equations(formula, places, no_limit, problem);
    let total = problem.objective.total_weight();
    let length = |(k, &place): (usize, &usize)| {
        let value = formula.nodes()[place].symbol.as_constant().expect("a constant stands here");
        if let Some(length) = simple_length(value) {
            return length;
        }
        let curvature = equations.as_ref().map_or(f64::NAN, |e| e.matrix[k * places.len() + k]);
        let information = curvature / total / unit;
        // ln(|value| / its uncertainty), with a sign.
        let digits = libm::log(value.abs()) + 0.5 * libm::log(information) - 0.5 * libm::log(3.0);
        if digits.is_finite() { digits.max(0.0) } else { 0.0 }
    };
    places.iter().enumerate().map(length).sum()
}

fn simple_length(value: f64) -> Option<f64> {
    let simple = SimpleNumber::of(value)?;
    let of_pi = if simple.is_of_pi { LN_2 } else { 0.0 };
    Some(libm::log(simple.numerator.abs() + 1.0) + libm::log(simple.denominator) + of_pi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Instructions, LinearScaling, Objective};
    use crate::expression::{FeatureNames, Template};

    fn criteria(noise: f64, text: &str) -> Criteria {
        let a: Vec<f64> = (0..200).map(|row| 1.0 + f64::from(row) * 0.01).collect();
        let disturbance = |row: usize| noise * (row as f64 * 12.9898).sin();
        let y: Vec<f64> =
            a.iter().enumerate().map(|(row, a)| 2.0 * a * a + disturbance(row)).collect();
        let objective = Objective::new(&y, None, LinearScaling::Off, Instructions::Detected);
        let template = Template::full(2, 2).unwrap();
        let problem = Problem::new(template, &[a], objective, Instructions::Detected);
        let formula = Formula::parse(text, &FeatureNames::new(&["a".to_owned()])).unwrap();
        let outputs = problem.outputs(&formula);
        let fitness = problem.objective.fitness_as_printed(&outputs, None);
        Criteria::of(&formula, fitness, &problem)
    }

    #[test]
    fn the_true_formula_has_the_smallest_description() {
        for noise in [0.0, 0.001, 0.1] {
            let right = criteria(noise, "2 * a * a");
            for wrong in
                ["2.000173 * a * a", "2 * a * a + 0.000721 * sin(a)", "2 * a", "1.3 + a * a * a"]
            {
                let other = criteria(noise, wrong);
                assert!(right.mdl < other.mdl, "{noise}: {wrong}: {right:?} {other:?}");
            }
        }
    }

    #[test]
    fn targets_of_any_size_are_told_apart() {
        let a: Vec<f64> = (0..200).map(|row| 1.0 + f64::from(row) * 0.01).collect();
        for unit in [1e-200, 1.0, 1e160] {
            let y: Vec<f64> = a.iter().map(|a| unit * (a * a + 0.1 * (9.0 * a).sin())).collect();
            let objective = Objective::new(&y, None, LinearScaling::On, Instructions::Detected);
            let problem = Problem::new(
                Template::full(2, 2).unwrap(),
                std::slice::from_ref(&a),
                objective,
                Instructions::Detected,
            );
            let mdl = |text: &str| {
                let formula = Formula::parse(text, &FeatureNames::new(&["a".to_owned()])).unwrap();
                let outputs = problem.outputs(&formula);
                let fit = problem.objective.fit(&outputs);
                let fitness = problem.objective.fitness_as_printed(&outputs, fit);
                Criteria::of(&formula, fitness, &problem).mdl
            };
            assert!(mdl("a * a") < mdl("a") && mdl("a * a").is_finite(), "{unit}");
        }
    }

    #[test]
    fn simple_numbers_are_short() {
        assert_eq!(simple_length(0.0), Some(0.0));
        assert!(simple_length(3.0) < simple_length(7.0));
        assert!(simple_length(0.5) < simple_length(0.375));
        assert!(simple_length(3.0) < simple_length(3.0 * std::f64::consts::PI));
        assert_eq!(simple_length(0.123), None);
        assert_eq!(simple_length(1e6), None);
    }
}
