//! Tables: what was run, final medians per problem, and run times.

use super::analysis::{Analysis, Effort, FLOOR, Rows};
use super::convergence::runs_per_cell;
use super::parts::{Csv, Table, number};
use crate::plan::Plan;
use crate::statistics::{Quartiles, quartiles};
use crate::task::AllFacts;

/// What was run.
pub(super) fn overview(analysis: &Analysis, facts: &AllFacts) -> Table {
    let plan = analysis.plan;
    let joined =
        |parts: &[usize]| parts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let data =
        plan.data.iter().zip(&analysis.problems).map(|(name, title)| match facts.get(name) {
            Some(facts) => format!("{title} ({} rows)", facts.n_rows),
            None => title.clone(),
        });
    let settings: Vec<String> =
        plan.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let n_missing = analysis.n_planned.saturating_sub(analysis.n_runs);
    let floored = |rows: Rows| {
        format!(
            "{} of {} runs, {} of them not finite",
            analysis.n_floored(rows),
            analysis.n_runs,
            analysis.n_not_finite(rows)
        )
    };
    let mut rows: Vec<(&str, String)> = vec![
        ("plan", format!("{}: {}", plan.name, plan.title)),
        ("runs with a record", format!("{} of {}", analysis.n_runs, analysis.n_planned)),
        ("missing runs", n_missing.to_string()),
        ("budget of a run", analysis.budget()),
        ("data sets", data.collect::<Vec<_>>().join(", ")),
        ("template heights", joined(&plan.heights)),
        ("linear scaling", plan.linear_scaling.join(", ")),
        ("operator sets", plan.operators.join(", ")),
        ("linkage settings", analysis.labels.join(", ")),
        (
            "runs of each cell",
            format!("{} ({} folds, then further seeds)", plan.repeats, plan.folds),
        ),
        ("held-out test rows", held_out(plan)),
        (
            "other settings",
            if settings.is_empty() { "defaults".to_owned() } else { settings.join(", ") },
        ),
        ("training R² raised to the floor", floored(Rows::Train)),
    ];
    if analysis.has_test_rows() {
        rows.push(("test R² raised to the floor", floored(Rows::Test)));
    }
    let mut csv = Csv::new(&["what", "value"]);
    rows.iter().for_each(|(what, value)| csv.row(&[what, value]));
    let rows = rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
    let caption = format!(
        "What was run. An R² below {} or not finite counts as {}: the floor keeps a single absurd prediction from deciding \
         an average, and a run without a valid prediction from ranking above a bad one.",
        number(FLOOR, 0),
        number(FLOOR, 0)
    );
    Table { name: "overview".to_owned(), csv: csv.text(), caption, header: Vec::new(), rows }
}

fn held_out(plan: &Plan) -> String {
    if plan.test_fraction == 0.0 {
        return "none, so there are no test scores".to_owned();
    }
    // Small shares in full.
    let percent = 100.0 * plan.test_fraction;
    format!("{} %", number(percent, usize::from(percent.fract() != 0.0)))
}

/// Final medians per problem and setting of one condition; the best of each problem is marked.
pub(super) fn final_medians(analysis: &Analysis, condition: usize, rows: Rows) -> Table {
    let mut csv = Csv::new(&["problem", "setting", "median", "quartile1", "quartile3", "runs"]);
    let mut table: Vec<Vec<String>> =
        analysis.labels.iter().map(|label| vec![label.clone()]).collect();
    for (problem, name) in analysis.problems.iter().enumerate() {
        let of_setting = |setting: usize| {
            let runs = analysis.runs(condition, problem, setting);
            let scores: Vec<f64> = runs.iter().map(|run| run.score(rows)).collect();
            (quartiles(&scores), scores.len())
        };
        let summaries: Vec<_> = (0..analysis.labels.len()).map(of_setting).collect();
        let medians = summaries.iter().filter_map(|summary| Some(summary.0?.median));
        let best = medians.fold(f64::NEG_INFINITY, f64::max);
        for (setting, (summary, n_runs)) in summaries.iter().enumerate() {
            let cell = match summary {
                Some(Quartiles { lower, median, upper }) => {
                    csv.row(&[name, &analysis.labels[setting], median, lower, upper, n_runs]);
                    let mark = if *median == best { "★ " } else { "" };
                    format!(
                        "{mark}{} ({}, {})",
                        number(*median, 3),
                        number(*lower, 3),
                        number(*upper, 3)
                    )
                }
                None => "–".to_owned(),
            };
            table[setting].push(cell);
        }
    }
    let title = &analysis.conditions[condition].title;
    let caption = format!(
        "Median (quartiles) of the final {} R², {title}; ★ marks the highest median of a problem, whether or not it differs \
         significantly. Budget: {}. {}.",
        rows.name(),
        analysis.budget(),
        runs_per_cell(analysis, condition)
    );
    let header = std::iter::once(String::new()).chain(analysis.problems.iter().cloned()).collect();
    let name = format!("medians-{}-{}", analysis.conditions[condition].slug, rows.name());
    Table { name, csv: csv.text(), caption, header, rows: table }
}

/// Median CPU time of a run per problem and setting of one condition.
pub(super) fn run_times(analysis: &Analysis, condition: usize) -> Table {
    let mut csv =
        Csv::new(&["problem", "setting", "median_seconds", "quartile1", "quartile3", "runs"]);
    let mut table: Vec<Vec<String>> =
        analysis.labels.iter().map(|label| vec![label.clone()]).collect();
    for (problem, name) in analysis.problems.iter().enumerate() {
        for (setting, cells) in table.iter_mut().enumerate() {
            let runs = analysis.runs(condition, problem, setting);
            let seconds: Vec<f64> = runs.iter().map(|run| run.effort(Effort::Seconds)).collect();
            cells.push(match quartiles(&seconds) {
                Some(Quartiles { lower, median, upper }) => {
                    csv.row(&[
                        name,
                        &analysis.labels[setting],
                        &median,
                        &lower,
                        &upper,
                        &runs.len(),
                    ]);
                    format!("{} ({}, {})", number(median, 2), number(lower, 2), number(upper, 2))
                }
                None => "–".to_owned(),
            });
        }
    }
    let title = &analysis.conditions[condition].title;
    let caption = format!(
        "CPU time of a run in seconds, median (quartiles), {title}. Budget: {}. {}.",
        analysis.budget(),
        runs_per_cell(analysis, condition)
    );
    let header = std::iter::once(String::new()).chain(analysis.problems.iter().cloned()).collect();
    let name = format!("runtime-{}-time", analysis.conditions[condition].slug);
    Table { name, csv: csv.text(), caption, header, rows: table }
}
