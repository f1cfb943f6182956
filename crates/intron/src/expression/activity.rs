//! Active positions of a genome (figure 1). The rest are introns: they do not affect what the expression means.

use super::genome::Genome;
use super::template::{PositionSet, Template};

/// The active positions: the root, and the first `arity` children of every active operator.
#[inline]
pub fn active_positions(genome: &Genome, template: &Template) -> PositionSet {
    // Arguments stand behind their operators, so one pass is enough. There is no branch: which positions are active is
    // as good as random, and a wrong guess costs more than looking at introns too.
    let mut active: PositionSet = 1;
    for (position, symbol) in genome.symbols()[..template.n_inner_positions()].iter().enumerate() {
        let is_active = (active >> position) as u64 & 1;
        active |= template.arguments(position, symbol.arity())
            & PositionSet::from(is_active).wrapping_neg();
    }
    active
}
