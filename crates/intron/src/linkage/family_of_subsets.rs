//! The family of subsets (FOS, ℱ; section 3.1): the groups of positions that mixing copies together.

use super::similarity::SimilarityMatrix;
use super::upgma::linkage_tree;
use crate::expression::{PositionSet, positions_of};
use crate::random::Stream;

/// One group of positions, as a set and as a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// The positions as a set.
    pub set: PositionSet,
    /// The positions in increasing order.
    pub positions: Vec<u8>,
}

/// All groups. The order means nothing: mixing shuffles it for every solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyOfSubsets {
    subsets: Vec<Subset>,
}

impl FamilyOfSubsets {
    /// "Univariate": every position on its own.
    pub fn univariate(n_positions: usize) -> FamilyOfSubsets {
        FamilyOfSubsets::from_sets((0..n_positions).map(|position| 1 << position))
    }

    /// The linkage tree (LT): every position on its own, and every union but the root, which would replace a
    /// solution instead of varying it. 2ℓ − 2 subsets.
    pub fn linkage_tree(similarity: &SimilarityMatrix, stream: &mut Stream) -> FamilyOfSubsets {
        let n_positions = similarity.n_positions();
        let mut unions = linkage_tree(similarity, stream);
        unions.pop();
        if n_positions == 1 {
            // The only position is the root itself.
            return FamilyOfSubsets { subsets: Vec::new() };
        }
        let singletons = (0..n_positions).map(|position| 1 << position);
        FamilyOfSubsets::from_sets(singletons.chain(unions))
    }

    fn from_sets(sets: impl Iterator<Item = PositionSet>) -> FamilyOfSubsets {
        let subset = |set| Subset { set, positions: positions_of(set).map(|p| p as u8).collect() };
        FamilyOfSubsets { subsets: sets.map(subset).collect() }
    }

    /// The groups.
    pub fn subsets(&self) -> &[Subset] {
        &self.subsets
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.subsets.len()
    }

    /// Whether there is no group: a template of one position has nothing to mix.
    pub fn is_empty(&self) -> bool {
        self.subsets.is_empty()
    }
}
