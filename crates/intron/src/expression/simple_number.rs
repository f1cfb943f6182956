//! Numbers that people write without digits: whole numbers, fractions with small denominators, and such multiples of π.

use std::f64::consts::PI;

/// Denominators of fractions, and of multiples of π, in the order of their simplicity.
const DENOMINATORS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
const DENOMINATORS_OF_PI: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 6.0];

/// Numerators beyond this are not simple; where digits do not end, as those of a third, beyond the smaller one.
const LARGEST_NUMERATOR: f64 = 1000.0;
const LARGEST_WITH_MANY_DIGITS: f64 = 5.0;

/// Simple numbers further away than this share of a constant are not near it; where digits do not end, than the smaller one: π/6 in the
/// place of 0.51 would claim what the data do not say.
const NEAR: f64 = 0.05;
const NEAR_WITH_MANY_DIGITS: f64 = 0.001;

/// A whole number over another one, times π or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimpleNumber {
    /// A whole number of either sign.
    pub numerator: f64,
    /// A small whole number, at least 1.
    pub denominator: f64,
    /// Whether it is a multiple of π.
    pub is_of_pi: bool,
}

impl SimpleNumber {
    /// The simple number that has this very value, the simplest first.
    pub fn of(value: f64) -> Option<SimpleNumber> {
        let mut known = SimpleNumber::around(value);
        known.find(|simple| simple.value() == value && simple.numerator.abs() <= LARGEST_NUMERATOR)
    }

    /// The values of simple numbers within 5 % of a value (0.1 % where digits do not end), without zero, the simplest first: the
    /// nearest whole number, then the nearest fractions, then the nearest multiples of π and of its fractions.
    pub fn values_near(value: f64) -> Vec<f64> {
        let mut found: Vec<f64> = Vec::new();
        for simple in SimpleNumber::around(value) {
            let candidate = simple.value();
            let near = if simple.has_many_digits() { NEAR_WITH_MANY_DIGITS } else { NEAR };
            let is_near = (candidate - value).abs() <= near * value.abs();
            if is_near && candidate != 0.0 && !found.contains(&candidate) {
                found.push(candidate);
            }
        }
        found
    }

    /// Whether its digits do not end.
    pub fn has_many_digits(self) -> bool {
        self.is_of_pi || [3.0, 6.0].contains(&self.denominator)
    }

    /// For each denominator the nearest number.
    fn around(value: f64) -> impl Iterator<Item = SimpleNumber> {
        let fraction = move |denominator: f64| {
            let numerator = (value * denominator).round();
            SimpleNumber { numerator, denominator, is_of_pi: false }
        };
        let multiple = move |denominator: f64| {
            let numerator = (value * denominator / PI).round();
            SimpleNumber { numerator, denominator, is_of_pi: true }
        };
        let fractions = DENOMINATORS.into_iter().map(fraction);
        let all = fractions.chain(DENOMINATORS_OF_PI.into_iter().map(multiple));
        all.filter(|simple| {
            !simple.has_many_digits() || simple.numerator.abs() <= LARGEST_WITH_MANY_DIGITS
        })
    }

    fn value(self) -> f64 {
        let unit = if self.is_of_pi { PI } else { 1.0 };
        self.numerator * unit / self.denominator
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_4;

    use super::*;

    #[test]
    fn the_simplest_come_first() {
        let first = |value: f64| SimpleNumber::values_near(value)[0];
        assert_eq!((first(2.0001), first(0.3334), first(1.498)), (2.0, 1.0 / 3.0, 1.5));
        assert!(SimpleNumber::values_near(3.1417).contains(&PI));
        assert!(SimpleNumber::values_near(-0.785).contains(&-FRAC_PI_4));
        assert!(!SimpleNumber::values_near(0.53).contains(&(PI / 6.0)));
        assert!(SimpleNumber::values_near(0.001).is_empty());
    }

    #[test]
    fn a_simple_number_is_known_by_its_value() {
        let parts =
            |value: f64| SimpleNumber::of(value).map(|n| (n.numerator, n.denominator, n.is_of_pi));
        assert_eq!(parts(-2.0 / 3.0), Some((-2.0, 3.0, false)));
        assert_eq!(parts(0.7), Some((7.0, 10.0, false)));
        assert_eq!(parts(0.0), Some((0.0, 1.0, false)));
        assert_eq!(parts(-FRAC_PI_4), Some((-1.0, 4.0, true)));
        for other in [0.333, 3.15, 0.123, 14.0 / 3.0, 7.0 * PI, 1e6, f64::INFINITY, f64::NAN] {
            assert_eq!(parts(other), None, "{other}");
        }
        for value in [0.2999, 1.01, 2.1, 12.3, -5.3, 100.4] {
            for near in SimpleNumber::values_near(value) {
                assert_eq!(SimpleNumber::of(near).map(SimpleNumber::value), Some(near));
            }
        }
    }
}
