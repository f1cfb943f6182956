//! What each language writes for numbers, names and operators.

use super::super::operator::Operator::{self, *};
use super::Format;

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

/// The call of a function by name with the arguments of the operator.
pub(super) fn call(name: &'static str, operator: Operator) -> (Level, Vec<Piece>) {
    let mut pieces = vec![Fixed(name), Fixed("("), First(Sum)];
    if operator.arity() == 2 {
        pieces.extend([Fixed(", "), Second(Sum)]);
    }
    pieces.push(Fixed(")"));
    (Atom, pieces)
}

/// Operators beyond arithmetic in the project's own form.
pub(super) fn text(operator: Operator) -> (Level, Vec<Piece>) {
    match operator {
        Square => (Raised, vec![First(Atom), Fixed("^2")]),
        Cube => (Raised, vec![First(Atom), Fixed("^3")]),
        Power => (Raised, vec![First(Atom), Fixed("^"), Second(Prefix)]),
        _ => call(operator.name(), operator),
    }
}

/// Operators beyond arithmetic in SymPy.
///
/// An argument is never written twice, else nesting would multiply the length; hence `Lambda`.
pub(super) fn sympy(operator: Operator) -> (Level, Vec<Piece>) {
    let fixed_quotient =
        "Lambda((a, b), a * Piecewise((1, Eq(b, 0)), (sign(b), True)) / (Abs(b) + 1e-6))";
    let fixed_log = "Lambda(a, Piecewise((0, Eq(a, 0)), (log(Abs(a)), True)))";
    match operator {
        Square => (Raised, vec![First(Atom), Fixed("**2")]),
        Cube => (Raised, vec![First(Atom), Fixed("**3")]),
        Power => (Raised, vec![First(Atom), Fixed("**"), Second(Prefix)]),
        Inverse => (Product, vec![Fixed("1 / "), First(Prefix)]),
        Abs => call("Abs", operator),
        Minimum => call("Min", operator),
        Maximum => call("Max", operator),
        AnalyticQuotient => {
            (Product, vec![First(Product), Fixed(" / sqrt(1 + "), Second(Atom), Fixed("**2)")])
        }
        ProtectedDivide => call(fixed_quotient, operator),
        ProtectedLog => call(fixed_log, operator),
        ProtectedSqrt => (Atom, vec![Fixed("sqrt(Abs("), First(Sum), Fixed("))")]),
        _ => call(operator.name(), operator),
    }
}

/// Operators beyond arithmetic in Python. Functions of NumPy throughout: `**` of plain numbers can raise exceptions.
///
/// An argument is never written twice, else nesting would multiply the length; hence the `lambda`.
pub(super) fn python(operator: Operator) -> (Level, Vec<Piece>) {
    let fixed_quotient = "(lambda a, b: np.where(b >= 0.0, 1.0, -1.0) * a / (np.abs(b) + 1e-6))";
    let fixed_log_end = ")), nan=0.0, posinf=0.0, neginf=0.0)";
    match operator {
        Sin => call("np.sin", operator),
        Cos => call("np.cos", operator),
        Exp => call("np.exp", operator),
        Log => call("np.log", operator),
        Sqrt => call("np.sqrt", operator),
        Square => call("np.square", operator),
        Abs => call("np.abs", operator),
        Tanh => call("np.tanh", operator),
        Inverse => (Product, vec![Fixed("1.0 / "), First(Prefix)]),
        Cube => (Atom, vec![Fixed("np.power("), First(Sum), Fixed(", 3.0)")]),
        Power => call("np.power", operator),
        Minimum => call("np.minimum", operator),
        Maximum => call("np.maximum", operator),
        AnalyticQuotient => {
            let root = Fixed(" / np.sqrt(1.0 + np.square(");
            (Product, vec![First(Product), root, Second(Sum), Fixed("))")])
        }
        ProtectedDivide => call(fixed_quotient, operator),
        ProtectedLog => {
            (Atom, vec![Fixed("np.nan_to_num(np.log(np.abs("), First(Sum), Fixed(fixed_log_end)])
        }
        ProtectedSqrt => (Atom, vec![Fixed("np.sqrt(np.abs("), First(Sum), Fixed("))")]),
        Add | Subtract | Multiply | Divide | Negate => {
            unreachable!("arithmetic is common to the languages")
        }
    }
}

/// All operators in LaTeX.
pub(super) fn latex(operator: Operator) -> (Level, Vec<Piece>) {
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
        Sin => latex_call(r"\sin", operator),
        Cos => latex_call(r"\cos", operator),
        Exp => latex_call(r"\exp", operator),
        Log => latex_call(r"\ln", operator),
        Tanh => latex_call(r"\tanh", operator),
        Minimum => latex_call(r"\min", operator),
        Maximum => latex_call(r"\max", operator),
        ProtectedDivide => latex_call(r"\mathrm{pdiv}", operator),
        ProtectedLog => latex_call(r"\mathrm{plog}", operator),
        ProtectedSqrt => latex_call(r"\mathrm{psqrt}", operator),
    }
}

fn latex_call(name: &'static str, operator: Operator) -> (Level, Vec<Piece>) {
    let mut pieces = vec![Fixed(name), Fixed(r"\left("), First(Sum)];
    if operator.arity() == 2 {
        pieces.extend([Fixed(", "), Second(Sum)]);
    }
    pieces.push(Fixed(r"\right)"));
    (Prefix, pieces)
}

/// A number with as few digits as give the same bits, and how tightly its text holds together.
pub(super) fn number(value: f64, format: Format) -> (String, Level) {
    let mut text = format!("{value:?}");
    // A whole number in SymPy would be computed with exactly, at any size; in Python it could wrap around.
    if matches!(format, Format::Text | Format::Latex) && text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    let is_negative = value.is_sign_negative();
    if format != Format::Latex {
        return (text, if is_negative { Prefix } else { Atom });
    }
    let (text, level) = match text.split_once('e') {
        Some(("1", exponent)) => (format!("10^{{{exponent}}}"), Raised),
        Some(("-1", exponent)) => (format!("-10^{{{exponent}}}"), Raised),
        Some((digits, exponent)) => (format!(r"{digits} \cdot 10^{{{exponent}}}"), Product),
        None => (text, Atom),
    };
    (text, if is_negative { Sum } else { level })
}

/// A feature's name in upright type. Only letters and digits come through as they are: the name is input, and LaTeX
/// would run what it contains.
pub(super) fn latex_name(name: &str) -> String {
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
