//! Operator sets next to each other (supplement of the paper), where the plan has more than one.

use super::analysis::{Analysis, Rows};
use super::comparison::Comparison;
use super::estimates::{Aggregate, caution};
use super::parts::{Csv, Figure};
use crate::figures::{
    ComparisonFigure, ComparisonPanel, ComparisonRow, Estimate, PanelFigure, Sharing,
};
use crate::statistics::StatisticsError;

const COLUMNS: [&str; 9] = [
    "height",
    "linear_scaling",
    "aggregate",
    "setting",
    "operators",
    "value",
    "low",
    "high",
    "runs",
];

/// Every setting under every operator set: one row of panels per height and scaling, one column per aggregate.
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
            for aggregate in Aggregate::ALL {
                let name = aggregate.name();
                let mut row_list: Vec<ComparisonRow> = Vec::new();
                for label in &analysis.labels {
                    let mut estimates: Vec<Option<Estimate>> = Vec::new();
                    for operators in &analysis.plan.operators {
                        let found = only_of(analysis, comparisons, (height, scaling, operators));
                        let place = found.and_then(|found| Some((found, found.index(label)?)));
                        let Some((comparison, setting)) = place else {
                            estimates.push(None);
                            continue;
                        };
                        let value = aggregate.estimate(comparison, setting, rows)?;
                        let Estimate { point, low, high } = &value;
                        csv.row(&[
                            &height,
                            scaling,
                            &name,
                            label,
                            operators,
                            point,
                            low,
                            high,
                            &comparison.n_blocks(),
                        ]);
                        estimates.push(Some(value));
                    }
                    row_list.push(ComparisonRow { label: label.clone(), estimates });
                }
                let title = format!("{name}, height {height}, {word} linear scaling");
                panels.push(ComparisonPanel { title, value_limits: None, rows: row_list });
            }
        }
    }
    let frame = PanelFigure {
        title: format!("Final {} R² by operator set", rows.name()),
        description: "One row per linkage setting, one point per operator set.".to_owned(),
        value_label: format!("{} R²", rows.name()),
        n_columns: Aggregate::ALL.len(),
        sharing: Sharing::Separate,
        panels,
    };
    let variants = analysis.plan.operators.iter().map(|name| format!("{name} operators")).collect();
    let figure = ComparisonFigure { frame, variants };
    let caption = format!(
        "Final {} R² (higher is better) under each operator set: interquartile mean (IQM) and mean of the medians per problem, \
         with 95 % intervals of a stratified bootstrap{}. Budget: {}. n = up to {} runs per problem and setting.",
        rows.name(),
        caution(comparisons.iter().map(Comparison::fewest_runs).min().unwrap_or(0)),
        analysis.budget(),
        analysis.plan.repeats
    );
    let name = format!("operators-{}", rows.name());
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}

/// The comparison under one height, scaling and operator set, if it has runs.
fn only_of<'c, 'a>(
    analysis: &Analysis,
    comparisons: &'c [Comparison<'a>],
    (height, scaling, operators): (usize, &str, &str),
) -> Option<&'c Comparison<'a>> {
    comparisons.iter().filter(|comparison| comparison.n_blocks() > 0).find(|comparison| {
        let [only] = comparison.conditions[..] else { return false };
        let condition = &analysis.conditions[only];
        condition.height == height
            && condition.linear_scaling == scaling
            && condition.operators == operators
    })
}
