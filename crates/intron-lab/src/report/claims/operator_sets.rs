//! Claims on the large operator set (supplement).

use super::super::analysis::{Analysis, Rows};
use super::super::comparison::Comparison;
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{above, iqm_difference, of_all_settings, pairs, qualified, written};

/// All claims on operator sets; none if the plan has no large set.
pub(super) fn claims(analysis: &Analysis, comparisons: &[Comparison]) -> Vec<Claim> {
    let operators_of =
        |comparison: &Comparison| analysis.conditions[comparison.conditions[0]].operators.as_str();
    let large: Vec<&Comparison> =
        comparisons.iter().filter(|comparison| operators_of(comparison) == "large").collect();
    if large.is_empty() {
        return Vec::new();
    }
    let random = [("Random", "MI"), ("Random", "MI_adjusted"), ("Random", "MI_masked")];
    let mut claims = vec![Claim::new(
        "large-set-random",
        "With the large operator set the measures based on mutual information tend to be worse than Random.",
        "Supplement, effect of operator set size.",
        large.iter().map(|comparison| pairs(comparison, Rows::Train, &random)).collect(),
    )];
    let small: Vec<&Comparison> =
        comparisons.iter().filter(|comparison| operators_of(comparison) == "small").collect();
    if !small.is_empty() {
        let is_of_all = |comparison: &Comparison| comparison.conditions.len() > 1;
        let place = |comparison: &Comparison| place_of(analysis, comparison.conditions[0]);
        let partner = |own: &Comparison, others: &[&Comparison<'_>]| -> Option<usize> {
            others.iter().position(|other| {
                is_of_all(own) == is_of_all(other) && (is_of_all(own) || place(own) == place(other))
            })
        };
        let mut both = Vec::new();
        for own in &small {
            both.push(match partner(own, &large) {
                Some(index) => worse(analysis, own, large[index]),
                None => alone(own, "small", "large"),
            });
        }
        let lone = large.iter().filter(|own| partner(own, &small).is_none());
        both.extend(lone.map(|own| alone(own, "large", "small")));
        claims.push(Claim::new(
            "large-set-worse",
            "The large operator set leads to worse accuracy than the small one.",
            "Supplement, effect of operator set size. The IQM of all settings together with the small set less that with the \
             large one must be above 0.",
            both,
        ));
    }
    claims
}

/// What a condition is apart from its operators.
fn place_of<'l>(analysis: &'l Analysis, condition: usize) -> (usize, &'l str) {
    let condition = &analysis.conditions[condition];
    (condition.height, condition.linear_scaling.as_str())
}

/// The finding where the other set has no runs to compare with.
fn alone(own: &Comparison, set: &str, other: &str) -> Finding {
    let scope = own.title.replace(&format!(", {set} operators"), "");
    let numbers = format!("no run with the {other} set to compare with");
    Finding { scope, verdict: ClaimVerdict::NotTested, numbers }
}

/// Compares both sets on the tasks (height, scaling, problem) that both have.
fn worse(analysis: &Analysis, small: &Comparison, large: &Comparison) -> Finding {
    let scope = small.title.replace(", small operators", "");
    let is_same = |one: (usize, usize), other: (usize, usize)| {
        one.1 == other.1 && place_of(analysis, one.0) == place_of(analysis, other.0)
    };
    let has = |own: &Comparison, task| own.tasks.iter().any(|&known| is_same(task, known));
    let (small, large) =
        (&small.kept(|task| has(large, task)), &large.kept(|task| has(small, task)));
    match iqm_difference(&small.scores_of(large), &large.scores_of(small)) {
        Ok(interval) => {
            let verdict = above(&interval, 0.0);
            let numbers = format!("small less large: {}", written(&interval, 3));
            let finding = Finding { scope, verdict, numbers };
            of_all_settings(qualified(finding, &[small, large]), &[small, large])
        }
        Err(error) => {
            Finding { scope, verdict: ClaimVerdict::NotTested, numbers: error.to_string() }
        }
    }
}
