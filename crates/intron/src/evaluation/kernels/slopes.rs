//! Derivatives of operators by their arguments, on blocks of rows: plain loops, compiled twice as those of the operators are.

use super::instructions::Instructions;
use crate::expression::Operator;

/// The derivative of an operator by its first (0) or second (1) argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slope {
    pub(crate) operator: Operator,
    pub(crate) argument: usize,
}

impl Slope {
    /// An operator of the first argument that the derivative needs.
    pub(crate) fn helper(self) -> Option<Operator> {
        match (self.operator, self.argument) {
            (Operator::Sin, _) => Some(Operator::Cos),
            (Operator::Cos, _) => Some(Operator::Sin),
            (Operator::Power, 1) => Some(Operator::Log),
            _ => None,
        }
    }
}

/// What the derivative of an operator is made of, row by row.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) a: &'a [f64],
    pub(crate) b: &'a [f64],
    pub(crate) value: &'a [f64],
    /// What [`Slope::helper`] asked for; anything where it asked for nothing.
    pub(crate) helped: &'a [f64],
    /// The derivative of the output by the operator.
    pub(crate) from: &'a [f64],
}

impl Rows<'_> {
    /// Multiplies with the slope of each row. One loop per operator, so that each is a vector loop.
    #[inline(always)]
    fn times(&self, into: &mut [f64], slope: impl Fn(f64, f64, f64, f64) -> f64) {
        let n = into.len();
        let (a, b, value) = (&self.a[..n], &self.b[..n], &self.value[..n]);
        let (helped, from) = (&self.helped[..n], &self.from[..n]);
        for row in 0..n {
            into[row] = from[row] * slope(a[row], b[row], value[row], helped[row]);
        }
    }
}

/// The derivative of the output by an argument: that by the operator, times the operator's by the argument.
pub(crate) fn multiply_slopes(
    instructions: Instructions,
    slope: Slope,
    rows: Rows<'_>,
    into: &mut [f64],
) {
    #[cfg(target_arch = "x86_64")]
    if instructions.has_avx2() {
        // SAFETY: `has_avx2` has just found both features on this machine.
        #[allow(unsafe_code)]
        unsafe {
            multiply_slopes_avx2(slope, rows, into);
        }
        return;
    }
    let _ = instructions;
    multiply_slopes_inline(slope, rows, into);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn multiply_slopes_avx2(slope: Slope, rows: Rows<'_>, into: &mut [f64]) {
    multiply_slopes_inline(slope, rows, into);
}

/// The loops, to be compiled for the instructions of the caller. At a kink the derivative is that of one side.
#[inline(always)]
fn multiply_slopes_inline(slope: Slope, rows: Rows<'_>, into: &mut [f64]) {
    use Operator::*;
    match (slope.operator, slope.argument) {
        (Add, _) | (Subtract, 0) => into.copy_from_slice(&rows.from[..into.len()]),
        (Subtract, _) | (Negate, _) => rows.times(into, |_, _, _, _| -1.0),
        (Multiply, 0) => rows.times(into, |_, b, _, _| b),
        (Multiply, _) => rows.times(into, |a, _, _, _| a),
        (Divide, 0) => rows.times(into, |_, b, _, _| 1.0 / b),
        (Divide, _) => rows.times(into, |_, b, value, _| -value / b),
        (Sin, _) => rows.times(into, |_, _, _, cos| cos),
        (Cos, _) => rows.times(into, |_, _, _, sin| -sin),
        (Exp, _) => rows.times(into, |_, _, value, _| value),
        (Log, _) => rows.times(into, |a, _, _, _| 1.0 / a),
        (Sqrt, _) => rows.times(into, |_, _, value, _| 0.5 / value),
        (Square, _) => rows.times(into, |a, _, _, _| 2.0 * a),
        (Cube, _) => rows.times(into, |a, _, _, _| 3.0 * a * a),
        (Abs, _) => rows.times(into, |a, _, _, _| sign(a)),
        (Tanh, _) => rows.times(into, |_, _, value, _| 1.0 - value * value),
        (Inverse, _) => rows.times(into, |_, _, value, _| -value * value),
        (Power, 0) => rows.times(into, |a, b, value, _| b * value / a),
        (Power, _) => rows.times(into, |_, _, value, log| value * log),
        (Minimum, 0) | (Maximum, 1) => rows.times(into, |a, b, _, _| indicator(a <= b)),
        (Minimum, _) | (Maximum, _) => rows.times(into, |a, b, _, _| indicator(a > b)),
        (AnalyticQuotient, 0) => rows.times(into, |_, b, _, _| 1.0 / (1.0 + b * b).sqrt()),
        (AnalyticQuotient, _) => rows.times(into, |_, b, value, _| -value * b / (1.0 + b * b)),
        (ProtectedDivide, 0) => rows.times(into, |_, b, _, _| sign(b) / (b.abs() + 1e-6)),
        (ProtectedDivide, _) => {
            rows.times(into, |_, b, value, _| -value * sign(b) / (b.abs() + 1e-6));
        }
        (ProtectedLog, _) => rows.times(into, |a, _, _, _| if a == 0.0 { 0.0 } else { 1.0 / a }),
        (ProtectedSqrt, _) => rows.times(into, |a, _, value, _| sign(a) * 0.5 / value),
    }
}

#[inline(always)]
fn indicator(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[inline(always)]
fn sign(a: f64) -> f64 {
    if a < 0.0 { -1.0 } else { 1.0 }
}
