//! Claims on how early accuracy is reached: Node at a third of the budget, both proposed measures at half of it.

use super::super::analysis::{Analysis, Effort};
use super::super::comparison::Comparison;
use super::super::convergence::EXISTING;
use super::super::parts::{count, number};
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{Evidence, above, conclude, conclude_in_words, iqm_difference, written};
use crate::statistics::{interquartile_mean, median};

/// Node has reached the others' end after 3.5 of 10 million evaluations.
const A_THIRD: f64 = 0.35;

/// Efforts of two settings to compare: the first after one share of the budget, the second after another.
type Shares = (f64, f64);

/// Claims over evaluations.
pub(super) fn claims(analysis: &Analysis, comparisons: &[Comparison]) -> Vec<Claim> {
    let early = |labels: &'static [&'static str], shares: Shares| -> Vec<Finding> {
        each(analysis, comparisons, |comparison, budget| {
            let limits = |share: f64| vec![budget * share; comparison.tasks.len()];
            let (own, others) = (limits(shares.0), limits(shares.1));
            earlier(comparison, Effort::Evaluations, labels, (&own, shares.0), (&others, shares.1))
        })
    };
    let mut claims = vec![
        Claim::new(
            "node-third",
            "After about a third of the budget Node has reached what the existing measures reach at the end.",
            "Figure 4: 3.5 of 10 million evaluations. The IQM of Node after 35 % of the budget less that of Random, MI and \
             MI_adjusted at the end must be above 0.",
            each(analysis, comparisons, node_third),
        ),
        Claim::new(
            "half-budget",
            "At half the budget both proposed measures beat what the existing measures reach at the end.",
            "Section 4.2. The differences of the IQM must be above 0.",
            early(&["Node", "MI_masked"], (0.5, 1.0)),
        ),
        Claim::new(
            "ahead-throughout",
            "Node and MI_masked are ahead of the existing measures throughout.",
            "Section 4.2, figures 4 and 6. The differences of the IQM after 25, 50, 75 and 100 % of the budget must be above 0.",
            each(analysis, comparisons, throughout),
        ),
        Claim::new(
            "adjusted-early",
            "MI_adjusted has an advantage over MI at the beginning.",
            "Section 4.2, figure 4. The paper gives no place; here it is 5 % of the budget.",
            each(analysis, comparisons, |comparison, budget| {
                let limits = vec![budget * 0.05; comparison.tasks.len()];
                let (own, other) = ("MI_adjusted", "MI");
                let at = (limits.as_slice(), 0.05);
                let evidence = difference(comparison, Effort::Evaluations, (own, at), (other, at));
                conclude(comparison, vec![evidence], &[own, other])
            }),
        ),
    ];
    if analysis.plan.budget.evaluations.is_some_and(|budget| budget >= 1e6) {
        let finding = |comparison: &Comparison, budget: f64| {
            let limits = |n: f64| vec![n; comparison.tasks.len()];
            let (own, others) = (limits(5e5), limits(1e6));
            let shares = (5e5 / budget, 1e6 / budget);
            earlier(
                comparison,
                Effort::Evaluations,
                &["Node"],
                (&own, shares.0),
                (&others, shares.1),
            )
        };
        claims.push(Claim::new(
            "node-half-million",
            "After half a million evaluations Node beats the existing measures after a million.",
            "Section 4.2.",
            each(analysis, comparisons, finding),
        ));
    }
    claims
}

/// Claims over CPU time.
pub(super) fn time_claims(comparisons: &[Comparison]) -> Vec<Claim> {
    let finding = |comparison: &Comparison| {
        // Run times differ by problem, so the share is taken of the median time on each problem.
        let typical = |task: usize| {
            let runs = comparison.runs.iter().flat_map(|tasks| &tasks[task]);
            median(&runs.map(|run| run.effort(Effort::Seconds)).collect::<Vec<_>>()).unwrap_or(0.0)
        };
        let medians: Vec<f64> = (0..comparison.tasks.len()).map(typical).collect();
        let own: Vec<f64> = medians.iter().map(|seconds| seconds * A_THIRD).collect();
        let end = vec![f64::MAX; medians.len()];
        earlier(comparison, Effort::Seconds, &["Node"], (&own, A_THIRD), (&end, 1.0))
    };
    vec![Claim::new(
        "node-third-time",
        "After about a third of the CPU time Node has reached what the existing measures reach at the end.",
        "Figure 4 and section 4.2: 10 minutes. Here 35 % of the median time of a run on the problem; the differences of the \
         IQM must be above 0.",
        comparisons.iter().map(finding).collect(),
    )]
}

fn each(
    analysis: &Analysis,
    comparisons: &[Comparison],
    finding: impl Fn(&Comparison, f64) -> Finding,
) -> Vec<Finding> {
    let Some(budget) = analysis.plan.budget.evaluations else {
        let numbers = "the plan ends runs by generations, not evaluations".to_owned();
        let scope = "all".to_owned();
        return vec![Finding { scope, verdict: ClaimVerdict::NotTested, numbers }];
    };
    comparisons.iter().map(|comparison| finding(comparison, budget)).collect()
}

/// Limits of each task, and which share of the budget they are.
type At<'l> = (&'l [f64], f64);

/// Evidence that one setting after some effort beats another after some other.
fn difference(
    comparison: &Comparison,
    effort: Effort,
    (label, own): (&str, At),
    (other, others): (&str, At),
) -> Option<Evidence> {
    let first = comparison.scores_after(comparison.index(label)?, effort, own.0);
    let second = comparison.scores_after(comparison.index(other)?, effort, others.0);
    let interval = iqm_difference(&first, &second).ok()?;
    let at = |share: f64| {
        if share < 1.0 {
            format!(" at {} %", number(share * 100.0, 0))
        } else {
            " at the end".to_owned()
        }
    };
    let text =
        format!("{label}{} less {other}{}: {}", at(own.1), at(others.1), written(&interval, 3));
    Some(Evidence { verdict: above(&interval, 0.0), text })
}

/// Settings early against the existing measures later.
fn earlier(
    comparison: &Comparison,
    effort: Effort,
    labels: &[&str],
    own: At,
    others: At,
) -> Finding {
    let pairs = labels.iter().flat_map(|label| EXISTING.map(|other| (*label, other)));
    let evidence = pairs
        .map(|(label, other)| difference(comparison, effort, (label, own), (other, others)))
        .collect();
    conclude(comparison, evidence, &[labels, &EXISTING].concat())
}

/// The finding for Node, and where it reaches the best of the others.
fn node_third(comparison: &Comparison, budget: f64) -> Finding {
    let limits = |share: f64| vec![budget * share; comparison.tasks.len()];
    let (own, others) = (limits(A_THIRD), limits(1.0));
    let mut finding =
        earlier(comparison, Effort::Evaluations, &["Node"], (&own, A_THIRD), (&others, 1.0));
    let iqm_at = |label: &str, share: f64| {
        let setting = comparison.index(label)?;
        let scores = comparison.scores_after(setting, Effort::Evaluations, &limits(share));
        interquartile_mean(&scores).ok()
    };
    let best = EXISTING.iter().filter_map(|label| iqm_at(label, 1.0)).reduce(f64::max);
    if let (Some(best), Some(_)) = (best, comparison.index("Node")) {
        let mut shares = (1..=100).map(|percent| f64::from(percent) / 100.0);
        let reached = shares.find(|&share| iqm_at("Node", share).is_some_and(|iqm| iqm >= best));
        finding.numbers += &match reached {
            Some(share) => format!(
                "; Node reaches the best of their final IQM ({}) at {} % of {} evaluations",
                number(best, 3),
                number(share * 100.0, 0),
                count(budget)
            ),
            None => {
                format!("; Node does not reach the best of their final IQM ({})", number(best, 3))
            }
        };
    }
    finding
}

fn throughout(comparison: &Comparison, budget: f64) -> Finding {
    let mut evidence = Vec::new();
    for share in [0.25, 0.5, 0.75, 1.0] {
        let limits = vec![budget * share; comparison.tasks.len()];
        for label in ["Node", "MI_masked"] {
            for other in EXISTING {
                let at = (limits.as_slice(), share);
                evidence.push(difference(
                    comparison,
                    Effort::Evaluations,
                    (label, at),
                    (other, at),
                ));
            }
        }
    }
    let texts = |verdict: ClaimVerdict| -> Vec<String> {
        let found = evidence.iter().flatten().filter(|one| one.verdict == verdict);
        found.map(|one| one.text.clone()).collect()
    };
    let (ahead, behind) = (texts(ClaimVerdict::Holds), texts(ClaimVerdict::DoesNotHold));
    let n_open = texts(ClaimVerdict::Undecided).len();
    // Two dozen numbers would hide those that matter.
    let list = if behind.is_empty() { String::new() } else { format!(": {}", behind.join("; ")) };
    let n_found = evidence.iter().flatten().count();
    let summary = format!(
        "{} differences above 0, {n_open} open, {} below 0{list}",
        ahead.len(),
        behind.len()
    );
    let summary = if n_found > 0 { vec![summary] } else { Vec::new() };
    let labels = [&["Node", "MI_masked"], EXISTING.as_slice()].concat();
    conclude_in_words(comparison, evidence, &labels, summary)
}
