//! SQL that SQLite (3.35 or later, with its mathematical functions) and PostgreSQL (12 or later) both understand.
//!
//! What is not defined is NULL: PostgreSQL would end the query. An argument that is needed twice and is more than a column
//! or a number gets a name in a subquery; LIMIT keeps planners from writing it out again. The names cannot be mistaken for
//! columns, as arguments stand where they do not reach.

use super::super::super::operator::Operator::{self, *};
use super::super::forms::{
    self, Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings, call, calls,
};
use super::super::origin::{FeatureOrigin, Made, quoted};
use super::{Language, Parts};

pub(in super::super) const LANGUAGE: Language = Language {
    notation: Notation { form, number, parentheses: ["(", ")"], has_fractions: false },
    comment: "--",
    helpers: &[],
    code,
};

/// A feature, made of its column, as a number in 64 bits.
pub(in super::super) fn feature(origin: &FeatureOrigin) -> String {
    // Of a name alone that no column has SQLite would make a text.
    let column = format!("r.{}", quoted('"', &origin.column));
    let value = format!("CAST({column} AS double precision)");
    let text = format!("trim(CAST({column} AS text))");
    let gaps = FeatureOrigin::GAPS.map(|gap| quoted('\'', gap)).join(", ");
    let is_missing = format!("{column} IS NULL OR lower({text}) IN ({gaps})");
    // What is missing is neither this word nor another, if nothing stands for it.
    let of_fill = |is_it: Option<bool>| is_it.map_or("NULL", |is_it| if is_it { "1" } else { "0" });
    let is_one = |found: &str, fill: &str| {
        format!(
            "CAST(CASE WHEN {is_missing} THEN {fill} WHEN {found} THEN 1 ELSE 0 END AS double precision)"
        )
    };
    match &origin.made {
        Made::Itself => value,
        Made::OfNumbers { fill } => {
            let fill = fill.map_or("NULL".to_owned(), |fill| number(fill, Surroundings::Alone).0);
            format!("CASE WHEN {is_missing} THEN {fill} ELSE {value} END")
        }
        Made::OfWords { word, fill } => {
            let fill = of_fill(fill.as_ref().map(|fill| fill == word));
            is_one(&is_word(&text, word), fill)
        }
        Made::OfCodes { code, fill } => {
            let fill = of_fill(fill.map(|fill| fill == *code));
            is_one(&format!("{value} = {}", number(*code, Surroundings::Alone).0), fill)
        }
    }
}

/// Whether a text is a word. Truth values are `true` in PostgreSQL, whatever wrote the table that was learned from, and 1 in SQLite.
fn is_word(text: &str, word: &str) -> String {
    let lower = word.to_lowercase();
    let number = match lower.as_str() {
        "true" => "1",
        "false" => "0",
        _ => return format!("{text} = {}", quoted('\'', word)),
    };
    format!("lower({text}) IN ('{lower}', '{number}')")
}

fn form(operator: Operator, arguments: [Argument; 2]) -> Form {
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
        _ => match with_names(operator) {
            // A power needs its arguments so often that even columns are better named.
            Some(expression) if operator != Power && are_leaves(operator, arguments) => {
                written_out(expression)
            }
            Some(expression) => named(expression, operator),
            None => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
        },
    }
}

fn are_leaves(operator: Operator, arguments: [Argument; 2]) -> bool {
    arguments[..operator.arity()].iter().all(|argument| argument.is_leaf)
}

/// Operators that need an argument twice: an expression in which the arguments are called `u` and `v`.
fn with_names(operator: Operator) -> Option<&'static str> {
    Some(match operator {
        // Too small and too large a result are errors in PostgreSQL.
        Exp => "CASE WHEN u < -745 THEN 0 WHEN u < 709.78 THEN exp(u) END",
        Log => "CASE WHEN u > 0 THEN ln(u) END",
        Sqrt => "CASE WHEN u >= 0 THEN sqrt(u) END",
        ProtectedLog => {
            "CASE WHEN abs(u) > 0 AND abs(u) <= 1.7976931348623157e308 THEN ln(abs(u)) ELSE 0 END"
        }
        Power => {
            "CASE WHEN u = 0 AND v < 0 OR u < 0 AND v <> round(v) THEN NULL WHEN u = 0 THEN power(u, v) \
             WHEN v * ln(abs(u)) < -745 THEN 0 WHEN v * ln(abs(u)) < 709.78 THEN power(u, v) END"
        }
        Minimum => "CASE WHEN u < v THEN u WHEN u >= v THEN v END",
        Maximum => "CASE WHEN u > v THEN u WHEN u <= v THEN v END",
        ProtectedDivide => "CASE WHEN v < 0 THEN -u ELSE u END / (abs(v) + 1e-6)",
        _ => return None,
    })
}

/// The expression with the arguments in the places of their names.
fn written_out(expression: &'static str) -> Form {
    let is_word = |character: char| character.is_alphanumeric();
    let mut pieces = vec![Fixed("(")];
    let (mut start, mut previous) = (0, ' ');
    for (place, character) in expression.char_indices() {
        let next = expression[place + 1..].chars().next().unwrap_or(' ');
        if matches!(character, 'u' | 'v') && !is_word(previous) && !is_word(next) {
            let argument = if character == 'u' { First(Atom) } else { Second(Atom) };
            pieces.extend([Fixed(&expression[start..place]), argument]);
            start = place + 1;
        }
        previous = character;
    }
    pieces.extend([Fixed(&expression[start..]), Fixed(")")]);
    (Atom, pieces)
}

/// The expression over a subquery that gives the arguments their names.
fn named(expression: &'static str, operator: Operator) -> Form {
    let mut pieces = vec![Fixed("(SELECT "), Fixed(expression), Fixed(" FROM (SELECT ")];
    pieces.extend([First(Sum), Fixed(" AS u")]);
    if operator.arity() == 2 {
        pieces.extend([Fixed(", "), Second(Sum), Fixed(" AS v")]);
    }
    pieces.push(Fixed(" LIMIT 1) AS t)"));
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
    format!("SELECT\n  {}\n  AS \"prediction\"\nFROM \"data\" AS r;\n", parts.expression)
}
