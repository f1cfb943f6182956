//! Claims on learned structure: masked MI resembles the template, more than MI and adjusted MI do.

use std::collections::BTreeMap;

use super::super::analysis::Analysis;
use super::super::parts::{number, plural};
use super::super::similarity::{at_generation, generations, mean_of, template_of};
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{ENOUGH, above, written};
use crate::statistics::{Bootstrap, Interval, StatisticsError, rank_correlation};
use intron::Seed;

/// Every resample averages and ranks whole matrices, so there are fewer of them.
const BOOTSTRAP: Bootstrap = Bootstrap { n_resamples: 400, confidence: 0.95, seed: Seed(0) };

/// A rank correlation above this is called high.
const HIGH: f64 = 0.7;

/// All claims on structure; none if no similarities were recorded.
pub(super) fn claims(analysis: &Analysis) -> Vec<Claim> {
    let generations = generations(analysis);
    let (Some(&first), Some(&last)) = (generations.first(), generations.last()) else {
        return Vec::new();
    };
    let rho =
        "Spearman's rank correlation of the matrix, averaged over all runs, with that of Node";
    let section = format!("Section 4.3, figure 7. {rho}");
    let each = |finding: &dyn Fn(&Learned) -> Finding| -> Vec<Finding> {
        (0..analysis.conditions.len())
            .map(|condition| finding(&Learned { analysis, condition }))
            .collect()
    };
    let by_generation = |finding: &dyn Fn(&Learned, u64) -> Finding| -> Vec<Finding> {
        let conditions = 0..analysis.conditions.len();
        let all = conditions.flat_map(|condition| generations.iter().map(move |g| (condition, *g)));
        all.map(|(condition, generation)| finding(&Learned { analysis, condition }, generation))
            .collect()
    };
    vec![
        Claim::new(
            "masked-resembles-template",
            "What MI_masked learns is highly similar to the template.",
            &format!("{section} must be above {HIGH}; that number is ours."),
            by_generation(&|learned, generation| learned.is_high(generation)),
        ),
        Claim::new(
            "masked-resembles-more",
            "MI_masked resembles the template more than MI and MI_adjusted do.",
            &format!("{section}: the differences must be above 0."),
            by_generation(&|learned, generation| learned.resembles_more(generation)),
        ),
        Claim::new(
            "mi-grows-similar",
            "With more generations MI and MI_adjusted come to resemble the template too.",
            &format!(
                "{section}: the last generation less the first must be above 0; a matrix whose pairs are all alike counts as 0."
            ),
            each(&|learned| learned.changes(&["MI", "MI_adjusted"], (first, last), 1.0)),
        ),
        Claim::new(
            "masked-degrades",
            "With more generations parts of the structure that MI_masked has learned degrade.",
            &format!("{section}: the last generation less the first must be below 0."),
            each(&|learned| learned.changes(&["MI_masked"], (first, last), -1.0)),
        ),
    ]
}

/// Matrices of each problem, independent of each other.
type Matrices = Vec<Vec<Vec<f64>>>;

struct Learned<'l, 'a> {
    analysis: &'l Analysis<'a>,
    condition: usize,
}

impl Learned<'_, '_> {
    /// The matrices of a measure. Runs that differ only in their fold begin with the same population, so that at
    /// generation 0 their mean counts as one.
    fn matrices(&self, label: &str, generation: u64) -> Option<Matrices> {
        let setting = self.analysis.labels.iter().position(|known| known == label)?;
        let of_problem = |problem| -> Vec<Vec<f64>> {
            let mut groups: BTreeMap<usize, Vec<&[f64]>> = BTreeMap::new();
            for run in self.analysis.runs(self.condition, problem, setting) {
                let task = &run.record.result.task;
                let seed = task.repeat / task.folds.max(1);
                let group = if generation == 0 { seed } else { task.repeat };
                if let Some(similarity) = at_generation(run, generation) {
                    groups.entry(group).or_default().push(&similarity.values);
                }
            }
            groups.into_values().filter_map(|group| mean_of(group.into_iter())).collect()
        };
        let problems = (0..self.analysis.problems.len()).map(of_problem);
        let matrices: Matrices = problems.filter(|matrices| !matrices.is_empty()).collect();
        (!matrices.is_empty()).then_some(matrices)
    }

    /// Why there is no verdict, where matrices are too few.
    fn too_few(&self, measures: &[(&str, u64)]) -> Option<String> {
        let fewest = measures.iter().filter_map(|(label, generation)| {
            let matrices = self.matrices(label, *generation)?;
            matrices.iter().map(Vec::len).min()
        });
        let fewest = fewest.min().filter(|fewest| *fewest < ENOUGH)?;
        Some(format!(
            "some problem has only {}, and a verdict needs {ENOUGH}",
            plural(fewest, "independent population")
        ))
    }

    /// A finding, unless matrices are too few for a verdict.
    fn conclude(
        &self,
        scope: String,
        (verdict, mut texts): (ClaimVerdict, Vec<String>),
        measures: &[(&str, u64)],
    ) -> Finding {
        let reason = self.too_few(measures);
        let is_whole = measures.iter().all(|(label, at)| self.matrices(label, *at).is_some());
        // A part of the claim may refute it, but does not support the whole.
        let is_supported = is_whole || verdict != ClaimVerdict::Holds;
        let is_decided = reason.is_none() && is_supported;
        let verdict = if is_decided { verdict } else { ClaimVerdict::Undecided };
        texts.extend(reason);
        Finding { scope, verdict, numbers: texts.join("; ") }
    }

    /// The correlation with the template, unless all pairs are alike.
    fn correlation(&self, label: &str, generation: u64) -> Option<Interval> {
        let template = template_of(self.analysis, self.condition)?;
        let matrices = self.matrices(label, generation)?;
        let all = numbers_of(&matrices);
        correlation_of(&all, &matrices, template)?;
        let rho =
            |drawn: &[Vec<f64>]| Ok(correlation_of(drawn, &matrices, template).unwrap_or(0.0));
        BOOTSTRAP.interval(&all, rho).ok()
    }

    /// One correlation less another; a matrix whose pairs are all alike resembles nothing.
    fn difference(&self, one: (&str, u64), other: (&str, u64)) -> Option<Interval> {
        let template = template_of(self.analysis, self.condition)?;
        let (first, second) = (self.matrices(one.0, one.1)?, self.matrices(other.0, other.1)?);
        let rho = |drawn: &[Vec<f64>], matrices: &Matrices| {
            correlation_of(drawn, matrices, template).unwrap_or(0.0)
        };
        let statistic = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Result<f64, StatisticsError> {
            Ok(rho(a, &first) - rho(b, &second))
        };
        BOOTSTRAP.interval_of_two(&numbers_of(&first), &numbers_of(&second), statistic).ok()
    }

    fn scope(&self, generation: Option<u64>) -> String {
        let title = &self.analysis.conditions[self.condition].title;
        generation.map_or_else(|| title.clone(), |g| format!("{title}, generation {g}"))
    }

    fn is_high(&self, generation: u64) -> Finding {
        let scope = self.scope(Some(generation));
        match self.correlation("MI_masked", generation) {
            Some(interval) => {
                let texts = vec![format!("MI_masked {}", written(&interval, 2))];
                self.conclude(scope, (above(&interval, HIGH), texts), &[("MI_masked", generation)])
            }
            None => not_tested(scope),
        }
    }

    fn resembles_more(&self, generation: u64) -> Finding {
        let scope = self.scope(Some(generation));
        let (mut verdicts, mut texts) = (Vec::new(), Vec::new());
        for label in ["MI_masked", "MI", "MI_adjusted"] {
            let rho = self.correlation(label, generation);
            let text = rho.map_or_else(|| "none".to_owned(), |rho| number(rho.estimate, 2));
            texts.push(format!("{label} {text}"));
        }
        for other in ["MI", "MI_adjusted"] {
            if let Some(interval) = self.difference(("MI_masked", generation), (other, generation))
            {
                verdicts.push(above(&interval, 0.0));
                texts.push(format!("MI_masked less {other}: {}", written(&interval, 2)));
            }
        }
        if verdicts.is_empty() {
            return not_tested(scope);
        }
        let verdict = ClaimVerdict::all(verdicts.into_iter());
        let measures = ["MI_masked", "MI", "MI_adjusted"].map(|label| (label, generation));
        self.conclude(scope, (verdict, texts), &measures)
    }

    /// How the correlation changes from one generation to another; `sign` says which way it should.
    fn changes(&self, labels: &[&str], (first, last): (u64, u64), sign: f64) -> Finding {
        let scope = self.scope(None);
        let (mut verdicts, mut texts) = (Vec::new(), Vec::new());
        for label in labels {
            let Some(interval) = self.difference((label, last), (label, first)) else { continue };
            verdicts.push(match above(&interval, 0.0) {
                ClaimVerdict::Holds if sign < 0.0 => ClaimVerdict::DoesNotHold,
                ClaimVerdict::DoesNotHold if sign < 0.0 => ClaimVerdict::Holds,
                verdict => verdict,
            });
            texts.push(format!(
                "{label}, generation {last} less generation {first}: {}",
                written(&interval, 2)
            ));
        }
        if verdicts.is_empty() || first == last {
            return not_tested(scope);
        }
        let verdict = ClaimVerdict::all(verdicts.into_iter());
        let measures: Vec<(&str, u64)> =
            labels.iter().flat_map(|label| [(*label, first), (*label, last)]).collect();
        self.conclude(scope, (verdict, texts), &measures)
    }
}

fn not_tested(scope: String) -> Finding {
    let numbers =
        "too few runs of the measures, or of Node, recorded similarities there".to_owned();
    Finding { scope, verdict: ClaimVerdict::NotTested, numbers }
}

/// Runs by their number: the bootstrap draws numbers.
fn numbers_of(matrices: &Matrices) -> Vec<Vec<f64>> {
    matrices.iter().map(|runs| (0..runs.len()).map(|run| run as f64).collect()).collect()
}

/// The correlation of the mean of the drawn matrices with the template.
fn correlation_of(drawn: &[Vec<f64>], matrices: &Matrices, template: &[f64]) -> Option<f64> {
    let all = drawn.iter().zip(matrices);
    let all = all.flat_map(|(numbers, own)| numbers.iter().map(|&n| own[n as usize].as_slice()));
    rank_correlation(&mean_of(all)?, template)
}
