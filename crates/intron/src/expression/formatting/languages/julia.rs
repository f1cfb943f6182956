//! Julia. The function is broadcast, so that numbers and columns work alike.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Notation, call, calls};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "Inf"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "#",
    // Julia raises an exception where IEEE arithmetic gives NaN.
    helpers: &[
        (Sin, "    sine(a) = isinf(a) ? NaN : sin(a)\n"),
        (Cos, "    cosine(a) = isinf(a) ? NaN : cos(a)\n"),
        (Log, "    logarithm(a) = a < 0.0 ? NaN : log(a)\n"),
        (Sqrt, "    root(a) = a < 0.0 ? NaN : sqrt(a)\n"),
        (Square, "    square(a) = a * a\n"),
        (Cube, "    cube(a) = a * a * a\n"),
        (
            Power,
            "    power(a, b) = a < 0.0 && isfinite(a) && isfinite(b) && !isinteger(b) ? NaN : a^b\n",
        ),
        (Minimum, "    minimum(a, b) = a < b || isnan(a) ? a : b\n"),
        (Maximum, "    maximum(a, b) = a > b || isnan(a) ? a : b\n"),
        (AnalyticQuotient, "    aq(a, b) = a / sqrt(1.0 + b * b)\n"),
        (ProtectedDivide, "    pdiv(a, b) = (b < 0.0 ? -a : a) / (abs(b) + 1e-6)\n"),
        (ProtectedLog, "    plog(a) = isfinite(log(abs(a))) ? log(abs(a)) : 0.0\n"),
    ],
    code,
};

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Sin => call("sine", operator),
        Cos => call("cosine", operator),
        Log => call("logarithm", operator),
        Sqrt => call("root", operator),
        Power => call("power", operator),
        Minimum => call("minimum", operator),
        Maximum => call("maximum", operator),
        ProtectedSqrt => calls("sqrt(abs(", "))"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let parameters = parts.parameters("", "");
    let columns = parts.lines("    @ = Float64.(@)\n");
    format!("function predict({parameters})\n{helpers}{columns}    return @. {expression}\nend\n")
}
