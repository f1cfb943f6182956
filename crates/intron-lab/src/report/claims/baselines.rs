//! Claims on the measures to compare with: MI and adjusted MI, Random, common subfunctions, Univariate; and on what lies
//! beyond the paper.

use super::super::analysis::{Analysis, Rows};
use super::super::comparison::Comparison;
use super::super::parts::number;
use super::super::ranks::RankTests;
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{ENOUGH, Evidence, conclude, pairs, part_of, probability, too_few, written};
use crate::statistics::Interval;

/// Probabilities this close to one half count as even.
const EVEN: f64 = 0.1;

/// The linkage that the paper does not have.
const BEYOND: &str = "Node subtrees";

/// All claims on baselines.
pub(super) fn claims(analysis: &Analysis, comparisons: &[Comparison]) -> Vec<Claim> {
    let each = |list: &[(&str, &str)]| -> Vec<Finding> {
        comparisons.iter().map(|comparison| pairs(comparison, Rows::Train, list)).collect()
    };
    let over = |other: &'static str, labels: &[&'static str]| -> Vec<(&str, &str)> {
        labels.iter().map(|label| (*label, other)).collect()
    };
    let random = over("Random", &["Node", "MI_masked", "Node (static)", "MI_adjusted", "MI"]);
    let univariate = over(
        "Univariate",
        &["Node", "MI_masked", "Node (static)", "#CS", "MI_adjusted", "MI", "Random"],
    );
    let subfunctions = [("#CS", "MI_adjusted"), ("#CS", "MI"), ("#CS", "Random")];
    let mut claims = vec![
        Claim::new(
            "mi-adjusted-alike",
            "MI and MI_adjusted cannot be told apart.",
            "Figure 8 and the supplement: P(MI > MI_adjusted) = 0.51. Holds if the whole interval lies within 0.40 to 0.60 \
             and holds 0.5; does not hold if it does not hold 0.5.",
            comparisons.iter().map(alike).collect(),
        ),
        Claim::new(
            "mi-edge",
            "MI tends to beat MI_adjusted at the end.",
            "Section 4.2 and the supplement.",
            each(&[("MI", "MI_adjusted")]),
        ),
        Claim::new(
            "random-worst",
            "Random is the worst of the measures of the main paper; all others beat it.",
            "Figures 4 and 8, and the supplement.",
            each(&random),
        ),
        Claim::new(
            "random-not-clearly-beaten",
            "MI and MI_adjusted do not clearly beat Random under every combination of height and scaling.",
            "Section 4.2. Holds if under some combination the probability that one of the two beats Random is at most 0.6 by \
             its interval; does not hold if both clearly beat Random under all.",
            vec![not_clearly_beaten(analysis, comparisons)],
        ),
        Claim::new(
            "subfunctions-below-node",
            "Node beats the common subfunction count (#CS).",
            "Supplement, additional measures.",
            each(&[("Node", "#CS")]),
        ),
        Claim::new(
            "subfunctions-above-existing",
            "#CS beats the existing measures, but not MI_masked.",
            "Supplement, probability of improvement. #CS must beat Random, MI and MI_adjusted; MI_masked is given for \
             comparison.",
            comparisons
                .iter()
                .map(|comparison| subfunction_count(comparison, &subfunctions))
                .collect(),
        ),
        Claim::new(
            "univariate-worst",
            "Univariate, which assumes no linkage, is clearly worse than all others.",
            "Supplement, additional measures.",
            each(&univariate),
        ),
    ];
    claims.extend(beyond_the_paper(analysis, comparisons));
    claims
}

/// The claim on what the paper does not have; nothing if no such run was done.
fn beyond_the_paper(analysis: &Analysis, comparisons: &[Comparison]) -> Option<Claim> {
    let is_there = comparisons.iter().any(|comparison| comparison.index(BEYOND).is_some());
    is_there.then(|| {
        Claim::new(
            "beyond-subtrees",
            "Beyond the paper: Node, the paper's best, also beats Node subtrees, which adds whole subtrees to its linkage \
             tree.",
            "Not in the paper, which expects nothing above Node.",
            comparisons.iter().map(|comparison| beyond(analysis, comparison)).collect(),
        )
    })
}

fn alike(comparison: &Comparison) -> Finding {
    let interval = probability(comparison, Rows::Train, "MI", "MI_adjusted");
    let evidence = interval.map(|interval| Evidence {
        verdict: even(&interval),
        text: format!("P(MI > MI_adjusted) = {}", written(&interval, 2)),
    });
    conclude(comparison, vec![evidence], &["MI", "MI_adjusted"])
}

/// Whether an interval shows that two settings are even.
fn even(interval: &Interval) -> ClaimVerdict {
    let Interval { lower, upper, .. } = *interval;
    if lower > 0.5 || upper < 0.5 {
        ClaimVerdict::DoesNotHold
    } else if lower >= 0.5 - EVEN && upper <= 0.5 + EVEN {
        ClaimVerdict::Holds
    } else {
        ClaimVerdict::Undecided
    }
}

fn not_clearly_beaten(analysis: &Analysis, comparisons: &[Comparison]) -> Finding {
    let scope = "every height and scaling".to_owned();
    let single = comparisons.iter().filter(|comparison| comparison.conditions.len() == 1);
    let (mut texts, mut is_shown, mut n_clear, mut n_pairs) = (Vec::new(), false, 0, 0);
    let (mut reasons, mut n_tasks) = (Vec::new(), 0);
    for comparison in single {
        n_tasks += comparison.tasks.len();
        if comparison.fewest_runs() < ENOUGH {
            reasons = vec![too_few(comparison)];
        }
        for label in ["MI", "MI_adjusted"] {
            let Some(interval) = probability(comparison, Rows::Train, label, "Random") else {
                continue;
            };
            n_pairs += 1;
            n_clear += usize::from(interval.lower > 0.5);
            is_shown |= interval.upper <= 0.5 + EVEN;
            texts.push(format!(
                "{}: P({label} > Random) = {}",
                comparison.title,
                written(&interval, 2)
            ));
        }
    }
    reasons.extend(part_of(n_tasks, analysis.conditions.len() * analysis.problems.len()));
    let n_wanted = 2 * analysis.conditions.len();
    if n_pairs < n_wanted {
        reasons.push(format!("{n_pairs} of {n_wanted} probabilities are known"));
    }
    let verdict = match () {
        () if n_pairs == 0 => ClaimVerdict::NotTested,
        () if !reasons.is_empty() => ClaimVerdict::Undecided,
        () if is_shown => ClaimVerdict::Holds,
        () if n_clear == n_pairs => ClaimVerdict::DoesNotHold,
        () => ClaimVerdict::Undecided,
    };
    if n_pairs == 0 {
        texts.push("no run of Random, MI or MI_adjusted".to_owned());
    } else {
        texts.extend(reasons);
    }
    Finding { scope, verdict, numbers: texts.join("; ") }
}

fn subfunction_count(comparison: &Comparison, list: &[(&str, &str)]) -> Finding {
    let mut finding = pairs(comparison, Rows::Train, list);
    if let Some(interval) = probability(comparison, Rows::Train, "MI_masked", "#CS") {
        finding.numbers += &format!("; P(MI_masked > #CS) = {}", written(&interval, 2));
    }
    finding
}

/// Node against Node subtrees, and where both rank.
fn beyond(analysis: &Analysis, comparison: &Comparison) -> Finding {
    let mut finding = pairs(comparison, Rows::Train, &[("Node", BEYOND)]);
    for other in ["#CS", "MI_masked"] {
        if let Some(interval) = probability(comparison, Rows::Train, BEYOND, other) {
            finding.numbers += &format!("; P({BEYOND} > {other}) = {}", written(&interval, 2));
        }
    }
    let on_test = || probability(comparison, Rows::Test, "Node", BEYOND);
    if let Some(interval) = Some(()).filter(|()| analysis.has_test_rows()).and_then(|()| on_test())
    {
        finding.numbers +=
            &format!("; on test rows P(Node > {BEYOND}) = {}", written(&interval, 2));
    }
    if let Ok(tests) = RankTests::of(comparison, Rows::Train) {
        let rank = |&setting: &usize| {
            format!(
                "{} {}",
                comparison.labels[setting],
                number(tests.friedman.mean_ranks[setting], 2)
            )
        };
        let order: Vec<String> = tests.nemenyi.order.iter().map(rank).collect();
        let difference = number(tests.nemenyi.critical_difference, 2);
        finding.numbers += &format!("; mean ranks: {}; CD {difference}", order.join(", "));
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_means_near_one_half_and_not_only_uncertain() {
        let of = |lower, upper| even(&Interval { estimate: 0.5, lower, upper });
        assert_eq!(of(0.45, 0.55), ClaimVerdict::Holds);
        assert_eq!(of(0.3, 0.7), ClaimVerdict::Undecided);
        assert_eq!(of(0.51, 0.55), ClaimVerdict::DoesNotHold);
        assert_eq!(of(0.1, 0.4), ClaimVerdict::DoesNotHold);
    }
}
