//! Claims on the large operator set (supplement).

use super::super::analysis::{Analysis, Rows};
use super::super::comparison::Comparison;
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{ENOUGH, above, iqm_difference, pairs, too_few, written};

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
        let both = small.iter().zip(&large).map(|(small, large)| worse(small, large));
        claims.push(Claim::new(
            "large-set-worse",
            "The large operator set leads to worse accuracy than the small one.",
            "Supplement, effect of operator set size. The IQM of all settings together with the small set less that with the \
             large one must be above 0.",
            both.collect(),
        ));
    }
    claims
}

/// The conditions of both sets are in the same order, so that they can be paired.
fn worse(small: &Comparison, large: &Comparison) -> Finding {
    let scope = small.title.replace(", small operators", "");
    let scores = |own: &Comparison, other: &Comparison| -> Vec<Vec<f64>> {
        let labels =
            own.labels.iter().enumerate().filter(|(_, label)| other.index(label).is_some());
        let problems: Vec<usize> = other.tasks.iter().map(|task| task.1).collect();
        let of_setting = |setting: usize| own.tasks.iter().zip(own.scores(setting, Rows::Train));
        let all = labels.flat_map(|(setting, _)| of_setting(setting));
        all.filter(|(task, _)| problems.contains(&task.1)).map(|(_, runs)| runs).collect()
    };
    match iqm_difference(&scores(small, large), &scores(large, small)) {
        Ok(interval) => {
            let mut verdict = above(&interval, 0.0);
            let mut numbers = format!("small less large: {}", written(&interval, 3));
            let fewest = if small.fewest_runs() < large.fewest_runs() { small } else { large };
            if fewest.fewest_runs() < ENOUGH {
                verdict = ClaimVerdict::Undecided;
                numbers += &format!("; {}", too_few(fewest));
            }
            Finding { scope, verdict, numbers }
        }
        Err(error) => {
            Finding { scope, verdict: ClaimVerdict::NotTested, numbers: error.to_string() }
        }
    }
}
