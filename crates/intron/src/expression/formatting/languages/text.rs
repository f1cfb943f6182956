//! The project's own infix form.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{
    self, Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings, call,
};

pub(in super::super) const NOTATION: Notation =
    Notation { form, number, parentheses: ["(", ")"], has_fractions: false };

fn form(operator: Operator, arguments: [Argument; 2]) -> Form {
    match operator {
        Negate if arguments[0].constant.is_some() => call("neg", operator),
        Negate => (Prefix, vec![Fixed("-"), First(Prefix)]),
        Power if matches!(arguments[1].constant, Some(2.0 | 3.0)) => call("pow", operator),
        Square => (Raised, vec![First(Atom), Fixed("^2")]),
        Cube => (Raised, vec![First(Atom), Fixed("^3")]),
        Power => (Raised, vec![First(Atom), Fixed("^"), Second(Prefix)]),
        Inverse => call("inv", operator),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn number(value: f64, _: Surroundings) -> (String, Level) {
    let (mut text, level) = forms::decimal(value, "inf");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    (text, level)
}
