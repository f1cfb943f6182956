//! Formulas put together from formulas.

use super::super::formula::Formula;
use super::super::operator::Operator;
use super::super::symbol::{Meaning, Symbol};

/// A formula of one node.
pub(super) fn leaf(symbol: Symbol) -> Formula {
    let mut formula = Formula::new();
    formula.push(symbol, &[]);
    formula
}

/// A formula of one constant.
pub(super) fn constant(value: f64) -> Formula {
    leaf(Symbol::constant(value))
}

/// An operator with whole formulas as its arguments.
pub(super) fn call(operator: Operator, arguments: &[&Formula]) -> Formula {
    let mut formula = Formula::new();
    let roots: Vec<u32> = arguments.iter().map(|argument| formula.append(argument)).collect();
    formula.push(Symbol::operator(operator), &roots);
    formula
}

/// All of these joined by one operator, from left to right; nothing of nothing.
pub(super) fn chain(operator: Operator, parts: &[Formula]) -> Option<Formula> {
    let (first, rest) = parts.split_first()?;
    Some(rest.iter().fold(first.clone(), |whole, part| call(operator, &[&whole, part])))
}

/// The value of a formula that is one constant.
pub(super) fn value_of(formula: &Formula) -> Option<f64> {
    match formula.nodes() {
        [node] => match node.symbol.meaning() {
            Meaning::Constant(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}
