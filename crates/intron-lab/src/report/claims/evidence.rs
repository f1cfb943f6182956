//! What a verdict rests on: probabilities of improvement and differences of interquartile means, with intervals.

use super::super::analysis::Rows;
use super::super::comparison::Comparison;
use super::super::estimates::BOOTSTRAP;
pub(super) use super::super::estimates::ENOUGH;
use super::super::parts::number;
use super::claim::{ClaimVerdict, Finding};
use crate::statistics::{
    Interval, StatisticsError, interquartile_mean, probability_of_improvement_interval,
};

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

/// A finding from evidence, where every piece must hold. Pieces that are missing are mostly for want of the settings named.
pub(super) fn conclude(
    comparison: &Comparison,
    evidence: Vec<Option<Evidence>>,
    labels: &[&str],
) -> Finding {
    let texts = evidence.iter().flatten().map(|one| one.text.clone()).collect();
    conclude_in_words(comparison, evidence, labels, texts)
}

/// The same with other words for the evidence.
pub(super) fn conclude_in_words(
    comparison: &Comparison,
    evidence: Vec<Option<Evidence>>,
    labels: &[&str],
    mut texts: Vec<String>,
) -> Finding {
    let scope = comparison.title.clone();
    let mut missing: Vec<&str> =
        labels.iter().copied().filter(|label| comparison.index(label).is_none()).collect();
    missing.sort_unstable();
    missing.dedup();
    let n_wanted = evidence.len();
    let there: Vec<Evidence> = evidence.into_iter().flatten().collect();
    if !missing.is_empty() {
        texts.push(format!("no run of {}", missing.join(", ")));
    } else if there.len() < n_wanted {
        texts.push(format!("{} of {n_wanted} numbers could be computed", there.len()));
    }
    let mut verdict = ClaimVerdict::all(there.iter().map(|one| one.verdict));
    // A part of the claim may refute it, but does not support the whole.
    if verdict == ClaimVerdict::Holds && (there.len() < n_wanted || !missing.is_empty()) {
        verdict = ClaimVerdict::Undecided;
    }
    qualified(Finding { scope, verdict, numbers: texts.join("; ") }, &[comparison])
}

/// A finding without its verdict where the runs or the problems behind it are too few, and why.
pub(super) fn qualified(mut finding: Finding, comparisons: &[&Comparison]) -> Finding {
    if finding.verdict == ClaimVerdict::NotTested {
        return finding;
    }
    let fewest = comparisons.iter().min_by_key(|comparison| comparison.fewest_runs());
    let few = fewest.filter(|one| one.fewest_runs() < ENOUGH).map(|one| too_few(one));
    let least = comparisons.iter().min_by_key(|comparison| comparison.tasks.len());
    let part = least.and_then(|one| part_of(one.tasks.len(), one.n_planned));
    for reason in few.into_iter().chain(part) {
        finding.verdict = ClaimVerdict::Undecided;
        finding.numbers += &format!("; {reason}");
    }
    finding
}

/// A finding on all settings together without its verdict where some of the plan have no run.
pub(super) fn of_all_settings(mut finding: Finding, comparisons: &[&Comparison]) -> Finding {
    let mut absent: Vec<&str> =
        comparisons.iter().flat_map(|one| &one.absent).map(String::as_str).collect();
    absent.sort_unstable();
    absent.dedup();
    if !absent.is_empty() && finding.verdict != ClaimVerdict::NotTested {
        finding.verdict = ClaimVerdict::Undecided;
        finding.numbers += &format!("; no run of {}", absent.join(", "));
    }
    finding
}

/// Why there is no verdict where problems are missing; each counts once under every height and scaling.
pub(super) fn part_of(n_there: usize, n_planned: usize) -> Option<String> {
    let is_part = n_there < n_planned;
    is_part.then(|| format!("only {n_there} of {n_planned} problems, and a verdict needs all"))
}

/// Why there is no verdict.
pub(super) fn too_few(comparison: &Comparison) -> String {
    format!(
        "some problem has only {} that every setting has, and a verdict needs {ENOUGH}",
        super::super::parts::plural(comparison.fewest_runs(), "run")
    )
}
