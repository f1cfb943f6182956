//! The records in order: for each condition (height, scaling, operators), problem and setting, its runs.

use intron::Linkage;

use crate::plan::Plan;
use crate::record::Record;
use crate::statistics::{Trace, floored};

/// An R² that is lower, or no finite number, counts as this one.
pub(super) const FLOOR: f64 = -1.0;

/// Which rows an R² is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    Train,
    Test,
}

impl Rows {
    pub(super) fn name(self) -> &'static str {
        match self {
            Rows::Train => "training",
            Rows::Test => "test",
        }
    }
}

/// What effort is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    Evaluations,
    Seconds,
}

/// One run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) record: &'a Record,
}

impl Run<'_> {
    /// The final R², not below the floor.
    pub(super) fn score(&self, rows: Rows) -> f64 {
        raise(self.raw(rows))
    }

    fn raw(&self, rows: Rows) -> f64 {
        match rows {
            Rows::Train => self.record.result.r2_train,
            Rows::Test => self.record.result.r2_test,
        }
    }

    /// The R² of the best formula over evaluations or CPU time, not below the floor.
    pub(super) fn trace(&self, rows: Rows, effort: Effort) -> Trace {
        let Record { result, measured } = self.record;
        let value = |index: usize| {
            let point = &result.trace[index];
            raise(if rows == Rows::Train { point.r2_train } else { point.r2_test })
        };
        let n_points = match effort {
            Effort::Evaluations => result.trace.len(),
            Effort::Seconds => result.trace.len().min(measured.trace_seconds.len()),
        };
        let place = |index: usize| match effort {
            Effort::Evaluations => result.trace[index].evaluations as f64,
            Effort::Seconds => measured.trace_seconds[index],
        };
        (0..n_points).map(|index| (place(index), value(index))).collect()
    }

    /// The effort that the whole run took.
    pub(super) fn effort(&self, effort: Effort) -> f64 {
        match effort {
            Effort::Evaluations => self.record.result.n_evaluations as f64,
            Effort::Seconds => self.record.measured.cpu_seconds,
        }
    }
}

fn raise(value: f64) -> f64 {
    floored(&[value], FLOOR).0[0]
}

/// A template height with or without linear scaling and an operator set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) height: usize,
    pub(super) linear_scaling: String,
    pub(super) operators: String,
    /// For headings and panels.
    pub(super) title: String,
    /// For names of files.
    pub(super) slug: String,
}

/// All runs of an experiment, in the order of its plan.
#[derive(Debug)]
pub(super) struct Analysis<'a> {
    pub(super) plan: &'a Plan,
    /// Labels of the settings.
    pub(super) labels: Vec<String>,
    /// Names of the problems, no two alike.
    pub(super) problems: Vec<String>,
    /// The same for names of files.
    pub(super) problem_slugs: Vec<String>,
    pub(super) conditions: Vec<Condition>,
    /// Condition, problem, setting: the runs by their number in the cell.
    cells: Vec<Vec<Vec<Vec<Run<'a>>>>>,
    pub(super) n_planned: usize,
    pub(super) n_runs: usize,
}

impl<'a> Analysis<'a> {
    /// Puts the records of a plan in order; records of other plans are left out.
    pub(super) fn new(plan: &'a Plan, records: &'a [Record]) -> Analysis<'a> {
        let conditions = conditions_of(plan);
        let labels: Vec<String> = plan.linkage.iter().map(|name| label_of(name)).collect();
        let empty = vec![vec![Vec::new(); plan.linkage.len()]; plan.data.len()];
        let mut cells: Vec<Vec<Vec<Vec<Run>>>> = vec![empty; conditions.len()];
        let mut n_runs = 0;
        for record in records {
            let task = &record.result.task;
            let is_of = |condition: &Condition| {
                condition.height == task.height
                    && condition.linear_scaling == task.linear_scaling
                    && condition.operators == task.operators
            };
            let place = (
                conditions.iter().position(is_of),
                plan.data.iter().position(|name| *name == task.data),
                plan.linkage.iter().position(|name| *name == task.linkage),
            );
            if let (Some(condition), Some(problem), Some(setting)) = place {
                cells[condition][problem][setting].push(Run { record });
                n_runs += 1;
            }
        }
        let all_cells = cells.iter_mut().flatten().flatten();
        all_cells.for_each(|runs| runs.sort_by_key(|run| run.record.result.task.repeat));
        let n_planned = conditions.len() * plan.data.len() * plan.linkage.len() * plan.repeats;
        let problems = distinct(plan.data.iter().map(|name| problem_name(name)), &[], " ");
        // The figure of all problems together is called `all`.
        let problem_slugs = distinct(problems.iter().map(|name| tame(name)), &["all"], "-");
        Analysis { plan, labels, problems, problem_slugs, conditions, cells, n_planned, n_runs }
    }

    /// The rows that scores are about: without held-out rows there are no test scores.
    pub(super) fn rows(&self) -> &'static [Rows] {
        if self.has_test_rows() { &[Rows::Train, Rows::Test] } else { &[Rows::Train] }
    }

    pub(super) fn has_test_rows(&self) -> bool {
        self.plan.test_fraction > 0.0
    }

    /// The runs of one cell.
    pub(super) fn runs(&self, condition: usize, problem: usize, setting: usize) -> &[Run<'a>] {
        &self.cells[condition][problem][setting]
    }

    /// The conditions that have any run, with their indices: of the others there is nothing to show.
    pub(super) fn begun(&self) -> impl Iterator<Item = (usize, &Condition)> {
        let has_runs = |&(index, _): &(usize, &Condition)| {
            self.cells[index].iter().flatten().any(|runs| !runs.is_empty())
        };
        self.conditions.iter().enumerate().filter(has_runs)
    }

    /// All runs.
    pub(super) fn all_runs(&self) -> impl Iterator<Item = &Run<'a>> {
        self.cells.iter().flatten().flatten().flatten()
    }

    /// How many runs have an R² that counts as the floor.
    pub(super) fn n_floored(&self, rows: Rows) -> usize {
        let values: Vec<f64> = self.all_runs().map(|run| run.raw(rows)).collect();
        floored(&values, FLOOR).1
    }

    /// How many of them are not finite.
    pub(super) fn n_not_finite(&self, rows: Rows) -> usize {
        self.all_runs().filter(|run| !run.raw(rows).is_finite()).count()
    }

    /// The budget in words.
    pub(super) fn budget(&self) -> String {
        let budget = &self.plan.budget;
        let evaluations =
            budget.evaluations.map(|n| format!("{} evaluations", super::parts::count(n)));
        let generations = budget.generations.map(|n| format!("{n} generations"));
        let limits: Vec<String> = evaluations.into_iter().chain(generations).collect();
        limits.join(" or ")
    }
}

fn conditions_of(plan: &Plan) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (operators, operators_slug) in plan.operators.iter().zip(operator_slugs(plan)) {
        for &height in &plan.heights {
            for linear_scaling in &plan.linear_scaling {
                let scaling = if linear_scaling == "on" { "with" } else { "without" };
                let mut title = format!("height {height}, {scaling} linear scaling");
                let mut slug = format!("h{height}-ls-{linear_scaling}");
                if plan.operators.len() > 1 {
                    title += &format!(", {operators} operators");
                    slug += &format!("-{operators_slug}");
                }
                conditions.push(Condition {
                    height,
                    linear_scaling: linear_scaling.clone(),
                    operators: operators.clone(),
                    title,
                    slug,
                });
            }
        }
    }
    conditions
}

/// The operator sets for names of files.
pub(super) fn operator_slugs(plan: &Plan) -> Vec<String> {
    distinct(plan.operators.iter().map(|operators| tame(operators)), &[], "-")
}

/// Names of which no two are alike, and none is taken: one that is already there gets a number.
pub(super) fn distinct(
    names: impl Iterator<Item = String>,
    taken: &[&str],
    separator: &str,
) -> Vec<String> {
    let names: Vec<String> = names.collect();
    let mut found: Vec<String> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let is_free =
            |candidate: &String| !found.contains(candidate) && !taken.contains(&candidate.as_str());
        // A name that another one has by itself is not given as a numbered one.
        let is_foreign = |candidate: &String| names[index..].contains(candidate);
        let numbered = (2..).map(|number| format!("{name}{separator}{number}"));
        let free = Some(name.clone()).filter(is_free).or_else(|| {
            numbered.into_iter().find(|candidate| is_free(candidate) && !is_foreign(candidate))
        });
        found.push(free.expect("numbers do not run out"));
    }
    found
}

/// Text as a part of a file name.
fn tame(text: &str) -> String {
    let is_tame = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.chars().map(|c| if is_tame(c) { c.to_ascii_lowercase() } else { '_' }).collect()
}

/// The label of a linkage setting in figures.
pub(super) fn label_of(name: &str) -> String {
    Linkage::from_name(name).map_or_else(|_| name.to_owned(), |linkage| linkage.label().to_owned())
}

/// A data set as the paper calls it; a file by its name alone.
fn problem_name(name: &str) -> String {
    let known = [
        ("airfoil", "Airfoil"),
        ("bike", "Bike Sharing"),
        ("concrete", "Concrete"),
        ("dowchemical", "Dow Chemical"),
        ("tower", "Tower"),
    ];
    if let Some((_, title)) = known.iter().find(|known| known.0 == name) {
        return (*title).to_owned();
    }
    let path = std::path::Path::new(name);
    path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_a_number_where_they_collide() {
        let of = |names: &[&str], taken: &[&str]| {
            distinct(names.iter().map(|name| (*name).to_owned()), taken, "-")
        };
        assert_eq!(of(&["a", "b"], &[]), ["a", "b"]);
        assert_eq!(of(&["a", "a", "a-2", "a"], &[]), ["a", "a-3", "a-2", "a-4"]);
        assert_eq!(of(&["all", "x"], &["all"]), ["all-2", "x"]);
    }
}
