//! The order in which a formula is written: sums and products as flat chains, numbers first, then smaller parts before
//! larger ones. Of all orders of the same formula there is one layout, with as many nodes as before or fewer.

use std::cmp::Ordering;

use super::super::formula::Formula;
use super::super::operator::Operator::{self, *};
use super::super::symbol::{Meaning, Symbol};
use super::assembly::{call, chain, constant, leaf, value_of};

/// A part of a sum: what is added or subtracted.
#[derive(Clone)]
struct Part {
    is_negative: bool,
    formula: Formula,
}

/// The formula in its layout; at most a few hundred nodes, for it goes down by recursion.
pub(super) fn laid_out(formula: &Formula) -> Formula {
    let root = formula.size() - 1;
    let part = part_of(formula, root as u32);
    with_sign(part)
}

/// The order among parts of a chain.
fn order(a: &Formula, b: &Formula) -> Ordering {
    let key = |formula: &Formula| (value_of(formula).is_none(), formula.size());
    key(a).cmp(&key(b)).then_with(|| compare_nodes(a, b))
}

/// A fixed order of formulas of the same size.
pub(super) fn compare_nodes(a: &Formula, b: &Formula) -> Ordering {
    let rank = |symbol: Symbol| match symbol.meaning() {
        Meaning::Constant(value) => (0, 0, value),
        Meaning::Feature(index) => (1, index, 0.0),
        Meaning::Operator(operator) => (2, operator as u32, 0.0),
    };
    for (a, b) in a.nodes().iter().zip(b.nodes()) {
        let ((class_a, number_a, x), (class_b, number_b, y)) = (rank(a.symbol), rank(b.symbol));
        let symbols = (class_a, number_a).cmp(&(class_b, number_b)).then(x.total_cmp(&y));
        let nodes = symbols.then(a.arguments.cmp(&b.arguments));
        if nodes != Ordering::Equal {
            return nodes;
        }
    }
    a.size().cmp(&b.size())
}

fn part_of(formula: &Formula, place: u32) -> Part {
    let node = formula.nodes()[place as usize];
    let Some(operator) = node.symbol.as_operator() else {
        return match node.symbol.meaning() {
            Meaning::Constant(value) => {
                Part { is_negative: value < 0.0, formula: constant(value.abs()) }
            }
            _ => Part { is_negative: false, formula: leaf(node.symbol) },
        };
    };
    let positive = |formula: Formula| Part { is_negative: false, formula };
    match operator {
        Add | Subtract => positive(sum_of(formula, place)),
        Multiply | Divide => product_of(formula, place),
        _ => {
            let arguments = &node.arguments[..operator.arity()];
            let mut arguments: Vec<Formula> =
                arguments.iter().map(|&argument| with_sign(part_of(formula, argument))).collect();
            if matches!(operator, Minimum | Maximum) {
                arguments.sort_by(order);
            }
            positive(call(operator, &arguments.iter().collect::<Vec<_>>()))
        }
    }
}

/// Leaves of the largest chain of two operators from a node down, each with whether the second operator flips it.
fn leaves(formula: &Formula, place: u32, operators: [Operator; 2]) -> Vec<(bool, u32)> {
    let mut found = Vec::new();
    let mut open = vec![(false, place)];
    while let Some((is_flipped, place)) = open.pop() {
        let node = formula.nodes()[place as usize];
        match node.symbol.as_operator() {
            Some(operator) if operators.contains(&operator) => {
                let [first, second] = node.arguments;
                open.push((is_flipped != (operator == operators[1]), second));
                open.push((is_flipped, first));
            }
            _ => found.push((is_flipped, place)),
        }
    }
    found
}

fn sum_of(formula: &Formula, place: u32) -> Formula {
    let mut parts: Vec<Part> = Vec::new();
    for (is_subtracted, place) in leaves(formula, place, [Add, Subtract]) {
        let mut part = part_of(formula, place);
        part.is_negative ^= is_subtracted;
        parts.push(part);
    }
    parts.sort_by(|a, b| {
        a.is_negative.cmp(&b.is_negative).then_with(|| order(&a.formula, &b.formula))
    });
    // Without a plus, a number in some part holds the minus.
    let first = if parts[0].is_negative {
        parts.iter().position(|part| number_in(&part.formula).is_some()).unwrap_or(0)
    } else {
        0
    };
    let first = parts.remove(first);
    parts.into_iter().fold(with_sign(first), |whole, part| {
        call(if part.is_negative { Subtract } else { Add }, &[&whole, &part.formula])
    })
}

fn product_of(formula: &Formula, place: u32) -> Part {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    let (mut numbers_above, mut numbers_below) = (Vec::new(), Vec::new());
    let mut is_negative = false;
    for (is_divisor, place) in leaves(formula, place, [Multiply, Divide]) {
        let part = part_of(formula, place);
        is_negative ^= part.is_negative;
        match (value_of(&part.formula), is_divisor) {
            (Some(value), false) => numbers_above.push(value),
            (Some(value), true) => numbers_below.push(value),
            (None, false) => above.push(part.formula),
            (None, true) => below.push(part.formula),
        }
    }
    above.sort_by(order);
    below.sort_by(order);
    let product = |numbers: &[f64]| numbers.iter().product::<f64>();
    let merged = product(&numbers_above) / product(&numbers_below);
    let is_merged = numbers_above.len() + numbers_below.len() > 1 && merged.is_normal();
    if is_merged {
        (numbers_above, numbers_below) = (vec![merged], Vec::new());
    }
    for (numbers, factors) in [(numbers_above, &mut above), (numbers_below, &mut below)] {
        numbers.into_iter().rev().for_each(|number| factors.insert(0, constant(number)));
    }
    let above = chain(Multiply, &above).expect("something is above the line");
    let formula = match chain(Multiply, &below) {
        Some(below) => call(Divide, &[&above, &below]),
        None => above,
    };
    Part { is_negative, formula }
}

/// The place of a number that is a factor of the formula, or the formula itself: it can hold a minus.
fn number_in(formula: &Formula) -> Option<usize> {
    let root = formula.size() as u32 - 1;
    let mut factors = leaves(formula, root, [Multiply, Divide]).into_iter();
    let number = factors.find(|&(_, place)| {
        matches!(formula.nodes()[place as usize].symbol.meaning(), Meaning::Constant(_))
    });
    number.map(|(_, place)| place as usize)
}

/// The formula of a part that stands alone.
fn with_sign(part: Part) -> Formula {
    if !part.is_negative {
        return part.formula;
    }
    let number = number_in(&part.formula).expect("only a number makes a part negative");
    let mut formula = Formula::new();
    for (place, node) in part.formula.nodes().iter().enumerate() {
        let symbol = match node.symbol.meaning() {
            Meaning::Constant(value) if place == number => Symbol::constant(-value),
            _ => node.symbol,
        };
        formula.push(symbol, &node.arguments[..symbol.arity()]);
    }
    formula
}
