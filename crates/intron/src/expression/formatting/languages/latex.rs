//! LaTeX's mathematics mode.

use super::super::super::operator::Operator::{self, *};
use super::super::super::simple_number::SimpleNumber;
use super::super::forms::{Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings};

pub(in super::super) const NOTATION: Notation =
    Notation { form, number, parentheses: [r"\left(", r"\right)"], has_fractions: true };

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Add => (Sum, vec![First(Sum), Fixed(" + "), Second(Product)]),
        Subtract => (Sum, vec![First(Sum), Fixed(" - "), Second(Product)]),
        Multiply => (Product, vec![First(Product), Fixed(r" \cdot "), Second(Prefix)]),
        Divide => {
            (Prefix, vec![Fixed(r"\frac{"), First(Sum), Fixed("}{"), Second(Sum), Fixed("}")])
        }
        Negate => (Sum, vec![Fixed("-"), First(Product)]),
        Inverse => (Prefix, vec![Fixed(r"\frac{1}{"), First(Sum), Fixed("}")]),
        Square => (Raised, vec![First(Atom), Fixed("^{2}")]),
        Cube => (Raised, vec![First(Atom), Fixed("^{3}")]),
        Power => (Raised, vec![First(Atom), Fixed("^{"), Second(Sum), Fixed("}")]),
        Sqrt => (Atom, vec![Fixed(r"\sqrt{"), First(Sum), Fixed("}")]),
        Abs => (Atom, vec![Fixed(r"\left|"), First(Sum), Fixed(r"\right|")]),
        AnalyticQuotient => {
            let root = Fixed(r"}{\sqrt{1 + ");
            (Prefix, vec![Fixed(r"\frac{"), First(Sum), root, Second(Atom), Fixed("^{2}}}")])
        }
        Sin => call(r"\sin", operator),
        Cos => call(r"\cos", operator),
        Exp => call(r"\exp", operator),
        Log => call(r"\ln", operator),
        Tanh => call(r"\tanh", operator),
        Minimum => call(r"\min", operator),
        Maximum => call(r"\max", operator),
        ProtectedDivide => call(r"\mathrm{pdiv}", operator),
        ProtectedLog => call(r"\mathrm{plog}", operator),
        ProtectedSqrt => call(r"\mathrm{psqrt}", operator),
    }
}

fn call(name: &'static str, operator: Operator) -> Form {
    let mut pieces = vec![Fixed(name), Fixed(r"\left("), First(Sum)];
    if operator.arity() == 2 {
        pieces.extend([Fixed(", "), Second(Sum)]);
    }
    pieces.push(Fixed(r"\right)"));
    (Prefix, pieces)
}

/// A third and the like as fractions: their digits would not end.
fn number(value: f64, _: Surroundings) -> (String, Level) {
    if let Some(simple) = SimpleNumber::of(value).filter(|simple| simple.has_many_digits()) {
        return (simple_number(simple), if value.is_sign_negative() { Sum } else { Prefix });
    }
    let mut text = format!("{value:?}").replace("inf", r"\infty");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    let (text, level) = match text.split_once('e') {
        Some(("1", exponent)) => (format!("10^{{{exponent}}}"), Raised),
        Some(("-1", exponent)) => (format!("-10^{{{exponent}}}"), Raised),
        Some((digits, exponent)) => (format!(r"{digits} \cdot 10^{{{exponent}}}"), Product),
        None => (text, Atom),
    };
    (text, if value.is_sign_negative() { Sum } else { level })
}

fn simple_number(simple: SimpleNumber) -> String {
    let SimpleNumber { numerator, denominator, is_of_pi } = simple;
    let sign = if numerator < 0.0 { "-" } else { "" };
    let above = match (numerator.abs(), is_of_pi) {
        (1.0, true) => r"\pi".to_owned(),
        (number, true) => format!(r"{number} \pi"),
        (number, false) => format!("{number}"),
    };
    if denominator == 1.0 {
        format!("{sign}{above}")
    } else {
        format!(r"{sign}\frac{{{above}}}{{{denominator}}}")
    }
}

/// A feature's name in upright type. Only letters and digits come through as they are: the name is input, and LaTeX
/// would run what it contains.
pub(in super::super) fn name(name: &str) -> String {
    let mut text = String::from(r"\mathrm{");
    for character in name.chars() {
        match character {
            '_' | '%' | '$' | '#' | '&' | '{' | '}' => text.extend(['\\', character]),
            '~' => text += r"{\sim}",
            '^' => text += r"{\wedge}",
            '\\' => text += r"{\backslash}",
            _ if character.is_alphanumeric() => text.push(character),
            _ if character.is_ascii_graphic() => text.extend(['{', character, '}']),
            _ if character.is_whitespace() => text += r"\ ",
            _ => text.push('?'),
        }
    }
    text.push('}');
    text
}
