//! Claims on learned structure: masked MI resembles the template, more than MI and adjusted MI do.

use std::collections::BTreeMap;

use super::super::analysis::Analysis;
use super::super::parts::{number, plural};
use super::super::similarity::{at_generation, generations, mean_of, template_of};
use super::claim::{Claim, ClaimVerdict, Finding};
use super::evidence::{ENOUGH, above, part_of, written};
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
    /// The matrices of a measure on every problem. Runs that differ only in their fold begin with the same population, so that at
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
        Some((0..self.analysis.problems.len()).map(of_problem).collect())
    }

    /// The matrices on some problems; nothing if there are none.
    fn on(&self, (label, generation): (&str, u64), problems: &[usize]) -> Option<Matrices> {
        let mut all = self.matrices(label, generation)?;
        let matrices: Matrices = problems.iter().map(|&p| std::mem::take(&mut all[p])).collect();
        (!matrices.is_empty() && matrices.iter().all(|own| !own.is_empty())).then_some(matrices)
    }

    /// The problems that all of the measures have which have any, so that all are judged by the same ones.
    fn common(&self, measures: &[(&str, u64)]) -> Vec<usize> {
        let all = measures.iter().filter_map(|(label, at)| self.matrices(label, *at));
        let there: Vec<Matrices> =
            all.filter(|matrices| matrices.iter().any(|own| !own.is_empty())).collect();
        let is_common = |problem: &usize| there.iter().all(|own| !own[*problem].is_empty());
        (0..self.analysis.problems.len()).filter(is_common).collect()
    }

    /// Why there is no verdict, where matrices are too few.
    fn too_few(&self, measures: &[(&str, u64)], problems: &[usize]) -> Option<String> {
        let fewest = measures.iter().filter_map(|measure| {
            let matrices = self.on(*measure, problems)?;
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
        let problems = self.common(measures);
        let few = self.too_few(measures, &problems);
        let part = part_of(problems.len(), self.analysis.problems.len());
        let is_lost = |measure: &&(&str, u64)| self.on(**measure, &problems).is_none();
        let lost: Vec<String> = measures
            .iter()
            .filter(is_lost)
            .map(|(label, at)| format!("no similarities of {label} at generation {at}"))
            .collect();
        // A part of the claim may refute it, but does not support the whole.
        let is_supported = lost.is_empty() || verdict != ClaimVerdict::Holds;
        let is_decided = few.is_none() && part.is_none() && is_supported;
        let verdict = if is_decided { verdict } else { ClaimVerdict::Undecided };
        texts.extend(lost.into_iter().chain(few).chain(part));
        Finding { scope, verdict, numbers: texts.join("; ") }
    }

    /// The correlation with the template, unless all pairs are alike.
    fn correlation(&self, measure: (&str, u64), problems: &[usize]) -> Option<Interval> {
        let template = template_of(self.analysis, self.condition)?;
        let matrices = self.on(measure, problems)?;
        let all = numbers_of(&matrices);
        correlation_of(&all, &matrices, template)?;
        let rho =
            |drawn: &[Vec<f64>]| Ok(correlation_of(drawn, &matrices, template).unwrap_or(0.0));
        BOOTSTRAP.interval(&all, rho).ok()
    }

    /// One correlation less another; a matrix whose pairs are all alike resembles nothing.
    fn difference(
        &self,
        one: (&str, u64),
        other: (&str, u64),
        problems: &[usize],
    ) -> Option<Interval> {
        let template = template_of(self.analysis, self.condition)?;
        let (first, second) = (self.on(one, problems)?, self.on(other, problems)?);
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
        let measures = [("MI_masked", generation)];
        match self.correlation(measures[0], &self.common(&measures)) {
            Some(interval) => {
                let texts = vec![format!("MI_masked {}", written(&interval, 2))];
                self.conclude(scope, (above(&interval, HIGH), texts), &measures)
            }
            None => not_tested(scope),
        }
    }

    fn resembles_more(&self, generation: u64) -> Finding {
        let scope = self.scope(Some(generation));
        let (mut verdicts, mut texts) = (Vec::new(), Vec::new());
        let measures = ["MI_masked", "MI", "MI_adjusted"].map(|label| (label, generation));
        let problems = self.common(&measures);
        for (label, _) in measures {
            let rho = self.correlation((label, generation), &problems);
            let text = rho.map_or_else(|| "none".to_owned(), |rho| number(rho.estimate, 2));
            texts.push(format!("{label} {text}"));
        }
        for other in ["MI", "MI_adjusted"] {
            let (own, other) = (measures[0], (other, generation));
            let Some(interval) = self.difference(own, other, &problems) else { continue };
            verdicts.push(above(&interval, 0.0));
            texts.push(format!("MI_masked less {}: {}", other.0, written(&interval, 2)));
        }
        if verdicts.is_empty() {
            return not_tested(scope);
        }
        let verdict = whole(&verdicts, 2, &mut texts);
        self.conclude(scope, (verdict, texts), &measures)
    }

    /// How the correlation changes from one generation to another; `sign` says which way it should.
    fn changes(&self, labels: &[&str], (first, last): (u64, u64), sign: f64) -> Finding {
        let scope = self.scope(None);
        let (mut verdicts, mut texts) = (Vec::new(), Vec::new());
        let measures: Vec<(&str, u64)> =
            labels.iter().flat_map(|label| [(*label, first), (*label, last)]).collect();
        let problems = self.common(&measures);
        for label in labels {
            let interval = self.difference((label, last), (label, first), &problems);
            let Some(interval) = interval else { continue };
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
        let verdict = whole(&verdicts, labels.len(), &mut texts);
        self.conclude(scope, (verdict, texts), &measures)
    }
}

/// The verdict of all differences; those that are missing leave a claim unsupported.
fn whole(verdicts: &[ClaimVerdict], n_wanted: usize, texts: &mut Vec<String>) -> ClaimVerdict {
    let verdict = ClaimVerdict::all(verdicts.iter().copied());
    if verdicts.len() == n_wanted {
        return verdict;
    }
    texts.push(format!("{} of {n_wanted} differences are known", verdicts.len()));
    if verdict == ClaimVerdict::Holds { ClaimVerdict::Undecided } else { verdict }
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
