//! Laws of simplification: what is simplified computes the same, is not larger, and cannot be simplified further.

use crate::cases;
use intron::{
    FeatureNames, Formula, Operator, Seed, Simplifier, Stream, StreamName, Symbol, predict_row,
};
use proptest::prelude::*;

const N_FEATURES: usize = 4;
const ODD_NUMBERS: [f64; 9] = [0.0, -0.0, 1.0, -1.0, 1e308, 5e-324, 1e-300, 710.0, f64::INFINITY];

fn names() -> FeatureNames {
    FeatureNames::new(&["x", "y", "z", "w"].map(str::to_owned))
}

/// Appends a random formula of this size and returns the place of its root.
fn draw(
    formula: &mut Formula,
    size: usize,
    operators: &[Operator],
    are_odd: bool,
    stream: &mut Stream,
) -> u32 {
    if size == 1 {
        let symbol = match stream.below(6) {
            index @ 0..N_FEATURES => Symbol::feature(index as u32),
            4 if are_odd => Symbol::constant(ODD_NUMBERS[stream.below(ODD_NUMBERS.len())]),
            4 => Symbol::constant((stream.unit() * 2000.0).round() / 100.0 - 10.0),
            _ => Symbol::constant(stream.below(7) as f64 - 3.0),
        };
        return formula.push(symbol, &[]);
    }
    let fitting: Vec<Operator> =
        operators.iter().copied().filter(|operator| operator.arity() < size).collect();
    let operator = fitting[stream.below(fitting.len())];
    let mut arguments = Vec::new();
    if operator.arity() == 2 {
        let first = 1 + stream.below(size - 2);
        arguments.push(draw(formula, first, operators, are_odd, stream));
        arguments.push(draw(formula, size - 1 - first, operators, are_odd, stream));
    } else {
        arguments.push(draw(formula, size - 1, operators, are_odd, stream));
    }
    formula.push(Symbol::operator(operator), &arguments)
}

pub(crate) fn draw_formula(
    size: usize,
    is_large: bool,
    are_odd: bool,
    stream: &mut Stream,
) -> Formula {
    let mut operators: Vec<Operator> = Operator::all().collect();
    if is_large {
        operators = Operator::LARGE.to_vec();
    }
    if size == 2 {
        operators.retain(|operator| operator.arity() == 1);
    }
    let mut formula = Formula::new();
    draw(&mut formula, size, &operators, are_odd, stream);
    formula
}

/// The value of a formula and what rounding may change of it, if everything on the way is an ordinary number.
fn value_with_error(formula: &Formula, row: &[f64]) -> Option<(f64, f64)> {
    let mut part = Formula::new();
    let mut largest = 1.0_f64;
    for node in formula.nodes() {
        part.push(node.symbol, &node.arguments[..node.symbol.arity()]);
        let value = predict_row(&part, row);
        if !value.is_finite() || value.abs() > 1e4 {
            return None;
        }
        largest = largest.max(value.abs());
    }
    let value = predict_row(formula, row);
    let nudged: Vec<f64> = row.iter().map(|x| x * (1.0 + 1e-10)).collect();
    let change = (predict_row(formula, &nudged) - value).abs();
    Some((value, 1e-7 * largest + 1e4 * change))
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_simplified_formula_computes_the_same_and_is_not_larger(
        seed in any::<u64>(),
        size in 1_usize..41,
        is_large in any::<bool>(),
    ) {
        let mut stream = Seed(seed).stream(StreamName::Split);
        let formula = draw_formula(size, is_large, false, &mut stream);
        let operators: Vec<Operator> = Operator::all().collect();
        let operators = if is_large { Operator::LARGE.to_vec() } else { operators };
        let simplifier = Simplifier::new(&operators);
        let simplified = simplifier.simplify(&formula, |_| true);
        let text = (formula.to_text(&names()), simplified.to_text(&names()));
        prop_assert!(simplified.size() <= formula.size(), "{text:?}");
        for _ in 0..20 {
            let row: Vec<f64> = (0..N_FEATURES).map(|_| 4.0 * stream.unit() - 2.0).collect();
            if let Some((value, error)) = value_with_error(&formula, &row) {
                let other = predict_row(&simplified, &row);
                prop_assert!((value - other).abs() <= error, "{text:?} {row:?} {value} {other}");
            }
        }
        let again = simplifier.simplify(&simplified, |_| true);
        prop_assert_eq!(again.to_text(&names()), text.1);
    }

    #[test]
    fn odd_numbers_do_no_harm(seed in any::<u64>(), size in 1_usize..80) {
        let mut stream = Seed(seed).stream(StreamName::Split);
        let formula = draw_formula(size, false, true, &mut stream);
        let simplifier = Simplifier::new(&Operator::SMALL);
        let simplified = simplifier.simplify(&formula, |_| true);
        prop_assert!(simplified.size() <= formula.size());
        prop_assert_eq!(&simplified, &Simplifier::new(&Operator::SMALL).simplify(&formula, |_| true));
    }
}
