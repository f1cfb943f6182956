//! JavaScript.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Notation, call, calls};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "Infinity"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "//",
    helpers: &[
        (Square, "  const square = (a) => a * a;\n"),
        (Cube, "  const cube = (a) => a * a * a;\n"),
        // As in C, unlike Math.pow: 1 to any power is 1, and -1 to an infinite one too.
        (
            Power,
            "  const power = (a, b) => a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : Math.pow(a, b);\n",
        ),
        (Minimum, "  const minimum = (a, b) => (a < b || Number.isNaN(a) ? a : b);\n"),
        (Maximum, "  const maximum = (a, b) => (a > b || Number.isNaN(a) ? a : b);\n"),
        (AnalyticQuotient, "  const aq = (a, b) => a / Math.sqrt(1.0 + b * b);\n"),
        (ProtectedDivide, "  const pdiv = (a, b) => (b < 0.0 ? -a : a) / (Math.abs(b) + 1e-6);\n"),
        (
            ProtectedLog,
            "  const plog = (a) => {\n    const r = Math.log(Math.abs(a));\n    return Number.isFinite(r) ? r : 0.0;\n  };\n",
        ),
    ],
    code,
};

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Sin => call("Math.sin", operator),
        Cos => call("Math.cos", operator),
        Exp => call("Math.exp", operator),
        Log => call("Math.log", operator),
        Sqrt => call("Math.sqrt", operator),
        Abs => call("Math.abs", operator),
        Tanh => call("Math.tanh", operator),
        Power => call("power", operator),
        Minimum => call("minimum", operator),
        Maximum => call("maximum", operator),
        ProtectedSqrt => calls("Math.sqrt(Math.abs(", "))"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let parameters = parts.parameters("", "");
    format!("function predict({parameters}) {{\n{helpers}  return {expression};\n}}\n")
}
