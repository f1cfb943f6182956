//! Claims on template height and linear scaling: what they do to accuracy and to the gap between the measures.

use super::super::analysis::{Analysis, Condition, Rows};
use super::super::comparison::Comparison;
use super::super::estimates::BOOTSTRAP;
use super::super::parts::number;
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{above, iqm_difference, of_all_settings, qualified, written};
use crate::statistics::{StatisticsError, interquartile_mean};

/// All claims on conditions.
pub(super) fn claims(analysis: &Analysis, comparisons: &[Comparison]) -> Vec<Claim> {
    let heights = pairs(analysis, comparisons, |a, b| {
        a.height > b.height && a.linear_scaling == b.linear_scaling && a.operators == b.operators
    });
    let scalings = pairs(analysis, comparisons, |a, b| {
        a.height == b.height
            && a.operators == b.operators
            && (a.linear_scaling.as_str(), b.linear_scaling.as_str()) == ("on", "off")
    });
    let source = "Section 4.2. The difference of the interquartile means of all settings together must be above 0.";
    let gap = "Section 4.2. The gap is the interquartile mean of Node less that of Random; the difference of the two gaps";
    vec![
        Claim::new(
            "height-helps",
            "A higher template leads to better accuracy.",
            source,
            findings(&heights, accuracy),
        ),
        Claim::new(
            "scaling-helps",
            "Linear scaling leads to better accuracy.",
            source,
            findings(&scalings, accuracy),
        ),
        Claim::new(
            "height-widens",
            "A higher template widens the gap between the measures.",
            &format!("{gap} must be above 0."),
            findings(&heights, |a, b| gaps(a, b, 1.0)),
        ),
        Claim::new(
            "scaling-narrows",
            "Linear scaling narrows the gap between the measures.",
            &format!("{gap} must be below 0."),
            findings(&scalings, |a, b| gaps(a, b, -1.0)),
        ),
    ]
}

type Pair<'c, 'a> = (&'c Comparison<'a>, &'c Comparison<'a>);

/// Pairs of conditions that differ in one thing.
fn pairs<'c, 'a>(
    analysis: &Analysis,
    comparisons: &'c [Comparison<'a>],
    is_pair: impl Fn(&Condition, &Condition) -> bool,
) -> Vec<Pair<'c, 'a>> {
    let single = || comparisons.iter().filter(|comparison| comparison.conditions.len() == 1);
    let all = single().flat_map(|first| single().map(move |second| (first, second)));
    let of = |comparison: &Comparison| &analysis.conditions[comparison.conditions[0]];
    all.filter(|(first, second)| is_pair(of(first), of(second))).collect()
}

fn findings(
    pairs: &[Pair],
    finding: impl Fn(&Comparison, &Comparison) -> Result<Finding, StatisticsError>,
) -> Vec<Finding> {
    if pairs.is_empty() {
        let (scope, numbers) = ("all".to_owned(), "no two such conditions have runs".to_owned());
        return vec![Finding { scope, verdict: ClaimVerdict::NotTested, numbers }];
    }
    let one = |(first, second): &Pair| {
        let scope = format!("{} against {}", first.title, second.title);
        // On the problems that both conditions have.
        let has = |own: &Comparison, problem| own.tasks.iter().any(|task| task.1 == problem);
        let (first, second) =
            (first.kept(|task| has(second, task.1)), second.kept(|task| has(first, task.1)));
        match finding(&first, &second) {
            Ok(finding) => Finding { scope, ..qualified(finding, &[&first, &second]) },
            Err(error) => {
                Finding { scope, verdict: ClaimVerdict::NotTested, numbers: error.to_string() }
            }
        }
    };
    pairs.iter().map(one).collect()
}

fn accuracy(first: &Comparison, second: &Comparison) -> Result<Finding, StatisticsError> {
    let interval = iqm_difference(&first.scores_of(second), &second.scores_of(first))?;
    let numbers = format!("difference of the IQM {}", written(&interval, 3));
    let finding = Finding { scope: String::new(), verdict: above(&interval, 0.0), numbers };
    Ok(of_all_settings(finding, &[first, second]))
}

/// The gap under the first condition less that under the second; `sign` says which one should be wider.
fn gaps(first: &Comparison, second: &Comparison, sign: f64) -> Result<Finding, StatisticsError> {
    let table = |own: &Comparison| {
        let (node, random) = (own.index("Node")?, own.index("Random")?);
        Some([own.scores(node, Rows::Train), own.scores(random, Rows::Train)].concat())
    };
    let (Some(one), Some(two)) = (table(first), table(second)) else {
        let numbers = "no run of Node or Random".to_owned();
        return Ok(Finding { scope: String::new(), verdict: ClaimVerdict::NotTested, numbers });
    };
    let gap = |tasks: &[Vec<f64>]| -> Result<f64, StatisticsError> {
        let (node, random) = tasks.split_at(tasks.len() / 2);
        Ok(interquartile_mean(node)? - interquartile_mean(random)?)
    };
    let interval = BOOTSTRAP.interval_of_two(&one, &two, |one, two| Ok(gap(one)? - gap(two)?))?;
    let verdict = match above(&interval, 0.0) {
        ClaimVerdict::Holds if sign < 0.0 => ClaimVerdict::DoesNotHold,
        ClaimVerdict::DoesNotHold if sign < 0.0 => ClaimVerdict::Holds,
        verdict => verdict,
    };
    let numbers = format!(
        "gap {} against {}; difference {}",
        number(gap(&one)?, 3),
        number(gap(&two)?, 3),
        written(&interval, 3)
    );
    Ok(Finding { scope: String::new(), verdict, numbers })
}
