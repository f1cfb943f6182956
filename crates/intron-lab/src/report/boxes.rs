//! Box plots of the final training R² per problem (supplement of the paper).

use std::fmt::Display;

use super::analysis::{Analysis, Rows};
use super::convergence::runs_per_cell;
use super::parts::{Csv, Figure};
use crate::figures::{BoxPlot, BoxPlotFigure, BoxPlotPanel, Sharing};
use crate::statistics::{Quartiles, StatisticsError, quartiles};

/// The boxes of one condition.
pub(super) fn boxes(analysis: &Analysis, condition: usize) -> Result<Figure, StatisticsError> {
    let header = ["problem", "setting", "repeat", "training_r2", "test_r2"];
    // The test scores come last, so that they can be left out.
    let n_columns = header.len() - usize::from(!analysis.has_test_rows());
    let mut csv = Csv::new(&header[..n_columns]);
    let mut panels = Vec::new();
    for (problem, name) in analysis.problems.iter().enumerate() {
        let mut rows = Vec::new();
        for (setting, label) in analysis.labels.iter().enumerate() {
            let runs = analysis.runs(condition, problem, setting);
            for run in runs {
                let result = &run.record.result;
                let (train, test) = (&result.r2_train, &result.r2_test);
                csv.row(
                    &[name as &dyn Display, label, &result.task.repeat, train, test][..n_columns],
                );
            }
            let scores: Vec<f64> = runs.iter().map(|run| run.score(Rows::Train)).collect();
            rows.extend(quartiles(&scores).map(|quartiles| box_of(label, &scores, quartiles)));
        }
        panels.push(BoxPlotPanel { title: name.clone(), value_limits: None, rows });
    }
    let title = &analysis.conditions[condition].title;
    let figure = BoxPlotFigure {
        title: format!("Final training R² per problem, {title}"),
        description: "One box per linkage setting, one panel per problem.".to_owned(),
        value_label: "training R²".to_owned(),
        n_columns: 2,
        sharing: Sharing::Separate,
        panels,
    };
    let caption = format!(
        "Final training R² of every run, {title}: quartiles and median; whiskers reach to the last value within 1.5 \
         interquartile ranges, values beyond are circles. Budget: {}. {}.",
        analysis.budget(),
        runs_per_cell(analysis, condition)
    );
    let name = format!("boxes-{}", analysis.conditions[condition].slug);
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}

fn box_of(label: &str, scores: &[f64], quartiles: Quartiles) -> BoxPlot {
    let Quartiles { lower, median, upper } = quartiles;
    let reach = 1.5 * (upper - lower);
    let is_near = |score: f64| (lower - reach..=upper + reach).contains(&score);
    let near = || scores.iter().copied().filter(|&score| is_near(score));
    BoxPlot {
        label: label.to_owned(),
        low_whisker: near().fold(lower, f64::min),
        first_quartile: lower,
        median,
        third_quartile: upper,
        high_whisker: near().fold(upper, f64::max),
        outliers: scores.iter().copied().filter(|&score| !is_near(score)).collect(),
    }
}
