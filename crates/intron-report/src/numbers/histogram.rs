//! How errors are spread: shares of rows between equally spaced limits.

use super::quantile::{quantile, sorted};

/// The errors of each part in the same bins.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    /// Lower end of the first bin.
    pub(crate) low: f64,
    /// Upper end of the last bin.
    pub(crate) high: f64,
    /// For each part the share of its rows in each bin; empty where no error is finite.
    pub(crate) shares: Vec<Vec<f64>>,
    /// Rows of all parts whose error lies outside, or is not finite.
    pub(crate) n_outside: usize,
}

/// Half a per cent of the rows on each side may lie outside, so that a few huge errors do not hide the rest.
const OUTSIDE: f64 = 0.005;

impl Histogram {
    pub(super) fn new(parts: &[&[f64]]) -> Histogram {
        let all: Vec<f64> = parts.iter().flat_map(|part| part.iter().copied()).collect();
        let finite = sorted(&all, None);
        if finite.is_empty() {
            let n_outside = all.len();
            return Histogram { low: -1.0, high: 1.0, shares: Vec::new(), n_outside };
        }
        let (inner_low, inner_high) =
            (quantile(&finite, OUTSIDE), quantile(&finite, 1.0 - OUTSIDE));
        let room = (inner_high - inner_low) * 0.1;
        let (low, high) =
            (finite[0].0.max(inner_low - room), finite[finite.len() - 1].0.min(inner_high + room));
        let (low, high) = if high > low { (low, high) } else { around(low) };
        let n_bins = ((finite.len() as f64).sqrt() as usize).clamp(7, 30);
        let bin_of = |value: f64| {
            let place = ((value - low) / (high - low) * n_bins as f64) as usize;
            (low..=high).contains(&value).then_some(place.min(n_bins - 1))
        };
        let shares_of = |part: &&[f64]| {
            let mut shares = vec![0.0; n_bins];
            let one = 1.0 / part.len().max(1) as f64;
            part.iter().filter_map(|&value| bin_of(value)).for_each(|bin| shares[bin] += one);
            shares
        };
        let n_outside = all.iter().filter(|&&value| bin_of(value).is_none()).count();
        Histogram { low, high, shares: parts.iter().map(shares_of).collect(), n_outside }
    }
}

/// Limits around a single value.
fn around(value: f64) -> (f64, f64) {
    let room = if value == 0.0 { 1.0 } else { value.abs() * 0.5 };
    (value - room, value + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_less_what_lies_outside() {
        let mut errors: Vec<f64> = (0..1000).map(|row| f64::from(row) / 1000.0).collect();
        errors.extend([1e9, f64::NAN]);
        let histogram = Histogram::new(&[&errors, &[0.5, 0.5]]);
        assert_eq!(histogram.n_outside, 2);
        assert!((histogram.shares[0].iter().sum::<f64>() - 1000.0 / 1002.0).abs() < 1e-9);
        assert!((histogram.shares[1].iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(histogram.high < 2.0);
    }

    #[test]
    fn equal_errors_and_none_are_no_fault() {
        let histogram = Histogram::new(&[&[0.0; 5]]);
        assert!(histogram.low < histogram.high);
        assert!((histogram.shares[0].iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(Histogram::new(&[&[f64::NAN]]).shares.is_empty());
    }
}
