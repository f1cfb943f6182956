//! Text forms, and the law that reading the infix form gives back the same values, bit by bit.

use super::super::formula::Formula;
use super::super::names::FeatureNames;
use super::super::operator::Operator::{self, *};
use super::super::symbol::Meaning;
use super::format::Format;
use super::languages::latex;
use super::origin::{FeatureOrigin, Made};
use crate::expression::symbol::Symbol;

const NAMES: [&str; 7] = ["a", "wind speed", "b`c", "sin", "Höhe", "e", "z_1"];

fn names() -> FeatureNames {
    FeatureNames::new(&NAMES.map(str::to_owned))
}

/// The text of what is read from the given text.
fn convert(text: &str, format: Format) -> String {
    Formula::parse(text, &names()).expect("a formula").format(&names(), format)
}

/// Marsaglia's xorshift64.
fn next(state: &mut u64, below: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) % below
}

const CONSTANTS: [f64; 20] = [
    0.0,
    -0.0,
    0.1,
    -0.1,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1e300,
    -1e300,
    5e-324,
    -5e-324,
    1e21,
    1e15,
    -999_999_999_999_999.0,
    0.1 + 0.2,
    1e-5,
    -1.5e-7,
    f64::MAX,
    f64::MIN_POSITIVE,
];

/// A random formula made by applying random operators to a stack of parts.
fn random_formula(state: &mut u64) -> Formula {
    let operators: Vec<Operator> = Operator::all().collect();
    let mut formula = Formula::new();
    let mut parts = Vec::new();
    let n_steps = 1 + next(state, 30);
    for step in 0.. {
        let operator = match next(state, 3) {
            // The arithmetic operators have the most cases, so every third node is one.
            0 => operators[next(state, 4) as usize],
            _ => operators[next(state, operators.len() as u64) as usize],
        };
        if step >= n_steps && parts.len() == 1 {
            return formula;
        }
        if step >= n_steps || (parts.len() >= operator.arity() && next(state, 2) == 0) {
            let operator =
                if step >= n_steps { operators[next(state, 4) as usize] } else { operator };
            let arguments = parts.split_off(parts.len() - operator.arity());
            parts.push(formula.push(Symbol::operator(operator), &arguments));
        } else if next(state, 2) == 0 {
            let feature = next(state, NAMES.len() as u64) as u32;
            parts.push(formula.push(Symbol::feature(feature), &[]));
        } else {
            let value = CONSTANTS[next(state, CONSTANTS.len() as u64) as usize];
            parts.push(formula.push(Symbol::constant(value), &[]));
        }
    }
    unreachable!("the loop ends by returning")
}

/// The value at the root.
fn evaluate(formula: &Formula, row: &[f64]) -> f64 {
    let mut values: Vec<f64> = Vec::new();
    for node in formula.nodes() {
        let [first, second] = node.arguments.map(|place| place as usize);
        values.push(match node.symbol.meaning() {
            Meaning::Feature(index) => row[index as usize],
            Meaning::Constant(value) => value,
            Meaning::Operator(operator) => {
                let second = if operator.arity() == 2 { values[second] } else { 0.0 };
                apply(operator, values[first], second)
            }
        });
    }
    values[values.len() - 1]
}

fn apply(operator: Operator, a: f64, b: f64) -> f64 {
    match operator {
        Add => a + b,
        Subtract => a - b,
        Multiply => a * b,
        Divide => a / b,
        Sin => a.sin(),
        Cos => a.cos(),
        Exp => a.exp(),
        Log => a.ln(),
        Sqrt => a.sqrt(),
        Square => a * a,
        Negate => -a,
        Abs => a.abs(),
        Tanh => a.tanh(),
        Inverse => 1.0 / a,
        Cube => a * a * a,
        Power => a.powf(b),
        Minimum => a.min(b),
        Maximum => a.max(b),
        AnalyticQuotient => a / (1.0 + b * b).sqrt(),
        ProtectedDivide => (if b >= 0.0 { a } else { -a }) / (b.abs() + 1e-6),
        ProtectedLog if a.abs().ln().is_finite() => a.abs().ln(),
        ProtectedLog => 0.0,
        ProtectedSqrt => a.abs().sqrt(),
    }
}

#[test]
fn reading_the_text_gives_back_the_same_bits() {
    let mut state = 0x9E37_79B9_7F4A_7C15;
    let rows = [[0.7, -1.3, 2.0, 0.0, -0.0, 1e10, -0.4], [-3.1, 0.2, 1e-9, 5.5, 7.0, -2.0, 1.0]];
    for _ in 0..30_000 {
        let formula = random_formula(&mut state);
        let text = formula.to_text(&names());
        let again =
            Formula::parse(&text, &names()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(again.size(), formula.size(), "{text}");
        assert_eq!(again.to_text(&names()), text);
        for row in &rows {
            let (expected, found) = (evaluate(&formula, row), evaluate(&again, row));
            let is_same =
                expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
            assert!(is_same, "{text}: {expected:?} became {found:?}");
        }
    }
}

#[test]
fn the_text_has_few_parentheses_and_keeps_the_tree() {
    for text in [
        "a + (a + a)",
        "a - (a - a) - a",
        "a * (a / a) / a",
        "(a + 1) * -2",
        "a - 3.5 * a / 2",
        "-0",
        "neg(3.5)",
        "neg(-3.5)",
        "--a",
        "-a^2",
        "(-a)^2",
        "(-2)^a^-2",
        "-2^a",
        "(a^2)^3",
        "pow(a, 2)",
        "a^3^2",
        "(a * a)^(a + 1)",
        "1e21 + 1000000000000000 + 1e-7 + 0.30000000000000004",
        "aq(a, pdiv(min(a, 1), plog(a)))",
        "`wind speed` * `b``c` - `sin` + sin(Höhe) / `e` + z_1",
    ] {
        assert_eq!(convert(text, Format::Text), text);
    }
    for (text, expected) in [
        ("a + -3.5", "a - 3.5"),
        ("a - -3.5", "a + 3.5"),
        ("a + -0", "a - 0"),
        ("a + -2 * a / 3", "a - 2 * a / 3"),
        ("a - (-2 * a)", "a + 2 * a"),
        ("-2 * (-3 * a)", "-2 * (-3 * a)"),
        ("a + -2^2", "a + -2^2"),
        ("((a)) / ((2.50))", "a / 2.5"),
    ] {
        assert_eq!(convert(text, Format::Text), expected);
    }
}

#[test]
fn latex_escapes_names_and_writes_fractions() {
    for (text, expected) in [
        ("a * (a + 1) / -2", r"\frac{\mathrm{a} \cdot \left(\mathrm{a} + 1\right)}{-2}"),
        ("a + -3 * a * -2", r"\mathrm{a} - 3 \cdot \mathrm{a} \cdot \left(-2\right)"),
        ("-(-3 * a)", r"-\left(-3 \cdot \mathrm{a}\right)"),
        ("-a * a - -a", r"\left(-\mathrm{a}\right) \cdot \mathrm{a} - \left(-\mathrm{a}\right)"),
        (
            "(a / 2)^2 + sin(a)^-a",
            r"\left(\frac{\mathrm{a}}{2}\right)^{2} + \left(\sin\left(\mathrm{a}\right)\right)^{-\mathrm{a}}",
        ),
        (
            "1e-5 * -1e300^2 + 2.5e-7",
            r"10^{-5} \cdot \left(-\left(10^{300}\right)^{2}\right) + 2.5 \cdot 10^{-7}",
        ),
        (
            "aq(1, -2) + inv(sqrt(abs(a)))",
            r"\frac{1}{\sqrt{1 + \left(-2\right)^{2}}} + \frac{1}{\sqrt{\left|\mathrm{a}\right|}}",
        ),
        (
            "pdiv(plog(a), ln(a))",
            r"\mathrm{pdiv}\left(\mathrm{plog}\left(\mathrm{a}\right), \ln\left(\mathrm{a}\right)\right)",
        ),
        (
            "-0.3333333333333333 * a - 2 * pi * a + sin(6.283185307179586 * a^1.5)",
            r"-\frac{1}{3} \cdot \mathrm{a} - 2 \cdot \pi \cdot \mathrm{a} + \sin\left(2 \pi \cdot \mathrm{a}^{1.5}\right)",
        ),
        (
            "(pi / 6 * a)^0.5235987755982988",
            r"\left(\frac{\pi}{6} \cdot \mathrm{a}\right)^{\frac{\pi}{6}}",
        ),
        ("z_1 + `wind speed`", r"\mathrm{z\_1} + \mathrm{wind\ speed}"),
    ] {
        assert_eq!(convert(text, Format::Latex), expected, "{text}");
    }
    let name = "\\}_%$#&{~^<é\u{202e}\n\u{7}";
    let escaped = r"\mathrm{{\backslash}\}\_\%\$\#\&\{{\sim}{\wedge}{<}é?\ ?}";
    assert_eq!(latex::name(name), escaped);
}

#[test]
fn python_and_sympy_never_hold_a_name() {
    for (text, python, sympy) in [
        ("a + `wind speed` * -3", "x0 + x1 * -3.0", "x0 + x1 * -3.0"),
        ("(-a)^2 - a^-1", "np.square(-x0) - np.power(x0, -1.0)", "(-x0)**2 - x0**-1.0"),
        ("a^3 / cos(1)", "np.power(x0, 3.0) / np.cos(1.0)", "x0**3 / cos(1.0)"),
        ("1 / (2 - 2)", "np.divide(1.0, 2.0 - 2.0)", "1.0 / (2.0 - 2.0)"),
        ("1 / 2 + 1 / 0", "1.0 / 2.0 + np.divide(1.0, 0.0)", "1.0 / 2.0 + 1.0 / 0.0"),
        (
            "inv(a + 1) * inv(0)",
            "1.0 / (x0 + 1.0) * np.divide(1.0, 0.0)",
            "1 / (x0 + 1.0) * (1 / 0.0)",
        ),
        ("abs(min(a, 1))", "np.abs(np.minimum(x0, 1.0))", "Abs(Min(x0, 1.0))"),
        ("aq(a, -a)", "x0 / np.sqrt(1.0 + np.square(-x0))", "x0 / sqrt(1 + (-x0)**2)"),
        ("psqrt(a)", "np.sqrt(np.abs(x0))", "sqrt(Abs(x0))"),
        (
            "pdiv(1, a)",
            "(lambda a, b: np.where(b >= 0.0, 1.0, -1.0) * a / (np.abs(b) + 1e-6))(1.0, x0)",
            "Lambda((a, b), a * Piecewise((1, Eq(b, 0)), (sign(b), True)) / (Abs(b) + 1e-6))(1.0, x0)",
        ),
        (
            "plog(a)",
            "np.nan_to_num(np.log(np.abs(x0)), nan=0.0, posinf=0.0, neginf=0.0)",
            "Lambda(a, Piecewise((0, Eq(a, 0)), (log(Abs(a)), True)))(x0)",
        ),
    ] {
        assert_eq!(convert(text, Format::Python), python);
        assert_eq!(convert(text, Format::Sympy), sympy);
    }
}

#[test]
fn long_and_deep_formulas_are_written_in_linear_time() {
    for operator in Operator::all() {
        let mut formula = Formula::new();
        let mut root = formula.push(Symbol::feature(0), &[]);
        for _ in 0..20_000 {
            let arguments = if operator.arity() == 1 { vec![root] } else { vec![0, root] };
            root = formula.push(Symbol::operator(operator), &arguments);
        }
        for format in Format::all() {
            assert!(formula.format(&names(), format).len() < 20_000_000);
        }
    }
}

#[test]
fn formats_are_found_by_name() {
    for format in Format::all() {
        for name in format.aliases().iter().chain([&format.name()]) {
            assert_eq!(Format::from_name(name), Ok(format));
            assert_eq!(Format::from_name(&name.to_uppercase()), Ok(format));
        }
    }
    let error = Format::from_name("html").unwrap_err().to_string();
    let known = "text latex sympy python c rust javascript julia r matlab sql excel json";
    assert_eq!(error, format!("unknown format `html`; known: {known}"));
}

#[test]
fn queries_and_sheets_make_features_of_the_columns_of_a_table() {
    let names = FeatureNames::new(&["a".to_owned(), "it's=\"x\"".to_owned(), "it's=y".to_owned()]);
    let of_words = |word: &str, fill: Option<&str>| FeatureOrigin {
        column: "it's".to_owned(),
        place: 1,
        made: Made::OfWords { word: word.to_owned(), fill: fill.map(str::to_owned) },
    };
    let of_numbers = FeatureOrigin {
        column: "a".to_owned(),
        place: 0,
        made: Made::OfNumbers { fill: Some(2.5) },
    };
    let origins = [of_numbers, of_words("\"x\"", None), of_words("it's", Some("o'y"))];
    let formula = Formula::parse("a + `it's=\"x\"` * `it's=y`", &names).unwrap();
    let exported = |origins: &[FeatureOrigin], format| {
        formula.export_from(origins, &names, format, &[]).unwrap()
    };
    let sql = exported(&origins, Format::Sql);
    let gaps = "IN ('', 'na', 'n/a', '#n/a', 'null', 'none', 'nan', '?', '-') THEN";
    for part in [
        format!("{gaps} CAST(2.5 AS double precision) ELSE CAST(r.\"a\" AS double precision) END"),
        format!("{gaps} NULL WHEN trim(CAST(r.\"it's\" AS text)) = '\"x\"' THEN 1 ELSE 0 END"),
        format!("{gaps} 0 WHEN trim(CAST(r.\"it's\" AS text)) = 'it''s' THEN 1 ELSE 0 END"),
    ] {
        assert!(sql.contains(&part), "{part}\n{sql}");
    }
    let sheet = exported(&origins, Format::Excel);
    let gap = r#"IF(ISNUMBER(FIND("|"&LOWER(TRIM(B2))&"|","||na|n/a|#n/a|null|none|nan|?|-|"))"#;
    let expected = format!(
        r#"=IF(OR(ISNUMBER(A2),ISLOGICAL(A2)),N(A2),2.5) + {gap},NA(),IF(EXACT(TRIM(B2),"""x"""),1,0)) * {gap},0,IF(EXACT(TRIM(B2),"it's"),1,0))"#
    );
    assert!(sheet.starts_with(&(expected + "\n")), "{sheet}");
    // Words may hold parentheses, which are none of the formula's.
    let parentheses = [origins[0].clone(), of_words(":)", None), of_words(&"(".repeat(80), None)];
    assert!(exported(&parentheses, Format::Excel).contains("\":)\""));
    let truths = [origins[0].clone(), of_words("true", None), of_words("x", None)];
    let sheet = exported(&truths, Format::Excel);
    let truth = r#"IF(OR(AND(ISLOGICAL(B2),B2=TRUE),EXACT(TRIM(B2),"true")),1,0)"#;
    assert!(sheet.contains(truth), "{sheet}");
    for (word, found) in [("true", "IN ('true', '1')"), ("False", "IN ('false', '0')")] {
        let truths = [origins[0].clone(), of_words(word, None), of_words("x", None)];
        let sql = exported(&truths, Format::Sql);
        assert!(sql.contains(&format!("lower(trim(CAST(r.\"it's\" AS text))) {found}")), "{sql}");
    }
    let of_codes =
        |fill| FeatureOrigin { made: Made::OfCodes { code: 2.0, fill }, ..of_words("", None) };
    let coded = [origins[0].clone(), of_codes(None), of_codes(Some(2.0))];
    let sql = exported(&coded, Format::Sql);
    let found = "NULL WHEN CAST(r.\"it's\" AS double precision) = CAST(2.0 AS double precision)";
    assert!(sql.contains(found), "{sql}");
    let sheet = exported(&coded, Format::Excel);
    let found = "IF(IFERROR(VALUE(B2)=2,FALSE),1,0))";
    assert!(sheet.contains(&format!("{gap},NA(),{found} * {gap},1,{found}")), "{sheet}");
    let long = [origins[0].clone(), of_words(&"w".repeat(256), None), of_words("new\nline", None)];
    for text in ["a * `it's=\"x\"`", "a * `it's=y`"] {
        let formula = Formula::parse(text, &names).unwrap();
        let refused = formula.export_from(&long, &names, Format::Excel, &[]).unwrap_err();
        assert!(refused.to_string().contains("cannot hold the word"), "{refused}");
    }
}
