//! What each operator computes, one number at a time: the definition that every faster loop must equal bit by bit.

use super::elementary;
use crate::expression::Operator;

/// The value of an operator; a unary one ignores `b`. Plain IEEE arithmetic, no function of the platform.
pub(crate) fn apply(operator: Operator, a: f64, b: f64) -> f64 {
    match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        Operator::Sin => elementary::sin_any(a),
        Operator::Cos => elementary::cos_any(a),
        Operator::Exp => elementary::exp(a),
        Operator::Log => elementary::log(a),
        Operator::Sqrt => a.sqrt(),
        Operator::Square => a * a,
        Operator::Negate => -a,
        Operator::Abs => a.abs(),
        Operator::Tanh => libm::tanh(a),
        Operator::Inverse => 1.0 / a,
        Operator::Cube => a * a * a,
        Operator::Power => libm::pow(a, b),
        Operator::Minimum => minimum(a, b),
        Operator::Maximum => maximum(a, b),
        Operator::AnalyticQuotient => a / (1.0 + b * b).sqrt(),
        Operator::ProtectedDivide => protected_divide(a, b),
        Operator::ProtectedLog => protected_log(a),
        Operator::ProtectedSqrt => a.abs().sqrt(),
    }
}

/// The smaller one; NaN if one is NaN, so that an invalid value is never hidden.
#[inline(always)]
pub(super) fn minimum(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

/// The larger one; NaN if one is NaN.
#[inline(always)]
pub(super) fn maximum(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Keeps the quotient finite at 0; sign(0) counts as +1.
#[inline(always)]
pub(super) fn protected_divide(a: f64, b: f64) -> f64 {
    let quotient = a / (b.abs() + 1e-6);
    if b < 0.0 { -quotient } else { quotient }
}

/// The logarithm of |a|, and 0 where that is not finite.
#[inline(always)]
pub(super) fn protected_log(a: f64) -> f64 {
    let value = elementary::log(a.abs());
    if value.is_finite() { value } else { 0.0 }
}
