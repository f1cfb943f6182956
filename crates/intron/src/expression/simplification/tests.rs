//! The laws hold, and formulas become what one would write by hand.

use egg::{ENodeOrVar, Language, Pattern};

use super::super::formula::Formula;
use super::super::names::FeatureNames;
use super::super::operator::Operator::{self, *};
use super::super::symbol::{Meaning, Symbol};
use super::assembly::{call, leaf};
use super::digits::{DigitTolerance, rounded_constants, snap_constants};
use super::rules::{Laws, all_rules};
use super::simplifier::Simplifier;
use super::term::Term;
use crate::evaluation::{Instructions, LinearScaling, Objective, Problem, is_same_on, predict_row};
use crate::expression::Template;

fn names() -> FeatureNames {
    FeatureNames::new(&["x", "y", "z", "w"].map(str::to_owned))
}

fn parse(text: &str) -> Formula {
    Formula::parse(text, &names()).unwrap()
}

fn simplified(text: &str, operators: &[Operator]) -> String {
    let simplifier = Simplifier::new(operators);
    simplifier.simplify(&parse(text), |_| true).to_text(&names())
}

fn check(operators: &[Operator], cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(simplified(text, operators), *expected, "{text}");
        assert_eq!(simplified(expected, operators), *expected, "again");
    }
}

#[test]
fn constants_are_merged() {
    let cases = [
        ("2 + x + 3", "5 + x"),
        ("1.5 * x / 2.5", "0.6 * x"),
        ("x * 2 * y * 3 / z / 4", "1.5 * x * y / z"),
        ("2 * (3 + 4 * x) - 6", "8 * x"),
        ("1.5 + 2 * (0.25 + 3 * sin(x))", "2 + 6 * sin(x)"),
        (
            "3.64 - 0.1175 * (5.449 - x / y * (7.37 + 9.64) - sin(sin(z)))",
            "2.9997425 + 0.1175 * sin(sin(z)) + 1.998675 * x / y",
        ),
        ("1 - (1 - x)", "x"),
        ("0.1 * x + 0.2 * x - 0.3 * x", "0"),
        ("(1 + 2) * sin(3)", "0.4233600241796016"),
        ("1 / (2 * x)", "0.5 / x"),
        ("x / 4 * 3", "0.75 * x"),
        ("x / 3", "x / 3"),
        ("-2 + x", "x - 2"),
        ("(x + 2) * 3 + (y - 1) * 3 - 3", "3 * (x + y)"),
    ];
    check(&Operator::SMALL, &cases);
}

#[test]
fn like_terms_and_factors_are_collected() {
    let cases = [
        ("x + x", "2 * x"),
        ("x - x + y", "y"),
        ("2 * x + 3 * x - 5 * x + 1", "1"),
        ("x + -2 * y", "x - 2 * y"),
        ("(x + y) - (y + x)", "0"),
        ("x * y + x * z", "x * (y + z)"),
        ("x * (y + 1) - x * y", "x"),
        ("3 * x + 3 * y", "3 * (x + y)"),
        ("(x + y + z + w) * 2 - 2 * w", "2 * (x + y + z)"),
        ("x - (y - (z - w))", "x + z - y - w"),
        ("x / x * y", "y"),
        ("x * y * z / (z * y)", "x"),
        ("x / (y / z)", "x * z / y"),
        ("x / y / z", "x / (y * z)"),
        ("x / y + z / y", "(x + z) / y"),
        ("(x + 1) * (x - 1)", "x * x - 1"),
        ("sin(x - y) + sin(y - x)", "0"),
        ("sin(2 * x + y) - sin(y + x + x)", "0"),
        ("(x - y) / (y - x)", "-1"),
    ];
    check(&Operator::SMALL, &cases);
}

#[test]
fn laws_of_the_functions_are_used() {
    let all: Vec<Operator> = Operator::all().collect();
    let cases = [
        ("x * x", "x^2"),
        ("x * x * x", "x^3"),
        ("x^2 / x", "x"),
        ("cube(x) / x", "x^2"),
        ("(x - y) * (x - y)", "(x - y)^2"),
        ("pow(x, 2)", "x^2"),
        ("pow(x, 0.5)", "sqrt(x)"),
        ("pow(x, y) * pow(x, z)", "x^(y + z)"),
        ("1 / x", "inv(x)"),
        ("inv(inv(x))", "x"),
        ("-1 * x", "-x"),
        ("-(-x)", "x"),
        ("sin(-x)", "-sin(x)"),
        ("cos(-x)", "cos(x)"),
        ("tanh(-x) * 2", "-2 * tanh(x)"),
        ("sin(x)^2 + cos(x)^2", "1"),
        ("exp(log(x))", "x"),
        ("log(exp(x) + 0)", "x"),
        ("exp(x) * exp(y)", "exp(x + y)"),
        ("exp(x) / exp(y)", "exp(x - y)"),
        ("exp(2 * log(x))", "x^2"),
        ("log(x) + log(y)", "log(x * y)"),
        ("sqrt(x) * sqrt(x)", "x"),
        ("sqrt(x^2)", "abs(x)"),
        ("sqrt(x) * sqrt(y)", "sqrt(x * y)"),
        ("abs(-x)", "abs(x)"),
        ("abs(exp(x))", "exp(x)"),
        ("max(x, x)", "x"),
        ("min(x, max(x, y))", "x"),
        ("max(-x, -y)", "-min(x, y)"),
        ("max(x + 1, y + 1)", "1 + max(x, y)"),
        ("aq(2 * x, -y)", "2 * aq(x, y)"),
        ("pdiv(3 * x, y) + pdiv(z, y)", "pdiv(z + 3 * x, y)"),
        ("psqrt(-x)", "psqrt(x)"),
        ("psqrt(x)^2", "abs(x)"),
        ("plog(x * y) - plog(y)", "plog(x)"),
    ];
    check(&all, &cases);
}

#[test]
fn only_operators_that_may_be_printed_or_were_there_appear() {
    check(&Operator::SMALL, &[("x * x", "x * x"), ("1 / x", "1 / x"), ("-1 * x", "-1 * x")]);
    check(&Operator::SMALL, &[("sqrt(x^2)", "sqrt(x^2)"), ("-x + -y", "-x - y")]);
    check(&[Add, Subtract, Multiply, Square], &[("x * x + y * y", "x^2 + y^2")]);
}

/// The value of a side of a law, with the values of its variables in the order of their names.
fn value(pattern: &Pattern<Term>, values: &[(egg::Var, f64)]) -> f64 {
    let mut formula = Formula::new();
    for node in &pattern.ast {
        match node {
            ENodeOrVar::Var(variable) => {
                let (_, value) = values.iter().find(|(own, _)| own == variable).unwrap();
                formula.push(Symbol::constant(*value), &[]);
            }
            ENodeOrVar::ENode(term) => {
                let arguments: Vec<u32> =
                    term.children().iter().map(|&id| usize::from(id) as u32).collect();
                formula.push(term.symbol(), &arguments);
            }
        }
    }
    predict_row(&formula, &[])
}

#[test]
fn both_sides_of_every_law_are_equal() {
    let numbers = [-2.5, -1.0, -0.4, 0.0, 0.3, 1.0, 2.0, 3.7];
    for rule in all_rules() {
        let variables = rule.left.vars();
        let n_cases = numbers.len().pow(variables.len() as u32);
        let mut n_tried = 0;
        for case in 0..n_cases {
            let digit = |k: usize| case / numbers.len().pow(k as u32) % numbers.len();
            let values: Vec<(egg::Var, f64)> =
                variables.iter().enumerate().map(|(k, &v)| (v, numbers[digit(k)])).collect();
            let has_zero = values.iter().any(|&(_, value)| value == 0.0);
            if !rule.admits(&values) || (rule.laws == Laws::WhereDefined && has_zero) {
                continue;
            }
            let (left, right) = (value(&rule.left, &values), value(&rule.right, &values));
            let what = || format!("{} => {} at {values:?}: {left} {right}", rule.left, rule.right);
            let is_close = (left - right).abs() <= 1e-9 * left.abs().max(1.0);
            if left.is_finite() {
                n_tried += 1;
                assert!(is_close, "{}", what());
            } else if rule.laws == Laws::Exact && !has_zero {
                assert!(!right.is_finite(), "{}", what());
            }
        }
        assert!(n_tried > 0, "{}", rule.left);
    }
}

#[test]
fn what_differs_on_the_data_is_refused() {
    let column = vec![vec![-1.0, 0.0, 2.0]];
    let formula = parse("x / x + x * (1 + 1)");
    let simplifier = Simplifier::new(&Operator::SMALL);
    // 0/0 is no number, so nothing is asked there.
    let checked =
        simplifier.simplify(&formula, |other| is_same_on(&formula, other, &column, 3, 1e-9));
    assert_eq!(checked.to_text(&names()), "1 + 2 * x");
    // Someone who wants no number to stay none gets what holds everywhere.
    let strict = |other: &Formula| predict_row(other, &[0.0]).is_nan();
    assert_eq!(simplifier.simplify(&formula, strict).to_text(&names()), "x * (2 + 1 / x)");
    assert_eq!(simplifier.simplify(&formula, |_| false), formula);
    let doubled = parse("2 * x");
    assert!(is_same_on(&doubled, &parse("x + x"), &column, 3, 0.0));
    assert!(!is_same_on(&doubled, &parse("2.001 * x"), &column, 3, 1e-9));
    assert!(!is_same_on(&doubled, &parse("2 * x * x / x"), &column, 3, 1e-9));
}

#[test]
fn a_problem_compares_by_the_spread_of_its_target() {
    let columns = vec![vec![1.0, 2.0, 3.0, 4.0]];
    let target = [100.0, 200.0, 300.0, 400.0];
    let objective = Objective::new(&target, None, LinearScaling::Off, Instructions::default());
    let template = Template::full(3, 2).unwrap();
    let problem = Problem::new(template, &columns, objective, Instructions::default());
    assert!(problem.is_same(&parse("100 * x"), &parse("100.0001 * x"), 1e-5));
    assert!(!problem.is_same(&parse("100 * x"), &parse("100.0001 * x"), 1e-7));
    let simplifier = Simplifier::new(&Operator::SMALL);
    let formula = problem.simplified(&simplifier, &parse("50 * x + x * (25 + 25)"));
    assert_eq!(formula.to_text(&names()), "100 * x");
}

#[test]
fn large_and_deep_formulas_are_left_as_they_are() {
    let simplifier = Simplifier::new(&Operator::SMALL);
    let mut deep = leaf(Symbol::feature(0));
    for _ in 0..1000 {
        deep = call(Sin, &[&deep]);
    }
    assert_eq!(simplifier.simplify(&deep, |_| true), deep);
    let mut shared = leaf(Symbol::feature(0));
    for place in 0..100 {
        shared.push(Symbol::operator(Add), &[place, place]);
    }
    assert_eq!(simplifier.simplify(&shared, |_| true), shared);
    let mut chain = leaf(Symbol::feature(0));
    for _ in 0..127 {
        chain = call(Add, &[&leaf(Symbol::feature(0)), &chain]);
    }
    assert_eq!(simplifier.simplify(&chain, |_| true).to_text(&names()), "128 * x");
}

#[test]
fn constants_get_as_few_digits_as_the_score_needs() {
    let formula = parse("3.14159265358979 * x + 0.00001234567 * y + 2");
    let rows: Vec<[f64; 2]> = (0..50).map(|k| [f64::from(k), f64::from(k * k % 7)]).collect();
    let error = |other: &Formula| -> f64 {
        let noise = |k: usize| if k.is_multiple_of(2) { 0.1 } else { -0.1 };
        let residue = |(k, row): (usize, &[f64; 2])| {
            predict_row(other, row) - predict_row(&formula, row) - noise(k)
        };
        rows.iter().enumerate().map(residue).map(|residue| residue * residue).sum()
    };
    let rounded = rounded_constants(&formula, DigitTolerance::default(), error);
    assert_eq!(rounded.to_text(&names()), "3.1416 * x + 1.23e-5 * y + 2");
    assert!(error(&rounded) <= error(&formula) * 1.0001);
    let exact = |other: &Formula| if *other == formula { 0.0 } else { 1.0 };
    assert_eq!(rounded_constants(&formula, DigitTolerance::default(), exact), formula);
    let none = |_: &Formula| f64::NAN;
    assert_eq!(rounded_constants(&formula, DigitTolerance::default(), none), formula);
}

#[test]
fn simple_numbers_keep_their_digits() {
    let formula = parse("0.3333333333333333 * x + 1.0471975511965976 * y + 1.2345678");
    let rounded = rounded_constants(&formula, DigitTolerance::default(), |_| 1.0);
    let expected = "0.3333333333333333 * x + 1.0471975511965976 * y + 1.23";
    assert_eq!(rounded.to_text(&names()), expected);
}

#[test]
fn numbers_leave_functions_where_another_one_takes_them_in() {
    let cases = [
        ("2 * sqrt(0.5 * x + 0.25 * y)", "sqrt(y + 2 * x)"),
        ("1.25 * z * sqrt(174.816 + 0.64 * x)", "z * sqrt(273.15 + x)"),
        ("100 * square(0.1 * x - 0.3) + y", "y + (x - 3)^2"),
        ("5 / (0.5 * x + 2 * y)", "10 / (x + 4 * y)"),
        ("3 * exp(x + 2)", "22.16716829679195 * exp(x)"),
        ("1 + log(4 * x + 4 * y)", "2.386294361119891 + log(x + y)"),
        ("log(2 * x)", "log(2 * x)"),
        ("cos(0 - 0.5 * x)", "cos(0.5 * x)"),
    ];
    check(&Operator::LARGE, &cases);
}

#[test]
fn constants_become_simple_numbers_where_that_is_accepted() {
    let formula = parse("2.003 * x + 0.4999 * y + 7.77");
    let mut asked = Vec::new();
    let snapped = snap_constants(&formula, |candidate, simple| {
        asked.push(simple.to_vec());
        let has = |wanted: f64| {
            let is_it = |meaning| meaning == Meaning::Constant(wanted);
            candidate.nodes().iter().any(|node| is_it(node.symbol.meaning()))
        };
        // The third constant must not change.
        has(7.77).then(|| candidate.clone())
    });
    assert_eq!(snapped.to_text(&names()), "2 * x + 0.5 * y + 7.77");
    assert_eq!(asked[..2], [vec![0], vec![0, 3]]);
}

#[test]
fn threads_and_the_order_of_work_change_nothing() {
    let texts = [
        "sin(x * y) / (x + 2 * (y - 3)) + x * (y + z) - z * x / 2",
        "x * y * (z + 1) - (y * x * z - sin(x + y) * 0.5) / (w + w)",
        "(x + y) * (x - y) / (x * x - y * y) + sin(z - w) * 3 - 2 * sin(w - z)",
    ];
    let all = || texts.map(|text| simplified(text, &Operator::LARGE));
    let expected = all();
    let others: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(all)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(others.iter().all(|other| *other == expected));
}
