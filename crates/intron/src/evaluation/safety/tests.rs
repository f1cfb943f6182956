//! Verdicts on formulas whose dangers are known.

use super::*;
use crate::data::FeatureRanges;
use crate::expression::{FeatureNames, Formula};

fn names() -> FeatureNames {
    FeatureNames::new(&["x", "y", "z"].map(str::to_owned))
}

/// The verdict in a box, for targets from -10 to 10.
fn verdict(text: &str, ranges: [[f64; 2]; 3]) -> Safety {
    let formula = Formula::parse(text, &names()).unwrap();
    Region { ranges: FeatureRanges(ranges.to_vec()), target: (-10.0, 10.0) }.examine(&formula)
}

const AROUND_ZERO: [[f64; 2]; 3] = [[-5.0, 5.0]; 3];
const POSITIVE: [[f64; 2]; 3] = [[0.5, 5.0]; 3];

#[test]
fn formulas_that_are_finite_everywhere_are_safe() {
    for text in [
        "x / (x * x + 1)",
        "x / (square(x) + 1)",
        "1 / (x * x - x + 1)",
        "log(x * x - x * y + y * y + 0.5)",
        "sqrt(x * x + y * y)",
        "sqrt(abs(x)) + tanh(y) * cos(z)",
        "exp(-(x * x))",
        "1 / (2 + sin(x + y))",
        "log(2 + sin(3 * x) * cos(y))",
        "sqrt((x + y) * (x + y))",
        "x / (1 + exp(-y))",
        "3.5",
    ] {
        assert_eq!(verdict(text, AROUND_ZERO), Safety::Safe, "{text}");
    }
    for text in ["1 / x + log(y) - sqrt(z)", "pow(x, y / 2)", "1 / (x + y * z)", "x / (x + y)"] {
        assert_eq!(verdict(text, POSITIVE), Safety::Safe, "{text}");
    }
    let from_zero = [[0.0, 100.0]; 3];
    for text in ["sqrt(x)", "sqrt(x * y)", "log(x + 1)", "sqrt(x) / (y + 0.1)"] {
        assert_eq!(verdict(text, from_zero), Safety::Safe, "{text}");
    }
}

#[test]
fn poles_negative_logarithms_and_overflows_are_found() {
    for (text, what) in [
        ("1 / x", "divides by 0 near x = 0"),
        ("1 / (x - 1.2345)", "near x = 1.23"),
        ("1 / (x - y)", ""),
        ("x / (x * y - 3.3)", ""),
        ("1 / sin(x)", ""),
        ("log(x + 4.99)", "takes the logarithm of a number that is not above 0 near x = -4.99"),
        ("sqrt(y + 4.9)", "takes the root of a negative number near y = -4.9"),
        ("exp(300 * x)", ""),
        ("exp(2 * x)", "is far from all training targets near x = "),
        ("cube(x) * cube(y)", "is far from all training targets"),
        ("tanh(1 / x)", "divides by 0 near x = "),
        ("x / x", "divides by 0 near x = "),
        ("1 / (x * y * z + 124.9)", ""),
        ("sin(1e308 * 1e308 * x)", "everywhere"),
    ] {
        let Safety::Dangerous(danger) = verdict(text, AROUND_ZERO) else {
            panic!("{text}: {:?}", verdict(text, AROUND_ZERO));
        };
        let told = danger.describe(&names());
        assert!(told.contains(what), "{text}: {told}");
    }
}

#[test]
fn a_feature_that_the_formula_does_not_use_does_not_matter() {
    let huge = [[0.5, 5.0], [f64::MIN, f64::MAX], [f64::MIN, f64::MAX]];
    assert_eq!(verdict("1 / x", huge), Safety::Safe);
}

#[test]
fn near_misses_are_told_from_dangers() {
    // At most 1000, and at most 10,000: the targets reach from -10 to 10, so 2010 is the limit.
    let text = "1 / (square(x * y - z) + square(y * z - x) + square(x * z - y) + 1e-3)";
    assert_eq!(verdict(text, AROUND_ZERO), Safety::Safe);
    let text = "1 / (square(x * y - z) + square(y * z - x) + square(x * z - y) + 1e-4)";
    assert_eq!(verdict(text, AROUND_ZERO).name(), "dangerous");
}

#[test]
fn a_feature_that_stands_twice_is_not_taken_for_two() {
    // Plain intervals would have to halve each of many sides: nineteen features, some twice.
    let names = FeatureNames::new(&(0..19).map(|k| format!("x{k}")).collect::<Vec<_>>());
    let sum: Vec<String> =
        (4..19).map(|k| format!("{} * x{k}", 0.5 + 0.1 * f64::from(k))).collect();
    let text = format!("square({} - 7 * x0 + (x0 - x1) * (40 - x2) + 3 * x1)", sum.join(" + "));
    let formula = Formula::parse(&text, &names).unwrap();
    let largest = {
        let of_sum: f64 = (4..19).map(|k| 5.0 * (0.5 + 0.1 * f64::from(k))).sum();
        // At x0 = 5, x1 = -5, x2 = -5.
        of_sum + (10.0 * 45.0 - 35.0 - 15.0_f64)
    };
    let ranges = FeatureRanges(vec![[-5.0, 5.0]; 19]);
    // A hundred times the width of the targets beyond them is the limit.
    for (share, name) in [(1.3, "safe"), (0.7, "dangerous")] {
        let width = share * largest * largest / 100.5;
        let region = Region { ranges: ranges.clone(), target: (-0.5 * width, 0.5 * width) };
        assert_eq!(region.examine(&formula).name(), name, "{share}");
    }
}

#[test]
fn what_takes_too_much_work_is_undecided() {
    // 1, which intervals see in the smallest boxes only.
    let text = "1 / (1 + x * y + y * z + z * x - x * (y + z) - y * z)";
    assert_eq!(verdict(text, [[-500.0, 500.0]; 3]), Safety::Undecided);
}
