//! `Solution`: a genome with its active positions and its fitness, which always agree; `Population`: a set of them.

use crate::evaluation::Fitness;
use crate::expression::{Genome, PositionSet, Template, active_positions, positions_of};

/// One candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// One symbol per position.
    pub genome: Genome,
    /// The active positions of the genome.
    pub active: PositionSet,
    /// The fitness of the active part.
    pub fitness: Fitness,
}

impl Solution {
    /// A solution that is not evaluated yet.
    pub fn unevaluated(genome: Genome, template: &Template) -> Solution {
        let active = active_positions(&genome, template);
        Solution { genome, active, fitness: Fitness::INVALID }
    }

    /// Number of nodes of the active part.
    pub fn size(&self) -> usize {
        self.genome.n_nodes(self.active)
    }

    /// Whether both mean the same expression, symbol by symbol.
    pub fn has_same_active_part(&self, other: &Solution) -> bool {
        let (mine, others) = (self.genome.symbols(), other.genome.symbols());
        self.active == other.active && positions_of(self.active).all(|p| mine[p] == others[p])
    }
}

/// The solutions of one population, in the order of their indices.
pub type Population = Vec<Solution>;
