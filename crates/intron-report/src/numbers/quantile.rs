//! Quantiles of weighted values.

/// The smallest value that at least this share of the weight does not exceed. `sorted` holds values in increasing order
/// with their weights, at least one.
pub(super) fn quantile(sorted: &[(f64, f64)], share: f64) -> f64 {
    let total: f64 = sorted.iter().map(|pair| pair.1).sum();
    let mut so_far = 0.0;
    for &(value, weight) in sorted {
        so_far += weight;
        if so_far >= share * total {
            return value;
        }
    }
    sorted[sorted.len() - 1].0
}

/// The finite values in increasing order, with their weights.
pub(super) fn sorted(values: &[f64], weights: Option<&[f64]>) -> Vec<(f64, f64)> {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let pairs = values.iter().enumerate().map(|(row, &value)| (value, weight(row)));
    let mut pairs: Vec<(f64, f64)> = pairs.filter(|pair| pair.0.is_finite()).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_count_weights_and_leave_out_what_is_not_finite() {
        let values = [3.0, f64::NAN, 1.0, 2.0, f64::INFINITY];
        let plain = sorted(&values, None);
        assert_eq!([0.0, 0.5, 1.0].map(|share| quantile(&plain, share)), [1.0, 2.0, 3.0]);
        let heavy = sorted(&values, Some(&[8.0, 1.0, 1.0, 1.0, 1.0]));
        assert_eq!(quantile(&heavy, 0.5), 3.0);
    }
}
