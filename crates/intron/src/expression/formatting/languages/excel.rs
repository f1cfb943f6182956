//! Excel and LibreOffice Calc: a formula for row 2, with the features in the columns A, B, ….

use super::super::super::formula::Formula;
use super::super::super::operator::Operator::{self, *};
use super::super::super::symbol::Meaning;
use super::super::forms::{
    self, Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings, call, calls,
};
use super::super::writer::Writer;
use crate::error::Error;

/// Most characters of a formula.
const MAX_LENGTH: usize = 8192;
/// Most calls within each other.
const MAX_NESTING: usize = 64;
/// Most columns of a sheet.
const MAX_COLUMNS: u32 = 16_384;
/// The largest number that can be typed.
const MAX_NUMBER: f64 = 9.999_999_999_999_99e307;

const NOTATION: Notation = Notation { form, number, parentheses: ["(", ")"], has_fractions: false };

/// With names for what is needed twice, which older programs do not know.
const WITH_LET: Notation = Notation { form: form_with_let, ..NOTATION };

/// The formula with its equals sign; with `LET`, for which Excel 2021 is needed, if it would be too long without.
pub(in super::super) fn formula(formula: &Formula) -> String {
    let short = Writer::new(formula, &NOTATION, &cell).write_within(MAX_LENGTH - 1);
    let text = short.unwrap_or_else(|| Writer::new(formula, &WITH_LET, &cell).write());
    format!("={text}")
}

/// The formula, or why Excel would refuse it.
pub(in super::super) fn checked_formula(formula: &Formula) -> Result<String, Error> {
    let refuse = |problem: String| Err(Error::data(problem, "take a smaller formula"));
    for node in formula.nodes() {
        match node.symbol.meaning() {
            Meaning::Feature(index) if index >= MAX_COLUMNS => {
                let problem = format!("a sheet has {MAX_COLUMNS} columns; the formula uses more");
                return Err(Error::data(problem, "leave features out, or move their columns"));
            }
            Meaning::Constant(value) if value.abs() > MAX_NUMBER => {
                return refuse(format!(
                    "the constant {value:?} is larger than Excel's largest number"
                ));
            }
            _ => {}
        }
    }
    let text = self::formula(formula);
    if text.len() > MAX_LENGTH {
        return refuse(format!(
            "the formula has more than the {MAX_LENGTH} characters that Excel takes"
        ));
    }
    if nesting(&text) > MAX_NESTING {
        return refuse(format!(
            "the formula has more than the {MAX_NESTING} levels that Excel takes"
        ));
    }
    Ok(text)
}

/// The cell of a feature in row 2.
pub(in super::super) fn cell(index: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().chain(&['2']).collect()
}

fn form(operator: Operator, _: [Argument; 2]) -> Form {
    match operator {
        Sin => call("SIN", operator),
        Cos => call("COS", operator),
        Exp => call("EXP", operator),
        Log => call("LN", operator),
        Sqrt => call("SQRT", operator),
        Abs => call("ABS", operator),
        Tanh => call("TANH", operator),
        // Never `^`: it binds less than a minus.
        Square => calls("POWER(", ", 2)"),
        Cube => calls("POWER(", ", 3)"),
        Power => call("POWER", operator),
        Minimum => call("MIN", operator),
        Maximum => call("MAX", operator),
        AnalyticQuotient => {
            let root = Fixed(" / SQRT(1 + POWER(");
            (Product, vec![First(Product), root, Second(Sum), Fixed(", 2))")])
        }
        ProtectedDivide => {
            let [sign, size] = [Fixed(" * IF("), Fixed(" < 0, -1, 1) / (ABS(")];
            let pieces = vec![First(Product), sign, Second(Sum), size, Second(Sum)];
            (Product, pieces.into_iter().chain([Fixed(") + 0.000001)")]).collect())
        }
        ProtectedLog => calls("IFERROR(LN(ABS(", ")), 0)"),
        ProtectedSqrt => calls("SQRT(ABS(", "))"),
        Inverse => (Product, vec![Fixed("1 / "), First(Prefix)]),
        _ => forms::arithmetic(operator).unwrap_or_else(|| call(operator.name(), operator)),
    }
}

fn form_with_let(operator: Operator, arguments: [Argument; 2]) -> Form {
    if operator != ProtectedDivide {
        return form(operator, arguments);
    }
    let end = Fixed(", IF(divisor < 0, -1, 1) / (ABS(divisor) + 0.000001))");
    (Product, vec![First(Product), Fixed(" * LET(divisor, "), Second(Sum), end])
}

fn number(value: f64, _: Surroundings) -> (String, Level) {
    let (mut text, level) = forms::decimal(value, "1E+999");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    (text.replace('e', "E"), level)
}

/// How deep parentheses stand within each other.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
