//! Interval estimates (figure 5 of the paper): interquartile mean and mean of medians, training and test.

use super::analysis::Analysis;
use super::comparison::Comparison;
use super::estimates::{BOOTSTRAP, about_intervals, estimate};
use super::parts::{Csv, Figure};
use crate::figures::{IntervalFigure, IntervalPanel, IntervalRow, Sharing};
use crate::statistics::{StatisticsError, interquartile_mean_interval, mean_of_medians};

/// One row per setting, one panel per aggregate and kind of rows.
pub(super) fn intervals(
    analysis: &Analysis,
    comparison: &Comparison,
) -> Result<Figure, StatisticsError> {
    if comparison.labels.is_empty() {
        return Err(StatisticsError::NoTask);
    }
    let mut csv = Csv::new(&["rows", "aggregate", "setting", "value", "low", "high", "runs"]);
    let mut panels = Vec::new();
    for &rows in analysis.rows() {
        for aggregate in ["IQM", "mean of medians"] {
            let mut row_list = Vec::new();
            for (setting, label) in comparison.labels.iter().enumerate() {
                let scores = comparison.scores(setting, rows);
                let interval = match aggregate {
                    "IQM" => interquartile_mean_interval(&scores, &BOOTSTRAP)?,
                    _ => BOOTSTRAP.interval(&scores, mean_of_medians)?,
                };
                let estimate = estimate(interval, comparison);
                let n_runs = comparison.n_blocks();
                csv.row(&[
                    &rows.name(),
                    &aggregate,
                    label,
                    &estimate.point,
                    &estimate.low,
                    &estimate.high,
                    &n_runs,
                ]);
                row_list.push(IntervalRow { label: label.clone(), estimate });
            }
            let title = format!("{aggregate}, {}", rows.name());
            panels.push(IntervalPanel { title, value_limits: None, rows: row_list });
        }
    }
    let figure = IntervalFigure {
        title: format!("Aggregate R², {}", comparison.title),
        description:
            "One row per linkage setting; the bar is the 95 % interval, the line the value."
                .to_owned(),
        value_label: "R²".to_owned(),
        n_columns: 2,
        sharing: Sharing::Separate,
        panels,
    };
    let caption = format!(
        "Final R² (higher is better), {}: interquartile mean (IQM, the middle half of all runs) and mean of the medians \
         per problem, on {}. {} Budget: {}. {}.",
        comparison.title,
        if analysis.has_test_rows() { "training and test rows" } else { "training rows" },
        about_intervals(comparison),
        analysis.budget(),
        comparison.sample()
    );
    let name = format!("intervals-{}", comparison.slug);
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}
