//! The objective: NMSE = MSE / Var(y) = 1 − R² (section 4.1), and the order of `Fitness`.
//! That NaN and infinity are invalid is decided here and nowhere else.

use super::kernels::{Instructions, scaled_squared_error, weighted_sum};
use super::linear_scaling::{CentredTarget, LinearFit, LinearScaling, unit_for};
use super::tally::{BLOCK_ROWS, Tally, sums_of_target};
use crate::data::Dataset;

/// NMSE with its order: lower is better, invalid is worse than everything finite, and two invalids are equal.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Fitness(f64);

/// Half the distance from 1 to the next smaller number: an error of at most this is an R² of 1.
const NO_ERROR: f64 = 1.0 / (1_u64 << 54) as f64;

impl Fitness {
    /// The fitness of a formula with a value that is NaN or infinite, or with an error that is.
    pub const INVALID: Fitness = Fitness(f64::INFINITY);

    /// The fitness of an error; what is not finite is invalid. An error that no R² can show counts as none: among
    /// perfect formulas the last digits of rounding noise must not decide.
    #[inline]
    pub fn from_nmse(nmse: f64) -> Fitness {
        if nmse <= NO_ERROR {
            Fitness(0.0)
        } else if nmse.is_finite() {
            Fitness(nmse)
        } else {
            Fitness::INVALID
        }
    }

    /// The normalised error; infinite if invalid.
    #[inline]
    pub fn nmse(self) -> f64 {
        self.0
    }

    /// 1 − NMSE.
    pub fn r2(self) -> f64 {
        1.0 - self.0
    }

    /// Whether the formula has a fitness at all.
    pub fn is_valid(self) -> bool {
        self.0 < f64::INFINITY
    }

    /// Whether R² is 1 to the last bit.
    pub fn is_perfect(self) -> bool {
        self.0 == 0.0
    }

    /// The worse of two.
    #[inline]
    pub(crate) fn worse_of(self, other: Fitness) -> Fitness {
        if other.is_worse_than(self) { other } else { self }
    }

    /// Strictly better.
    #[inline]
    pub fn is_better_than(self, other: Fitness) -> bool {
        self.0 < other.0
    }

    /// Strictly worse; mixing undoes such a change and keeps every other.
    #[inline]
    pub fn is_worse_than(self, other: Fitness) -> bool {
        self.0 > other.0
    }
}

/// Turns the output of a formula on the training rows into its fitness.
#[derive(Debug, Clone)]
pub struct Objective {
    pub(super) target: Vec<f64>,
    pub(super) centred: CentredTarget,
    pub(super) scaling: LinearScaling,
    n_observations: f64,
}

impl Objective {
    /// The objective for these targets; they are not all equal.
    pub fn new(
        target: &[f64],
        weights: Option<&[f64]>,
        scaling: LinearScaling,
        instructions: Instructions,
    ) -> Objective {
        let centred = centre(target, weights, instructions);
        let n_observations = weights.map_or(target.len() as f64, n_observations);
        Objective { target: target.to_vec(), centred, scaling, n_observations }
    }

    /// The fitness of a formula with these outputs.
    pub fn fitness(&self, outputs: &[f64]) -> Fitness {
        let mut tally = Tally::default();
        outputs.chunks(BLOCK_ROWS).for_each(|block| self.add(&mut tally, block));
        self.finish(&tally, outputs)
    }

    /// The fitness of a formula with the same output in every row.
    pub fn fitness_of_constant(&self, output: f64) -> Fitness {
        match self.scaling {
            LinearScaling::On if output.is_finite() => Fitness::from_nmse(1.0),
            LinearScaling::On => Fitness::INVALID,
            LinearScaling::Off => self.fitness(&vec![output; self.target.len()]),
        }
    }

    /// The scaling of a formula with these outputs: `None` where scaling is off.
    /// A formula with an output that is not finite gets the line of a constant; its fitness is invalid anyway.
    pub fn fit(&self, outputs: &[f64]) -> Option<LinearFit> {
        match self.scaling {
            LinearScaling::Off => None,
            LinearScaling::On => {
                Some(self.centred.fit(outputs).unwrap_or_else(|| self.centred.constant_fit()))
            }
        }
    }

    /// The fitness of `intercept + slope · output` computed as the printed formula computes it:
    /// the predictions themselves in 64 bits, then the sum of their squared errors.
    pub fn fitness_as_printed(&self, outputs: &[f64], fit: Option<LinearFit>) -> Fitness {
        let (intercept, slope) = fit.map_or((0.0, 1.0), |fit| (fit.intercept, fit.slope));
        if slope == 0.0 {
            let constant = vec![intercept; outputs.len()];
            return self.fitness_as_printed(&constant, None);
        }
        let CentredTarget { weights, sum_of_squares, instructions, unit, .. } = &self.centred;
        let line = [intercept, slope, *unit];
        let weights = weights.as_deref();
        let error = scaled_squared_error(*instructions, outputs, line, &self.target, weights);
        Fitness::from_nmse(error / sum_of_squares)
    }

    /// The target, row by row.
    pub(super) fn target(&self) -> &[f64] {
        &self.target
    }

    /// Weights up to a common factor; absent means equal.
    pub(super) fn weights(&self) -> Option<&[f64]> {
        self.centred.weights.as_deref()
    }

    /// The sum of weighted squared errors of predictions: what least squares is held against.
    #[cfg(test)]
    pub(super) fn squared_error(&self, predictions: &[f64]) -> f64 {
        let CentredTarget { weights, instructions, .. } = &self.centred;
        let as_it_is = [0.0, 1.0, 1.0];
        scaled_squared_error(*instructions, predictions, as_it_is, &self.target, weights.as_deref())
    }

    /// The sum of weighted squared errors of a formula with this fitness.
    pub(crate) fn squared_error_of(&self, fitness: Fitness) -> f64 {
        let CentredTarget { sum_of_squares, unit, .. } = self.centred;
        fitness.nmse() * sum_of_squares / unit / unit
    }

    /// The sum of the weights that [`Objective::weights`] gives.
    pub(super) fn total_weight(&self) -> f64 {
        self.centred.total_weight
    }

    /// How many observations the rows stand for: where weights count copies, those.
    pub(crate) fn n_observations(&self) -> f64 {
        self.n_observations
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.target.len()
    }

    /// The variance of the target (÷ total weight).
    pub fn target_variance(&self) -> f64 {
        let CentredTarget { sum_of_squares, total_weight, unit, .. } = self.centred;
        sum_of_squares / total_weight / unit / unit
    }
}

/// Weights beyond this many times their common measure count no copies.
const MOST_COPIES: f64 = 1e6;

/// The sum of weights that count copies of rows, up to a common factor; of others Kish's effective number: as many rows
/// of equal weight tell as much.
fn n_observations(weights: &[f64]) -> f64 {
    let unit = weights.iter().fold(0.0, |unit, &weight| common_measure(unit, weight));
    let largest = weights.iter().fold(0.0_f64, |largest, &weight| largest.max(weight));
    if largest <= unit * MOST_COPIES {
        return weights.iter().map(|weight| weight / unit).sum();
    }
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    let squares: f64 = weights.iter().map(|weight| (weight / largest) * (weight / largest)).sum();
    total * total / squares
}

/// The largest number that both are whole multiples of, by Euclid.
fn common_measure(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    while b > 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

fn centre(target: &[f64], weights: Option<&[f64]>, instructions: Instructions) -> CentredTarget {
    let weights = weights.map(|weights| in_unit(weights, ordinary_unit(weights)));
    let weights = weights.as_deref();
    let total_weight = match weights {
        Some(weights) => weighted_sum(instructions, weights, None),
        None => target.len() as f64,
    };
    let down = ordinary_unit(target).min(1.0);
    let scaled = in_unit(target, down);
    let mut mean = weighted_sum(instructions, &scaled, weights) / total_weight;
    let residue: Vec<f64> = scaled.iter().map(|y| y - mean).collect();
    mean += weighted_sum(instructions, &residue, weights) / total_weight;
    let mut deviations: Vec<f64> = scaled.iter().map(|y| y - mean).collect();
    // The mean is rounded to one number; what is left over matters where the target varies little around it.
    let left_over = weighted_sum(instructions, &deviations, weights) / total_weight;
    if left_over.abs() > LEFT_OVER * largest_of(&deviations) {
        deviations.iter_mut().for_each(|deviation| *deviation -= left_over);
    }
    let up = ordinary_unit(&deviations);
    let values = in_unit(&deviations, up);
    let mut centred = CentredTarget {
        mean: mean / down,
        sum_of_squares: 0.0,
        so_far: sums_of_target(&values, weights),
        values,
        unit: down * up,
        weights: weights.map(<[f64]>::to_vec),
        total_weight,
        instructions,
    };
    centred.sum_of_squares = centred.sum_of_squares_of(&centred.values);
    centred
}

/// A share of the largest deviation that cannot be told from rounding.
const LEFT_OVER: f64 = 1e-12;

fn largest_of(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()))
}

/// 1 for numbers of ordinary size; else the power of two that makes their squares and sums safe.
fn ordinary_unit(values: &[f64]) -> f64 {
    let largest = largest_of(values);
    if (1e-100..1e100).contains(&largest) || largest == 0.0 { 1.0 } else { unit_for(largest) }
}

fn in_unit(values: &[f64], unit: f64) -> Vec<f64> {
    values.iter().map(|value| value * unit).collect()
}

/// How well predictions agree with a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Whether every prediction, and the error, is finite.
    pub fitness: Fitness,
    /// Mean squared error, weighted.
    pub mse: f64,
}

/// Scores predictions on any rows, in 64 bits. The target must not be constant.
pub fn score(dataset: &Dataset, predictions: &[f64]) -> Score {
    let objective = Objective::new(
        dataset.target(),
        dataset.weights(),
        LinearScaling::Off,
        Instructions::default(),
    );
    let fitness = objective.fitness_as_printed(predictions, None);
    Score { fitness, mse: fitness.nmse() * objective.target_variance() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objective(y: &[f64], scaling: LinearScaling) -> Objective {
        Objective::new(y, None, scaling, Instructions::default())
    }

    /// The score as the printed formula gets it.
    fn printed(objective: &Objective, outputs: &[f64]) -> Fitness {
        objective.fitness_as_printed(outputs, objective.fit(outputs))
    }

    const Y: [f64; 6] = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0];

    #[test]
    fn example_i_constant_affine_and_invalid() {
        let objective = objective(&Y, LinearScaling::On);
        assert_eq!(objective.fitness(&[7.25; 6]).r2(), 0.0);
        assert_eq!(printed(&objective, &[7.25; 6]).nmse(), 1.0);
        assert_eq!(objective.fitness_of_constant(2.0).r2(), 0.0);
        let affine = Y.map(|y| 5.0 - 0.25 * y);
        assert!(objective.fitness(&affine).nmse() < 1e-30);
        assert!(printed(&objective, &affine).nmse() < 1e-30);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut outputs = Y;
            outputs[4] = bad;
            assert_eq!(objective.fitness(&outputs), Fitness::INVALID);
            assert_eq!(objective.fitness_of_constant(bad), Fitness::INVALID);
        }
        assert!(!Fitness::INVALID.is_worse_than(Fitness::INVALID));
        assert!(!Fitness::INVALID.is_better_than(Fitness::INVALID));
    }

    #[test]
    fn without_scaling_it_is_the_error_over_the_variance() {
        let objective = objective(&Y, LinearScaling::Off);
        let outputs = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let mean = Y.iter().sum::<f64>() / 6.0;
        let error: f64 = Y.iter().zip(outputs).map(|(y, p)| (p - y) * (p - y)).sum();
        let variance: f64 = Y.iter().map(|y| (y - mean) * (y - mean)).sum();
        assert!((objective.fitness(&outputs).nmse() - error / variance).abs() < 1e-14);
        assert_eq!(objective.fitness(&Y).nmse(), 0.0);
        assert_eq!(objective.fitness(&outputs), printed(&objective, &outputs));
    }

    /// Columns that made other programs report R² = 1: no shortcut of the sums may be fooled by them.
    #[test]
    fn tiny_huge_and_nearly_constant_columns_do_not_look_perfect() {
        let n = 300;
        let mut stream = crate::random::Seed(3).stream(crate::random::StreamName::Split);
        let y: Vec<f64> = (0..n).map(|_| 100.0 + stream.unit()).collect();
        let noise: Vec<f64> = (0..n).map(|_| stream.unit() - 0.5).collect();
        let objective = objective(&y, LinearScaling::On);
        let honest = objective.fitness(&noise).nmse();
        assert!(honest > 0.9);
        for size in [5e-324, 1e-310, 1e-200, 1e-160, 1e-25, 1e25, 1e154, 1e200, 1e307] {
            for centre in [0.0, 1.0, 1e8] {
                let column: Vec<f64> = noise.iter().map(|d| (centre + d) * size).collect();
                let fitness = objective.fitness(&column);
                assert!(!fitness.is_valid() || fitness.nmse() > 0.9, "{size} {centre} {fitness:?}");
                let printed = printed(&objective, &column);
                assert!(!printed.is_valid() || printed.nmse() > 0.9, "{size} {centre} {printed:?}");
                if size > 1e-290 && size < 1e290 {
                    assert!((fitness.nmse() - honest).abs() < 1e-6, "{size} {centre} {fitness:?}");
                }
            }
        }
        for spread in [1e-9, 1e-11, 1e-13, 1e-15] {
            let column: Vec<f64> = noise.iter().map(|d| 1.0 + d * spread).collect();
            assert!(objective.fitness(&column).nmse() > 0.9, "{spread}");
            assert!(printed(&objective, &column).nmse() > 0.9, "{spread}");
        }
    }

    #[test]
    fn what_hardly_varies_is_constant_however_it_is_correlated() {
        let y: Vec<f64> = (0..700).map(|row| f64::from(row * 37 % 101)).collect();
        let objective = objective(&y, LinearScaling::On);
        for spread in [1e-16, 1e-15, 1e-14] {
            let column: Vec<f64> = y.iter().map(|y| 1.0 + spread * y).collect();
            assert_eq!(objective.fitness(&column).nmse(), 1.0, "{spread}");
            assert_eq!(printed(&objective, &column).nmse(), 1.0, "{spread}");
        }
        let visible: Vec<f64> = y.iter().map(|y| 1.0 + 1e-10 * y).collect();
        assert!(objective.fitness(&visible).nmse() < 1e-6);
        assert!(printed(&objective, &visible).nmse() < 1e-6);
    }

    #[test]
    fn targets_of_any_size_are_scored() {
        for size in [1e-300, 1e-200, 1e-100, 1.0, 1e100, 1e200, 1e307] {
            let y = Y.map(|y| y * size);
            for scaling in [LinearScaling::On, LinearScaling::Off] {
                let objective = objective(&y, scaling);
                assert!(objective.fitness(&y).nmse() < 1e-12, "{size} {scaling:?}");
                assert!(printed(&objective, &y).nmse() < 1e-9, "{size} {scaling:?}");
            }
            let half = y.map(|y| y / 2.0);
            let fitness = objective(&y, LinearScaling::Off).fitness(&half).nmse();
            let plain = objective(&Y, LinearScaling::Off).fitness(&Y.map(|y| y / 2.0)).nmse();
            assert!((fitness / plain - 1.0).abs() < 1e-3, "{size} {fitness} {plain}");
        }
    }

    #[test]
    fn the_squared_error_of_a_fitness_is_that_of_the_predictions() {
        let weights = [1.0, 2.0, 1.0, 3.0, 1.0, 1.0];
        for size in [1e-120, 1.0, 1e120] {
            for weights in [None, Some(&weights[..])] {
                let (y, p) = (Y.map(|y| y * size), Y.map(|y| (0.5 * y + 0.3) * size));
                let scaling = LinearScaling::Off;
                let objective = Objective::new(&y, weights, scaling, Instructions::default());
                let expected = objective.squared_error(&p);
                let found = objective.squared_error_of(objective.fitness(&p));
                assert!((found / expected - 1.0).abs() < 1e-12, "{size}: {found} {expected}");
            }
        }
        assert_eq!(
            objective(&Y, LinearScaling::On).squared_error_of(Fitness::INVALID),
            f64::INFINITY
        );
    }

    #[test]
    fn weights_count_like_repetition() {
        let (y, p) = ([1.0, 4.0, 2.0], [0.5, 3.0, 1.0]);
        let weighted = |scaling| {
            Objective::new(&y, Some(&[1.0, 3.0, 1.0]), scaling, Instructions::default())
                .fitness(&p)
                .nmse()
        };
        let repeated = |scaling| {
            objective(&[1.0, 4.0, 4.0, 4.0, 2.0], scaling)
                .fitness(&[0.5, 3.0, 3.0, 3.0, 1.0])
                .nmse()
        };
        for scaling in [LinearScaling::On, LinearScaling::Off] {
            assert!((weighted(scaling) - repeated(scaling)).abs() < 1e-14);
        }
    }

    #[test]
    fn observations_are_copies_where_weights_count_them() {
        assert_eq!(n_observations(&[1.0, 2.0, 5.0]), 8.0);
        assert_eq!(n_observations(&[4.0, 8.0, 20.0]), 8.0);
        assert_eq!(n_observations(&[1e200, 2e200]), 3.0);
        assert_eq!(n_observations(&[0.5, 0.5, 1.0]), 4.0);
        let of_others = n_observations(&[0.31, 1.7, 0.99]);
        assert!((1.0..3.0).contains(&of_others), "{of_others}");
    }
}
