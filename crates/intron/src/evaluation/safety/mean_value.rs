//! Mean values: what slopes say of a formula in a box. Plain intervals forget that a feature which stands in a formula twice is
//! the same one. A part never leaves its value in the middle of the box by more than its slopes allow, which does not forget.

use super::interval::{Interval, add, divide, enclose, multiply, negate, scaled, square};
use super::rounding::{product_up, sum_down, sum_up};
use crate::expression::Operator;

/// What each operation may be off by, as a share of its value: elementary functions are within 2 units in the last place.
const RELATIVE_ERROR: f64 = 8.0 * f64::EPSILON;

/// A part of a formula, in a box.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// All values, exact ones and computed ones.
    pub(super) value: Interval,
    /// The value in the middle of the box.
    middle: Interval,
    /// How steep it is along each variable; nothing where it may jump or have no slope.
    pub(super) slopes: Option<Vec<Interval>>,
    /// How far a computed value may be from the exact one.
    error: f64,
}

impl Part {
    pub(super) fn constant(value: f64, n_variables: usize) -> Part {
        let value = Interval::point(value);
        let slopes = Some(vec![Interval::point(0.0); n_variables]);
        Part { value, middle: value, slopes, error: 0.0 }
    }

    pub(super) fn variable(variable: usize, region: &[Interval]) -> Part {
        let value = region[variable];
        let mut part = Part::constant(value.middle(), region.len());
        part.value = value;
        if let Some(slopes) = &mut part.slopes {
            slopes[variable] = Interval::point(1.0);
        }
        part
    }

    /// An operator of one or two parts; nothing where it may be undefined or infinite. A unary operator ignores `b`.
    pub(super) fn of(
        operator: Operator,
        [a, b]: [&Part; 2],
        is_same: bool,
        region: &[Interval],
    ) -> Option<Part> {
        let value = enclose(operator, a.value, b.value, is_same)?;
        let middle = enclose(operator, a.middle, b.middle, is_same).unwrap_or(value);
        let mut part = Part { value, middle, slopes: None, error: f64::INFINITY };
        let partials = partial_slopes(operator, a.value, b.value, value);
        if let (Some([by_a, by_b]), Some(of_a), Some(of_b)) = (partials, &a.slopes, &b.slopes) {
            let of_arguments = of_a.iter().zip(of_b);
            let slope = |(&a, &b)| add(scaled(by_a, a), scaled(by_b, b));
            let slopes: Vec<Interval> = of_arguments.map(slope).collect();
            let passed_on =
                sum_up(product_up(by_a.size(), a.error), product_up(by_b.size(), b.error));
            let own = sum_up(product_up(value.size(), RELATIVE_ERROR), f64::MIN_POSITIVE);
            part.error = sum_up(passed_on, own);
            if part.error.is_finite() && slopes.iter().all(|slope| slope.size().is_finite()) {
                part.slopes = Some(slopes);
                part.keep_to_slopes(region);
            }
        }
        Some(part)
    }

    /// Leaves out values that are farther from the one in the middle than the slopes allow.
    fn keep_to_slopes(&mut self, region: &[Interval]) {
        let Some(slopes) = &self.slopes else { return };
        let moves =
            slopes.iter().zip(region).map(|(&slope, &side)| scaled(slope, side.about_middle()));
        let mean = moves.fold(self.middle, add);
        let reached =
            Interval { low: sum_down(mean.low, -self.error), high: sum_up(mean.high, self.error) };
        let value = self.value.meet(reached);
        // What is not a number fails both comparisons.
        if value.low <= value.high {
            self.value = value;
        }
    }
}

/// How steep an operator is in each of its arguments; nothing where it may have no slope, and for operators that few searches use.
/// Where it has a corner, all slopes between those of its two sides.
fn partial_slopes(
    operator: Operator,
    a: Interval,
    b: Interval,
    value: Interval,
) -> Option<[Interval; 2]> {
    let [none, one] = [0.0, 1.0].map(Interval::point);
    let either = Interval { low: 0.0, high: 1.0 };
    let wave = |operator| enclose(operator, a, a, false);
    let by_a = match operator {
        Operator::Add => return Some([one, one]),
        Operator::Subtract => return Some([one, negate(one)]),
        Operator::Multiply => return Some([b, a]),
        Operator::Divide => return Some([divide(one, b)?, negate(divide(value, b)?)]),
        Operator::Minimum | Operator::Maximum => return Some([either, either]),
        Operator::Inverse => negate(square(value)),
        Operator::Sin => wave(Operator::Cos)?,
        Operator::Cos => negate(wave(Operator::Sin)?),
        Operator::Exp => value,
        Operator::Log => divide(one, a)?,
        Operator::Sqrt => divide(Interval::point(0.5), value)?,
        Operator::Square => multiply(Interval::point(2.0), a),
        Operator::Cube => multiply(Interval::point(3.0), square(a)),
        Operator::Negate => negate(one),
        Operator::Abs if a.low > 0.0 => one,
        Operator::Abs if a.high < 0.0 => negate(one),
        Operator::Abs => Interval { low: -1.0, high: 1.0 },
        Operator::Tanh => either,
        Operator::Power
        | Operator::AnalyticQuotient
        | Operator::ProtectedDivide
        | Operator::ProtectedLog
        | Operator::ProtectedSqrt => return None,
    };
    Some([by_a, none])
}
