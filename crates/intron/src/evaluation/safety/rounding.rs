//! Sums, products, quotients and roots rounded downwards or upwards. What an operation lost is computed exactly, so an exact
//! result stays as it is: 0 must not become a little less than 0 below a root.

/// Below this the loss of a product or quotient may itself be rounded away.
const TINY: f64 = 1e-290;

pub(super) fn sum_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's exact error of a sum.
    let part = sum - a;
    let lost = (a - (sum - part)) + (b - part);
    if lost < 0.0 { sum.next_down() } else { sum }
}

pub(super) fn sum_up(a: f64, b: f64) -> f64 {
    -sum_down(-a, -b)
}

pub(super) fn product_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    if product.abs() < TINY {
        return tiny_down(product, (a > 0.0) == (b > 0.0));
    }
    if a.mul_add(b, -product) < 0.0 { product.next_down() } else { product }
}

pub(super) fn product_up(a: f64, b: f64) -> f64 {
    -product_down(-a, b)
}

/// `b` is not 0.
pub(super) fn quotient_down(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let quotient = a / b;
    if quotient.abs() < TINY || a.abs() < TINY {
        return tiny_down(quotient, (a > 0.0) == (b > 0.0));
    }
    let lost = (-quotient).mul_add(b, a);
    let is_too_large = if b > 0.0 { lost < 0.0 } else { lost > 0.0 };
    if is_too_large { quotient.next_down() } else { quotient }
}

pub(super) fn quotient_up(a: f64, b: f64) -> f64 {
    -quotient_down(-a, b)
}

/// `a` is not negative.
pub(super) fn root_down(a: f64) -> f64 {
    let root = a.sqrt();
    if a < TINY {
        return tiny_down(root, true);
    }
    if (-root).mul_add(root, a) < 0.0 { root.next_down() } else { root }
}

/// `a` is not negative.
pub(super) fn root_up(a: f64) -> f64 {
    let root = a.sqrt();
    if a == 0.0 || a >= TINY && (-root).mul_add(root, a) <= 0.0 { root } else { root.next_up() }
}

/// One step down, but not below 0 where the exact result is not negative.
fn tiny_down(result: f64, is_positive: bool) -> f64 {
    let down = result.next_down();
    if is_positive { down.max(0.0) } else { down }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_results_stay_and_others_are_enclosed_tightly() {
        assert_eq!((sum_down(0.5, 0.25), sum_up(0.5, 0.25)), (0.75, 0.75));
        assert_eq!((product_down(3.0, -5.0), product_up(3.0, -5.0)), (-15.0, -15.0));
        assert_eq!((quotient_down(1.0, 4.0), quotient_up(1.0, 4.0)), (0.25, 0.25));
        assert_eq!((root_down(9.0), root_up(9.0)), (3.0, 3.0));
        let pairs = [
            (sum_down(0.1, 0.2), sum_up(0.1, 0.2)),
            (sum_down(1e300, -1e-300), sum_up(1e300, -1e-300)),
            (product_down(0.1, 0.1), product_up(0.1, 0.1)),
            (product_down(-0.1, 0.3), product_up(-0.1, 0.3)),
            (quotient_down(1.0, 3.0), quotient_up(1.0, 3.0)),
            (quotient_down(1.0, -3.0), quotient_up(1.0, -3.0)),
            (root_down(2.0), root_up(2.0)),
        ];
        for (down, up) in pairs {
            assert_eq!(down.next_up(), up);
        }
    }

    #[test]
    fn results_that_vanish_keep_their_sign() {
        let least = f64::from_bits(1);
        assert_eq!((product_down(1e-200, 1e-200), product_up(1e-200, 1e-200)), (0.0, least));
        assert_eq!((product_down(-1e-200, 1e-200), product_up(-1e-200, 1e-200)), (-least, 0.0));
        assert_eq!((quotient_down(1e-200, 1e200), quotient_up(1e-200, 1e200)), (0.0, least));
        assert_eq!((product_down(0.0, -3.0), product_up(-0.0, 3.0)), (0.0, 0.0));
        assert_eq!((root_down(0.0), root_up(0.0)), (0.0, 0.0));
    }
}
