//! Spearman's rank correlation, also of two similarity matrices: does learned linkage resemble the template (figure 7)?

use super::ranks::ranks;

/// Spearman's rho: the correlation of the ranks, equal values sharing theirs. Nothing for lists of different length,
/// values that are not finite, and where one list has no two different values.
pub fn rank_correlation(values: &[f64], others: &[f64]) -> Option<f64> {
    let is_finite = values.iter().chain(others).all(|value| value.is_finite());
    if values.len() != others.len() || !is_finite {
        return None;
    }
    let centre = (values.len() as f64 + 1.0) / 2.0;
    let centred = |values: &[f64]| -> Vec<f64> {
        ranks(values).into_iter().map(|rank| rank - centre).collect()
    };
    let (a, b) = (centred(values), centred(others));
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    (spread > 0.0).then(|| product(&a, &b) / spread)
}

/// The rank correlation of the pairs i < j of two square matrices, given by rows.
pub fn matrix_rank_correlation(matrix: &[Vec<f64>], other: &[Vec<f64>]) -> Option<f64> {
    rank_correlation(&upper_triangle(matrix)?, &upper_triangle(other)?)
}

/// The entries above the diagonal, row by row; nothing if the matrix is not square.
fn upper_triangle(matrix: &[Vec<f64>]) -> Option<Vec<f64>> {
    let is_square = matrix.iter().all(|row| row.len() == matrix.len());
    let above = matrix.iter().enumerate().flat_map(|(i, row)| row.iter().skip(i + 1)).copied();
    is_square.then(|| above.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_order_matters() {
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[1.0, 10.0, 1000.0]), Some(1.0));
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[0.0, -1.0, -2.0]), Some(-1.0));
        // 1 - 6 Σd² / (n (n² - 1)) with Σd² = 2.
        let rho = rank_correlation(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 4.0, 3.0]).unwrap();
        assert!((rho - 0.8).abs() < 1e-12);
    }

    #[test]
    fn matrices_are_compared_above_the_diagonal() {
        let matrix = [[9.0, 1.0, 2.0], [0.0, 9.0, 3.0], [0.0, 0.0, 9.0]].map(Vec::from);
        let other = [[0.0, 4.0, 5.0], [7.0, 0.0, 6.0], [1.0, 2.0, 0.0]].map(Vec::from);
        assert_eq!(matrix_rank_correlation(&matrix, &other), Some(1.0));
        assert_eq!(matrix_rank_correlation(&matrix, &other[..2]), None);
    }

    #[test]
    fn without_an_order_there_is_no_correlation() {
        assert_eq!(rank_correlation(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(rank_correlation(&[1.0], &[1.0]), None);
        assert_eq!(rank_correlation(&[], &[]), None);
        assert_eq!(rank_correlation(&[1.0, f64::NAN], &[1.0, 2.0]), None);
        assert_eq!(rank_correlation(&[1.0, 2.0], &[1.0]), None);
    }
}
