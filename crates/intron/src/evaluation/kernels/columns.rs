//! Operators on blocks of rows: plain loops that the compiler turns into vector instructions.
//!
//! Every loop exists twice, once compiled for AVX2 and FMA; both hold the same operations in the same order,
//! and no multiplication and addition is fused unless it says so, hence the same bits.

use super::arithmetic::{apply, maximum, minimum, protected_divide, protected_log};
use super::elementary;
use super::instructions::Instructions;
use crate::expression::Operator;

/// Rows that the loops take at a time; blocks are whole groups of rows.
pub(crate) const GROUP: usize = 16;

/// The values of a group of rows.
pub(crate) type Group = [f64; GROUP];

/// An argument of an operator: a block of a column, or one number for all rows. The loops need not know which: a number is
/// one group that is read again and again.
#[derive(Clone, Copy)]
pub(super) struct Argument {
    first: *const Group,
    /// Groups to go on after each: 1, or 0 for a number.
    step: usize,
}

impl Argument {
    #[inline(always)]
    pub(super) fn column(first: *const Group) -> Argument {
        Argument { first, step: 1 }
    }

    #[inline(always)]
    pub(super) fn number(value: *const Group) -> Argument {
        Argument { first: value, step: 0 }
    }

    /// The rows to read: those of `n` groups, or those of the one group that there is.
    ///
    /// SAFETY: a column has `n` groups, and nobody writes them while they are read.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn rows<'a>(self, n: usize) -> &'a [f64] {
        let n = if self.step == 0 { n.min(1) } else { n };
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.first.cast(), n * GROUP) }
    }
}

/// An argument that is read safely: a block of a column, or one number for all rows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operand<'a> {
    /// One value per row.
    Column(&'a [Group]),
    /// The same value in every row.
    Scalar(f64),
}

/// Computes an operator on a block of rows. A unary one ignores `b`.
pub(crate) fn compute(
    instructions: Instructions,
    operator: Operator,
    a: Operand<'_>,
    b: Operand<'_>,
    out: &mut [Group],
) {
    let number = |operand: Operand<'_>| match operand {
        Operand::Column(_) => [0.0; GROUP],
        Operand::Scalar(value) => [value; GROUP],
    };
    let numbers = [number(a), number(b)];
    let argument = |operand: Operand<'_>, number: &Group| match operand {
        Operand::Column(column) => {
            assert!(column.len() >= out.len(), "an argument is as long as the result");
            Argument::column(column.as_ptr())
        }
        Operand::Scalar(_) => Argument::number(number),
    };
    let (a, b) = (argument(a, &numbers[0]), argument(b, &numbers[1]));
    #[cfg(target_arch = "x86_64")]
    if instructions.has_avx2() {
        // SAFETY: `has_avx2` has just found both features on this machine; see below for the rest.
        #[allow(unsafe_code)]
        unsafe {
            compute_avx2(operator, a, b, out.as_mut_ptr(), out.len());
        }
        return;
    }
    let _ = instructions;
    // SAFETY: columns were found long enough; `out` is borrowed alone, so it is none of them.
    #[allow(unsafe_code)]
    unsafe {
        compute_inline(operator, a, b, out.as_mut_ptr(), out.len());
    }
}

/// SAFETY: as for [`compute_inline`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code)]
unsafe fn compute_avx2(operator: Operator, a: Argument, b: Argument, out: *mut Group, n: usize) {
    // SAFETY: the caller's promise.
    unsafe { compute_inline(operator, a, b, out, n) };
}

/// The loops, to be compiled for the instructions of the caller.
///
/// SAFETY: `out` has room for `n` groups, which are no part of an argument; arguments that are columns have `n` groups.
#[inline(always)]
#[allow(unsafe_code)]
pub(super) unsafe fn compute_inline(
    operator: Operator,
    a: Argument,
    b: Argument,
    out: *mut Group,
    n: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match operator {
            Operator::Add => binary(a, b, out, n, |a, b| a + b),
            Operator::Subtract => binary(a, b, out, n, |a, b| a - b),
            Operator::Multiply => binary(a, b, out, n, |a, b| a * b),
            Operator::Divide => binary(a, b, out, n, |a, b| a / b),
            Operator::Sin => with_huge(a, out, n, elementary::sin, elementary::sin_any),
            Operator::Cos => with_huge(a, out, n, elementary::cos, elementary::cos_any),
            Operator::Exp => elementary(a, out, n, elementary::exp),
            Operator::Log => elementary(a, out, n, elementary::log),
            Operator::Sqrt => unary(a, out, n, f64::sqrt),
            Operator::Square => unary(a, out, n, |a| a * a),
            Operator::Negate => unary(a, out, n, |a| -a),
            Operator::Abs => unary(a, out, n, f64::abs),
            Operator::Inverse => unary(a, out, n, |a| 1.0 / a),
            Operator::Cube => unary(a, out, n, |a| a * a * a),
            Operator::Minimum => binary(a, b, out, n, minimum),
            Operator::Maximum => binary(a, b, out, n, maximum),
            Operator::AnalyticQuotient => binary(a, b, out, n, |a, b| a / (1.0 + b * b).sqrt()),
            Operator::ProtectedDivide => binary(a, b, out, n, protected_divide),
            Operator::ProtectedLog => unary(a, out, n, protected_log),
            Operator::ProtectedSqrt => unary(a, out, n, |a| a.abs().sqrt()),
            Operator::Tanh | Operator::Power => {
                binary(a, b, out, n, |a, b| apply(operator, a, b));
            }
        }
    }
}

/// SAFETY: as for [`compute_inline`].
#[inline(always)]
#[allow(unsafe_code)]
unsafe fn unary(a: Argument, out: *mut Group, n: usize, function: impl Fn(f64) -> f64) {
    for group in 0..n {
        // SAFETY: the caller's promise.
        unsafe {
            let a = *a.first.add(group * a.step);
            let mut result = [0.0; GROUP];
            for row in 0..GROUP {
                result[row] = function(a[row]);
            }
            *out.add(group) = result;
        }
    }
}

/// SAFETY: as for [`compute_inline`].
#[inline(always)]
#[allow(unsafe_code)]
unsafe fn binary(
    a: Argument,
    b: Argument,
    out: *mut Group,
    n: usize,
    function: impl Fn(f64, f64) -> f64,
) {
    for group in 0..n {
        // SAFETY: the caller's promise.
        unsafe {
            let a = *a.first.add(group * a.step);
            let b = *b.first.add(group * b.step);
            let mut result = [0.0; GROUP];
            for row in 0..GROUP {
                result[row] = function(a[row], b[row]);
            }
            *out.add(group) = result;
        }
    }
}

/// An elementary function, in a plain loop: there the compiler keeps its coefficients in registers.
///
/// SAFETY: as for [`compute_inline`].
#[inline(always)]
#[allow(unsafe_code)]
unsafe fn elementary(a: Argument, out: *mut Group, n: usize, function: impl Fn(f64) -> f64) {
    // SAFETY: the caller's promise.
    let (a, out) =
        unsafe { (a.rows(n), std::slice::from_raw_parts_mut(out.cast::<f64>(), n * GROUP)) };
    for (out, &a) in out.iter_mut().zip(a) {
        *out = function(a);
    }
    if a.len() == GROUP {
        let (first, rest) = out.split_at_mut(GROUP);
        rest.chunks_exact_mut(GROUP).for_each(|group| group.copy_from_slice(first));
    }
}

/// A function whose branch-free form cannot take huge arguments; those are rare, and mended afterwards.
///
/// SAFETY: as for [`compute_inline`].
#[inline(always)]
#[allow(unsafe_code)]
unsafe fn with_huge(
    a: Argument,
    out: *mut Group,
    n: usize,
    function: impl Fn(f64) -> f64,
    of_any: fn(f64) -> f64,
) {
    let is_huge = |a: f64| a.abs() > elementary::REDUCTION_LIMIT;
    // SAFETY: the caller's promise.
    let rows = unsafe {
        elementary(a, out, n, function);
        a.rows(n)
    };
    if rows.iter().fold(0_u64, |count, &a| count + u64::from(is_huge(a))) == 0 {
        return;
    }
    for row in 0..n * GROUP {
        let a = rows[row % rows.len()];
        if is_huge(a) {
            // SAFETY: the caller's promise.
            unsafe { *out.cast::<f64>().add(row) = of_any(a) };
        }
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
        let n_rows = left.len();
        left.resize(n_rows.next_multiple_of(GROUP), 1.0);
        right.resize(n_rows.next_multiple_of(GROUP), 1.0);
        let mut groups = vec![[0.0; GROUP]; left.len() / GROUP];
        for instructions in [Instructions::Detected, Instructions::Portable] {
            for operator in Operator::all() {
                let (a, b) =
                    (Operand::Column(left.as_chunks().0), Operand::Column(right.as_chunks().0));
                compute(instructions, operator, a, b, &mut groups);
                let out = groups.as_flattened();
                for (row, &got) in out.iter().enumerate() {
                    let expected = apply(operator, left[row], right[row]);
                    assert!(same(got, expected), "{operator:?} {} {}", left[row], right[row]);
                }
                for value in SPECIAL {
                    compute(instructions, operator, a, Operand::Scalar(value), &mut groups);
                    let out = groups.as_flattened();
                    assert!((0..out.len()).all(|r| same(out[r], apply(operator, left[r], value))));
                    compute(instructions, operator, Operand::Scalar(value), b, &mut groups);
                    let out = groups.as_flattened();
                    assert!((0..out.len()).all(|r| same(out[r], apply(operator, value, right[r]))));
                }
            }
        }
    }
}
