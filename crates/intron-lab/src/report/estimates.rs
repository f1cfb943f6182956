//! Intervals as figures and tables want them, and how they are made.

use super::analysis::Rows;
use super::comparison::Comparison;
use crate::figures::Estimate;
use crate::statistics::{
    Bootstrap, Interval, StatisticsError, interquartile_mean_interval, mean_of_medians,
};
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

/// One number for all runs of a setting.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aggregate {
    InterquartileMean,
    MeanOfMedians,
}

impl Aggregate {
    pub(super) const ALL: [Aggregate; 2] = [Aggregate::InterquartileMean, Aggregate::MeanOfMedians];

    pub(super) fn name(self) -> &'static str {
        match self {
            Aggregate::InterquartileMean => "IQM",
            Aggregate::MeanOfMedians => "mean of medians",
        }
    }

    /// Its value for a setting of a comparison, with its interval.
    pub(super) fn estimate(
        self,
        comparison: &Comparison,
        setting: usize,
        rows: Rows,
    ) -> Result<Estimate, StatisticsError> {
        let scores = comparison.scores(setting, rows);
        let interval = match self {
            Aggregate::InterquartileMean => interquartile_mean_interval(&scores, &BOOTSTRAP)?,
            Aggregate::MeanOfMedians => BOOTSTRAP.interval(&scores, mean_of_medians)?,
        };
        Ok(estimate(interval, comparison))
    }
}

/// Runs of each problem below which intervals are too narrow: drawing few anew shows too little of their spread. No verdict is
/// given on fewer.
pub(super) const ENOUGH: usize = 5;

/// What a caption says of intervals.
pub(super) fn about_intervals(comparison: &Comparison) -> String {
    match comparison.fewest_runs() {
        fewest if fewest < FEWEST_FOR_INTERVAL => {
            "Intervals are left out: some problem has a single run.".to_owned()
        }
        fewest => {
            format!("Intervals: 95 %, percentiles of a stratified bootstrap{}.", caution(fewest))
        }
    }
}

/// What is to be said of intervals that rest on so many runs of a problem; nothing if those are enough.
pub(super) fn caution(fewest_runs: usize) -> String {
    if fewest_runs >= ENOUGH {
        return String::new();
    }
    format!(
        "; some problem has only {}, and below {ENOUGH} intervals are too narrow and mean little",
        super::parts::plural(fewest_runs, "run")
    )
}
