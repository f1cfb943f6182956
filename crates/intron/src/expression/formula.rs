//! A formula as such: an expression outside the template, of any shape, with its scaling written out.
//! What is printed, parsed, predicted with and scored is a `Formula`.

use super::operator::Operator;
use super::symbol::{Meaning, Symbol};

/// One node of a [`Formula`]: a symbol and the places of its arguments, which come before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    /// Operator, feature or constant.
    pub symbol: Symbol,
    /// Places of the arguments in the list of nodes; those past the arity are 0 and unused.
    pub arguments: [u32; 2],
}

/// An expression as a list of nodes in post-order: arguments before the operator that uses them, the root last.
/// Never a tree of pointers, so that no depth can exhaust the stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Formula {
    nodes: Vec<Node>,
}

impl Formula {
    /// An empty list, to be filled with [`Formula::push`]; a usable formula has at least one node.
    pub fn new() -> Formula {
        Formula::default()
    }

    /// Appends a node whose arguments are already there and returns its place. The last node is the root.
    pub fn push(&mut self, symbol: Symbol, arguments: &[u32]) -> u32 {
        assert_eq!(
            symbol.arity(),
            arguments.len(),
            "an operator has as many arguments as its arity"
        );
        let place = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        assert!(arguments.iter().all(|&argument| argument < place), "arguments come first");
        let mut places = [0; 2];
        places[..arguments.len()].copy_from_slice(arguments);
        self.nodes.push(Node { symbol, arguments: places });
        place
    }

    /// Appends a whole formula and returns the place of its root.
    pub fn append(&mut self, other: &Formula) -> u32 {
        let start = self.size() as u32;
        for node in &other.nodes {
            let arguments = node.arguments.map(|place| place + start);
            self.push(node.symbol, &arguments[..node.symbol.arity()]);
        }
        self.size() as u32 - 1
    }

    /// The part below and with one of the nodes.
    pub fn part(&self, root: usize) -> Formula {
        let mut is_needed = vec![false; root + 1];
        is_needed[root] = true;
        let mut part = Formula::new();
        for place in (0..=root).rev() {
            if is_needed[place] {
                let node = &self.nodes[place];
                let arguments = &node.arguments[..node.symbol.arity()];
                arguments.iter().for_each(|&argument| is_needed[argument as usize] = true);
            }
        }
        let mut places = vec![0; root + 1];
        for place in (0..=root).filter(|&place| is_needed[place]) {
            let node = &self.nodes[place];
            let arguments = node.arguments.map(|argument| places[argument as usize]);
            places[place] = part.push(node.symbol, &arguments[..node.symbol.arity()]);
        }
        part
    }

    /// The places of its constants.
    pub fn constants(&self) -> Vec<usize> {
        let is_constant = |&place: &usize| self.nodes[place].symbol.as_constant().is_some();
        (0..self.size()).filter(is_constant).collect()
    }

    /// The formula with a constant in the place of another one.
    pub(crate) fn with_constant(&self, at: usize, value: f64) -> Formula {
        let mut other = Formula::new();
        for (place, node) in self.nodes().iter().enumerate() {
            let symbol = if place == at { Symbol::constant(value) } else { node.symbol };
            other.push(symbol, &node.arguments[..symbol.arity()]);
        }
        other
    }

    /// The formula with one of the nodes replaced by what stands below it.
    pub(crate) fn without(&self, node: usize, below: usize) -> Formula {
        let mut other = Formula::new();
        let mut places: Vec<u32> = Vec::with_capacity(self.nodes().len());
        for (place, &Node { symbol, arguments }) in self.nodes().iter().enumerate() {
            let moved =
                arguments.map(|argument| places.get(argument as usize).copied().unwrap_or(0));
            places.push(match place == node {
                true => places[below],
                false => other.push(symbol, &moved[..symbol.arity()]),
            });
        }
        other.part(places[self.size() - 1] as usize)
    }

    /// The places of the functions of one argument, each with a place below it: its argument, and what that is a function of.
    pub(crate) fn shortcuts(&self) -> Vec<(usize, usize)> {
        let argument = |place: usize| {
            let node = self.nodes[place];
            let [first, second] = node.arguments.map(|argument| argument as usize);
            // A product of equal parts is their square.
            let is_function = node.symbol.arity() == 1
                || node.symbol.as_operator() == Some(Operator::Multiply)
                    && self.part(first) == self.part(second);
            is_function.then_some(first)
        };
        let of_function = |place: usize| {
            let below = argument(place);
            let further = below.and_then(argument);
            below.into_iter().chain(further).map(move |below| (place, below))
        };
        (0..self.size()).flat_map(of_function).collect()
    }

    /// The nodes in post-order; the last one is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// One more than the largest index of a feature in use: rows must have at least this many features.
    pub fn n_features_needed(&self) -> usize {
        let feature = |node: &Node| match node.symbol.meaning() {
            Meaning::Feature(index) => index as usize + 1,
            _ => 0,
        };
        self.nodes.iter().map(feature).max().unwrap_or(0)
    }
}
