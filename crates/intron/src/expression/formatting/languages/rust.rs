//! Rust with its standard library.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Notation, call, calls};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "f64::INFINITY"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "//",
    helpers: &[
        (Square, "    fn square(a: f64) -> f64 {\n        a * a\n    }\n"),
        (Cube, "    fn cube(a: f64) -> f64 {\n        a * a * a\n    }\n"),
        (
            Minimum,
            "    fn minimum(a: f64, b: f64) -> f64 {\n        if a < b || a.is_nan() { a } else { b }\n    }\n",
        ),
        (
            Maximum,
            "    fn maximum(a: f64, b: f64) -> f64 {\n        if a > b || a.is_nan() { a } else { b }\n    }\n",
        ),
        (
            AnalyticQuotient,
            "    fn aq(a: f64, b: f64) -> f64 {\n        a / (1.0 + b * b).sqrt()\n    }\n",
        ),
        (
            ProtectedDivide,
            "    fn pdiv(a: f64, b: f64) -> f64 {\n        (if b < 0.0 { -a } else { a }) / (b.abs() + 1e-6)\n    }\n",
        ),
        (
            ProtectedLog,
            "    fn plog(a: f64) -> f64 {\n        let log = f64::ln(a.abs());\n        if log.is_finite() { log } else { 0.0 }\n    }\n",
        ),
    ],
    code,
};

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Sin => call("f64::sin", operator),
        Cos => call("f64::cos", operator),
        Exp => call("f64::exp", operator),
        Log => call("f64::ln", operator),
        Sqrt => call("f64::sqrt", operator),
        Abs => call("f64::abs", operator),
        Tanh => call("f64::tanh", operator),
        Power => call("f64::powf", operator),
        Minimum => call("minimum", operator),
        Maximum => call("maximum", operator),
        ProtectedSqrt => calls("f64::sqrt(f64::abs(", "))"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let parameters = parts.parameters("", ": f64");
    format!(
        "#[allow(non_snake_case, clippy::too_many_arguments)]\npub fn predict({parameters}) -> f64 {{\n{helpers}    \
         {expression}\n}}\n"
    )
}
