//! A formula made ready for intervals: equal parts are found, so that `x * x` is a square, and each part knows the features
//! that it depends on.

use std::collections::HashMap;

use super::interval::{Interval, enclose};
use super::mean_value::Part;
use crate::evaluation::kernels::apply;
use crate::expression::{Formula, Meaning, Operator, Symbol};

/// One step of a formula; equal steps stand only once.
struct Step {
    meaning: Meaning,
    arguments: [usize; 2],
    /// The variables below, as bits.
    variables: u128,
}

/// A formula as steps; the last one is the whole.
pub(super) struct Steps {
    steps: Vec<Step>,
    /// The feature behind each variable: those in use, in increasing order.
    features: Vec<u32>,
}

/// The bit of a variable. The last bit stands for all variables from there on, which no search reaches.
fn bit(variable: usize) -> u128 {
    1 << variable.min(127)
}

impl Steps {
    pub(super) fn new(formula: &Formula) -> Steps {
        let mut features: Vec<u32> = formula.nodes().iter().filter_map(feature_of).collect();
        features.sort_unstable();
        features.dedup();
        let mut steps: Vec<Step> = Vec::new();
        let mut known: HashMap<(Symbol, [usize; 2]), usize> = HashMap::new();
        let mut step_of: Vec<usize> = Vec::with_capacity(formula.size());
        for node in formula.nodes() {
            let arity = node.symbol.arity();
            let mut arguments = [0; 2];
            for (argument, place) in arguments.iter_mut().zip(&node.arguments[..arity]) {
                *argument = step_of[*place as usize];
            }
            let new = steps.len();
            let step = *known.entry((node.symbol, arguments)).or_insert(new);
            if step == new {
                let below = arguments[..arity].iter().map(|&place| steps[place].variables);
                let own =
                    feature_of(node).and_then(|feature| features.binary_search(&feature).ok());
                let variables = below.fold(own.map_or(0, bit), |all, more| all | more);
                steps.push(Step { meaning: node.symbol.meaning(), arguments, variables });
            }
            step_of.push(step);
        }
        Steps { steps, features }
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The feature behind each variable.
    pub(super) fn features(&self) -> &[u32] {
        &self.features
    }

    /// The operator of a step, if it is one.
    pub(super) fn operator(&self, step: usize) -> Option<Operator> {
        match self.steps[step].meaning {
            Meaning::Operator(operator) => Some(operator),
            _ => None,
        }
    }

    /// Whether a step depends on a variable.
    pub(super) fn depends(&self, step: usize, variable: usize) -> bool {
        self.steps[step].variables & bit(variable) != 0
    }

    /// What the formula can be in a box of variables; the first step that may not be finite otherwise.
    pub(super) fn enclose(
        &self,
        region: &[Interval],
        values: &mut Vec<Interval>,
    ) -> Result<Interval, usize> {
        values.clear();
        for (place, step) in self.steps.iter().enumerate() {
            let [a, b] = step.arguments;
            let value = match step.meaning {
                Meaning::Constant(value) => value.is_finite().then_some(Interval::point(value)),
                Meaning::Feature(feature) => Some(region[self.variable(feature)]),
                Meaning::Operator(operator) => {
                    let second = if operator.arity() == 1 { a } else { b };
                    enclose(operator, values[a], values[second], a == b)
                }
            };
            values.push(value.ok_or(place)?);
        }
        Ok(values[self.len() - 1])
    }

    /// The same with slopes: more work, and less over-estimation. Leaves the parts until there.
    pub(super) fn enclose_by_slopes(
        &self,
        region: &[Interval],
        parts: &mut Vec<Part>,
    ) -> Result<Interval, usize> {
        parts.clear();
        for (place, step) in self.steps.iter().enumerate() {
            let [a, b] = step.arguments;
            let part = match step.meaning {
                Meaning::Constant(value) => {
                    value.is_finite().then(|| Part::constant(value, region.len()))
                }
                Meaning::Feature(feature) => Some(Part::variable(self.variable(feature), region)),
                Meaning::Operator(operator) => {
                    let second = if operator.arity() == 1 { a } else { b };
                    Part::of(operator, [&parts[a], &parts[second]], a == b, region)
                }
            };
            parts.push(part.ok_or(place)?);
        }
        Ok(parts[self.len() - 1].value)
    }

    /// The part whose values keep a step from being finite: what is divided by, or what a function is taken of.
    pub(super) fn last_argument(&self, step: usize) -> Option<usize> {
        let arity = self.operator(step)?.arity();
        Some(self.steps[step].arguments[arity - 1])
    }

    /// What the formula is at a point; the first step that is not finite otherwise.
    pub(super) fn value(&self, point: &[f64], values: &mut Vec<f64>) -> Result<f64, usize> {
        values.clear();
        for (place, step) in self.steps.iter().enumerate() {
            let [a, b] = step.arguments;
            let value = match step.meaning {
                Meaning::Constant(value) => value,
                Meaning::Feature(feature) => point[self.variable(feature)],
                Meaning::Operator(operator) if operator.arity() == 1 => {
                    apply(operator, values[a], 0.0)
                }
                Meaning::Operator(operator) => apply(operator, values[a], values[b]),
            };
            if !value.is_finite() {
                return Err(place);
            }
            values.push(value);
        }
        Ok(values[self.len() - 1])
    }

    fn variable(&self, feature: u32) -> usize {
        self.features.binary_search(&feature).expect("every feature in use is a variable")
    }
}

fn feature_of(node: &crate::expression::Node) -> Option<u32> {
    match node.symbol.meaning() {
        Meaning::Feature(feature) => Some(feature),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::FeatureNames;
    use crate::random::{Seed, Stream, StreamName};

    /// Every operator, some with equal parts below, some steep, some with a corner.
    const FORMULAS: [&str; 14] = [
        "x * y - x * z + square(x - 0.7 * y)",
        "x / (x * x + 1) - y * (x - z)",
        "cube(x) - 3 * x * y + inv(z * z + 0.3)",
        "exp(-(x * x)) * sin(3 * x - y) + cos(z * x)",
        "log(x * x - x * y + y * y + 0.5)",
        "sqrt(x * x + y * y + 1) - abs(x - y)",
        "min(x, y - x) * max(y, z - y)",
        "tanh(x - y) / (2 + tanh(y * x))",
        "aq(x, y - x) + pdiv(z, x - y) + plog(x - z)",
        "psqrt(x - y) + pow(1.5 + x * x, y - x)",
        "neg(x) * (1e8 + y) - 1e8 * (0.1 - x)",
        "(x + 1e15) * y - x * y - 1e15 * y",
        "square(square(square(x + y) - y) - x)",
        "x / x + y / (y - 20)",
    ];

    fn side(stream: &mut Stream) -> Interval {
        let low = stream.unit() * 10.0 - 5.0;
        let width = [0.0, 1e-9, 0.1, 1.0, 5.0][stream.below(5)];
        Interval { low, high: low + width * stream.unit() }
    }

    #[test]
    fn what_a_formula_computes_lies_in_both_enclosures_and_slopes_never_widen() {
        let names = FeatureNames::new(&["x", "y", "z"].map(str::to_owned));
        let stream = &mut Seed(5).stream(StreamName::Split);
        let (mut values, mut parts, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut n_narrower = 0;
        for text in FORMULAS {
            let steps = Steps::new(&Formula::parse(text, &names).unwrap());
            for _ in 0..2_000 {
                let region: Vec<Interval> = steps.features().iter().map(|_| side(stream)).collect();
                let plain = steps.enclose(&region, &mut values);
                let by_slopes = steps.enclose_by_slopes(&region, &mut parts);
                let Ok(narrow) = by_slopes else {
                    assert!(plain.is_err(), "{text}: {region:?}");
                    continue;
                };
                if let Ok(plain) = plain {
                    assert!(plain.low <= narrow.low && narrow.high <= plain.high, "{text}");
                    n_narrower += usize::from(narrow != plain);
                }
                for _ in 0..10 {
                    let inside = |side: &Interval| {
                        let share = [0.0, 0.5, 1.0, stream.unit()][stream.below(4)];
                        (side.low + share * (side.high - side.low)).clamp(side.low, side.high)
                    };
                    let point: Vec<f64> = region.iter().map(inside).collect();
                    let value = steps.value(&point, &mut numbers).unwrap();
                    assert!(
                        narrow.low <= value && value <= narrow.high,
                        "{text} at {point:?}: {value:e} is not in {narrow:?}"
                    );
                }
            }
        }
        assert!(n_narrower > 5_000, "{n_narrower}");
    }
}
