//! SQL that SQLite (3.35 or later, with its mathematical functions) and PostgreSQL (12 or later) both understand.
//!
//! What is not defined is NULL: PostgreSQL would end the query. An argument that is needed twice gets a name in a
//! subquery; LIMIT keeps planners from writing it out again. The names cannot be mistaken for columns, as arguments stand
//! where they do not reach.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{
    self, Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings, call, calls,
};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation { form, number, parentheses: ["(", ")"], has_fractions: false },
    comment: "--",
    helpers: &[],
    code,
};

/// A column by its name, as a number in 64 bits.
pub(in super::super) fn column(name: &str) -> String {
    format!("CAST(\"{}\" AS double precision)", name.replace('"', "\"\""))
}

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Divide => (Product, vec![First(Product), Fixed(" / NULLIF("), Second(Sum), Fixed(", 0)")]),
        Inverse => (Product, vec![Fixed("1.0 / NULLIF("), First(Sum), Fixed(", 0)")]),
        Square => calls("power(", ", 2)"),
        Cube => calls("power(", ", 3)"),
        AnalyticQuotient => {
            let root = Fixed(" / sqrt(1 + power(");
            (Product, vec![First(Product), root, Second(Sum), Fixed(", 2))")])
        }
        ProtectedSqrt => calls("sqrt(abs(", "))"),
        // Too small and too large a result are errors in PostgreSQL.
        Exp => named("CASE WHEN v < -745 THEN 0 WHEN v < 709.78 THEN exp(v) END"),
        Log => named("CASE WHEN v > 0 THEN ln(v) END"),
        Sqrt => named("CASE WHEN v >= 0 THEN sqrt(v) END"),
        ProtectedLog => named(
            "CASE WHEN abs(v) > 0 AND abs(v) <= 1.7976931348623157e308 THEN ln(abs(v)) ELSE 0 END",
        ),
        Power => both_named(
            "CASE WHEN u = 0 AND v < 0 OR u < 0 AND v <> round(v) THEN NULL WHEN u = 0 THEN power(u, v) \
             WHEN v * ln(abs(u)) < -745 THEN 0 WHEN v * ln(abs(u)) < 709.78 THEN power(u, v) END",
        ),
        Minimum => both_named("CASE WHEN u < v THEN u WHEN u >= v THEN v END"),
        Maximum => both_named("CASE WHEN u > v THEN u WHEN u <= v THEN v END"),
        ProtectedDivide => both_named("CASE WHEN v < 0 THEN -u ELSE u END / (abs(v) + 1e-6)"),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

/// An expression in which the argument is called `v`.
fn named(expression: &'static str) -> Form {
    let end = " AS v LIMIT 1) AS t)";
    let pieces = [Fixed("(SELECT "), Fixed(expression), Fixed(" FROM (SELECT ")];
    (Atom, pieces.into_iter().chain([First(Sum), Fixed(end)]).collect())
}

/// An expression in which the arguments are called `u` and `v`.
fn both_named(expression: &'static str) -> Form {
    let (_, mut pieces) = named(expression);
    pieces.splice(3..4, [First(Sum), Fixed(" AS u, "), Second(Sum)]);
    (Atom, pieces)
}

/// A number among numbers is cast: PostgreSQL would compute in decimal.
fn number(value: f64, surroundings: Surroundings) -> (String, Level) {
    let (text, level) = forms::decimal(value, "9e999");
    match surroundings {
        Surroundings::Alone => (format!("CAST({text} AS double precision)"), Atom),
        Surroundings::Arithmetic => (text, level),
    }
}

fn code(parts: &Parts) -> String {
    format!("SELECT\n  {}\n  AS \"prediction\"\nFROM \"data\";\n", parts.expression)
}
