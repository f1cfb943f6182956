//! What a fit leaves about trust: safety, errors on the rows held out, and searches on shuffled targets.

use intron::{
    Candidate, Dataset, FeatureNames, FeatureRanges, Model, NullFronts, Outcome, Settings,
    half_widths, interval_levels,
};
use intron_files::{Calibration, Evidence, NullRuns, Trust};

use crate::null_test;

/// What the trust in formulas is judged by.
pub(crate) struct Grounds<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) train: &'a Dataset,
    /// The rows held out, where there are some.
    pub(crate) test: Option<&'a Dataset>,
    /// Of these, where some are equal, one of each, and how often it counts.
    pub(crate) calibration: Option<(Dataset, Option<Vec<f64>>)>,
    pub(crate) null: Option<&'a NullFronts>,
}

impl Grounds<'_> {
    /// How far a formula can be trusted.
    pub(crate) fn trust(
        &self,
        model: &Model,
        candidate: &Candidate,
        names: &FeatureNames,
    ) -> Trust {
        let verdict = self.outcome.region.as_ref().map(|region| region.examine(&model.formula));
        let widths = |(rows, weights): &(Dataset, Option<Vec<f64>>)| {
            let predictions = model.predict(rows.features(), rows.n_rows());
            half_widths(rows.target(), &predictions, weights.as_deref())
        };
        Trust {
            danger: verdict.as_ref().and_then(|verdict| verdict.describe(names)),
            safety: verdict.map(|verdict| verdict.name().to_owned()),
            half_widths: self.calibration.as_ref().map(widths),
            p_null: self.null.map(|fronts| fronts.p_value(candidate.mdl)),
        }
    }

    /// What that rests on.
    pub(crate) fn evidence(&self, settings: &Settings) -> Evidence {
        let calibration =
            |rows: &Dataset| Calibration { n_rows: rows.n_rows(), levels: interval_levels() };
        let null = |fronts: &NullFronts| NullRuns {
            n_runs: fronts.n_runs(),
            n_evaluations: null_test::budget(settings, self.outcome),
        };
        Evidence {
            ranges: Some(FeatureRanges::of(self.train.features()).0),
            safety_margin: settings.safety_margin,
            calibration: self.test.map(calibration),
            null: self.null.map(null),
        }
    }
}
