//! Median and quartiles, with linear interpolation between order statistics (numpy's default).

/// The quartiles of a list of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quartiles {
    /// A quarter of the values lies below.
    pub lower: f64,
    /// Half of the values lies below.
    pub median: f64,
    /// A quarter of the values lies above.
    pub upper: f64,
}

/// The value below which the given fraction of the values lies; nothing for no values, for a value that is not
/// finite, and for a fraction outside of 0 to 1.
pub fn quantile(values: &[f64], fraction: f64) -> Option<f64> {
    quantile_of_sorted(&sorted(values)?, fraction)
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Lower quartile, median and upper quartile.
pub fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let sorted = sorted(values)?;
    Some(Quartiles {
        lower: quantile_of_sorted(&sorted, 0.25)?,
        median: quantile_of_sorted(&sorted, 0.5)?,
        upper: quantile_of_sorted(&sorted, 0.75)?,
    })
}

fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.iter().all(|value| value.is_finite()).then_some(values)
}

/// The quantile of values in ascending order.
pub(super) fn quantile_of_sorted(sorted: &[f64], fraction: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&fraction) {
        return None;
    }
    let place = fraction * sorted.len().checked_sub(1)? as f64;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    let weight = place.fract();
    // From the nearer end, as numpy does, so that both ends are met exactly.
    Some(if weight < 0.5 {
        below + (above - below) * weight
    } else {
        above - (above - below) * (1.0 - weight)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_order_statistics_are_interpolated() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&values), Some(2.5));
        let expected = Quartiles { lower: 1.75, median: 2.5, upper: 3.25 };
        assert_eq!(quartiles(&values), Some(expected));
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(median(&[7.0]), Some(7.0));
    }

    #[test]
    fn senseless_input_has_no_quantile() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, f64::NAN]), None);
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(quantile(&[1.0], f64::NAN), None);
    }
}
