//! What a language says about writing expressions: operators, numbers, parentheses.

use super::super::operator::Operator::{self, *};

/// How tightly a piece of text holds together. Fractions and functions in LaTeX count as `Prefix`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Sum,
    Product,
    Prefix,
    Raised,
    Atom,
}

/// A part of the text of an operator: an argument has the least level at which it needs no parentheses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Piece {
    Fixed(&'static str),
    First(Level),
    Second(Level),
}

use Level::*;
use Piece::*;

/// The text of an operator, and how tightly it holds together.
pub(super) type Form = (Level, Vec<Piece>);

/// What the form of an operator may depend on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Argument {
    /// The value, if the argument is a constant.
    pub(super) constant: Option<f64>,
    /// Whether it is a feature or a constant.
    pub(super) is_leaf: bool,
    /// Whether a feature is in it.
    pub(super) has_feature: bool,
}

/// Where a number stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// An operand of plain arithmetic with a feature in it.
    Arithmetic,
    /// Among numbers only, in a call, or as the whole formula.
    Alone,
}

/// How a language writes expressions.
///
/// An argument is never written twice where the language has another way, else nesting would multiply the length.
pub(super) struct Notation {
    /// The text of an operator with these arguments.
    pub(super) form: fn(Operator, [Argument; 2]) -> Form,
    /// A number with as few digits as give the same bits, and how tightly its text holds together.
    pub(super) number: fn(f64, Surroundings) -> (String, Level),
    pub(super) parentheses: [&'static str; 2],
    /// Whether a quotient is a fraction, so that its text does not begin with that of the dividend.
    pub(super) has_fractions: bool,
}

/// The call of a function by name with the arguments of the operator.
pub(super) fn call(name: &'static str, operator: Operator) -> Form {
    let mut pieces = vec![Fixed(name), Fixed("("), First(Sum)];
    if operator.arity() == 2 {
        pieces.extend([Fixed(", "), Second(Sum)]);
    }
    pieces.push(Fixed(")"));
    (Atom, pieces)
}

/// The call of a function within the call of another.
pub(super) fn calls(names: &'static str, end: &'static str) -> Form {
    (Atom, vec![Fixed(names), First(Sum), Fixed(end)])
}

/// Arithmetic as most languages write it; nothing for the other operators.
///
/// A negation of a negation has parentheses: two minus signs are a comment in SQL and a change of the variable in C.
pub(super) fn arithmetic(operator: Operator) -> Option<Form> {
    Some(match operator {
        Add => (Sum, vec![First(Sum), Fixed(" + "), Second(Product)]),
        Subtract => (Sum, vec![First(Sum), Fixed(" - "), Second(Product)]),
        Multiply => (Product, vec![First(Product), Fixed(" * "), Second(Prefix)]),
        Divide => (Product, vec![First(Product), Fixed(" / "), Second(Prefix)]),
        Negate => (Prefix, vec![Fixed("-"), First(Atom)]),
        Inverse => (Product, vec![Fixed("1.0 / "), First(Prefix)]),
        _ => return None,
    })
}

/// A number in decimal, with a point or an exponent; `infinite` is the word for what has no digits.
pub(super) fn decimal(value: f64, infinite: &str) -> (String, Level) {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let level = if value.is_sign_negative() { Prefix } else { Atom };
    let text = if value.is_infinite() { format!("{sign}{infinite}") } else { format!("{value:?}") };
    (text, level)
}
