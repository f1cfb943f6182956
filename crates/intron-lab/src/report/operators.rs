//! Operator sets next to each other (supplement of the paper), where the plan has more than one.

use super::analysis::{Analysis, Rows};
use super::comparison::Comparison;
use super::estimates::{BOOTSTRAP, caution, estimate};
use super::parts::{Csv, Figure};
use crate::figures::{
    ComparisonFigure, ComparisonPanel, ComparisonRow, Estimate, PanelFigure, Sharing,
};
use crate::statistics::{StatisticsError, interquartile_mean_interval};

const COLUMNS: [&str; 8] =
    ["height", "linear_scaling", "setting", "operators", "iqm", "low", "high", "runs"];

/// The interquartile mean of every setting under every operator set, one panel per height and scaling.
pub(super) fn operator_sets(
    analysis: &Analysis,
    comparisons: &[Comparison],
    rows: Rows,
) -> Result<Figure, StatisticsError> {
    let mut csv = Csv::new(&COLUMNS);
    let mut panels = Vec::new();
    for &height in &analysis.plan.heights {
        for scaling in &analysis.plan.linear_scaling {
            let word = if scaling == "on" { "with" } else { "without" };
            let mut row_list: Vec<ComparisonRow> = Vec::new();
            for label in &analysis.labels {
                let mut estimates: Vec<Option<Estimate>> = Vec::new();
                for operators in &analysis.plan.operators {
                    let found = comparisons.iter().find(|comparison| {
                        let [only] = comparison.conditions[..] else { return false };
                        let condition = &analysis.conditions[only];
                        condition.height == height
                            && condition.linear_scaling == *scaling
                            && condition.operators == *operators
                    });
                    let place =
                        found.and_then(|comparison| Some((comparison, comparison.index(label)?)));
                    let Some((comparison, setting)) = place.filter(|(c, _)| c.n_blocks() > 0)
                    else {
                        estimates.push(None);
                        continue;
                    };
                    let scores = comparison.scores(setting, rows);
                    let value =
                        estimate(interquartile_mean_interval(&scores, &BOOTSTRAP)?, comparison);
                    let Estimate { point, low, high } = &value;
                    let n_runs = comparison.n_blocks();
                    csv.row(&[&height, scaling, label, operators, point, low, high, &n_runs]);
                    estimates.push(Some(value));
                }
                row_list.push(ComparisonRow { label: label.clone(), estimates });
            }
            let title = format!("height {height}, {word} linear scaling");
            panels.push(ComparisonPanel { title, value_limits: None, rows: row_list });
        }
    }
    let frame = PanelFigure {
        title: format!("IQM of the {} R² by operator set", rows.name()),
        description: "One row per linkage setting, one point per operator set.".to_owned(),
        value_label: format!("IQM of {} R²", rows.name()),
        n_columns: 2,
        sharing: Sharing::Separate,
        panels,
    };
    let variants = analysis.plan.operators.iter().map(|name| format!("{name} operators")).collect();
    let figure = ComparisonFigure { frame, variants };
    let caption = format!(
        "Interquartile mean of the final {} R² under each operator set, with 95 % intervals of a stratified bootstrap{}. \
         Budget: {}. n = up to {} runs per problem and setting.",
        rows.name(),
        caution(comparisons.iter().map(Comparison::fewest_runs).min().unwrap_or(0)),
        analysis.budget(),
        analysis.plan.repeats
    );
    let name = format!("operators-{}", rows.name());
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}
