//! R, whose arithmetic works on vectors.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{self, Argument, Form, Level::*, Notation, Piece::*, call, calls};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation {
        form,
        number: |value, _| forms::decimal(value, "Inf"),
        parentheses: ["(", ")"],
        has_fractions: false,
    },
    comment: "#",
    helpers: &[
        (Square, "  square <- function(a) a * a\n"),
        (Cube, "  cube <- function(a) a * a * a\n"),
        (AnalyticQuotient, "  aq <- function(a, b) a / sqrt(1.0 + b * b)\n"),
        (
            ProtectedDivide,
            "  pdiv <- function(a, b) ifelse(!is.na(b) & b < 0.0, -1.0, 1.0) * a / (abs(b) + 1e-6)\n",
        ),
        (
            ProtectedLog,
            "  plog <- function(a) {\n    r <- log(abs(a))\n    ifelse(is.finite(r), r, 0.0)\n  }\n",
        ),
    ],
    code,
};

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Power => (Raised, vec![First(Atom), Fixed("^"), Second(Atom)]),
        Minimum => call("pmin", operator),
        Maximum => call("pmax", operator),
        ProtectedSqrt => calls("sqrt(abs(", "))"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn code(parts: &Parts) -> String {
    let Parts { helpers, expression, .. } = parts;
    let parameters = parts.parameters("", "");
    let vectors = parts.lines("  @ <- as.numeric(@)\n");
    format!(
        "predict <- function({parameters}) {{\n{helpers}{vectors}  suppressWarnings({expression})\n}}\n"
    )
}
