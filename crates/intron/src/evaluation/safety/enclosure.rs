//! A formula made ready for intervals: equal parts are found, so that `x * x` is a square, and each part knows the features
//! that it depends on.

use std::collections::HashMap;

use super::interval::{Interval, enclose};
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
