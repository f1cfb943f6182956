//! Claims on the order of the measures: Node, masked MI, common subfunctions, static Node, the existing measures.

use super::super::analysis::{Analysis, Rows};
use super::super::comparison::Comparison;
use super::super::convergence::EXISTING;
use super::super::parts::number;
use super::super::ranks::RankTests;
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{better, conclude, of_all_settings, pairs, qualified};
use crate::statistics::rank_correlation;

/// The paper's order by average rank, from the best (supplement, figure of all measures).
const ORDER: [&str; 8] =
    ["Node", "MI_masked", "#CS", "Node (static)", "MI_adjusted", "MI", "Random", "Univariate"];

/// Pairs that do not differ significantly in the paper.
const ALIKE: [(&str, &str); 5] = [
    ("MI_masked", "#CS"),
    ("#CS", "Node (static)"),
    ("Node (static)", "MI_adjusted"),
    ("Node (static)", "MI"),
    ("MI_adjusted", "MI"),
];

/// All claims on the order.
pub(super) fn claims(analysis: &Analysis, comparisons: &[Comparison]) -> Vec<Claim> {
    let each = |finding: &dyn Fn(&Comparison) -> Finding| -> Vec<Finding> {
        comparisons.iter().map(finding).collect()
    };
    let against = |best: &'static str, others: &[&'static str]| -> Vec<(&str, &str)> {
        others.iter().map(|other| (best, *other)).collect()
    };
    let node = against("Node", &["MI_masked", "Node (static)", "MI_adjusted", "MI", "Random"]);
    let masked = against("MI_masked", &["Node (static)", "MI_adjusted", "MI", "Random"]);
    let mut proposed = against("Node", &EXISTING);
    proposed.extend(against("MI_masked", &EXISTING));
    vec![
        Claim::new(
            "rank-order",
            "By average rank the order is Node, MI_masked, #CS, Node (static), MI_adjusted, MI, Random, Univariate.",
            "Figure 8 and its version in the supplement. Holds if every pair that differs significantly in the paper does so \
             here, in the same direction (Friedman and Nemenyi, p = 0.05); does not hold if one differs the other way round.",
            each(&|comparison| rank_order(comparison)),
        ),
        Claim::new(
            "node-best",
            "Node performs best, with and without linear scaling and at every height.",
            "Section 4.2, figures 4, 5 and 8. Node must beat every other measure of the main paper.",
            each(&|comparison| pairs(comparison, Rows::Train, &node)),
        ),
        Claim::new(
            "masked-second",
            "MI_masked comes second, ahead of Node (static), MI_adjusted, MI and Random.",
            "Section 4.2, figures 4, 5 and 8.",
            each(&|comparison| pairs(comparison, Rows::Train, &masked)),
        ),
        Claim::new(
            "proposed-better",
            "The proposed measures, Node and MI_masked, beat the existing ones: Random, MI, MI_adjusted.",
            "Abstract, sections 4.2 and 5.",
            each(&|comparison| pairs(comparison, Rows::Train, &proposed)),
        ),
        Claim::new(
            "static-worse",
            "Node (static), whose tree is built once, is worse than Node, whose tree is rebuilt every generation.",
            "Section 4.2, figure 5.",
            each(&|comparison| pairs(comparison, Rows::Train, &[("Node", "Node (static)")])),
        ),
        Claim::new(
            "test-order",
            "On test rows the relative performance of the measures is mostly the same.",
            "Section 4.2. Of the pairs that are clear on training rows (interval of the probability of improvement without \
             0.5) most must be clear on test rows in the same direction.",
            each(&|comparison| test_order(analysis, comparison)),
        ),
        Claim::new(
            "problem-by-problem",
            "Node and MI_masked are better on every problem, except on Dow Chemical at height 5.",
            "Supplement, per-problem results. Each of the two must beat each of Random, MI and MI_adjusted on the problem.",
            comparisons
                .iter()
                .filter(|comparison| comparison.conditions.len() == 1)
                .flat_map(|comparison| by_problem(analysis, comparison))
                .collect(),
        ),
    ]
}

/// Compares the order of the mean ranks with the paper's.
fn rank_order(comparison: &Comparison) -> Finding {
    let scope = comparison.title.clone();
    let known: Vec<&str> =
        ORDER.into_iter().filter(|label| comparison.index(label).is_some()).collect();
    let tests = match RankTests::of(comparison, Rows::Train) {
        Ok(tests) if known.len() > 1 => tests,
        Ok(_) => {
            let numbers = "fewer than two of the paper's settings".to_owned();
            return Finding { scope, verdict: ClaimVerdict::NotTested, numbers };
        }
        Err(error) => {
            return Finding { scope, verdict: ClaimVerdict::NotTested, numbers: error.to_string() };
        }
    };
    let index = |label: &str| comparison.index(label).expect("only labels that are there");
    let (mut n_same, mut n_opposite, mut n_open) = (0, Vec::new(), 0);
    for (place, label) in known.iter().enumerate() {
        for other in &known[place + 1..] {
            if ALIKE.contains(&(*label, *other)) {
                continue;
            }
            if tests.is_better(index(label), index(other)) {
                n_same += 1;
            } else if tests.is_better(index(other), index(label)) {
                n_opposite.push(format!("{other} before {label}"));
            } else {
                n_open += 1;
            }
        }
    }
    let verdict = match (n_same, n_opposite.len(), n_open) {
        (_, 1.., _) => ClaimVerdict::DoesNotHold,
        (1.., 0, 0) if known.len() == ORDER.len() => ClaimVerdict::Holds,
        _ => ClaimVerdict::Undecided,
    };
    let ranks = &tests.friedman.mean_ranks;
    let order: Vec<String> = tests
        .nemenyi
        .order
        .iter()
        .map(|&setting| format!("{} {}", comparison.labels[setting], number(ranks[setting], 2)))
        .collect();
    let places: Vec<f64> = (0..known.len()).map(|place| place as f64).collect();
    let own: Vec<f64> = known.iter().map(|label| ranks[index(label)]).collect();
    let rho = rank_correlation(&places, &own).unwrap_or(f64::NAN);
    let reversed = if n_opposite.is_empty() { "none".to_owned() } else { n_opposite.join(", ") };
    let mut numbers = format!(
        "here: {}; CD {}; rank correlation with the paper's order {}; of the pairs that differ in the paper {n_same} differ \
         in the same direction, {n_open} do not differ, the other way round: {reversed}",
        order.join(", "),
        number(tests.nemenyi.critical_difference, 2),
        number(rho, 2),
    );
    if !comparison.absent.is_empty() {
        numbers += &format!("; no run of {}", comparison.absent.join(", "));
    }
    qualified(Finding { scope, verdict, numbers }, &[comparison])
}

/// Counts the pairs that are clear on training rows and what they are on test rows.
fn test_order(analysis: &Analysis, comparison: &Comparison) -> Finding {
    let scope = comparison.title.clone();
    if !analysis.has_test_rows() {
        let numbers = "no rows were held out".to_owned();
        return Finding { scope, verdict: ClaimVerdict::NotTested, numbers };
    }
    let (mut n_clear, mut n_same, mut n_missing, mut opposite) = (0, 0, 0, Vec::new());
    for (place, label) in comparison.labels.iter().enumerate() {
        for other in &comparison.labels[place + 1..] {
            let on = |rows| better(comparison, rows, label, other).map(|evidence| evidence.verdict);
            let (train, test) = (on(Rows::Train), on(Rows::Test));
            let (Some(train), Some(test)) = (train, test) else {
                n_missing += 1;
                continue;
            };
            if train == ClaimVerdict::Undecided {
                continue;
            }
            n_clear += 1;
            if train == test {
                n_same += 1;
            } else if test != ClaimVerdict::Undecided {
                opposite.push(format!("{label} and {other}"));
            }
        }
    }
    let verdict = match () {
        () if comparison.labels.len() < 2 => ClaimVerdict::NotTested,
        () if n_clear == 0 || n_missing > 0 => ClaimVerdict::Undecided,
        () if 2 * n_same > n_clear && opposite.len() * 10 <= n_clear => ClaimVerdict::Holds,
        () if 2 * opposite.len() > n_clear => ClaimVerdict::DoesNotHold,
        () => ClaimVerdict::Undecided,
    };
    let ranks = |rows| RankTests::of(comparison, rows).map(|tests| tests.friedman.mean_ranks);
    let rho = match (ranks(Rows::Train), ranks(Rows::Test)) {
        (Ok(train), Ok(test)) => rank_correlation(&train, &test).unwrap_or(f64::NAN),
        _ => f64::NAN,
    };
    let reversed = if opposite.is_empty() { "none".to_owned() } else { opposite.join(", ") };
    let mut numbers = format!(
        "{n_clear} pairs are clear on training rows; of these {n_same} are on test rows too, in the same direction; \
         reversed: {reversed}; rank correlation of the mean ranks {}",
        number(rho, 2)
    );
    if n_missing > 0 {
        numbers += &format!("; {n_missing} pairs could not be compared");
    }
    let finding = Finding { scope, verdict, numbers };
    of_all_settings(qualified(finding, &[comparison]), &[comparison])
}

/// One finding for every problem of a condition.
fn by_problem(analysis: &Analysis, comparison: &Comparison) -> Vec<Finding> {
    let finding = |(task, &(condition, problem)): (usize, &(usize, usize))| {
        let one = comparison.of_task(task);
        let labels = ["Node", "MI_masked"];
        let pairs = labels.iter().flat_map(|label| EXISTING.map(|other| (*label, other)));
        let evidence =
            pairs.map(|(label, other)| better(&one, Rows::Train, label, other)).collect();
        let mut finding = conclude(&one, evidence, &[labels.as_slice(), &EXISTING].concat());
        finding.scope = format!("{}, {}", analysis.problems[problem], comparison.title);
        let is_exception = analysis.plan.data[problem] == "dowchemical"
            && analysis.conditions[condition].height == 5;
        if is_exception {
            finding.scope += " (the paper's exception)";
            finding.verdict = match finding.verdict {
                ClaimVerdict::Holds => ClaimVerdict::DoesNotHold,
                ClaimVerdict::DoesNotHold => ClaimVerdict::Holds,
                verdict => verdict,
            };
        }
        finding
    };
    let there = comparison.tasks.iter().enumerate().map(finding);
    let is_there = |problem: usize| comparison.tasks.iter().any(|task| task.1 == problem);
    let lost = (0..analysis.problems.len()).filter(|&problem| !is_there(problem));
    let untested = lost.map(|problem| Finding {
        scope: format!("{}, {}", analysis.problems[problem], comparison.title),
        verdict: ClaimVerdict::NotTested,
        numbers: "no run that every setting has".to_owned(),
    });
    there.chain(untested).collect()
}
