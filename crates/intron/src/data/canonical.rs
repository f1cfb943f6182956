//! Training rows in one canonical order, rows of weight 0 dropped and equal rows merged: a search depends
//! neither on the order of the rows nor on whether a row is repeated or weighted.

use super::dataset::Dataset;
use crate::error::Error;

/// The rows that a search sees: largest |y − ȳ| first, then by value.
///
/// That order lets a bound on the error of the first rows rule out bad candidates early.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingRows {
    rows: Dataset,
    target_mean: f64,
}

impl TrainingRows {
    /// Brings rows into canonical order. Refuses fewer than two distinct targets.
    pub fn new(dataset: &Dataset) -> Result<TrainingRows, Error> {
        let merged = merge_equal_rows(dataset);
        let target = merged.target();
        if dataset.n_rows() < 2 {
            return Err(Error::data("there is only one row to learn from", "give at least two"));
        }
        if target.iter().all(|&y| y == target[0]) {
            return Err(Error::data(
                format!("the target is constant ({}) on the training rows", target[0]),
                "choose another target, give more rows, or split them differently (seed, test fraction)",
            ));
        }
        let target_mean = weighted_mean(target, merged.weights());
        let mut order: Vec<usize> = (0..merged.n_rows()).collect();
        let far = |row: usize| (target[row] - target_mean).abs();
        // A stable sort of rows that are in the order of their values.
        order.sort_by(|&a, &b| far(b).total_cmp(&far(a)));
        Ok(TrainingRows { rows: merged.rows(&order), target_mean })
    }

    /// The rows, with weights only where they are not all equal.
    pub fn dataset(&self) -> &Dataset {
        &self.rows
    }

    /// The weighted mean of the target.
    pub fn target_mean(&self) -> f64 {
        self.target_mean
    }

    /// Smallest and largest target.
    pub fn target_range(&self) -> (f64, f64) {
        let target = self.rows.target();
        let smallest = target.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = target.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (smallest, largest)
    }
}

/// Rows in the order of their values, each content once, with the sum of its weights.
fn merge_equal_rows(dataset: &Dataset) -> Dataset {
    let weight = |row: usize| dataset.weights().map_or(1.0, |weights| weights[row]);
    let mut order: Vec<usize> = (0..dataset.n_rows()).filter(|&row| weight(row) > 0.0).collect();
    order.sort_by(|&a, &b| dataset.compare_rows(a, b));
    let mut kept: Vec<usize> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    for row in order {
        match kept.last() {
            Some(&last) if dataset.has_equal_rows(last, row) => {
                *weights.last_mut().expect("one weight per kept row") += weight(row);
            }
            _ => {
                kept.push(row);
                weights.push(weight(row));
            }
        }
    }
    let rows = dataset.rows(&kept);
    // Equal weights mean no weights: the unweighted path is taken, and doubling every row changes nothing.
    let weights = if weights.iter().all(|&w| w == weights[0]) { None } else { Some(weights) };
    Dataset::new(rows.names().to_vec(), rows.features().to_vec(), rows.target().to_vec(), weights)
        .expect("rows of a checked data set are sound")
}

/// Σ w·y / Σ w without overflow for any finite y.
fn weighted_mean(values: &[f64], weights: Option<&[f64]>) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let total: f64 = (0..values.len()).map(weight).sum();
    let largest = values.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
    if largest * total.max(1.0) < 1e290 {
        (0..values.len()).map(|row| weight(row) * values[row]).sum::<f64>() / total
    } else {
        (0..values.len()).map(|row| weight(row) / total * values[row]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset(x: &[f64], y: &[f64], weights: Option<&[f64]>) -> Dataset {
        let weights = weights.map(<[f64]>::to_vec);
        Dataset::new(vec!["x".into()], vec![x.to_vec()], y.to_vec(), weights).unwrap()
    }

    #[test]
    fn order_repetition_and_weight_do_not_matter() {
        let plain = dataset(&[1., 2., 3., 3.], &[5., 1., 9., 9.], None);
        let shuffled = dataset(&[3., 1., 3., 2.], &[9., 5., 9., 1.], None);
        let weighted = dataset(&[3., 7., 2., 1.], &[9., 4., 1., 5.], Some(&[2., 0., 1., 1.]));
        let canonical = TrainingRows::new(&plain).unwrap();
        assert_eq!(canonical, TrainingRows::new(&shuffled).unwrap());
        assert_eq!(canonical, TrainingRows::new(&weighted).unwrap());
        assert_eq!(canonical.dataset().target(), [1., 9., 5.]);
        assert_eq!(canonical.dataset().weights(), Some(&[1., 2., 1.][..]));
        assert_eq!(canonical.target_mean(), 6.0);
    }

    #[test]
    fn equal_weights_are_no_weights() {
        let twice = dataset(&[1., 2., 1., 2.], &[5., 1., 5., 1.], None);
        let once = dataset(&[1., 2.], &[5., 1.], None);
        assert_eq!(TrainingRows::new(&twice).unwrap(), TrainingRows::new(&once).unwrap());
    }

    #[test]
    fn huge_targets_have_a_finite_mean() {
        let huge = dataset(&[1., 2., 3.], &[1e308, 1.5e308, 1.2e308], None);
        assert!(TrainingRows::new(&huge).unwrap().target_mean().is_finite());
    }

    #[test]
    fn a_constant_target_is_refused() {
        let constant = dataset(&[1., 2., 3.], &[4., 4., 5.], Some(&[1., 1., 0.]));
        assert!(TrainingRows::new(&constant).unwrap_err().to_string().contains("constant"));
    }
}
