//! A genome (section 3.1): the fixed-length string of decision variables, one symbol per position.

use super::composition::Compositions;
use super::formula::Formula;
use super::symbol::Symbol;
use super::template::{PositionSet, Template, positions_of};

/// One symbol per position, introns included.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Genome(Box<[Symbol]>);

impl Genome {
    /// A genome with these symbols; operators stand at inner positions only and fit the template's arity.
    pub fn new(symbols: Vec<Symbol>, template: &Template) -> Genome {
        assert_eq!(symbols.len(), template.n_positions(), "one symbol per position");
        for (position, symbol) in symbols.iter().enumerate() {
            let room = if template.is_leaf(position) { 0 } else { template.arity() };
            assert!(symbol.arity() <= room, "no room for the arguments of position {position}");
        }
        Genome(symbols.into_boxed_slice())
    }

    /// The symbols, breadth-first.
    #[inline]
    pub fn symbols(&self) -> &[Symbol] {
        &self.0
    }

    /// Puts a symbol at a position.
    #[inline]
    pub(crate) fn set(&mut self, position: usize, symbol: Symbol) {
        self.0[position] = symbol;
    }

    /// The same genome with a part of a donor, from one of its positions down, at some position; nothing if there is no room.
    pub(crate) fn with_part(
        &self,
        at: usize,
        (donor, from): (&Genome, usize),
        template: &Template,
    ) -> Option<Genome> {
        let mut grafted = self.clone();
        let mut left = vec![(from, at)];
        while let Some((from, to)) = left.pop() {
            let symbol = donor.0[from];
            if symbol.arity() > 0 && template.is_leaf(to) {
                return None;
            }
            grafted.set(to, symbol);
            let arguments = 0..symbol.arity();
            left.extend(arguments.map(|k| (template.child(from, k), template.child(to, k))));
        }
        Some(grafted)
    }

    /// Number of nodes of the active positions: a feature with a factor counts as three.
    #[inline]
    pub fn n_nodes(&self, active: PositionSet) -> usize {
        let is_weighted = |&position: &usize| self.0[position].is_weighted();
        active.count_ones() as usize + 2 * positions_of(active).filter(is_weighted).count()
    }

    /// The active positions as a formula, without scaling.
    pub fn to_formula(&self, active: PositionSet, template: &Template) -> Formula {
        self.to_formula_with(active, template, &Compositions::default()).0
    }

    /// The same with operators of one's own written out, and the place of every active position in it: where its value first
    /// stands.
    pub(crate) fn to_formula_with(
        &self,
        active: PositionSet,
        template: &Template,
        own: &Compositions,
    ) -> (Formula, Vec<u32>) {
        // Children stand behind their parents, so going backwards meets arguments first.
        let mut places = vec![0; template.n_positions()];
        let mut formula = Formula::new();
        let mut backwards: Vec<usize> = positions_of(active).collect();
        backwards.reverse();
        for position in backwards {
            let symbol = self.0[position];
            let arguments: Vec<u32> =
                (0..symbol.arity()).map(|k| places[template.child(position, k)]).collect();
            places[position] = own.push(&mut formula, symbol, &arguments);
        }
        (formula, places)
    }

    /// The constants among the given positions, in order.
    pub fn constants(&self, positions: PositionSet) -> impl Iterator<Item = f64> {
        positions_of(positions).filter_map(|position| self.0[position].as_constant())
    }
}

/// How large the active part of a genome may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SizeLimits {
    pub(crate) n_nodes: usize,
    pub(crate) n_positions: usize,
}

impl SizeLimits {
    /// Whether the active part is small enough.
    #[inline]
    pub(crate) fn admit(self, genome: &Genome, active: PositionSet) -> bool {
        let n_positions = active.count_ones() as usize;
        // Nodes are counted one by one, so only where it matters.
        n_positions <= self.n_positions
            && (self.n_nodes == usize::MAX || genome.n_nodes(active) <= self.n_nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::{FeatureNames, Format, Operator, active_positions};

    /// `a + sin(b)` in a template of seven positions.
    fn sum() -> Genome {
        let (add, sin) = (Symbol::operator(Operator::Add), Symbol::operator(Operator::Sin));
        let x = Symbol::feature;
        let symbols = vec![add, x(0), sin, x(1), x(0), x(1), x(0)];
        Genome::new(symbols, &template())
    }

    fn template() -> Template {
        Template::full(3, 2).unwrap()
    }

    /// `exp(b) * a`, with introns of its own.
    fn product() -> Genome {
        let (times, exp) = (Symbol::operator(Operator::Multiply), Symbol::operator(Operator::Exp));
        let x = Symbol::feature;
        Genome::new(vec![times, exp, x(0), x(1), x(0), x(0), x(0)], &template())
    }

    fn grafted(at: usize, from: usize) -> Option<String> {
        let genome = sum().with_part(at, (&product(), from), &template())?;
        let active = active_positions(&genome, &template());
        let names = FeatureNames::new(&["a".to_owned(), "b".to_owned()]);
        Some(genome.to_formula(active, &template()).format(&names, Format::Text))
    }

    #[test]
    fn a_part_stands_where_it_is_put_and_the_rest_stays() {
        assert_eq!(grafted(1, 1).unwrap(), "exp(b) + sin(b)");
        assert_eq!(grafted(2, 2).unwrap(), "a + a");
        assert_eq!(grafted(5, 2).unwrap(), "a + sin(a)");
        assert_eq!(grafted(0, 1).unwrap(), "exp(b)");
    }

    #[test]
    fn a_part_without_room_is_not_put() {
        assert_eq!(grafted(5, 1), None);
        assert_eq!(grafted(1, 0), None);
    }
}
