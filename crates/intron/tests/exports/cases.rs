//! Formulas with every operator over columns with nasty names, and the comparison with what the library computes.

use std::fmt;

use intron::{FeatureNames, Format, Formula, Operator, Symbol, TestPoint, predict_row};

/// Names that would break out of an export, if they could.
pub(crate) const NAMES: [&str; 26] = [
    "a\"b",
    "x;DROP TABLE data; --",
    "*/ int main",
    "new\nline \\",
    "Höhe 温度",
    "__import__('os').system('false')",
    "=cmd|' /C calc'!A0",
    "A1",
    "int",
    "fn",
    "function",
    "end",
    "select",
    "it's #{1} %(x)",
    "back`tick",
    "\\",
    "??/",
    "v",
    "u",
    "t",
    "lambda",
    "predict",
    "\u{202e}abc\u{2028}",
    " ",
    "NaN",
    "pdiv",
];

/// Formulas; `x0`, `x1`, … are the columns with the names above.
const FORMULAS: [&str; 38] = [
    "x0 + x1 * 2.5 - x2 / 3",
    "-x3 - -x4 - (-2.5) * x5",
    "x6 - (x7 - (x8 - x9))",
    "x10 / (x11 / x12) / x13",
    "1 / 3 + x14 * (1 / 3) + 7 / 2",
    "--x15 + -(-x16 * 3) - neg(-2)",
    "sin(x17) + cos(x18 * 3.7)",
    "exp(x19) - exp(-x20 * 2)",
    "log(x21) + log(exp(x22))",
    "sqrt(x23) * sqrt(abs(x24))",
    "square(x25) - square(-x0) + -square(x1) + (-2)^2",
    "cube(x2) - cube(x3 - 1) - x4^3",
    "tanh(x5) + abs(x6 - 1.5)",
    "inv(x7) + inv(x8 - x9) + inv(2)",
    "pow(x10, 3) + pow(abs(x11), x12) + pow(2, x13)",
    "pow(x14, x15)",
    "pow(x16, -2) + pow(-2, 3) + pow(-x17, 2) - pow(x18, 2)",
    "min(x19, x20) + max(x21, x22)",
    "min(log(x23), x24)",
    "max(x25, sqrt(x0)) + min(sqrt(x1), 0.5)",
    "aq(x2, x3) + aq(-x4, x5 + 1) + aq(1, 2)",
    "pdiv(x6, x7) + pdiv(-x8, -x9) + pdiv(3, x10)",
    "pdiv(x11, x12 - x12) + pdiv(x13, 0)",
    "pdiv(x14, pdiv(x15, pdiv(x16, x17)))",
    "plog(x18) + plog(x19 - x19) + plog(log(x20))",
    "psqrt(x21) + psqrt(-4)",
    "x22 / (x23 - x23)",
    "min(max(x24, x25), max(x0 * x1, -1)) - aq(pdiv(x2, x3), plog(x4))",
    "0.1 + 0.2 * x5 - 123456789.123456789 * x6 + 1e-7 * x7 - 1e21 * x8 / 1e20",
    "3.141592653589793 * (x9 + 2.718281828459045) * 1.0000000000000002",
    "sin(sin(sin(cos(exp(tanh(x10))))))",
    "2 * (x11 - 1) * -(x12 + 1) / -(x13 - 5)",
    "x14 - (x15 + x16) - (-1.5) + -3 * x17",
    "exp(x18 * 1000)",
    "exp(min(log(x19), log(x20))) + max(0.5, x17) * min(x18, x19)",
    "pow(2, 0.5) + exp(1) + sqrt(2) + log(3) + sin(1) * x21 + pdiv(1, 3) + plog(0)",
    "42.5",
    "1e300 * x22 * 1e-300 + 5e-320 * x23",
];

/// One formula with rows and what comes out.
pub(crate) struct Case {
    pub(crate) formula: Formula,
    pub(crate) points: Vec<TestPoint>,
}

impl Case {
    pub(crate) fn export(&self, format: Format) -> String {
        self.formula.export(&names(), format, &self.points[..3]).expect("an export")
    }

    /// The columns in use, in the order of the parameters.
    pub(crate) fn features(&self) -> Vec<usize> {
        let text = self.formula.export(&names(), Format::Json, &[]).expect("an export");
        let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let features = object["features"].as_array().expect("a list");
        features.iter().map(|one| one["index"].as_u64().expect("an index") as usize).collect()
    }
}

pub(crate) fn names() -> FeatureNames {
    FeatureNames::new(&NAMES.map(str::to_owned))
}

/// Every formula, and random ones, with the same 23 rows.
pub(crate) fn cases() -> Vec<Case> {
    let rows = rows();
    let read = |text: &&str| {
        Formula::parse(text, &names()).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let made = std::iter::repeat_with(|| random_formula(&mut random)).take(30);
    let case = |formula: Formula| {
        let points = rows.iter().map(|row| (row.clone(), predict_row(&formula, row))).collect();
        Case { formula, points }
    };
    FORMULAS.iter().map(read).chain(made).map(case).collect()
}

/// Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A formula in which signs, sums, products and powers stand in each other in many ways, and nothing is undefined.
fn random_formula(random: &mut Random) -> Formula {
    use Operator::*;
    let operators = [
        Add,
        Subtract,
        Multiply,
        Negate,
        Divide,
        Add,
        Subtract,
        Negate,
        Square,
        Cube,
        Minimum,
        Maximum,
        AnalyticQuotient,
    ];
    let mut formula = Formula::new();
    let mut parts = vec![formula.push(Symbol::feature(0), &[])];
    for _ in 0..10 {
        let operator = random.choose(&operators);
        let other = match random.below(4) {
            // A divisor must not be near zero.
            _ if operator == Divide => constant(&mut formula, random),
            0 => constant(&mut formula, random),
            1 if parts.len() > 1 => parts.remove(0),
            _ => formula.push(Symbol::feature(random.below(NAMES.len()) as u32), &[]),
        };
        if random.below(4) == 0 && operator != Divide {
            parts.push(other);
            continue;
        }
        let last = parts.pop().expect("there is always a part");
        let arguments = match (operator.arity(), random.below(2)) {
            (1, _) => vec![last],
            (_, 0) if operator != Divide => vec![other, last],
            _ => vec![last, other],
        };
        parts.push(formula.push(Symbol::operator(operator), &arguments));
    }
    while let [.., first, second] = parts[..] {
        parts.truncate(parts.len() - 2);
        parts
            .push(formula.push(Symbol::operator(random.choose(&operators[..3])), &[first, second]));
    }
    // What was left out on the way is no part of the formula: its text is.
    Formula::parse(&formula.to_text(&names()), &names()).expect("a formula")
}

fn constant(formula: &mut Formula, random: &mut Random) -> u32 {
    formula.push(Symbol::constant(random.choose(&[-2.0, -1.0, -0.3, 0.5, 3.0])), &[])
}

/// Three simple rows, then random ones between -3 and 3.
pub(crate) fn rows() -> Vec<Vec<f64>> {
    let simple =
        |row: usize, k: usize| ((k * 7 + row * 5) % 11) as f64 / 2.0 - [0.0, 1.5, 2.5][row];
    let mut rows: Vec<Vec<f64>> =
        (0..3).map(|row| (0..NAMES.len()).map(|k| simple(row, k)).collect()).collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut value = || random.below(1 << 52) as f64 / (1_u64 << 52) as f64 * 6.0 - 3.0;
    rows.extend((0..20).map(|_| (0..NAMES.len()).map(|_| value()).collect::<Vec<f64>>()));
    rows
}

/// What a language does where a formula is not defined.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Undefined {
    /// The same as the library: NaN, or infinite with the same sign.
    SameAsLibrary,
    /// Something that is no finite number.
    Missing,
    /// Complex numbers, which may become real again: only rows count on which every part of a formula is finite.
    Complex,
}

/// How the comparison with a language ended.
pub(crate) enum Verdict {
    Passed { version: String, n_formulas: usize, n_rows: usize, worst: f64 },
    Skipped(String),
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Passed { version, n_formulas, n_rows, worst } => write!(
                f,
                "passed, {n_formulas} formulas on {n_rows} rows, largest relative difference {worst:.1e} ({version})"
            ),
            Verdict::Skipped(reason) => write!(f, "skipped, {reason}"),
            Verdict::Failed(reason) => write!(f, "FAILED, {reason}"),
        }
    }
}

/// Compares the numbers that a language printed, formula by formula and row by row.
pub(crate) fn compare(version: String, found: &[f64], undefined: Undefined) -> Verdict {
    let cases = cases();
    let n_rows = cases[0].points.len();
    if found.len() != cases.len() * n_rows {
        let n_wanted = cases.len() * n_rows;
        return Verdict::Failed(format!("{} numbers instead of {n_wanted}", found.len()));
    }
    let mut worst = 0.0_f64;
    for (case, found) in cases.iter().zip(found.chunks(n_rows)) {
        for ((row, expected), found) in case.points.iter().zip(found) {
            if undefined == Undefined::Complex && !is_finite_throughout(&case.formula, row) {
                continue;
            }
            let difference = difference(*expected, *found, undefined);
            if difference.is_nan() || difference > 1e-9 {
                let formula = case.formula.to_text(&names());
                return Verdict::Failed(format!(
                    "{formula} gives {found:?} for {expected:?} at {row:?}"
                ));
            }
            worst = worst.max(difference);
        }
    }
    Verdict::Passed { version, n_formulas: cases.len(), n_rows, worst }
}

/// The relative difference; infinite where one is defined and the other is not.
fn difference(expected: f64, found: f64, undefined: Undefined) -> f64 {
    let is_same = expected == found || expected.is_nan() && found.is_nan();
    let is_missing = undefined == Undefined::Missing && !expected.is_finite() && !found.is_finite();
    match () {
        () if is_same || is_missing => 0.0,
        () if !expected.is_finite() || !found.is_finite() => f64::INFINITY,
        () => (expected - found).abs() / expected.abs().max(1e-100),
    }
}

/// Whether every part of a formula is a finite number on this row.
fn is_finite_throughout(formula: &Formula, row: &[f64]) -> bool {
    let mut part = Formula::new();
    formula.nodes().iter().all(|node| {
        part.push(node.symbol, &node.arguments[..node.symbol.arity()]);
        predict_row(&part, row).is_finite()
    })
}
