//! SymPy: a text for `sympify`, and Python that builds an expression of real symbols.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{
    self, Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings, call, calls,
};
use super::{Language, Parts};

/// For `sympify`: no definitions can stand before it, hence `Lambda`.
pub(in super::super) const ALONE: Notation = Notation {
    form: form_alone,
    number: |value, _| forms::decimal(value, "oo"),
    parentheses: ["(", ")"],
    has_fractions: false,
};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation { form, number, parentheses: ["(", ")"], has_fractions: false },
    comment: "#",
    helpers: &[
        (
            ProtectedDivide,
            "def pdiv(a, b):\n    return a * Piecewise((1, b >= 0), (-1, True)) / (Abs(b) + 1e-6)\n\n",
        ),
        (
            ProtectedLog,
            "def plog(a):\n    return Piecewise((0, Eq(a, 0)), (log(Abs(a)), True))\n\n",
        ),
    ],
    code,
};

fn form_alone(operator: Operator, _: [Argument; 2]) -> Form {
    let fixed_quotient =
        "Lambda((a, b), a * Piecewise((1, Eq(b, 0)), (sign(b), True)) / (Abs(b) + 1e-6))";
    let fixed_log = "Lambda(a, Piecewise((0, Eq(a, 0)), (log(Abs(a)), True)))";
    match operator {
        ProtectedDivide => call(fixed_quotient, operator),
        ProtectedLog => call(fixed_log, operator),
        _ => form(operator, Default::default()),
    }
}

fn form(operator: Operator, _: [Argument; 2]) -> Form {
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
        ProtectedSqrt => calls("sqrt(Abs(", "))"),
        Negate => (Prefix, vec![Fixed("-"), First(Prefix)]),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

/// A number among numbers is SymPy's own: Python would raise an exception for a division by zero.
fn number(value: f64, surroundings: Surroundings) -> (String, Level) {
    let (text, level) = forms::decimal(value, "oo");
    match surroundings {
        Surroundings::Alone if value.is_finite() => (format!("Float({text})"), Atom),
        _ => (text, level),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let imports = "from sympy import Abs, Eq, Float, Max, Min, Piecewise, Symbol, cos, exp, log, oo, sin, sqrt, tanh";
    let symbols = parts.lines("@ = Symbol(\"@\", real=True)\n");
    format!("{imports}\n\n{helpers}{symbols}formula = {expression}\n")
}
