//! `intron predict --interval`: how wide the interval around a prediction is.

use intron_files::{Entry, ModelFile};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::json;

/// Intervals around predictions, all of the same width.
pub(crate) struct Interval {
    level: f64,
    half_width: f64,
    n_rows: usize,
}

/// The interval of a formula at the level that was typed.
pub(crate) fn find(model: &ModelFile, entry: &Entry, text: &str) -> Result<Interval, Failure> {
    let wrong = |problem: &str| Failure::usage(format!("--interval {text}: {problem}"));
    let level = text.trim().parse::<f64>().ok().filter(|level| *level > 0.0 && *level < 1.0);
    let level = level.ok_or_else(|| {
        wrong("give the share of true values that the intervals are to hold, between 0 and 1, such as 0.9")
    })?;
    let (Some(calibration), Some(widths)) = (&model.evidence.calibration, &entry.trust.half_widths)
    else {
        return Err(wrong(
            "the model has no rows to learn intervals from; fit it with --test-fraction 0.25, or in Python with \
             calibration_fraction=0.25",
        ));
    };
    // A level between two that are kept gets the interval of the larger one.
    let mut levels = calibration.levels.iter().zip(widths);
    let found = levels.find(|(known, _)| **known >= level);
    let (_, &half_width) = found.ok_or_else(|| {
        let most = calibration.levels.last().copied().unwrap_or_default();
        wrong(&format!("the model keeps intervals up to {most}"))
    })?;
    Ok(Interval { level, half_width, n_rows: calibration.n_rows })
}

impl Interval {
    /// The ends of the interval around a prediction; everything, where the prediction itself is not finite.
    pub(crate) fn around(&self, prediction: f64) -> [f64; 2] {
        if prediction.is_finite() {
            [prediction - self.half_width, prediction + self.half_width]
        } else {
            [f64::NEG_INFINITY, f64::INFINITY]
        }
    }

    /// What is odd about intervals without end.
    pub(crate) fn warning(&self) -> Option<String> {
        let Interval { level, half_width, n_rows } = self;
        half_width.is_infinite().then(|| {
            format!(
                "the intervals have no end: {n_rows} rows were held out, too few for a level of {level}, or the formula is not \
                 finite on some of them"
            )
        })
    }

    /// Adds the intervals to the object of predictions.
    pub(crate) fn write(&self, predictions: &[Option<f64>], object: &mut Value) {
        let ends = |which: usize| -> Value {
            let end = |value: &Option<f64>| json::optional(value.map(|v| self.around(v)[which]));
            predictions.iter().map(end).collect()
        };
        object["interval"] = json!(self.level);
        object["lower"] = ends(0);
        object["upper"] = ends(1);
    }
}
