//! The course of a search: its improvements, as `run.json` has them.

use serde_json::Value;

/// The best formula so far, after so much work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TracePoint {
    pub(crate) n_evaluations: f64,
    pub(crate) seconds: f64,
    pub(crate) r2: f64,
}

/// Improvements, and where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trace {
    pub(crate) points: Vec<TracePoint>,
    pub(crate) n_evaluations: f64,
    pub(crate) seconds: f64,
}

impl Trace {
    /// Nothing where there is no trace, or no improvement with a finite R².
    pub(super) fn of_run(run: &Value) -> Option<Trace> {
        let point = |entry: &Value| {
            Some(TracePoint {
                n_evaluations: entry["n_evaluations"].as_f64()?,
                seconds: entry["seconds"].as_f64()?,
                r2: entry["r2_train"].as_f64()?,
            })
        };
        let points: Vec<TracePoint> = run["trace"].as_array()?.iter().filter_map(point).collect();
        let last = points.last()?;
        Some(Trace {
            n_evaluations: run["n_evaluations"].as_f64().unwrap_or(last.n_evaluations),
            seconds: run["seconds"].as_f64().unwrap_or(last.seconds),
            points,
        })
    }
}
