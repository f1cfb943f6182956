//! A formula as MathML, written from its tree. Numbers are rounded to a few digits: it is for the eye, and the text form
//! beside it has all of them.

use std::fmt::Write;

use intron::{FeatureNames, Formula, Meaning, Operator, SimpleNumber};
use intron_figures::svg::escape;

/// Digits of a number that a reader sees.
const DIGITS: usize = 5;
/// Browsers do not nest elements without end, and nobody reads such a formula.
const DEEPEST: usize = 60;

/// How tightly a piece holds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    /// Functions and powers; may be a factor, but needs parentheses to be raised.
    Prefix,
    Atom,
}

/// The markup of a part of the formula.
struct Piece {
    markup: String,
    level: Level,
    /// The markup of its negative, if it begins with the minus of a number: `a + −2 b` is `a − 2 b`.
    negated: Option<(String, Level)>,
    depth: usize,
}

impl Piece {
    fn new(markup: String, level: Level) -> Piece {
        Piece { markup, level, negated: None, depth: 0 }
    }

    /// The markup where at least this level is needed.
    fn at(&self, least: Level) -> String {
        if self.level < least { parenthesised(&self.markup) } else { self.markup.clone() }
    }
}

/// `target = formula`, or nothing if it is nested too deeply.
pub(crate) fn equation(target: &str, formula: &Formula, names: &FeatureNames) -> Option<String> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(formula.size());
    for node in formula.nodes() {
        let arguments: Vec<&Piece> = node.arguments[..node.symbol.arity()]
            .iter()
            .map(|&argument| &pieces[argument as usize])
            .collect();
        let depth = arguments.iter().map(|piece| piece.depth + 1).max().unwrap_or(0);
        if depth > DEEPEST {
            return None;
        }
        let piece = match node.symbol.meaning() {
            Meaning::Feature(index) => Piece::new(identifier(names.name(index)), Level::Atom),
            Meaning::Constant(value) => constant(value),
            Meaning::Operator(operator) => write_operator(operator, &arguments),
        };
        pieces.push(Piece { depth, ..piece });
    }
    let whole = pieces.pop()?;
    Some(format!(
        "<math display=\"block\"><mrow>{}<mo>=</mo>{}</mrow></math>",
        identifier(target),
        whole.markup
    ))
}

fn write_operator(operator: Operator, arguments: &[&Piece]) -> Piece {
    use Operator::*;
    let first = arguments[0];
    let second = arguments.get(1).copied().unwrap_or(first);
    match operator {
        Add | Subtract => sum(operator, first, second),
        Multiply => product(first, second),
        Divide => quotient(first, &second.markup),
        Inverse => Piece::new(fraction("<mn>1</mn>", &first.markup), Level::Prefix),
        Negate => Piece::new(
            format!("<mo form=\"prefix\">−</mo>{}", first.at(Level::Product)),
            Level::Sum,
        ),
        Square => power(first, "<mn>2</mn>"),
        Cube => power(first, "<mn>3</mn>"),
        Power => power(first, &format!("<mrow>{}</mrow>", second.markup)),
        Sqrt => Piece::new(format!("<msqrt><mrow>{}</mrow></msqrt>", first.markup), Level::Atom),
        ProtectedSqrt => Piece::new(format!("<msqrt>{}</msqrt>", bars(&first.markup)), Level::Atom),
        Abs => Piece::new(bars(&first.markup), Level::Atom),
        AnalyticQuotient => {
            let square = power(second, "<mn>2</mn>").markup;
            let root = format!("<msqrt><mn>1</mn><mo>+</mo>{square}</msqrt>");
            quotient(first, &root)
        }
        Log => call("ln", arguments),
        Sin | Cos | Exp | Tanh | Minimum | Maximum | ProtectedDivide | ProtectedLog => {
            call(operator.name(), arguments)
        }
    }
}

fn sum(operator: Operator, first: &Piece, second: &Piece) -> Piece {
    let is_sum = operator == Operator::Add;
    let (sign, term) = match &second.negated {
        Some((markup, level)) => {
            let piece = Piece::new(markup.clone(), *level);
            (if is_sum { "−" } else { "+" }, piece.at(Level::Product))
        }
        None => (if is_sum { "+" } else { "−" }, second.at(Level::Product)),
    };
    Piece::new(format!("{}<mo>{sign}</mo>{term}", first.markup), Level::Sum)
}

fn product(first: &Piece, second: &Piece) -> Piece {
    let right = second.at(Level::Prefix);
    let join = |left: &str| format!("{left}<mo>·</mo>{right}");
    match &first.negated {
        Some((markup, level)) => {
            let positive = Piece::new(markup.clone(), *level).at(Level::Product);
            let markup = format!("<mo form=\"prefix\">−</mo>{}", join(&positive));
            let negated = Some((join(&positive), Level::Product));
            Piece { negated, ..Piece::new(markup, Level::Sum) }
        }
        None => Piece::new(join(&first.at(Level::Product)), Level::Product),
    }
}

fn quotient(first: &Piece, divisor: &str) -> Piece {
    match &first.negated {
        Some((markup, _)) => {
            let positive = fraction(markup, divisor);
            let markup = format!("<mo form=\"prefix\">−</mo>{positive}");
            Piece { negated: Some((positive, Level::Prefix)), ..Piece::new(markup, Level::Sum) }
        }
        None => Piece::new(fraction(&first.markup, divisor), Level::Prefix),
    }
}

fn fraction(dividend: &str, divisor: &str) -> String {
    format!("<mfrac><mrow>{dividend}</mrow><mrow>{divisor}</mrow></mfrac>")
}

fn power(first: &Piece, exponent: &str) -> Piece {
    let raised = first.at(Level::Atom);
    Piece::new(format!("<msup><mrow>{raised}</mrow>{exponent}</msup>"), Level::Prefix)
}

fn call(name: &str, arguments: &[&Piece]) -> Piece {
    let list: Vec<&str> = arguments.iter().map(|piece| piece.markup.as_str()).collect();
    let list = list.join("<mo>,</mo>");
    Piece::new(format!("<mi>{name}</mi><mo>\u{2061}</mo>{}", parenthesised(&list)), Level::Prefix)
}

fn parenthesised(markup: &str) -> String {
    format!("<mrow><mo>(</mo>{markup}<mo>)</mo></mrow>")
}

fn bars(markup: &str) -> String {
    format!("<mrow><mo form=\"prefix\">|</mo>{markup}<mo form=\"postfix\">|</mo></mrow>")
}

/// A name; the number at the end of `x12` is an index.
fn identifier(name: &str) -> String {
    let digits = name.strip_prefix('x').unwrap_or_default();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("<msub><mi>x</mi><mn>{digits}</mn></msub>");
    }
    format!("<mi>{}</mi>", escape(name))
}

fn constant(value: f64) -> Piece {
    let (markup, level) = positive_number(value.abs());
    if value.is_sign_positive() {
        return Piece::new(markup, level);
    }
    let negative = format!("<mo form=\"prefix\">−</mo>{markup}");
    Piece { negated: Some((markup, level)), ..Piece::new(negative, Level::Sum) }
}

/// With few digits; a third and the like as fractions, since their digits would not end.
fn positive_number(value: f64) -> (String, Level) {
    if let Some(simple) = SimpleNumber::of(value).filter(|simple| simple.has_many_digits()) {
        return simple_number(simple);
    }
    let (digits, exponent) = rounded(value);
    let Some(exponent) = exponent else { return (format!("<mn>{digits}</mn>"), Level::Atom) };
    let mut markup = String::new();
    if digits != "1" {
        let _ = write!(markup, "<mn>{digits}</mn><mo>·</mo>");
    }
    let sign = if exponent < 0 { "<mo>−</mo>" } else { "" };
    let size = exponent.unsigned_abs();
    let _ = write!(markup, "<msup><mn>10</mn><mrow>{sign}<mn>{size}</mn></mrow></msup>");
    (markup, Level::Product)
}

fn simple_number(simple: SimpleNumber) -> (String, Level) {
    let SimpleNumber { numerator, denominator, is_of_pi } = simple;
    let number = format!("<mn>{numerator}</mn>");
    let above = match (numerator, is_of_pi) {
        (1.0, true) => "<mi>π</mi>".to_owned(),
        (_, true) => format!("<mrow>{number}<mi>π</mi></mrow>"),
        (_, false) => number,
    };
    if denominator == 1.0 {
        (above, Level::Product)
    } else {
        (format!("<mfrac>{above}<mn>{denominator}</mn></mfrac>"), Level::Prefix)
    }
}

/// A number as text, with few digits.
pub(crate) fn short_number(value: f64) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    match rounded(value.abs()) {
        (digits, None) => format!("{sign}{digits}"),
        (digits, Some(exponent)) => {
            let power = intron_figures::lettering::power_of_ten(exponent);
            if digits == "1" {
                format!("{sign}{power}")
            } else {
                format!("{sign}{digits}·{power}")
            }
        }
    }
}

/// The digits of a number that is not negative, and a power of ten where they alone would be long.
fn rounded(value: f64) -> (String, Option<i32>) {
    if value == 0.0 {
        return ("0".to_owned(), None);
    }
    if !value.is_finite() {
        return ("∞".to_owned(), None);
    }
    let scientific = format!("{value:.*e}", DIGITS - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-3..=5).contains(&exponent) {
        return (trimmed(digits), Some(exponent));
    }
    let decimals = (DIGITS as i32 - 1 - exponent).max(0) as usize;
    // Rounded once, then written out: 99999.96 has become 1.0000e5.
    let value: f64 = scientific.parse().unwrap_or(value);
    (trimmed(&format!("{value:.decimals$}")), None)
}

fn trimmed(digits: &str) -> String {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markup(text: &str) -> String {
        let names = FeatureNames::new(&["a".to_owned(), "b<c".to_owned(), "x12".to_owned()]);
        let formula = Formula::parse(text, &names).unwrap();
        let math = equation("y", &formula, &names).unwrap();
        let start = math.find("<mo>=</mo>").unwrap() + "<mo>=</mo>".len();
        math[start..].trim_end_matches("</mrow></math>").to_owned()
    }

    /// The text alone, without any element.
    fn read(text: &str) -> String {
        let mut plain = String::new();
        let mut is_tag = false;
        for character in markup(text).chars() {
            match character {
                '<' => is_tag = true,
                '>' => is_tag = false,
                '\u{2061}' => {}
                _ if !is_tag => plain.push(character),
                _ => {}
            }
        }
        plain
    }

    #[test]
    fn parentheses_stand_where_the_tree_needs_them() {
        assert_eq!(read("(a + a) * a"), "(a+a)·a");
        assert_eq!(read("a - (a - a)"), "a−(a−a)");
        assert_eq!(read("a * (a * a)"), "a·(a·a)");
        assert_eq!(read("square(a + a)"), "(a+a)2");
        assert_eq!(read("square(sin(a))"), "(sin(a))2");
        assert_eq!(read("sin(a + a)"), "sin(a+a)");
    }

    #[test]
    fn a_minus_in_front_of_a_number_becomes_a_difference() {
        assert_eq!(read("a + -2 * a"), "a−2·a");
        assert_eq!(read("a - -2 * a"), "a+2·a");
        assert_eq!(read("a + -3"), "a−3");
        assert_eq!(read("a * -3"), "a·(−3)");
        assert_eq!(read("-3 * a"), "−3·a");
        assert_eq!(
            markup("a + -1 / a"),
            "<mi>a</mi><mo>−</mo><mfrac><mrow><mn>1</mn></mrow><mrow><mi>a</mi></mrow></mfrac>"
        );
        assert_eq!(read("square(-2 * a)"), "(−2·a)2");
    }

    #[test]
    fn names_are_escaped_and_counted_features_have_an_index() {
        assert_eq!(markup("`b<c`"), "<mi>b&lt;c</mi>");
        assert_eq!(markup("x12"), "<msub><mi>x</mi><mn>12</mn></msub>");
    }

    #[test]
    fn numbers_whose_digits_do_not_end_are_fractions() {
        let third = "<mfrac><mn>1</mn><mn>3</mn></mfrac>";
        assert!(markup("a + 0.3333333333333333 * x12").contains(third));
        assert!(markup("a + 6.283185307179586").ends_with("<mrow><mn>2</mn><mi>π</mi></mrow>"));
        assert_eq!(markup("0.125"), "<mn>0.125</mn>");
    }

    #[test]
    fn numbers_are_short() {
        let cases = [
            (127.1258226994657, "127.13"),
            (-0.0008473388573878605, "−8.4734·10⁻⁴"),
            (99999.96, "100000"),
            (1e7, "10⁷"),
            (0.5, "0.5"),
            (1234567.0, "1.2346·10⁶"),
            (0.0, "0"),
        ];
        for (value, text) in cases {
            assert_eq!(short_number(value), text);
        }
    }

    #[test]
    fn a_formula_too_deep_for_a_browser_is_left_to_its_text() {
        let names = FeatureNames::new(&["a".to_owned()]);
        let text = format!("{}a{}", "sin(".repeat(100), ")".repeat(100));
        assert!(equation("y", &Formula::parse(&text, &names).unwrap(), &names).is_none());
    }
}
