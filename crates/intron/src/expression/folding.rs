//! Operators of one's own in a formula that has them written out: where a part has the shape of a definition, it is one again.
//! So a formula that was polished is counted as the search counts, and the constants of definitions are known and left alone.

use super::composition::{Composition, Compositions};
use super::formula::{Formula, Node};
use super::symbol::{Meaning, Symbol};

/// What stands at a node.
#[derive(Clone, Copy)]
struct Match {
    symbol: Symbol,
    arguments: [u32; 2],
}

impl Compositions {
    /// The formula with every part that has the shape of a composition as one node.
    pub(crate) fn folded(&self, formula: &Formula) -> Formula {
        let mut folded = Formula::new();
        let mut places = vec![0; formula.size()];
        for (place, found) in self.matches(formula).0.into_iter().enumerate() {
            if let Some(Match { symbol, arguments }) = found {
                let arguments = arguments.map(|argument| places[argument as usize]);
                places[place] = folded.push(symbol, &arguments[..symbol.arity()]);
            }
        }
        folded
    }

    /// The places of constants that belong to definitions, or stand in arguments that a definition uses more than once, where
    /// all copies would have to move together.
    pub(crate) fn fixed_constants(&self, formula: &Formula) -> Vec<usize> {
        self.matches(formula).1
    }

    /// For every node that is left after folding, what stands there; and the fixed constants.
    fn matches(&self, formula: &Formula) -> (Vec<Option<Match>>, Vec<usize>) {
        let mut found = vec![None; formula.size()];
        let mut fixed = Vec::new();
        let mut waiting = vec![formula.size() - 1];
        while let Some(place) = waiting.pop() {
            let node = formula.nodes()[place];
            // Later definitions may contain earlier ones.
            let composition = self
                .iter()
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .find_map(|own| own.bound_at(formula, place).map(|bound| (own, bound)));
            let here = match composition {
                Some((own, bound)) => {
                    own.add_fixed(formula, place, &mut fixed);
                    let symbol = self.find(own.name()).expect("one of these");
                    Match { symbol, arguments: bound }
                }
                None => Match { symbol: node.symbol, arguments: node.arguments },
            };
            found[place] = Some(here);
            waiting.extend(here.arguments[..here.symbol.arity()].iter().map(|&a| a as usize));
        }
        fixed.sort_unstable();
        fixed.dedup();
        (found, fixed)
    }
}

impl Formula {
    /// Takes a folded formula apart: every topmost composition becomes a feature, from this one on, equal ones the same.
    pub(crate) fn taken_apart(&self, first: u32) -> (Formula, Vec<Formula>) {
        let mut is_outside = vec![false; self.size()];
        let mut waiting = vec![self.size() - 1];
        while let Some(place) = waiting.pop() {
            is_outside[place] = true;
            let Node { symbol, arguments } = self.nodes()[place];
            if symbol.as_composition().is_none() {
                waiting.extend(arguments[..symbol.arity()].iter().map(|&a| a as usize));
            }
        }
        let (mut outside, mut calls) = (Formula::new(), Vec::new());
        let mut places = vec![0; self.size()];
        for place in (0..self.size()).filter(|&place| is_outside[place]) {
            let Node { symbol, arguments } = self.nodes()[place];
            places[place] = if symbol.as_composition().is_some() {
                let call = self.part(place);
                let known = calls.iter().position(|other| *other == call);
                let index = known.unwrap_or(calls.len());
                if known.is_none() {
                    calls.push(call);
                }
                outside.push(Symbol::feature(first + index as u32), &[])
            } else {
                let arguments = arguments.map(|argument| places[argument as usize]);
                outside.push(symbol, &arguments[..symbol.arity()])
            };
        }
        (outside, calls)
    }

    /// The formula with other formulas in the place of its features, from this one on.
    pub(crate) fn put_together(&self, first: u32, parts: &[Formula]) -> Formula {
        let mut whole = Formula::new();
        let mut places: Vec<u32> = Vec::with_capacity(self.size());
        for Node { symbol, arguments } in self.nodes() {
            let below = arguments.map(|place| places.get(place as usize).copied());
            let below = below.map(Option::unwrap_or_default);
            places.push(match symbol.meaning() {
                Meaning::Feature(k) if k >= first => whole.append(&parts[(k - first) as usize]),
                _ => whole.push(*symbol, &below[..symbol.arity()]),
            });
        }
        whole
    }
}

impl Composition {
    /// The places of the arguments if the part of a formula at a node is this composition.
    fn bound_at(&self, formula: &Formula, place: usize) -> Option<[u32; 2]> {
        let mut bound: [Option<u32>; 2] = [None; 2];
        let mut waiting = vec![(self.body().size() - 1, place as u32)];
        while let Some((mine, place)) = waiting.pop() {
            let (pattern, node) = (self.body().nodes()[mine], formula.nodes()[place as usize]);
            if let Meaning::Feature(k) = pattern.symbol.meaning() {
                match bound[k as usize] {
                    None => bound[k as usize] = Some(place),
                    Some(other) if are_equal(formula, other, place) => {}
                    Some(_) => return None,
                }
                continue;
            }
            if pattern.symbol != node.symbol {
                return None;
            }
            let pairs = pattern.arguments.into_iter().zip(node.arguments);
            let pairs = pairs.take(node.symbol.arity());
            waiting.extend(pairs.map(|(mine, place)| (mine as usize, place)));
        }
        Some(bound.map(Option::unwrap_or_default))
    }

    /// Adds the constants of the definition at a node where it stands, and those of arguments that it uses more than once.
    fn add_fixed(&self, formula: &Formula, place: usize, fixed: &mut Vec<usize>) {
        let mut waiting = vec![(self.body().size() - 1, place)];
        while let Some((mine, place)) = waiting.pop() {
            let (pattern, node) = (self.body().nodes()[mine], formula.nodes()[place]);
            match pattern.symbol.meaning() {
                Meaning::Feature(k) if self.n_uses(k as usize) > 1 => {
                    let below = nodes_below(formula, place).into_iter();
                    let is_constant =
                        |&p: &usize| formula.nodes()[p].symbol.as_constant().is_some();
                    fixed.extend(below.filter(is_constant));
                }
                Meaning::Feature(_) => {}
                Meaning::Constant(_) => fixed.push(place),
                Meaning::Operator(operator) => {
                    let pairs = pattern.arguments.into_iter().zip(node.arguments);
                    let pairs = pairs.take(operator.arity());
                    waiting.extend(pairs.map(|(mine, place)| (mine as usize, place as usize)));
                }
            }
        }
    }
}

/// A node and all below it.
fn nodes_below(formula: &Formula, place: usize) -> Vec<usize> {
    let mut nodes = vec![place];
    let mut next = 0;
    while let Some(&place) = nodes.get(next) {
        let node = formula.nodes()[place];
        nodes.extend(node.arguments[..node.symbol.arity()].iter().map(|&a| a as usize));
        next += 1;
    }
    nodes
}

fn are_equal(formula: &Formula, a: u32, b: u32) -> bool {
    let mut waiting = vec![(a, b)];
    while let Some((a, b)) = waiting.pop() {
        let (a, b) = (formula.nodes()[a as usize], formula.nodes()[b as usize]);
        if a.symbol != b.symbol {
            return false;
        }
        waiting.extend(a.arguments.into_iter().zip(b.arguments).take(a.symbol.arity()));
    }
    true
}
