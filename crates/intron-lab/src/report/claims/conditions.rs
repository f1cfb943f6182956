//! Claims on template height and linear scaling: what they do to accuracy and to the gap between the measures.

use super::super::analysis::{Analysis, Condition, Rows};
use super::super::comparison::Comparison;
use super::super::estimates::BOOTSTRAP;
use super::super::parts::number;
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{ENOUGH, above, iqm_difference, too_few, written};
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
        let (scope, numbers) = ("all".to_owned(), "the plan has no two such conditions".to_owned());
        return vec![Finding { scope, verdict: ClaimVerdict::NotTested, numbers }];
    }
    let one = |(first, second): &Pair| {
        let scope = format!("{} against {}", first.title, second.title);
        match finding(first, second) {
            Ok(mut finding) => {
                let fewest =
                    if first.fewest_runs() <= second.fewest_runs() { first } else { second };
                if fewest.fewest_runs() < ENOUGH && finding.verdict != ClaimVerdict::NotTested {
                    finding.verdict = ClaimVerdict::Undecided;
                    finding.numbers += &format!("; {}", too_few(fewest));
                }
                Finding { scope, ..finding }
            }
            Err(error) => {
                Finding { scope, verdict: ClaimVerdict::NotTested, numbers: error.to_string() }
            }
        }
    };
    pairs.iter().map(one).collect()
}

/// Scores of a setting on the problems that both conditions have.
fn common_scores(own: &Comparison, other: &Comparison, label: &str) -> Option<Vec<Vec<f64>>> {
    let scores = own.scores(own.index(label)?, Rows::Train);
    let is_common = |problem: usize| other.tasks.iter().any(|task| task.1 == problem);
    let tasks = own.tasks.iter().zip(scores);
    Some(tasks.filter(|(task, _)| is_common(task.1)).map(|(_, runs)| runs).collect())
}

fn accuracy(first: &Comparison, second: &Comparison) -> Result<Finding, StatisticsError> {
    let labels: Vec<&String> =
        first.labels.iter().filter(|label| second.index(label).is_some()).collect();
    let scores = |own: &Comparison, other: &Comparison| -> Vec<Vec<f64>> {
        labels.iter().filter_map(|label| common_scores(own, other, label)).flatten().collect()
    };
    let interval = iqm_difference(&scores(first, second), &scores(second, first))?;
    let numbers = format!("difference of the IQM {}", written(&interval, 3));
    Ok(Finding { scope: String::new(), verdict: above(&interval, 0.0), numbers })
}

/// The gap under the first condition less that under the second; `sign` says which one should be wider.
fn gaps(first: &Comparison, second: &Comparison, sign: f64) -> Result<Finding, StatisticsError> {
    let table = |own: &Comparison, other: &Comparison| {
        let (node, random) =
            (common_scores(own, other, "Node")?, common_scores(own, other, "Random")?);
        Some([node, random].concat())
    };
    let (Some(one), Some(two)) = (table(first, second), table(second, first)) else {
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
