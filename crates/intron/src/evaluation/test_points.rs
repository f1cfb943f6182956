//! Rows with which a formula can be tried elsewhere: what goes in, and what must come out.

use super::full::predict;
use crate::expression::{Formula, TestPoint};

/// Number of points, if there are as many rows.
const N_POINTS: usize = 3;

/// Number of made-up rows to choose from.
const N_MADE_UP: usize = 64;

/// Three of the rows with what the formula gives there: far apart, and finite as far as possible.
pub fn test_points(formula: &Formula, features: &[Vec<f64>], n_rows: usize) -> Vec<TestPoint> {
    let outputs = predict(formula, features, n_rows);
    let mut candidates: Vec<usize> = (0..n_rows).filter(|&row| outputs[row].is_finite()).collect();
    if candidates.len() < N_POINTS {
        candidates.extend((0..n_rows).filter(|&row| !outputs[row].is_finite()));
        candidates.truncate(N_POINTS);
    }
    let n_points = candidates.len().min(N_POINTS);
    // The first, the one in the middle and the last.
    let choice = |k: usize| candidates[k * (candidates.len() - 1) / (n_points - 1).max(1)];
    let point = |row: usize| (features.iter().map(|column| column[row]).collect(), outputs[row]);
    (0..n_points).map(|k| point(choice(k))).collect()
}

/// Three made-up rows of short numbers with what the formula gives there, for want of data.
pub fn made_up_points(formula: &Formula, n_features: usize) -> Vec<TestPoint> {
    // Quarters between -2 and 8, others in each column and row.
    let value =
        |row: usize, k: usize| ((row * 17 + k * 13 + row * k * 3 + 12) % 41) as f64 / 4.0 - 2.0;
    let column = |k: usize| (0..N_MADE_UP).map(|row| value(row, k)).collect();
    let features: Vec<Vec<f64>> = (0..n_features).map(column).collect();
    test_points(formula, &features, N_MADE_UP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::FeatureNames;

    fn formula(text: &str) -> Formula {
        let names = FeatureNames::new(&["a".to_owned(), "b".to_owned()]);
        Formula::parse(text, &names).unwrap()
    }

    #[test]
    fn points_are_rows_that_are_finite_if_there_are_any() {
        let features = [vec![-1.0, 1.0, 2.0, 4.0, 5.0, -2.0], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]];
        let roots = test_points(&formula("sqrt(a) + b"), &features, 6);
        let rows: Vec<&[f64]> = roots.iter().map(|point| point.0.as_slice()).collect();
        assert_eq!(rows, [[1.0, 1.0], [2.0, 2.0], [5.0, 4.0]]);
        assert_eq!(roots[0].1, 2.0);
        let logs = test_points(&formula("log(-a)"), &features, 6);
        assert_eq!(logs.iter().filter(|point| point.1.is_finite()).count(), 2);
        assert_eq!(test_points(&formula("a"), &features, 1).len(), 1);
        assert!(test_points(&formula("a"), &features, 0).is_empty());
    }

    #[test]
    fn points_are_made_up_where_there_is_no_data() {
        let points = made_up_points(&formula("log(a) / sqrt(b)"), 2);
        assert_eq!(points.len(), 3);
        assert!(points.iter().all(|point| point.0.len() == 2 && point.1.is_finite()));
        assert_eq!(made_up_points(&formula("1.5"), 0)[0], (Vec::new(), 1.5));
    }
}
