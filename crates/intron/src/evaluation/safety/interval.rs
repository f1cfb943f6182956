//! Intervals of numbers, and what each operator makes of them. An interval holds both the exact values and those that the
//! kernels compute, for all arguments from the given intervals: rounding is outward, and the errors of elementary functions
//! are counted several times over.

use std::f64::consts::TAU;

use super::rounding::{
    product_down, product_up, quotient_down, quotient_up, root_down, root_up, sum_down, sum_up,
};
use crate::evaluation::kernels::apply;
use crate::expression::Operator;

/// All numbers from `low` to `high`; both are finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The values of an operator; nothing where one may be undefined or infinite. `is_same` says that both arguments are one and
/// the same expression. A unary operator ignores `b`.
pub(super) fn enclose(
    operator: Operator,
    a: Interval,
    b: Interval,
    is_same: bool,
) -> Option<Interval> {
    let result = match operator {
        Operator::Subtract if is_same => Interval::point(0.0),
        Operator::Multiply if is_same => square(a),
        Operator::Divide if is_same && !b.has_zero() => Interval::point(1.0),
        Operator::Add => add(a, b),
        Operator::Subtract => add(a, negate(b)),
        Operator::Multiply => multiply(a, b),
        Operator::Divide => divide(a, b)?,
        Operator::Inverse => divide(Interval::point(1.0), a)?,
        Operator::Sin => wave(operator, a, [0.25, 0.75]),
        Operator::Cos => wave(operator, a, [0.0, 0.5]),
        Operator::Exp => exponential(a),
        Operator::Tanh => Interval { low: -1.0, high: 1.0 }.meet(rising(operator, a)),
        Operator::Log if a.low > 0.0 => rising(operator, a),
        Operator::Sqrt if a.low >= 0.0 => root(a),
        Operator::Log | Operator::Sqrt => return None,
        Operator::Square => square(a),
        Operator::Cube => cube(a),
        Operator::Negate => negate(a),
        Operator::Abs => magnitude(a),
        Operator::Power => power(a, b)?,
        Operator::Minimum => Interval { low: a.low.min(b.low), high: a.high.min(b.high) },
        Operator::Maximum => Interval { low: a.low.max(b.low), high: a.high.max(b.high) },
        Operator::AnalyticQuotient => divide(a, root(add(Interval::point(1.0), square(b))))?,
        Operator::ProtectedDivide => protected_divide(a, b)?,
        Operator::ProtectedLog => protected_log(magnitude(a)),
        Operator::ProtectedSqrt => root(magnitude(a)),
    };
    (result.low.is_finite() && result.high.is_finite()).then_some(result)
}

impl Interval {
    pub(super) fn point(value: f64) -> Interval {
        Interval { low: value, high: value }
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    /// What two intervals that meet have in common.
    pub(super) fn meet(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The smallest interval that holds both.
    fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The number in the middle.
    pub(super) fn middle(self) -> f64 {
        self.low / 2.0 + self.high / 2.0
    }

    /// How far its numbers are from the middle.
    pub(super) fn about_middle(self) -> Interval {
        add(self, Interval::point(-self.middle()))
    }

    /// The largest magnitude.
    pub(super) fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

pub(super) fn negate(a: Interval) -> Interval {
    Interval { low: -a.high, high: -a.low }
}

pub(super) fn add(a: Interval, b: Interval) -> Interval {
    Interval { low: sum_down(a.low, b.low), high: sum_up(a.high, b.high) }
}

/// The four ends of two intervals.
fn corners(a: Interval, b: Interval) -> [(f64, f64); 4] {
    [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)]
}

fn smallest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

pub(super) fn multiply(a: Interval, b: Interval) -> Interval {
    let corners = corners(a, b);
    Interval {
        low: smallest(corners.iter().map(|&(a, b)| product_down(a, b))),
        high: largest(corners.iter().map(|&(a, b)| product_up(a, b))),
    }
}

/// The same; most slopes are 0 or 1, which need no work.
pub(super) fn scaled(factor: Interval, a: Interval) -> Interval {
    let is = |interval: Interval, value: f64| interval.low == value && interval.high == value;
    if is(factor, 0.0) || is(a, 0.0) {
        Interval::point(0.0)
    } else if is(factor, 1.0) {
        a
    } else {
        multiply(factor, a)
    }
}

pub(super) fn divide(a: Interval, b: Interval) -> Option<Interval> {
    if b.has_zero() {
        return None;
    }
    let corners = corners(a, b);
    Some(Interval {
        low: smallest(corners.iter().map(|&(a, b)| quotient_down(a, b))),
        high: largest(corners.iter().map(|&(a, b)| quotient_up(a, b))),
    })
}

fn magnitude(a: Interval) -> Interval {
    let low = if a.has_zero() { 0.0 } else { a.low.abs().min(a.high.abs()) };
    Interval { low, high: a.size() }
}

pub(super) fn square(a: Interval) -> Interval {
    let Interval { low, high } = magnitude(a);
    Interval { low: product_down(low, low), high: product_up(high, high) }
}

fn cube(a: Interval) -> Interval {
    let down = |x: f64| product_down(product_down(x, x), x);
    let up = |x: f64| product_up(product_up(x, x), x);
    let low = if a.low >= 0.0 { down(a.low) } else { -up(-a.low) };
    let high = if a.high >= 0.0 { up(a.high) } else { -down(-a.high) };
    Interval { low, high }
}

/// `a` is nowhere negative.
fn root(a: Interval) -> Interval {
    Interval { low: root_down(a.low), high: root_up(a.high) }
}

/// Eight units in the last place of a number that is nearly 0.
const LEAST: f64 = f64::from_bits(8);

/// Elementary functions are within 2 units in the last place. Both the end and a value next to it may be off, so twice that
/// would do; this is four times that. An error is relative, so a value of 0 is exact.
fn spread(low: f64, high: f64) -> Interval {
    const RELATIVE: f64 = 8.0 * f64::EPSILON;
    let room = |value: f64| if value == 0.0 { 0.0 } else { value.abs() * RELATIVE + LEAST };
    Interval { low: low - room(low), high: high + room(high) }
}

/// A function that rises everywhere.
fn rising(operator: Operator, a: Interval) -> Interval {
    spread(apply(operator, a.low, 0.0), apply(operator, a.high, 0.0))
}

/// An exponential that is too small for a number is 0 as computed, and more than 0 in truth.
fn exponential(a: Interval) -> Interval {
    let Interval { low, high } = rising(Operator::Exp, a);
    Interval { low: low.max(0.0), high: high.max(LEAST) }
}

/// Sine or cosine; a crest and a trough stand at these shares of a turn.
fn wave(operator: Operator, a: Interval, [crest, trough]: [f64; 2]) -> Interval {
    /// Beyond this the number of turns is not known well enough.
    const MOST: f64 = 1e6;
    let whole = Interval { low: -1.0, high: 1.0 };
    if a.high - a.low >= TAU || a.low < -MOST || a.high > MOST {
        return whole;
    }
    let slack = (a.low.abs() + a.high.abs() + 1.0) * 1e-14;
    let meets =
        |share: f64| (a.low / TAU - share - slack).ceil() <= (a.high / TAU - share + slack).floor();
    let (first, last) = (apply(operator, a.low, 0.0), apply(operator, a.high, 0.0));
    let mut values = spread(first.min(last), first.max(last));
    if meets(crest) {
        values.high = 1.0;
    }
    if meets(trough) {
        values.low = -1.0;
    }
    whole.meet(values)
}

/// A power rises or falls in its base, where that has one sign, and in its exponent, where the base is not negative: the
/// largest and smallest values are at the ends.
fn power(a: Interval, b: Interval) -> Option<Interval> {
    let is_whole = b.low == b.high && b.low.fract() == 0.0;
    let is_defined = match (a.low > 0.0, is_whole) {
        (true, _) => true,
        (_, true) => b.low >= 0.0 || !a.has_zero(),
        (_, false) => a.low == 0.0 && b.low > 0.0,
    };
    if !is_defined {
        return None;
    }
    let mut values = Vec::with_capacity(9);
    for (a, b) in corners(a, b) {
        let value = apply(Operator::Power, a, b);
        values.push(value);
        if value == 0.0 && a != 0.0 {
            // Too small for a number, but not 0.
            values.push(LEAST.copysign(value));
        }
    }
    if a.has_zero() {
        values.push(apply(Operator::Power, 0.0, b.low));
    }
    Some(spread(smallest(values.iter().copied()), largest(values.iter().copied())))
}

fn protected_divide(a: Interval, b: Interval) -> Option<Interval> {
    let quotient = |b: Interval| divide(a, add(b, Interval::point(1e-6)));
    let right = (b.high >= 0.0).then(|| Interval { low: b.low.max(0.0), high: b.high });
    let left = (b.low < 0.0).then(|| Interval { low: (-b.high).max(0.0), high: -b.low });
    match (right.map(quotient), left.map(quotient)) {
        (Some(right), Some(left)) => Some(right?.join(negate(left?))),
        (Some(right), None) => right,
        (None, left) => left?.map(negate),
    }
}

/// `a` is a magnitude. Next to 0 the logarithm falls to that of the smallest number, at 0 it counts as 0.
fn protected_log(a: Interval) -> Interval {
    if a.low > 0.0 {
        return rising(Operator::Log, a);
    }
    let least = f64::from_bits(1);
    let logarithms = rising(Operator::Log, Interval { low: least, high: a.high.max(least) });
    logarithms.join(Interval::point(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, Stream, StreamName};

    /// Numbers of every size, with many whole ones and zeros among them.
    fn draw(stream: &mut Stream) -> f64 {
        let size = [1.0, 10.0, 1e-3, 800.0, 1e5, 1e-200, 1e200][stream.below(7)];
        match stream.below(4) {
            0 => stream.below(9) as f64 - 4.0,
            _ => (stream.unit() * 2.0 - 1.0) * size,
        }
    }

    fn draw_interval(stream: &mut Stream) -> Interval {
        let (a, b) = (draw(stream), draw(stream));
        if stream.below(5) == 0 {
            Interval::point(a)
        } else {
            Interval { low: a.min(b), high: a.max(b) }
        }
    }

    fn inside(interval: Interval, stream: &mut Stream) -> f64 {
        let Interval { low, high } = interval;
        match stream.below(4) {
            0 => low,
            1 => high,
            _ => (low + stream.unit() * (high - low)).clamp(low, high),
        }
    }

    #[test]
    fn what_an_operator_computes_lies_in_the_interval() {
        let stream = &mut Seed(3).stream(StreamName::Split);
        let mut n_enclosed = 0;
        for operator in Operator::all() {
            for _ in 0..4_000 {
                let (a, b) = (draw_interval(stream), draw_interval(stream));
                let Some(values) = enclose(operator, a, b, false) else { continue };
                n_enclosed += 1;
                for _ in 0..20 {
                    let (x, y) = (inside(a, stream), inside(b, stream));
                    let value = apply(operator, x, y);
                    assert!(
                        values.low <= value && value <= values.high,
                        "{operator:?} of {x:e} in {a:?} and {y:e} in {b:?}: {value:e} is not in {values:?}"
                    );
                }
            }
        }
        assert!(n_enclosed > 40_000, "{n_enclosed}");
    }

    #[test]
    fn one_and_the_same_argument_is_known() {
        let a = Interval { low: -2.0, high: 3.0 };
        let same = |operator| enclose(operator, a, a, true);
        assert_eq!(same(Operator::Multiply), Some(Interval { low: 0.0, high: 9.0 }));
        assert_eq!(same(Operator::Subtract), Some(Interval::point(0.0)));
        assert_eq!(same(Operator::Divide), None);
        let above = Interval { low: 1.0, high: 3.0 };
        assert_eq!(enclose(Operator::Divide, above, above, true), Some(Interval::point(1.0)));
    }

    #[test]
    fn waves_know_their_crests() {
        let sine = |low: f64, high: f64| {
            enclose(Operator::Sin, Interval { low, high }, Interval::point(0.0), false)
        };
        let rising = sine(0.1, 1.0).unwrap();
        assert!(rising.low > 0.099 && rising.high < 0.842);
        assert_eq!(sine(1.0, 2.0).unwrap().high, 1.0);
        assert!(sine(1.0, 2.0).unwrap().low > 0.84);
        assert_eq!(sine(4.0, 5.0).unwrap().low, -1.0);
        assert_eq!(sine(0.0, 7.0).unwrap(), Interval { low: -1.0, high: 1.0 });
    }
}
