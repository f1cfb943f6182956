//! Intervals as figures and tables want them, and how they are made.

use super::comparison::Comparison;
use crate::figures::Estimate;
use crate::statistics::{Bootstrap, Interval};
use intron::Seed;

/// Intervals of final values.
pub(super) const BOOTSTRAP: Bootstrap =
    Bootstrap { n_resamples: 2000, confidence: 0.95, seed: Seed(0) };

/// Bands of curves: so many points that fewer resamples must do.
pub(super) const CURVE_BOOTSTRAP: Bootstrap =
    Bootstrap { n_resamples: 500, confidence: 0.95, seed: Seed(0) };

/// Runs of a problem without which drawing them anew says nothing of their spread.
pub(super) const FEWEST_FOR_INTERVAL: usize = 2;

/// The interval, or the value alone where there are too few runs for one.
pub(super) fn estimate(interval: Interval, comparison: &Comparison) -> Estimate {
    let Interval { estimate: point, lower, upper } = interval;
    if comparison.fewest_runs() < FEWEST_FOR_INTERVAL {
        return Estimate { point, low: f64::NAN, high: f64::NAN };
    }
    Estimate { point, low: lower, high: upper }
}

/// What a caption says of intervals.
pub(super) fn about_intervals(comparison: &Comparison) -> &'static str {
    if comparison.fewest_runs() < FEWEST_FOR_INTERVAL {
        "Intervals are left out: some problem has a single run."
    } else {
        "Intervals: 95 %, percentiles of a stratified bootstrap."
    }
}
