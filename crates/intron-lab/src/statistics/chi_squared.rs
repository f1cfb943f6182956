//! Upper tail of the chi-squared distribution for whole degrees of freedom, where it has a finite sum.

use std::f64::consts::PI;

/// P(X > `statistic`) with this many degrees of freedom.
pub(super) fn upper_tail(statistic: f64, degrees_of_freedom: usize) -> f64 {
    let half = statistic.max(0.0) / 2.0;
    let is_odd = degrees_of_freedom % 2 == 1;
    // Even: e^-h Σ hⁱ/i!, i from 0. Odd: erfc(√h) + e^-h Σ hⁱ/Γ(i+1), i from 1/2. Both in steps of one.
    let mut power = if is_odd { 0.5 } else { 0.0 };
    let mut term = if is_odd { 2.0 * (half / PI).sqrt() } else { 1.0 };
    let mut sum = 0.0;
    for _ in 0..degrees_of_freedom / 2 {
        sum += term;
        power += 1.0;
        term *= half / power;
    }
    let start = if is_odd { libm::erfc(half.sqrt()) } else { 0.0 };
    start + libm::exp(-half) * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_of_printed_tables_leave_five_percent() {
        let critical = [3.841, 5.991, 7.815, 9.488, 11.070, 12.592, 14.067, 15.507];
        for (degrees, value) in critical.into_iter().enumerate() {
            assert!((upper_tail(value, degrees + 1) - 0.05).abs() < 2e-5, "{degrees}");
        }
    }

    #[test]
    fn ends_are_one_and_zero() {
        for degrees in 1..20 {
            assert_eq!(upper_tail(0.0, degrees), 1.0);
            assert_eq!(upper_tail(-1e-15, degrees), 1.0);
            assert_eq!(upper_tail(1e6, degrees), 0.0);
        }
    }
}
