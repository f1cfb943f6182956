//! How a formula fits some rows: scores, and the points of its pictures.

use intron::{Dataset, Formula, predict, score};

use super::quantile::{quantile, sorted};
use super::sample::sample;
use crate::subject::{Part, Subject};

/// Rows with the largest errors that are always drawn.
const N_WORST: usize = 10;

/// Scores of a formula on some rows, each counted by its weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scores {
    /// R²; none where the target is constant, minus infinity where a prediction is not finite.
    pub(crate) r2: Option<f64>,
    /// Root of the mean squared error, over finite predictions.
    pub(crate) rmse: Option<f64>,
    /// Mean of the absolute errors, over finite predictions.
    pub(crate) mean_absolute_error: Option<f64>,
    /// Half of the rows have an absolute error of at most this.
    pub(crate) median_absolute_error: Option<f64>,
    /// Number of rows whose prediction is not finite.
    pub(crate) n_not_finite: usize,
    /// Number of rows.
    pub(crate) n_rows: usize,
}

/// A formula on the rows of one part.
#[derive(Debug, Clone)]
pub(crate) struct PartFit {
    pub(crate) scores: Scores,
    /// Target minus prediction, row by row.
    pub(crate) residuals: Vec<f64>,
    /// Targets and predictions of the rows that are drawn.
    pub(crate) points: Vec<(f64, f64)>,
}

impl PartFit {
    /// Looks at one part; `most` rows are drawn, and those with the largest errors.
    pub(super) fn new(formula: &Formula, subject: &Subject, part: usize, most: usize) -> PartFit {
        let Part { rows, .. } = subject.parts[part];
        let predictions = predict(formula, rows.features(), rows.n_rows());
        let residuals: Vec<f64> =
            rows.target().iter().zip(&predictions).map(|(y, prediction)| y - prediction).collect();
        let mut drawn = sample(rows.n_rows(), most, subject.seed, part);
        if drawn.len() < rows.n_rows() {
            drawn.extend(worst(&residuals));
            drawn.sort_unstable();
            drawn.dedup();
        }
        let points = drawn.iter().map(|&row| (rows.target()[row], predictions[row])).collect();
        PartFit { scores: scores(rows, &predictions, &residuals), residuals, points }
    }
}

/// The rows with the largest finite errors.
fn worst(residuals: &[f64]) -> Vec<usize> {
    let mut rows: Vec<usize> =
        (0..residuals.len()).filter(|&row| residuals[row].is_finite()).collect();
    let order =
        |a: &usize, b: &usize| residuals[*b].abs().total_cmp(&residuals[*a].abs()).then(a.cmp(b));
    if rows.len() > N_WORST {
        rows.select_nth_unstable_by(N_WORST, order);
        rows.truncate(N_WORST);
    }
    rows
}

fn scores(rows: &Dataset, predictions: &[f64], residuals: &[f64]) -> Scores {
    let weights = rows.weights();
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let (mut squares, mut absolutes, mut total, mut n_finite) = (0.0, 0.0, 0.0, 0);
    for (row, residual) in residuals.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        squares += weight(row) * residual * residual;
        absolutes += weight(row) * residual.abs();
        total += weight(row);
        n_finite += 1;
    }
    let mean = |sum: f64| (total > 0.0).then(|| sum / total);
    let sizes: Vec<f64> = residuals.iter().map(|residual| residual.abs()).collect();
    let sizes = sorted(&sizes, weights);
    Scores {
        r2: is_varied(rows).then(|| score(rows, predictions).fitness.r2()),
        rmse: mean(squares).map(f64::sqrt),
        mean_absolute_error: mean(absolutes),
        median_absolute_error: (!sizes.is_empty()).then(|| quantile(&sizes, 0.5)),
        n_not_finite: residuals.len() - n_finite,
        n_rows: rows.n_rows(),
    }
}

/// Whether the target takes more than one value, so that R² is defined.
pub(super) fn is_varied(rows: &Dataset) -> bool {
    rows.target().iter().any(|&y| y != rows.target()[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_errors_are_found() {
        let residuals: Vec<f64> = (0..100).map(|row| if row == 7 { -50.0 } else { 0.01 }).collect();
        assert!(worst(&residuals).contains(&7));
        assert_eq!(worst(&residuals).len(), N_WORST);
        assert_eq!(worst(&[f64::NAN, 1.0]), [1]);
    }

    #[test]
    fn scores_are_those_of_the_library_and_count_weights() {
        let rows = Dataset::new(
            vec!["a".to_owned()],
            vec![vec![1.0, 2.0, 3.0]],
            vec![1.0, 2.0, 5.0],
            Some(vec![1.0, 1.0, 2.0]),
        )
        .unwrap();
        let scores = scores(&rows, &[1.0, 2.0, 3.0], &[0.0, 0.0, 2.0]);
        assert_eq!(scores.rmse, Some(2_f64.sqrt()));
        assert_eq!(scores.mean_absolute_error, Some(1.0));
        assert_eq!(scores.r2, Some(score(&rows, &[1.0, 2.0, 3.0]).fitness.r2()));
    }
}
