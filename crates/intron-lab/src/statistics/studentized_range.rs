//! Studentized range distribution with infinitely many degrees of freedom: the range of k standard normal numbers.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Where the normal density is below the rounding of 1.
const END: f64 = 9.0;
/// Steps of the trapezoidal rule for one unit; its error falls faster than any power of the step for such integrands.
const STEPS_PER_UNIT: i32 = 32;
/// Above any quantile in question; the range of a million normal numbers is below 14.
const LARGEST: f64 = 32.0;

/// The range that `n_numbers` standard normal numbers, at least two, stay below with this probability.
pub(super) fn quantile(probability: f64, n_numbers: usize) -> f64 {
    let (mut below, mut above) = (0.0, LARGEST);
    loop {
        let middle = 0.5 * (below + above);
        if middle <= below || middle >= above {
            return middle;
        }
        if cumulative(middle, n_numbers) < probability {
            below = middle;
        } else {
            above = middle;
        }
    }
}

/// P(range < r) = k ∫ φ(z) (Φ(z) − Φ(z − r))^(k−1) dz, where z is the largest of the k numbers.
fn cumulative(range: f64, n_numbers: usize) -> f64 {
    let step = 1.0 / f64::from(STEPS_PER_UNIT);
    let n_steps = END as i32 * STEPS_PER_UNIT;
    let integrand = |index: i32| {
        let z = f64::from(index) * step;
        let inside = normal(z) - normal(z - range);
        libm::exp(-0.5 * z * z) * libm::pow(inside, (n_numbers - 1) as f64)
    };
    let sum: f64 = (-n_steps..=n_steps).map(integrand).sum();
    n_numbers as f64 * sum * step / (2.0 * PI).sqrt()
}

/// The normal distribution function.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_differ_like_a_normal_number() {
        // The difference has the standard deviation √2; 1.959964 is the two-sided normal quantile.
        let expected = 1.959_963_984_540_054 * 2.0_f64.sqrt();
        assert!((quantile(0.95, 2) - expected).abs() < 1e-12);
    }

    #[test]
    fn printed_tables_are_met() {
        // Demšar (2006), table 5a: quantiles over √2, for 2 to 10 settings.
        let table = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        for (expected, n_numbers) in table.into_iter().zip(2..) {
            let found = quantile(0.95, n_numbers) / 2.0_f64.sqrt();
            assert!((found - expected).abs() < 1e-3, "{n_numbers}: {found}");
        }
    }
}
