//! Operators on blocks of rows: plain loops that the compiler turns into vector instructions.
//!
//! Every loop exists twice, once compiled for AVX2 and FMA; both hold the same operations in the same order,
//! and no multiplication and addition is fused unless it says so, hence the same bits.

use super::arithmetic::{apply, maximum, minimum, protected_divide, protected_log};
use super::elementary;
use super::instructions::Instructions;
use crate::expression::Operator;

/// An argument of an operator: a block of a column, or one number for all rows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operand<'a> {
    /// One value per row.
    Column(&'a [f64]),
    /// The same value in every row.
    Scalar(f64),
}

/// Computes an operator on a block of rows. A unary one ignores `b`.
pub(crate) fn compute(
    instructions: Instructions,
    operator: Operator,
    a: Operand<'_>,
    b: Operand<'_>,
    out: &mut [f64],
) {
    #[cfg(target_arch = "x86_64")]
    if instructions.has_avx2() {
        // SAFETY: `has_avx2` has just found both features on this machine.
        #[allow(unsafe_code)]
        unsafe {
            compute_avx2(operator, a, b, out);
        }
        return;
    }
    let _ = instructions;
    compute_inline(operator, a, b, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn compute_avx2(operator: Operator, a: Operand<'_>, b: Operand<'_>, out: &mut [f64]) {
    compute_inline(operator, a, b, out);
}

#[inline(always)]
fn compute_inline(operator: Operator, a: Operand<'_>, b: Operand<'_>, out: &mut [f64]) {
    match operator {
        Operator::Add => binary(a, b, out, |a, b| a + b),
        Operator::Subtract => binary(a, b, out, |a, b| a - b),
        Operator::Multiply => binary(a, b, out, |a, b| a * b),
        Operator::Divide => binary(a, b, out, |a, b| a / b),
        Operator::Sin => {
            unary(a, out, elementary::sin);
            mend_huge_arguments(a, out, elementary::sin_any);
        }
        Operator::Cos => {
            unary(a, out, elementary::cos);
            mend_huge_arguments(a, out, elementary::cos_any);
        }
        Operator::Exp => unary(a, out, elementary::exp),
        Operator::Log => unary(a, out, elementary::log),
        Operator::Sqrt => unary(a, out, f64::sqrt),
        Operator::Square => unary(a, out, |a| a * a),
        Operator::Negate => unary(a, out, |a| -a),
        Operator::Abs => unary(a, out, f64::abs),
        Operator::Inverse => unary(a, out, |a| 1.0 / a),
        Operator::Cube => unary(a, out, |a| a * a * a),
        Operator::Minimum => binary(a, b, out, minimum),
        Operator::Maximum => binary(a, b, out, maximum),
        Operator::AnalyticQuotient => binary(a, b, out, |a, b| a / (1.0 + b * b).sqrt()),
        Operator::ProtectedDivide => binary(a, b, out, protected_divide),
        Operator::ProtectedLog => unary(a, out, protected_log),
        Operator::ProtectedSqrt => unary(a, out, |a| a.abs().sqrt()),
        Operator::Tanh | Operator::Power => binary(a, b, out, |a, b| apply(operator, a, b)),
    }
}

#[inline(always)]
fn unary(a: Operand<'_>, out: &mut [f64], function: impl Fn(f64) -> f64) {
    match a {
        Operand::Column(a) => {
            for (out, &a) in out.iter_mut().zip(a) {
                *out = function(a);
            }
        }
        Operand::Scalar(a) => out.fill(function(a)),
    }
}

#[inline(always)]
fn binary(a: Operand<'_>, b: Operand<'_>, out: &mut [f64], function: impl Fn(f64, f64) -> f64) {
    match (a, b) {
        (Operand::Column(a), Operand::Column(b)) => {
            for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *out = function(a, b);
            }
        }
        (Operand::Column(a), Operand::Scalar(b)) => {
            for (out, &a) in out.iter_mut().zip(a) {
                *out = function(a, b);
            }
        }
        (Operand::Scalar(a), Operand::Column(b)) => {
            for (out, &b) in out.iter_mut().zip(b) {
                *out = function(a, b);
            }
        }
        (Operand::Scalar(a), Operand::Scalar(b)) => out.fill(function(a, b)),
    }
}

/// Replaces the results of arguments that the branch-free reduction cannot take; they are rare.
#[inline(always)]
fn mend_huge_arguments(a: Operand<'_>, out: &mut [f64], function: fn(f64) -> f64) {
    let is_huge = |a: f64| a.abs() > elementary::REDUCTION_LIMIT;
    match a {
        Operand::Column(a) => {
            let n_huge = a.iter().fold(0_u64, |count, &a| count + u64::from(is_huge(a)));
            if n_huge > 0 {
                for (out, &a) in out.iter_mut().zip(a).filter(|(_, a)| is_huge(**a)) {
                    *out = function(a);
                }
            }
        }
        Operand::Scalar(a) => out.fill(function(a)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECIAL: [f64; 22] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        -2.5,
        3.7,
        1e-300,
        5e-324,
        -5e-324,
        1e300,
        -1e300,
        1e10,
        -3e9,
        709.0,
        -745.0,
        1e-10,
        1.0737418245e9,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    #[test]
    fn every_loop_equals_the_definition_bit_by_bit() {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for a in SPECIAL {
            for b in SPECIAL {
                left.push(a);
                right.push(b);
            }
        }
        let mut stream = crate::random::Seed(5).stream(crate::random::StreamName::Split);
        for _ in 0..2_000 {
            left.push((stream.unit() - 0.5) * 40.0);
            right.push((stream.unit() - 0.5) * 4.0);
        }
        let mut out = vec![0.0; left.len()];
        for instructions in [Instructions::Detected, Instructions::Portable] {
            for operator in Operator::all() {
                let (a, b) = (Operand::Column(&left), Operand::Column(&right));
                compute(instructions, operator, a, b, &mut out);
                for (row, &got) in out.iter().enumerate() {
                    let expected = apply(operator, left[row], right[row]);
                    assert!(same(got, expected), "{operator:?} {} {}", left[row], right[row]);
                }
                for value in SPECIAL {
                    compute(instructions, operator, a, Operand::Scalar(value), &mut out);
                    assert!((0..out.len()).all(|r| same(out[r], apply(operator, left[r], value))));
                    compute(instructions, operator, Operand::Scalar(value), b, &mut out);
                    assert!((0..out.len()).all(|r| same(out[r], apply(operator, value, right[r]))));
                }
            }
        }
    }
}
