//! Interval estimates (figure 5 of the paper): interquartile mean and mean of medians, training and test.

use super::analysis::Analysis;
use super::comparison::Comparison;
use super::estimates::{Aggregate, about_intervals};
use super::parts::{Csv, Figure};
use crate::figures::{IntervalFigure, IntervalPanel, IntervalRow, Sharing};
use crate::statistics::StatisticsError;

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
        for aggregate in Aggregate::ALL {
            let mut row_list = Vec::new();
            for (setting, label) in comparison.labels.iter().enumerate() {
                let estimate = aggregate.estimate(comparison, setting, rows)?;
                let n_runs = comparison.n_blocks();
                csv.row(&[
                    &rows.name(),
                    &aggregate.name(),
                    label,
                    &estimate.point,
                    &estimate.low,
                    &estimate.high,
                    &n_runs,
                ]);
                row_list.push(IntervalRow { label: label.clone(), estimate });
            }
            let title = format!("{}, {}", aggregate.name(), rows.name());
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
