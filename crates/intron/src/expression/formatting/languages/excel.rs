//! Excel and LibreOffice Calc: a formula for row 2, with the columns that features are made of in A, B, ….

use super::super::super::formula::Formula;
use super::super::super::operator::Operator::{self, *};
use super::super::super::symbol::Meaning;
use super::super::forms::{
    self, Argument, Form, Level, Level::*, Notation, Piece::*, Surroundings, call, calls,
};
use super::super::origin::{FeatureOrigin, Made, quoted};
use super::super::writer::Writer;
use crate::error::Error;

/// Most characters of a formula.
const MAX_LENGTH: usize = 8192;
/// Most calls within each other.
const MAX_NESTING: usize = 64;
/// Most columns of a sheet.
const MAX_COLUMNS: u32 = 16_384;
/// Most characters of a text in a formula.
const MAX_TEXT: usize = 255;
/// The largest number that can be typed.
const MAX_NUMBER: f64 = 9.999_999_999_999_99e307;

const NOTATION: Notation = Notation { form, number, parentheses: ["(", ")"], has_fractions: false };

/// With names for what is needed twice, which older programs do not know.
const WITH_LET: Notation = Notation { form: form_with_let, ..NOTATION };

/// The formula with its equals sign; with `LET`, for which Excel 2021 is needed, if it would be too long without.
pub(in super::super) fn formula(formula: &Formula, feature: &dyn Fn(u32) -> String) -> String {
    let short = Writer::new(formula, &NOTATION, feature).write_within(MAX_LENGTH - 1);
    let text = short.unwrap_or_else(|| Writer::new(formula, &WITH_LET, feature).write());
    format!("={text}")
}

/// The formula, or why Excel would refuse it. A feature is made of the columns by its index.
pub(in super::super) fn checked_formula(
    formula: &Formula,
    origin: impl Fn(u32) -> FeatureOrigin,
) -> Result<String, Error> {
    let refuse = |problem: String| Err(Error::data(problem, "take a smaller formula"));
    for node in formula.nodes() {
        match node.symbol.meaning() {
            Meaning::Feature(index) => refuse_origin(&origin(index))?,
            Meaning::Constant(value) if value.abs() > MAX_NUMBER => {
                return refuse(format!(
                    "the constant {value:?} is larger than Excel's largest number"
                ));
            }
            _ => {}
        }
    }
    let text = self::formula(formula, &|index| feature(&origin(index)));
    if text.encode_utf16().count() > MAX_LENGTH {
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

/// Says why Excel would refuse a feature.
fn refuse_origin(origin: &FeatureOrigin) -> Result<(), Error> {
    if origin.place >= MAX_COLUMNS {
        let problem = format!("a sheet has {MAX_COLUMNS} columns; the formula uses more");
        return Err(Error::data(problem, "leave features out, or move their columns"));
    }
    let Made::OfWords { word, fill } = &origin.made else { return Ok(()) };
    let is_refused = |word: &&String| {
        word.encode_utf16().count() > MAX_TEXT || word.chars().any(char::is_control)
    };
    match [Some(word), fill.as_ref()].into_iter().flatten().find(is_refused) {
        Some(word) => {
            let problem = format!("a formula of a sheet cannot hold the word {word:?}");
            Err(Error::data(problem, "give the word another name in the table"))
        }
        None => Ok(()),
    }
}

/// A feature, made of the cell of its column in row 2.
fn feature(origin: &FeatureOrigin) -> String {
    let cell = cell(origin.place);
    let number = |value: f64| number(value, Surroundings::Alone).0;
    match &origin.made {
        Made::Itself => cell,
        Made::OfNumbers { fill } => {
            let fill = fill.map_or("NA()".to_owned(), number);
            // To Excel a truth value is no number, unless it is asked for one.
            format!("IF(OR(ISNUMBER({cell}),ISLOGICAL({cell})),N({cell}),{fill})")
        }
        Made::OfWords { word, fill } => {
            // `TRIM` makes one space of several within a word, too.
            let text = if word.contains("  ") { cell.clone() } else { format!("TRIM({cell})") };
            // A sheet has truth values of its own, which are no texts.
            let found = match word.to_uppercase().as_str() {
                truth @ ("TRUE" | "FALSE") => {
                    format!(
                        "OR(AND(ISLOGICAL({cell}),{cell}={truth}),EXACT({text},{}))",
                        quoted('"', word)
                    )
                }
                _ => format!("EXACT({text},{})", quoted('"', word)),
            };
            one_unless_missing(&cell, &found, fill.as_ref().map(|fill| fill == word))
        }
        Made::OfCodes { code, fill } => {
            let found = format!("IFERROR(VALUE({cell})={},FALSE)", number(*code));
            one_unless_missing(&cell, &found, fill.map(|fill| fill == *code))
        }
    }
}

/// 1 or 0; of a cell that is empty or has a mark for a gap what stands for it, which may be this word, another one or nothing.
fn one_unless_missing(cell: &str, found: &str, is_filled: Option<bool>) -> String {
    let of_gap = match is_filled {
        None => "NA()",
        Some(true) => "1",
        Some(false) => "0",
    };
    // One text with all marks is shorter than a comparison with each.
    let gaps = FeatureOrigin::GAPS.join("|");
    format!(
        "IF(ISNUMBER(FIND(\"|\"&LOWER(TRIM({cell}))&\"|\",\"|{gaps}|\")),{of_gap},IF({found},1,0))"
    )
}

/// The cell of a column in row 2.
pub(in super::super) fn cell(place: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = place + 1;
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

/// How deep parentheses stand within each other; those of quoted words do not count.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for character in text.split('"').step_by(2).flat_map(str::chars) {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
