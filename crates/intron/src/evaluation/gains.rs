//! What a feature would bring to a formula, told by derivatives.

use super::derivatives::{Block, DERIVATIVE_ROWS, Derivatives, needed, of_node};
use super::evaluator::Problem;
use super::kernels::{LaneSums, add_sums_of_products, join, weighted_sum};
use super::linear_scaling::LinearScaling;
use crate::expression::{Formula, Meaning};

/// Where a feature is brought to a part of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bringing {
    /// Added to the part.
    Beside,
    /// Instead of the part.
    InPlace,
}

/// What a feature would bring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gain {
    /// By how much the squared error would fall.
    pub(crate) fall: f64,
    /// The best constant to multiply the feature with.
    pub(crate) factor: f64,
}

/// The sum of squares of a column that varies has at least this share left when its mean is taken away.
const LEAST_SPREAD: f64 = 1e-9;

impl Gain {
    /// The line of residuals over `d`, from Σ w·d, Σ w·d² and Σ w·d·r, the mean of the residuals and the total of the weights.
    fn of_line([first, second, cross]: [f64; 3], mean: f64, total: f64) -> Gain {
        Gain::of_proportion(second, second - first * first / total, cross - first * mean)
    }

    /// The residuals in proportion to `d`, from Σ w·d², what of it counts, and Σ w·d·r.
    fn of_proportion(second: f64, spread: f64, cross: f64) -> Gain {
        let gain = Gain { fall: cross * cross / spread, factor: cross / spread };
        let is_sound = spread > LEAST_SPREAD * second && gain.fall.is_finite();
        if is_sound && gain.factor.is_finite() { gain } else { Gain { fall: 0.0, factor: 0.0 } }
    }
}

impl Derivatives {
    /// What each feature would bring to a formula, times a constant, at one place: added to what stands there, or instead of it.
    /// To first order; exact where the formula is linear in that place.
    pub(crate) fn gains_of_features(
        &mut self,
        formula: &Formula,
        place: usize,
        bringing: Bringing,
        problem: &Problem,
    ) -> Vec<Gain> {
        let mut sums = vec![LaneSums::<3>::default(); problem.features.n_columns()];
        let mut of_residuals = 0.0;
        let needed = needed(formula, &[place]);
        let n_rows = problem.objective.n_rows();
        for start in (0..n_rows).step_by(DERIVATIVE_ROWS) {
            let block = Block { start, n_rows: DERIVATIVE_ROWS.min(n_rows - start) };
            self.differentiate(formula, &needed, block, problem);
            if bringing == Bringing::InPlace {
                self.take_away(formula, place, block, problem);
            }
            let slopes = &of_node(&self.adjoints, place, block)[..block.n_rows];
            let residuals = &self.residuals[..block.n_rows];
            let weights = block.weights(problem);
            of_residuals += weighted_sum(problem.instructions, residuals, weights);
            for (k, sums) in sums.iter_mut().enumerate() {
                let both = (slopes, block.of(problem.features.column(k)));
                add_sums_of_products(problem.instructions, sums, both, residuals, weights);
            }
        }
        let total = problem.objective.total_weight();
        let mean = of_residuals / total;
        let gain = |sums: &LaneSums<3>| {
            let sums @ [_, second, cross] = sums.each_ref().map(join);
            match problem.objective.scaling {
                LinearScaling::On => Gain::of_line(sums, mean, total),
                // Nothing would make up for a shift.
                LinearScaling::Off => Gain::of_proportion(second, second, cross),
            }
        };
        sums.iter().map(gain).collect()
    }

    /// Residuals as they would be, to first order, without what stands at a place.
    fn take_away(&mut self, formula: &Formula, place: usize, block: Block, problem: &Problem) {
        let slopes = of_node(&self.adjoints, place, block);
        let values = match formula.nodes()[place].symbol.meaning() {
            Meaning::Feature(k) => block.of(problem.features.column(k as usize)),
            Meaning::Constant(value) => &[value; DERIVATIVE_ROWS][..block.n_rows],
            Meaning::Operator(_) => of_node(&self.values, place, block),
        };
        for ((residual, slope), value) in self.residuals.iter_mut().zip(slopes).zip(values) {
            *residual += slope * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Effort, Instructions, LeastSquares, Objective};
    use crate::expression::{FeatureNames, Template};

    fn problem(weights: Option<&[f64]>, scaling: LinearScaling) -> Problem {
        let n_rows = 700;
        let a: Vec<f64> = (0..n_rows).map(|row| 0.3 + row as f64 * 0.004).collect();
        let b: Vec<f64> = (0..n_rows).map(|row| 2.5 - row as f64 * 0.003).collect();
        let y: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 2.0 * a - b * b).collect();
        let objective = Objective::new(&y, weights, scaling, Instructions::Detected);
        Problem::new(Template::full(2, 2).unwrap(), &[a, b], objective, Instructions::Detected)
    }

    fn formula(text: &str) -> Formula {
        Formula::parse(text, &FeatureNames::new(&["a".to_owned(), "b".to_owned()])).unwrap()
    }

    /// The smallest error with other constants at some places, which the formula is linear in, and these constants.
    fn tuned(formula: &Formula, places: &[usize], problem: &Problem) -> (f64, Vec<f64>) {
        let effort = Effort { n_steps: 30, most_evaluations: u64::MAX, to_reach: f64::INFINITY };
        let found = LeastSquares::default().tune(formula, places, effort, problem).moved();
        let found = found.unwrap_or_else(|| formula.clone());
        let values = places.iter().map(|&place| found.nodes()[place].symbol.as_constant().unwrap());
        (problem.objective.squared_error(&problem.outputs(&found)), values.collect())
    }

    #[test]
    fn gains_are_what_features_bring_where_the_formula_is_linear() {
        let weights: Vec<f64> = (0..700).map(|row| 1.0 + f64::from(row % 3)).collect();
        let before = formula("(a * 1.5) * (b + 2.25)");
        let of_product = 2;
        let ways = [
            (LinearScaling::On, Bringing::Beside, "(a * 1.5 + 0 * b) * (b + 2.25) + 0"),
            (LinearScaling::On, Bringing::InPlace, "(0 * b) * (b + 2.25) + 0"),
            (LinearScaling::Off, Bringing::Beside, "(a * 1.5 + 0 * b) * (b + 2.25)"),
            (LinearScaling::Off, Bringing::InPlace, "(0 * b) * (b + 2.25)"),
        ];
        for (weights, (scaling, bringing, after)) in
            [None, Some(weights.as_slice())].into_iter().flat_map(|w| ways.map(|way| (w, way)))
        {
            let problem = problem(weights, scaling);
            let gain = Derivatives::default()
                .gains_of_features(&before, of_product, bringing, &problem)[1];
            let after = formula(after);
            let is_zero = |&place: &usize| after.nodes()[place].symbol.as_constant() == Some(0.0);
            let free: Vec<usize> = after.constants().into_iter().filter(is_zero).collect();
            let (without, _) = tuned(&after, &free[1..], &problem);
            let (with, values) = tuned(&after, &free, &problem);
            assert!((gain.factor / values[0] - 1.0).abs() < 1e-6, "{bringing:?}");
            assert!((gain.fall / (without - with) - 1.0).abs() < 1e-6, "{bringing:?}");
        }
    }
}
