//! Linear scaling (LS; Keijzer 2003): slope and intercept by least squares, from training rows only.

use super::kernels::{
    Instructions, LaneSums, add_centred_sums, add_squared_error, join, weighted_sum,
};
use super::tally::TargetSoFar;

/// Whether formulas are scaled before their error is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinearScaling {
    /// Least squares of the target on the formula's output.
    #[default]
    On,
    /// The output is the prediction.
    Off,
}

/// The line `intercept + slope · output`, and its normalised error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearFit {
    /// What is added.
    pub intercept: f64,
    /// What the output is multiplied with; 0 where the output is constant.
    pub slope: f64,
    /// 1 − R² of the line on the training rows, not negative.
    pub nmse: f64,
}

/// The target in the form that fits need: centred, in units in which squares neither overflow nor vanish.
#[derive(Debug, Clone)]
pub(super) struct CentredTarget {
    pub(super) mean: f64,
    /// (y − mean) · unit.
    pub(super) values: Vec<f64>,
    /// A power of two; 1 for ordinary targets.
    pub(super) unit: f64,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) total_weight: f64,
    /// Σ w·values².
    pub(super) sum_of_squares: f64,
    /// The same sums after each block of rows.
    pub(super) so_far: Vec<TargetSoFar>,
    pub(super) instructions: Instructions,
}

/// Relative spread below which an output counts as constant: squares of 1e-12.
const CONSTANT_SPREAD: f64 = 1e-24;
/// Sums of squares beyond these may have lost terms to overflow or underflow; so may the square of such a mean.
const HUGE_SQUARES: f64 = 1e250;
const VANISHING_SQUARES: f64 = 1e-250;
const VANISHING_MEAN: f64 = 1e-110;
/// Below this error the shortcut 1 − r² loses digits, and the residuals themselves are summed.
pub(super) const CANCELLATION: f64 = 1e-6;

impl CentredTarget {
    /// The least-squares line for these outputs, or `None` if one of them is not finite.
    pub(super) fn fit(&self, outputs: &[f64]) -> Option<LinearFit> {
        match self.fit_in_unit(outputs, 1.0) {
            Attempt::Done(fit) => Some(fit),
            Attempt::OutOfRange => self.fit_rescaled(outputs),
        }
    }

    /// Whether outputs with this sum of squares about this mean vary too little to be told from a constant.
    pub(super) fn counts_as_constant(&self, spread: f64, mean: f64) -> bool {
        spread <= CONSTANT_SPREAD * self.total_weight * mean * mean
    }

    /// The line of a constant output: the mean.
    pub(super) fn constant_fit(&self) -> LinearFit {
        LinearFit { intercept: self.mean, slope: 0.0, nmse: 1.0 }
    }

    /// Outputs whose squares leave the range of numbers are brought to the size of 1 by a power of two.
    fn fit_rescaled(&self, outputs: &[f64]) -> Option<LinearFit> {
        let largest =
            outputs.iter().fold(
                0.0,
                |largest: f64, p| {
                    if p.is_nan() { f64::INFINITY } else { largest.max(p.abs()) }
                },
            );
        if largest == f64::INFINITY {
            return None;
        }
        if largest == 0.0 {
            return Some(self.constant_fit());
        }
        let unit = unit_for(largest);
        let rescaled: Vec<f64> = outputs.iter().map(|p| p * unit).collect();
        match self.fit_in_unit(&rescaled, unit) {
            Attempt::Done(fit) => Some(fit),
            Attempt::OutOfRange => Some(self.constant_fit()),
        }
    }

    /// The line for outputs that were multiplied by `output_unit`.
    fn fit_in_unit(&self, p: &[f64], output_unit: f64) -> Attempt {
        let (weights, total) = (self.weights.as_deref(), self.total_weight);
        let mean = weighted_sum(self.instructions, p, weights) / total;
        if !mean.is_finite() {
            return Attempt::OutOfRange;
        }
        let mut sums = LaneSums::default();
        add_centred_sums(self.instructions, &mut sums, (p, mean), &self.values, weights);
        let [first, second, cross] = sums.each_ref().map(join);
        // The mean is rounded; `first` is what that left over.
        let spread = second - first * (first / total);
        let may_have_vanished = spread < VANISHING_SQUARES && mean.abs() < VANISHING_MEAN;
        if may_have_vanished || spread > HUGE_SQUARES || spread.is_nan() {
            return Attempt::OutOfRange;
        }
        if self.counts_as_constant(spread, mean) {
            return Attempt::Done(self.constant_fit());
        }
        let slope = cross / spread;
        let correlation = cross / spread.sqrt();
        let mut nmse = 1.0 - correlation * (correlation / self.sum_of_squares);
        let offset = first / total;
        if nmse < CANCELLATION {
            nmse = self.residual_nmse(p, mean + offset, slope);
        }
        // The slope and intercept of the line in the units of the data, as they are printed.
        let printed_slope = slope * output_unit / self.unit;
        let intercept = self.mean - slope / self.unit * (mean + offset);
        if printed_slope.is_normal() && intercept.is_finite() && nmse.is_finite() {
            Attempt::Done(LinearFit { intercept, slope: printed_slope, nmse: nmse.max(0.0) })
        } else {
            Attempt::Done(self.constant_fit())
        }
    }

    /// Σ w·(values − slope·(p − mean))² / Σ w·values², term by term.
    fn residual_nmse(&self, p: &[f64], mean: f64, slope: f64) -> f64 {
        let residuals: Vec<f64> =
            p.iter().zip(&self.values).map(|(p, t)| t - slope * (p - mean)).collect();
        self.sum_of_squares_of(&residuals) / self.sum_of_squares
    }

    /// Σ w·v².
    pub(super) fn sum_of_squares_of(&self, values: &[f64]) -> f64 {
        let (mut sums, zeros) = (LaneSums::default(), vec![0.0; values.len()]);
        add_squared_error(self.instructions, &mut sums, values, &zeros, self.weights.as_deref());
        let [sum] = sums.each_ref().map(join);
        sum
    }
}

enum Attempt {
    Done(LinearFit),
    OutOfRange,
}

/// The power of two that brings a number above 0 near 1, as far as that power is an ordinary number itself.
pub(super) fn unit_for(largest: f64) -> f64 {
    power_of_two(-exponent(largest).clamp(-1000, 1000))
}

/// The exponent of a finite number above 0, as a power of two.
fn exponent(value: f64) -> i32 {
    let normal = if value < f64::MIN_POSITIVE { value * power_of_two(60) } else { value };
    let stored = ((normal.to_bits() >> 52) & 0x7FF) as i32 - 1023;
    if value < f64::MIN_POSITIVE { stored - 60 } else { stored }
}

/// 2^exponent, for exponents of normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    assert!((-1022..=1023).contains(&exponent), "the power must be a normal number");
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
