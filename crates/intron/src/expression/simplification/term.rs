//! One node of the e-graph: an operator, a feature or a constant, as [`egg`] wants it.

use egg::{FromOp, Id, Language};

use super::super::formula::Formula;
use super::super::operator::Operator;
use super::super::symbol::{Meaning, Symbol};
use super::facts::Graph;

/// A node whose arguments are classes of equal terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Term {
    /// The bits of a constant, which is not NaN.
    Constant(u64),
    Feature(u32),
    Unary(Operator, [Id; 1]),
    Binary(Operator, [Id; 2]),
}

impl Term {
    /// A constant; zero has no sign here, so that equal numbers are one term.
    pub(super) fn constant(value: f64) -> Term {
        Term::Constant((value + 0.0).to_bits())
    }

    pub(super) fn operator(operator: Operator, arguments: &[Id]) -> Term {
        match *arguments {
            [argument] => Term::Unary(operator, [argument]),
            [first, second] => Term::Binary(operator, [first, second]),
            _ => panic!("an operator has one or two arguments"),
        }
    }

    pub(super) fn as_operator(&self) -> Option<Operator> {
        match *self {
            Term::Unary(operator, _) | Term::Binary(operator, _) => Some(operator),
            _ => None,
        }
    }

    /// The symbol that a formula has for this node.
    pub(super) fn symbol(&self) -> Symbol {
        match *self {
            Term::Constant(bits) => Symbol::constant(f64::from_bits(bits)),
            Term::Feature(index) => Symbol::feature(index),
            Term::Unary(operator, _) | Term::Binary(operator, _) => Symbol::operator(operator),
        }
    }
}

impl Language for Term {
    type Discriminant = u8;

    fn discriminant(&self) -> u8 {
        match self {
            Term::Constant(_) => u8::MAX,
            Term::Feature(_) => u8::MAX - 1,
            Term::Unary(operator, _) | Term::Binary(operator, _) => *operator as u8,
        }
    }

    fn matches(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Constant(a), Term::Constant(b)) => a == b,
            (Term::Feature(a), Term::Feature(b)) => a == b,
            (Term::Unary(a, _), Term::Unary(b, _)) | (Term::Binary(a, _), Term::Binary(b, _)) => {
                a == b
            }
            _ => false,
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            Term::Unary(_, arguments) => arguments,
            Term::Binary(_, arguments) => arguments,
            _ => &[],
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Term::Unary(_, arguments) => arguments,
            Term::Binary(_, arguments) => arguments,
            _ => &mut [],
        }
    }
}

impl FromOp for Term {
    type Error = String;

    /// Reads a node of a rule: operators go by their names, numbers are constants.
    fn from_op(name: &str, arguments: Vec<Id>) -> Result<Term, String> {
        if arguments.is_empty() {
            let value: Result<f64, _> = name.parse();
            return value.map(Term::constant).map_err(|error| format!("{name}: {error}"));
        }
        match Operator::from_name(name) {
            Some(operator) if operator.arity() == arguments.len() => {
                Ok(Term::operator(operator, &arguments))
            }
            _ => Err(format!("no operator `{name}` with {} arguments", arguments.len())),
        }
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.symbol())
    }
}

/// Adds a formula and returns the class of its root.
pub(super) fn add_formula(graph: &mut Graph, formula: &Formula) -> Id {
    let mut classes: Vec<Id> = Vec::with_capacity(formula.size());
    for node in formula.nodes() {
        let term = match node.symbol.meaning() {
            Meaning::Constant(value) => Term::constant(value),
            Meaning::Feature(index) => Term::Feature(index),
            Meaning::Operator(operator) => {
                let places = &node.arguments[..operator.arity()];
                let arguments: Vec<Id> = places.iter().map(|&k| classes[k as usize]).collect();
                Term::operator(operator, &arguments)
            }
        };
        classes.push(graph.add(term));
    }
    *classes.last().expect("a formula has at least one node")
}
