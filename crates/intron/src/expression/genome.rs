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

    /// The same genome with the subtree of an inner position moved to one of its children; nothing if there is no room.
    pub(crate) fn with_moved_down(
        &self,
        position: usize,
        child: usize,
        template: &Template,
    ) -> Option<Genome> {
        let mut moved = self.clone();
        let mut left = vec![(position, template.child(position, child))];
        while let Some((from, to)) = left.pop() {
            let symbol = self.0[from];
            if symbol.arity() > 0 && template.is_leaf(to) {
                return None;
            }
            moved.set(to, symbol);
            let arguments = 0..symbol.arity();
            left.extend(arguments.map(|k| (template.child(from, k), template.child(to, k))));
        }
        Some(moved)
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
