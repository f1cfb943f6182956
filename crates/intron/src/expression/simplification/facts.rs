//! What is known about a class of equal terms: its value if it is a constant, and where it is defined.

use egg::{Analysis, DidMerge, EGraph, Id, Language};

use super::super::operator::Operator::{self, *};
use super::digits::n_characters;
use super::term::Term;

/// What an operator computes; the evaluation is a floor above, so it is given.
pub(crate) type Arithmetic = fn(Operator, f64, f64) -> f64;

/// The e-graph of a formula.
pub(super) type Graph = EGraph<Term, Facts>;

/// Two constants that are equal by the rules differ by no more than this share, or rounding has spoiled the graph.
const ROUNDING: f64 = 1e-9;

/// A sum of two constants that is smaller than this share of them is rounding.
const CANCELLATION: f64 = 1e-13;

/// Finds facts and folds constants.
pub(super) struct Facts {
    pub(super) arithmetic: Arithmetic,
    /// Two different constants were found to be equal: nothing in the graph can be trusted.
    pub(super) is_contradictory: bool,
}

/// What is known about one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Known {
    /// The value of every term of the class; finite.
    pub(super) constant: Option<f64>,
    /// Defined for all finite values of the features.
    pub(super) is_total: bool,
    /// Nowhere negative.
    pub(super) is_non_negative: bool,
}

impl Analysis<Term> for Facts {
    type Data = Known;

    fn make(graph: &mut Graph, term: &Term, _: Id) -> Known {
        let known = |id: Id| graph[id].data;
        match *term {
            Term::Constant(bits) => about_constant(f64::from_bits(bits)),
            Term::Feature(_) => Known { constant: None, is_total: true, is_non_negative: false },
            Term::Unary(operator, [a]) => {
                about_operator(graph.analysis.arithmetic, operator, known(a), known(a))
            }
            Term::Binary(operator, [a, b]) => {
                let mut about =
                    about_operator(graph.analysis.arithmetic, operator, known(a), known(b));
                let is_square = operator == Multiply && graph.find(a) == graph.find(b);
                about.is_non_negative |= is_square;
                about
            }
        }
    }

    fn merge(&mut self, to: &mut Known, from: Known) -> DidMerge {
        let before = *to;
        to.constant = match (to.constant, from.constant) {
            (Some(a), Some(b)) => {
                let largest = a.abs().max(b.abs());
                self.is_contradictory |= (a - b).abs() > ROUNDING * largest;
                Some(shorter_of(a, b))
            }
            (a, b) => a.or(b),
        };
        to.is_total |= from.is_total;
        to.is_non_negative |= from.is_non_negative;
        DidMerge(*to != before, *to != from)
    }

    fn modify(graph: &mut Graph, id: Id) {
        if let Some(value) = graph[id].data.constant {
            let constant = graph.add(Term::constant(value));
            graph.union(id, constant);
            // Any other way to write a number is longer.
            let root = graph.find(id);
            graph[root].nodes.retain(Language::is_leaf);
        }
    }
}

/// Of two roundings of the same number the one that is shorter to write.
fn shorter_of(a: f64, b: f64) -> f64 {
    let key = |value: f64| (n_characters(value), value.to_bits());
    if key(b) < key(a) { b } else { a }
}

pub(super) fn about_constant(value: f64) -> Known {
    let is_finite = value.is_finite();
    Known {
        constant: is_finite.then_some(value),
        is_total: is_finite,
        is_non_negative: value >= 0.0,
    }
}

/// The value of an operator of constants, if it is finite and did not underflow. What is left of two numbers that cancel
/// is rounding: 0.
pub(super) fn folded(arithmetic: Arithmetic, operator: Operator, a: f64, b: f64) -> Option<f64> {
    let value = arithmetic(operator, a, b);
    let is_sum = matches!(operator, Add | Subtract);
    if is_sum && value.abs() < CANCELLATION * a.abs().max(b.abs()) {
        return Some(0.0);
    }
    let is_scaling = !is_sum && !matches!(operator, Sin | Cos | Log | ProtectedLog | Tanh);
    let is_nothing = operator != Exp && (a == 0.0 || (operator == Multiply && b == 0.0));
    let is_lost = is_scaling && !is_nothing && value.abs() < f64::MIN_POSITIVE;
    (value.is_finite() && !is_lost).then_some(value)
}

fn about_operator(arithmetic: Arithmetic, operator: Operator, a: Known, b: Known) -> Known {
    if let (Some(first), Some(second)) = (a.constant, b.constant)
        && let Some(value) = folded(arithmetic, operator, first, second)
    {
        return about_constant(value);
    }
    let are_total = a.is_total && b.is_total;
    let are_non_negative = a.is_non_negative && b.is_non_negative;
    let is_divisor = |known: Known| known.constant.is_some_and(|value| value != 0.0);
    let is_total = match operator {
        Log | Sqrt | Inverse | Power => false,
        Divide => is_divisor(b),
        _ => true,
    };
    let is_non_negative = match operator {
        Square | Abs | Exp | Sqrt | ProtectedSqrt => true,
        Add | Multiply | Divide | ProtectedDivide | Inverse | Cube | Minimum | Tanh => {
            are_non_negative
        }
        Maximum => a.is_non_negative || b.is_non_negative,
        AnalyticQuotient | Power => a.is_non_negative,
        Subtract | Sin | Cos | Log | Negate | ProtectedLog => false,
    };
    Known { constant: None, is_total: is_total && are_total, is_non_negative }
}
