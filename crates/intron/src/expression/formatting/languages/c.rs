//! C with `math.h`.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Notation, call, calls};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "INFINITY"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "//",
    helpers: &[
        (Square, "static double square(double a) { return a * a; }\n"),
        (Cube, "static double cube(double a) { return a * a * a; }\n"),
        (
            Minimum,
            "static double minimum(double a, double b) { return a < b || a != a ? a : b; }\n",
        ),
        (
            Maximum,
            "static double maximum(double a, double b) { return a > b || a != a ? a : b; }\n",
        ),
        (
            AnalyticQuotient,
            "static double aq(double a, double b) { return a / sqrt(1.0 + b * b); }\n",
        ),
        (
            ProtectedDivide,
            "static double pdiv(double a, double b) { return (b < 0.0 ? -a : a) / (fabs(b) + 1e-6); }\n",
        ),
        (
            ProtectedLog,
            "static double plog(double a) { double r = log(fabs(a)); return isfinite(r) ? r : 0.0; }\n",
        ),
    ],
    code,
};

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Abs => call("fabs", operator),
        Minimum => call("minimum", operator),
        Maximum => call("maximum", operator),
        ProtectedSqrt => calls("sqrt(fabs(", "))"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { parameters, helpers, expression } = parts;
    let parameters = match parameters.len() {
        0 => "void".to_owned(),
        _ => parts.parameters("double ", ""),
    };
    let space = if helpers.is_empty() { "" } else { "\n" };
    format!(
        "#include <math.h>\n\n{helpers}{space}double predict({parameters}) {{\n    return {expression};\n}}\n"
    )
}
