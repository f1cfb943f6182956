//! What a verdict rests on: probabilities of improvement and differences of interquartile means, with intervals.

use super::super::analysis::Rows;
use super::super::comparison::Comparison;
use super::super::estimates::BOOTSTRAP;
use super::super::parts::number;
use super::claim::{ClaimVerdict, Finding};
use crate::statistics::{
    Interval, StatisticsError, interquartile_mean, probability_of_improvement_interval,
};

/// Runs of each problem without which no verdict is given: drawing fewer anew shows too narrow intervals.
pub(super) const ENOUGH: usize = 5;

/// A number with what it says of a claim.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub(super) verdict: ClaimVerdict,
    pub(super) text: String,
}

/// Whether an interval lies above a value, below it, or around it.
pub(super) fn above(interval: &Interval, value: f64) -> ClaimVerdict {
    if interval.lower > value {
        ClaimVerdict::Holds
    } else if interval.upper < value {
        ClaimVerdict::DoesNotHold
    } else {
        ClaimVerdict::Undecided
    }
}

/// `0.71 [0.63, 0.79]`.
pub(super) fn written(interval: &Interval, n_digits: usize) -> String {
    let Interval { estimate, lower, upper } = interval;
    format!(
        "{} [{}, {}]",
        number(*estimate, n_digits),
        number(*lower, n_digits),
        number(*upper, n_digits)
    )
}

/// The probability that one setting beats another; nothing if there is no run of one of them.
pub(super) fn probability(
    comparison: &Comparison,
    rows: Rows,
    label: &str,
    other: &str,
) -> Option<Interval> {
    let scores = comparison.scores(comparison.index(label)?, rows);
    let others = comparison.scores(comparison.index(other)?, rows);
    probability_of_improvement_interval(&scores, &others, &BOOTSTRAP).ok()
}

/// Evidence that one setting beats another.
pub(super) fn better(
    comparison: &Comparison,
    rows: Rows,
    label: &str,
    other: &str,
) -> Option<Evidence> {
    let interval = probability(comparison, rows, label, other)?;
    let text = format!("P({label} > {other}) = {}", written(&interval, 2));
    Some(Evidence { verdict: above(&interval, 0.5), text })
}

/// The difference of the interquartile means of two tables of tasks × runs.
pub(super) fn iqm_difference(
    first: &[Vec<f64>],
    second: &[Vec<f64>],
) -> Result<Interval, StatisticsError> {
    BOOTSTRAP.interval_of_two(first, second, |first, second| {
        Ok(interquartile_mean(first)? - interquartile_mean(second)?)
    })
}

/// A finding from pairs: the first of each must beat the second.
pub(super) fn pairs(comparison: &Comparison, rows: Rows, pairs: &[(&str, &str)]) -> Finding {
    let evidence =
        pairs.iter().map(|(label, other)| better(comparison, rows, label, other)).collect();
    let labels = pairs.iter().flat_map(|(label, other)| [*label, *other]);
    conclude(comparison, evidence, &labels.collect::<Vec<_>>())
}

/// A finding from evidence, where every piece must hold. Pieces that are missing are for want of the settings named.
pub(super) fn conclude(
    comparison: &Comparison,
    evidence: Vec<Option<Evidence>>,
    labels: &[&str],
) -> Finding {
    let scope = comparison.title.clone();
    let mut missing: Vec<&str> =
        labels.iter().copied().filter(|label| comparison.index(label).is_none()).collect();
    missing.sort_unstable();
    missing.dedup();
    let there: Vec<Evidence> = evidence.into_iter().flatten().collect();
    let mut texts: Vec<String> = there.iter().map(|one| one.text.clone()).collect();
    if !missing.is_empty() {
        texts.push(format!("no run of {}", missing.join(", ")));
    }
    let mut verdict = ClaimVerdict::all(there.iter().map(|one| one.verdict));
    // A part of the claim may refute it, but does not support the whole.
    if verdict == ClaimVerdict::Holds && !missing.is_empty() {
        verdict = ClaimVerdict::Undecided;
    }
    if verdict != ClaimVerdict::NotTested && comparison.fewest_runs() < ENOUGH {
        verdict = ClaimVerdict::Undecided;
        texts.push(too_few(comparison));
    }
    Finding { scope, verdict, numbers: texts.join("; ") }
}

/// Why there is no verdict.
pub(super) fn too_few(comparison: &Comparison) -> String {
    format!(
        "some problem has only {} that every setting has, and a verdict needs {ENOUGH}",
        super::super::parts::plural(comparison.fewest_runs(), "run")
    )
}
