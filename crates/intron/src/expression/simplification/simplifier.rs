//! Rounds of simplification: collect like terms, grow an e-graph, take out the smallest form, lay it out.

use std::cmp::Ordering;

use super::super::formula::Formula;
use super::super::operator::Operator;
use super::super::symbol::Meaning;
use super::collection::collected;
use super::digits::n_characters;
use super::extraction::extract;
use super::facts::{Arithmetic, Facts, Graph};
use super::layout::{compare_nodes, laid_out};
use super::rules::{Laws, Rule, all_rules, rules_for};
use super::saturation::{Limits, saturate};
use super::term::add_formula;

/// Larger formulas are left as they are.
const MAX_SIZE: usize = 255;

/// Finds the smallest equal form of formulas. The same formula always gives the same form.
pub struct Simplifier {
    rules: Vec<Rule>,
    operators: Vec<Operator>,
    arithmetic: Arithmetic,
}

impl Simplifier {
    /// A simplifier whose results use these operators, `+`, `*`, and those of the formula itself.
    pub(crate) fn with_arithmetic(operators: &[Operator], arithmetic: Arithmetic) -> Simplifier {
        let mut operators = operators.to_vec();
        operators.extend([Operator::Add, Operator::Multiply]);
        Simplifier { rules: all_rules(), operators, arithmetic }
    }

    /// The smallest form of a formula that is found and that `is_same` accepts; it never has more nodes. `is_same`
    /// compares on the data, for some rules change where a formula is defined. If what these lead to is refused, only
    /// those that hold everywhere are tried; and if that is refused, too, the formula stays as it is.
    pub fn simplify(&self, formula: &Formula, is_same: impl Fn(&Formula) -> bool) -> Formula {
        if tree_size(formula) > MAX_SIZE {
            return formula.clone();
        }
        let mut printable = self.operators.clone();
        printable.extend(formula.nodes().iter().filter_map(|node| node.symbol.as_operator()));
        let mut best = formula.clone();
        let layout = laid_out(formula);
        if layout != *formula && layout.size() <= formula.size() && is_same(&layout) {
            best = layout;
        }
        for laws in [Laws::WhereDefined, Laws::Exact] {
            loop {
                let smaller = self.round(laws, &best, &printable);
                if compare(&smaller, &best) != Ordering::Less {
                    return best;
                }
                if !is_same(&smaller) {
                    break;
                }
                best = smaller;
            }
        }
        best
    }

    /// The smallest form that one graph has.
    fn round(&self, laws: Laws, formula: &Formula, printable: &[Operator]) -> Formula {
        let facts = Facts { arithmetic: self.arithmetic, is_contradictory: false };
        let mut graph = Graph::new(facts);
        let root = add_formula(&mut graph, formula);
        let mut candidates = vec![formula.clone()];
        if laws == Laws::WhereDefined {
            let collected = collected(formula, self.arithmetic, printable);
            let same = add_formula(&mut graph, &collected);
            graph.union(root, same);
            let is_printable =
                |operator: Option<Operator>| operator.is_none_or(|o| printable.contains(&o));
            if collected.nodes().iter().all(|node| is_printable(node.symbol.as_operator())) {
                candidates.push(laid_out(&collected));
            }
        }
        let in_use: Vec<Operator> =
            formula.nodes().iter().filter_map(|node| node.symbol.as_operator()).collect();
        let rules = rules_for(&self.rules, &in_use, printable, laws);
        if saturate(&mut graph, &rules, limits_for(formula.size())) {
            candidates.extend(extract(&graph, root, printable).map(|formula| laid_out(&formula)));
        }
        candidates.into_iter().min_by(compare).expect("at least the formula itself")
    }
}

/// How far the graph of a formula of this size may grow. Ten times as many nodes find hardly more: what takes many
/// steps is in the collected form already.
fn limits_for(size: usize) -> Limits {
    let n_nodes = if size <= 48 { 1500 } else { 4000 };
    Limits { n_nodes, n_iterations: 8, n_matches: 300 }
}

/// The order of equal formulas: the smaller is better, then fewer constants that are not whole numbers, fewer
/// features, a lower depth, fewer digits.
fn compare(a: &Formula, b: &Formula) -> Ordering {
    let key = |formula: &Formula| {
        let (mut n_constants, mut n_features, mut n_digits) = (0, 0, 0);
        for node in formula.nodes() {
            match node.symbol.meaning() {
                Meaning::Constant(value) => {
                    n_constants += usize::from(value.fract() != 0.0);
                    n_digits += n_characters(value);
                }
                Meaning::Feature(_) => n_features += 1,
                Meaning::Operator(_) => {}
            }
        }
        (formula.size(), n_constants, n_features, depth(formula), n_digits)
    };
    key(a).cmp(&key(b)).then_with(|| compare_nodes(a, b))
}

fn depth(formula: &Formula) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(formula.size());
    for node in formula.nodes() {
        let arguments = &node.arguments[..node.symbol.arity()];
        let deepest = arguments.iter().map(|&place| depths[place as usize]).max();
        depths.push(deepest.unwrap_or(0) + 1);
    }
    depths.last().copied().unwrap_or(0)
}

/// Number of nodes if every argument is written where it is used.
fn tree_size(formula: &Formula) -> usize {
    let mut sizes: Vec<usize> = Vec::with_capacity(formula.size());
    for node in formula.nodes() {
        let arguments = &node.arguments[..node.symbol.arity()];
        let size = arguments.iter().fold(1_usize, |sum, &k| sum.saturating_add(sizes[k as usize]));
        sizes.push(size);
    }
    sizes.last().copied().unwrap_or(usize::MAX)
}
