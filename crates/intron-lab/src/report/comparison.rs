//! Runs that can be compared: of each problem the runs that all settings have, so that every setting is judged by the
//! same folds and seeds.

use super::analysis::{Analysis, Effort, FLOOR, Rows, Run};
use super::parts::plural;
use crate::statistics::trace_on_grid;

/// Settings × tasks × runs, equally many runs of a task in every setting. A task is a problem under a condition.
#[derive(Debug, Clone)]
pub(super) struct Comparison<'a> {
    /// What is compared, such as a height with linear scaling.
    pub(super) title: String,
    /// For names of files.
    pub(super) slug: String,
    /// Indices of the conditions.
    pub(super) conditions: Vec<usize>,
    /// Labels of the settings.
    pub(super) labels: Vec<String>,
    /// Condition and problem of each task.
    pub(super) tasks: Vec<(usize, usize)>,
    /// How many tasks were planned; those without a run that every setting has are left out.
    pub(super) n_planned: usize,
    /// Setting, task, run.
    pub(super) runs: Vec<Vec<Vec<Run<'a>>>>,
    /// Runs that are not used, since some setting lacks them.
    n_unused: usize,
    /// Labels of settings without any run here.
    pub(super) absent: Vec<String>,
}

/// Comparisons over all conditions of an operator set (if there are several), then of each condition.
pub(super) fn comparisons<'a>(analysis: &Analysis<'a>) -> Vec<Comparison<'a>> {
    let mut comparisons = Vec::new();
    let slugs = super::analysis::operator_slugs(analysis.plan);
    for (operators, operators_slug) in analysis.plan.operators.iter().zip(slugs) {
        let all = analysis.conditions.iter().enumerate();
        let own: Vec<usize> =
            all.filter(|(_, c)| c.operators == *operators).map(|(index, _)| index).collect();
        let is_only_set = analysis.plan.operators.len() == 1;
        if own.len() > 1 {
            let (title, slug) = if is_only_set {
                ("all heights and scalings".to_owned(), "all".to_owned())
            } else {
                let slug = format!("all-{operators_slug}");
                (format!("all heights and scalings, {operators} operators"), slug)
            };
            comparisons.push(Comparison::new(analysis, title, slug, own.clone()));
        }
        for index in own {
            let condition = &analysis.conditions[index];
            let (title, slug) = (condition.title.clone(), condition.slug.clone());
            comparisons.push(Comparison::new(analysis, title, slug, vec![index]));
        }
    }
    comparisons
}

impl<'a> Comparison<'a> {
    fn new(
        analysis: &Analysis<'a>,
        title: String,
        slug: String,
        conditions: Vec<usize>,
    ) -> Comparison<'a> {
        let n_problems = analysis.problems.len();
        let task = |&condition: &usize| (0..n_problems).map(move |problem| (condition, problem));
        let all_tasks: Vec<(usize, usize)> = conditions.iter().flat_map(task).collect();
        let n_runs = |setting: usize| -> usize {
            all_tasks.iter().map(|&(c, p)| analysis.runs(c, p, setting).len()).sum()
        };
        let (present, absent): (Vec<usize>, Vec<usize>) =
            (0..analysis.labels.len()).partition(|&setting| n_runs(setting) > 0);
        let label = |&setting: &usize| analysis.labels[setting].clone();
        let mut comparison = Comparison {
            title,
            slug,
            conditions,
            labels: present.iter().map(label).collect(),
            tasks: Vec::new(),
            n_planned: all_tasks.len(),
            runs: vec![Vec::new(); present.len()],
            n_unused: present.iter().map(|&setting| n_runs(setting)).sum(),
            absent: absent.iter().map(label).collect(),
        };
        for (condition, problem) in all_tasks {
            let cells: Vec<&[Run<'a>]> =
                present.iter().map(|&s| analysis.runs(condition, problem, s)).collect();
            comparison.add_task((condition, problem), &cells);
        }
        comparison
    }

    fn add_task(&mut self, task: (usize, usize), cells: &[&[Run<'a>]]) {
        let repeat = |run: &Run| run.record.result.task.repeat;
        let has = |cell: &[Run], number| cell.iter().any(|run| repeat(run) == number);
        let numbers = cells.first().into_iter().flat_map(|cell| cell.iter().map(repeat));
        let complete: Vec<usize> =
            numbers.filter(|&number| cells.iter().all(|cell| has(cell, number))).collect();
        if complete.is_empty() {
            return;
        }
        self.tasks.push(task);
        for (runs, cell) in self.runs.iter_mut().zip(cells) {
            let kept = cell.iter().filter(|run| complete.contains(&repeat(run)));
            runs.push(kept.copied().collect());
        }
        self.n_unused -= complete.len() * cells.len();
    }

    /// The part of the comparison that is about one task.
    pub(super) fn of_task(&self, task: usize) -> Comparison<'a> {
        Comparison {
            conditions: vec![self.tasks[task].0],
            tasks: vec![self.tasks[task]],
            n_planned: 1,
            runs: self.runs.iter().map(|tasks| vec![tasks[task].clone()]).collect(),
            ..self.clone()
        }
    }

    /// The part of the comparison that is about some of its tasks.
    pub(super) fn kept(&self, is_kept: impl Fn((usize, usize)) -> bool) -> Comparison<'a> {
        let keep: Vec<bool> = self.tasks.iter().map(|&task| is_kept(task)).collect();
        let chosen = |runs: &Vec<Vec<Run<'a>>>| {
            runs.iter()
                .zip(&keep)
                .filter(|(_, kept)| **kept)
                .map(|(runs, _)| runs.clone())
                .collect()
        };
        let tasks = self.tasks.iter().zip(&keep).filter(|(_, kept)| **kept);
        Comparison {
            tasks: tasks.map(|(task, _)| *task).collect(),
            runs: self.runs.iter().map(chosen).collect(),
            ..self.clone()
        }
    }

    pub(super) fn index(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|known| known == label)
    }

    /// Runs of all tasks of one setting.
    pub(super) fn n_blocks(&self) -> usize {
        self.runs.first().map_or(0, |tasks| tasks.iter().map(Vec::len).sum())
    }

    /// The smallest number of runs of a task.
    pub(super) fn fewest_runs(&self) -> usize {
        self.runs.first().and_then(|tasks| tasks.iter().map(Vec::len).min()).unwrap_or(0)
    }

    /// Final scores of a setting: tasks × runs.
    pub(super) fn scores(&self, setting: usize, rows: Rows) -> Vec<Vec<f64>> {
        self.map(setting, |run| run.score(rows))
    }

    /// Final training scores of all settings that another comparison has too, one after the other.
    pub(super) fn scores_of(&self, other: &Comparison) -> Vec<Vec<f64>> {
        let common = (0..self.labels.len()).filter(|&own| other.index(&self.labels[own]).is_some());
        common.flat_map(|setting| self.scores(setting, Rows::Train)).collect()
    }

    /// Scores of a setting after some effort: tasks × runs. The effort may differ between tasks.
    pub(super) fn scores_after(
        &self,
        setting: usize,
        effort: Effort,
        limits: &[f64],
    ) -> Vec<Vec<f64>> {
        let after = |run: &Run, limit: f64| {
            trace_on_grid(&run.trace(Rows::Train, effort), &[limit], FLOOR)[0]
        };
        let tasks = self.runs[setting].iter().zip(limits);
        tasks.map(|(runs, &limit)| runs.iter().map(|run| after(run, limit)).collect()).collect()
    }

    /// A number of every run of a setting: tasks × runs.
    pub(super) fn map<T>(&self, setting: usize, value: impl Fn(&Run<'a>) -> T) -> Vec<Vec<T>> {
        self.runs[setting].iter().map(|runs| runs.iter().map(&value).collect()).collect()
    }

    /// Number of runs behind the numbers, in words, and what is not used.
    pub(super) fn sample(&self) -> String {
        let n_problems = {
            let mut problems: Vec<usize> = self.tasks.iter().map(|task| task.1).collect();
            problems.sort_unstable();
            problems.dedup();
            problems.len()
        };
        let mut text = format!(
            "n = {} per setting on {}",
            plural(self.n_blocks(), "run"),
            plural(n_problems, "problem")
        );
        if self.n_unused > 0 {
            text += &format!(
                "; {} that not every setting has are left out",
                plural(self.n_unused, "finished run")
            );
        }
        if !self.absent.is_empty() {
            text += &format!("; no run yet of {}", self.absent.join(", "));
        }
        text
    }
}
