//! Learned similarities over generations (figure 7 of the paper and its supplement), and how they resemble the template.

use super::analysis::{Analysis, Run};
use super::parts::{Csv, Figure, Table, number, plural};
use crate::figures::{HeatMapFigure, HeatMapRow, Matrix};
use crate::record::Similarity;
use crate::statistics::rank_correlation;

/// The measure that is the template itself.
pub(super) const TEMPLATE: &str = "Node";

/// Settings that are not shown: noise, none at all, and the same as Node.
const HIDDEN: [&str; 4] = ["Random", "Univariate", "Node (static)", "Node subtrees"];

/// The generations at which there are similarities.
pub(super) fn generations(analysis: &Analysis) -> Vec<u64> {
    let all = analysis.all_runs().flat_map(|run| &run.record.result.similarities);
    let mut generations: Vec<u64> = all.map(|similarity| similarity.generation).collect();
    generations.sort_unstable();
    generations.dedup();
    generations
}

/// Indices of the settings whose similarities are shown.
pub(super) fn shown_settings(analysis: &Analysis) -> Vec<usize> {
    let labels = analysis.labels.iter().enumerate();
    labels.filter(|(_, label)| !HIDDEN.contains(&label.as_str())).map(|(index, _)| index).collect()
}

/// The similarities of a run at a generation, if it got there.
pub(super) fn at_generation<'a>(run: &Run<'a>, generation: u64) -> Option<&'a Similarity> {
    run.record.result.similarities.iter().find(|one| one.generation == generation)
}

/// The mean of matrices, given by their values below the diagonal; nothing if there are none of equal size.
pub(super) fn mean_of<'a>(matrices: impl Iterator<Item = &'a [f64]>) -> Option<Vec<f64>> {
    let mut sums: Vec<f64> = Vec::new();
    let mut n_matrices = 0;
    for values in matrices {
        if n_matrices == 0 {
            sums = vec![0.0; values.len()];
        }
        if values.len() != sums.len() {
            return None;
        }
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        n_matrices += 1;
    }
    (n_matrices > 0).then(|| sums.iter().map(|sum| sum / f64::from(n_matrices)).collect())
}

/// Similarities of the template, from the first run that recorded them.
pub(super) fn template_of<'a>(analysis: &Analysis<'a>, condition: usize) -> Option<&'a [f64]> {
    let setting = analysis.labels.iter().position(|label| label == TEMPLATE)?;
    let mut runs =
        (0..analysis.problems.len()).flat_map(|problem| analysis.runs(condition, problem, setting));
    let first = runs.find_map(|run| run.record.result.similarities.first());
    first.map(|similarity| similarity.values.as_slice())
}

/// Which runs a heat map is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selection {
    /// All runs of all problems.
    All,
    /// All runs of one problem.
    Problem(usize),
    /// The first run of one problem.
    FirstRun(usize),
}

impl Selection {
    pub(super) fn runs<'a>(
        self,
        analysis: &Analysis<'a>,
        condition: usize,
        setting: usize,
    ) -> Vec<Run<'a>> {
        let of_problem = |problem: usize| analysis.runs(condition, problem, setting).to_vec();
        match self {
            Selection::All => (0..analysis.problems.len()).flat_map(of_problem).collect(),
            Selection::Problem(problem) => of_problem(problem),
            Selection::FirstRun(problem) => of_problem(problem).into_iter().take(1).collect(),
        }
    }

    fn title(self, analysis: &Analysis) -> String {
        match self {
            Selection::All => "all problems".to_owned(),
            Selection::Problem(problem) => analysis.problems[problem].clone(),
            Selection::FirstRun(problem) => format!("{}, first run", analysis.problems[problem]),
        }
    }

    fn slug(self, analysis: &Analysis) -> String {
        match self {
            Selection::All => "all".to_owned(),
            Selection::Problem(problem) => analysis.problem_slugs[problem].clone(),
            Selection::FirstRun(problem) => {
                format!("{}-first-run", analysis.problem_slugs[problem])
            }
        }
    }
}

/// Heat maps of one condition; nothing if no run of the selection has similarities.
pub(super) fn heat_maps(
    analysis: &Analysis,
    condition: usize,
    selection: Selection,
) -> Option<Figure> {
    let generations = generations(analysis);
    let mut csv = Csv::new(&["setting", "generation", "position", "other", "similarity", "runs"]);
    let mut rows = Vec::new();
    let mut n_most = 0;
    for setting in shown_settings(analysis) {
        let label = &analysis.labels[setting];
        let runs = selection.runs(analysis, condition, setting);
        let mut matrices = Vec::new();
        for &generation in &generations {
            let reached: Vec<&Similarity> =
                runs.iter().filter_map(|run| at_generation(run, generation)).collect();
            n_most = n_most.max(reached.len());
            let mean = mean_of(reached.iter().map(|similarity| similarity.values.as_slice()));
            let matrix = mean.map(|values| {
                add_rows(&mut csv, label, generation, &values, reached.len());
                square(&values, reached[0].n_positions)
            });
            matrices.push(matrix);
        }
        if matrices.iter().any(Option::is_some) {
            rows.push(HeatMapRow { label: label.clone(), value_limits: None, matrices });
        }
    }
    if rows.is_empty() {
        return None;
    }
    let Selection::FirstRun(_) = selection else {
        return Some(figure(analysis, condition, selection, rows, csv, &plural(n_most, "run")));
    };
    Some(figure(analysis, condition, selection, rows, csv, "the first run"))
}

fn figure(
    analysis: &Analysis,
    condition: usize,
    selection: Selection,
    rows: Vec<HeatMapRow>,
    csv: Csv,
    sample: &str,
) -> Figure {
    let (title, condition) = (selection.title(analysis), &analysis.conditions[condition]);
    let columns = generations(analysis);
    let figure = HeatMapFigure {
        title: format!("Similarities over generations, {title}, {}", condition.title),
        description: "One row per linkage measure, one column per generation.".to_owned(),
        column_titles: columns
            .iter()
            .map(|generation| format!("generation {generation}"))
            .collect(),
        level_sizes: (0..condition.height).map(|level| 1 << level).collect(),
        rows,
    };
    let how = match selection {
        Selection::FirstRun(_) => "of the first run".to_owned(),
        _ => format!("averaged over runs that reached the generation (up to {sample} per measure)"),
    };
    let caption = format!(
        "Similarity of all pairs of positions of the template, {how}: {title}, {}. Generation 0 is before any variation. \
         Each measure has its own scale. Budget: {}.",
        condition.title,
        analysis.budget()
    );
    let name = format!("similarity-{}-{}", condition.slug, selection.slug(analysis));
    Figure { name, svg: figure.draw(), csv: csv.text(), caption }
}

/// A matrix out of its values below the diagonal, row by row. The diagonal has none.
fn square(values: &[f64], n_positions: usize) -> Matrix {
    let value = |row: usize, column: usize| {
        let (high, low) = (row.max(column), row.min(column));
        let is_diagonal = row == column;
        let index = || high * (high.max(1) - 1) / 2 + low;
        if is_diagonal { f64::NAN } else { values.get(index()).copied().unwrap_or(f64::NAN) }
    };
    let rows = (0..n_positions).flat_map(|row| (0..n_positions).map(move |column| (row, column)));
    Matrix { n_positions, values: rows.map(|(row, column)| value(row, column)).collect() }
}

fn add_rows(csv: &mut Csv, label: &str, generation: u64, values: &[f64], n_runs: usize) {
    let (mut position, mut other) = (1, 0);
    for value in values {
        csv.row(&[&label, &generation, &position, &other, value, &n_runs]);
        other += 1;
        if other == position {
            (position, other) = (position + 1, 0);
        }
    }
}

/// Rank correlation of every averaged matrix with the template; nothing if the template was not recorded.
pub(super) fn correlations(analysis: &Analysis, condition: usize) -> Option<Table> {
    let template = template_of(analysis, condition)?;
    let generations = generations(analysis);
    let mut csv = Csv::new(&["problem", "setting", "generation", "rank_correlation", "runs"]);
    let mut rows = Vec::new();
    let problems = (0..analysis.problems.len()).map(Selection::Problem);
    for selection in std::iter::once(Selection::All).chain(problems) {
        for setting in shown_settings(analysis) {
            let label = &analysis.labels[setting];
            let runs = selection.runs(analysis, condition, setting);
            if label == TEMPLATE || runs.is_empty() {
                continue;
            }
            let mut cells = vec![format!("{}: {label}", selection.title(analysis))];
            for &generation in &generations {
                let reached = || runs.iter().filter_map(|run| at_generation(run, generation));
                let mean = mean_of(reached().map(|similarity| similarity.values.as_slice()));
                let rho = mean.and_then(|mean| rank_correlation(&mean, template));
                let rho = rho.unwrap_or(f64::NAN);
                let title = selection.title(analysis);
                csv.row(&[&title, label, &generation, &rho, &reached().count()]);
                cells.push(format!("{} (n = {})", number(rho, 2), reached().count()));
            }
            rows.push(cells);
        }
    }
    let generation = |generation: &u64| format!("generation {generation}");
    let header = std::iter::once(String::new()).chain(generations.iter().map(generation)).collect();
    let condition = &analysis.conditions[condition];
    let caption = format!(
        "Spearman's rank correlation of the averaged similarities with those of the template ({TEMPLATE}), {}. 1: the same \
         order of all pairs; –: no run, or all pairs are equal; in brackets the runs that reached the generation. Budget: {}.",
        condition.title,
        analysis.budget()
    );
    let name = format!("correlation-{}", condition.slug);
    Some(Table { name, csv: csv.text(), caption, header, rows })
}
