//! Active positions of a genome (figure 1). The rest are introns: they do not affect what the expression means.

use super::genome::Genome;
use super::template::{PositionSet, Template};

/// The active positions: the root, and the first `arity` children of every active operator.
#[inline]
pub fn active_positions(genome: &Genome, template: &Template) -> PositionSet {
    let symbols = genome.symbols();
    let mut active: PositionSet = 1;
    let mut to_visit: PositionSet = 1;
    while to_visit != 0 {
        let position = to_visit.trailing_zeros() as usize;
        to_visit &= to_visit - 1;
        let arguments = template.arguments(position, symbols[position].arity());
        active |= arguments;
        to_visit |= arguments;
    }
    active
}
