//! Probability of improvement (figure 10 of the paper's supplement), and the probabilities that the paper states.

use super::analysis::{Analysis, Rows};
use super::comparison::Comparison;
use super::estimates::{BOOTSTRAP, about_intervals, estimate};
use super::parts::{Csv, Figure, Table, number};
use crate::figures::{Estimate, ImprovementMatrix};
use crate::statistics::{StatisticsError, probability_of_improvement_interval};

/// The matrix of a comparison. One half is computed; the other is its mirror image, so that the two agree.
pub(super) fn improvements(
    analysis: &Analysis,
    comparison: &Comparison,
) -> Result<Figure, StatisticsError> {
    let n = comparison.labels.len();
    if n < 2 {
        return Err(StatisticsError::TooFewSettings { n_settings: n });
    }
    let scores: Vec<Vec<Vec<f64>>> =
        (0..n).map(|setting| comparison.scores(setting, Rows::Train)).collect();
    let mut cells: Vec<Vec<Option<Estimate>>> = vec![vec![None; n]; n];
    for row in 0..n {
        for column in row + 1..n {
            let interval =
                probability_of_improvement_interval(&scores[row], &scores[column], &BOOTSTRAP)?;
            let Estimate { point, low, high } = estimate(interval, comparison);
            cells[row][column] = Some(Estimate { point, low, high });
            let mirrored = Estimate { point: 1.0 - point, low: 1.0 - high, high: 1.0 - low };
            cells[column][row] = Some(mirrored);
        }
    }
    let mut csv = Csv::new(&["setting", "other", "probability", "low", "high", "runs"]);
    for (row, label) in comparison.labels.iter().enumerate() {
        for (column, other) in comparison.labels.iter().enumerate() {
            if let Some(Estimate { point, low, high }) = &cells[row][column] {
                csv.row(&[label, other, point, low, high, &comparison.n_blocks()]);
            }
        }
    }
    let figure = ImprovementMatrix {
        title: format!("Probability of improvement, {}", comparison.title),
        description: "How probable it is that a run of the row's setting ends better than one of the column's.".to_owned(),
        labels: comparison.labels.clone(),
        cells,
    };
    let caption = format!(
        "Probability that a run of the setting of the row ends with a higher training R² than one of the setting of the \
         column, {}; ties count one half; bold if the interval does not hold 0.5. {} Budget: {}. {}.",
        comparison.title,
        about_intervals(comparison),
        analysis.budget(),
        comparison.sample()
    );
    let name = format!("improvement-{}", comparison.slug);
    Ok(Figure { name, svg: figure.draw(), csv: csv.text(), caption })
}

/// Probabilities that the paper states in its supplement: about which pair, and how much.
const STATED: [(&str, &str, &str); 11] = [
    ("Node", "Random", "about 0.85"),
    ("Node", "MI", "about 0.80"),
    ("Node", "MI_adjusted", "about 0.80, at least 0.75"),
    ("Node", "Node (static)", "0.66"),
    ("Node", "MI_masked", "0.66"),
    ("MI_masked", "Random", "about 0.66"),
    ("MI_masked", "MI", "about 0.66"),
    ("MI_masked", "MI_adjusted", "about 0.66"),
    ("MI", "MI_adjusted", "0.51, not different from 0.50"),
    ("MI", "Random", "about 0.60"),
    ("Random", "Univariate", "about 0.90"),
];

/// The paper's probabilities next to those of these records.
pub(super) fn stated_probabilities(
    analysis: &Analysis,
    comparison: &Comparison,
) -> Result<Option<Table>, StatisticsError> {
    let mut csv = Csv::new(&["setting", "other", "paper", "probability", "low", "high"]);
    let mut rows = Vec::new();
    for (label, other, stated) in STATED {
        let (Some(first), Some(second)) = (comparison.index(label), comparison.index(other)) else {
            continue;
        };
        let (first, second) =
            (comparison.scores(first, Rows::Train), comparison.scores(second, Rows::Train));
        let interval = probability_of_improvement_interval(&first, &second, &BOOTSTRAP)?;
        let Estimate { point, low, high } = estimate(interval, comparison);
        csv.row(&[&label, &other, &stated, &point, &low, &high]);
        rows.push(vec![
            format!("P({label} > {other})"),
            stated.to_owned(),
            number(point, 2),
            if low.is_nan() {
                "left out".to_owned()
            } else {
                format!("{} to {}", number(low, 2), number(high, 2))
            },
        ]);
    }
    let caption = format!(
        "Probabilities of improvement that the paper states (10⁷ evaluations, all conditions), and those of these records, \
         {}. {} Budget: {}. {}.",
        comparison.title,
        about_intervals(comparison),
        analysis.budget(),
        comparison.sample()
    );
    let header = ["pair", "paper", "here", "95 % interval"].map(str::to_owned).to_vec();
    let name = format!("stated-probabilities-{}", comparison.slug);
    Ok((!rows.is_empty()).then(|| Table { name, csv: csv.text(), caption, header, rows }))
}
