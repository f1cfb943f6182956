//! The family of subsets (FOS, ℱ; section 3.1): the groups of positions that mixing copies together.

use super::similarity::SimilarityMatrix;
use super::upgma::linkage_tree;
use crate::expression::{PositionSet, Template, positions_of};
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

    /// Adds the whole subtree of every inner position but the root, where it is not a subset already.
    pub fn add_subtrees(&mut self, template: &Template) {
        for root in 1..template.n_inner_positions() {
            let is_below = |&position: &usize| template.ancestors(position) >> root & 1 == 1;
            let below = (root + 1..template.n_positions()).filter(is_below);
            let set = below.fold(1 << root, |set, position| set | 1 << position);
            if self.subsets.iter().all(|subset| subset.set != set) {
                self.subsets.push(subset(set));
            }
        }
    }

    fn from_sets(sets: impl Iterator<Item = PositionSet>) -> FamilyOfSubsets {
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

fn subset(set: PositionSet) -> Subset {
    Subset { set, positions: positions_of(set).map(|position| position as u8).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_are_added_once() {
        let template = Template::full(4, 2).unwrap();
        let mut family = FamilyOfSubsets::univariate(template.n_positions());
        family.add_subtrees(&template);
        let added: Vec<&[u8]> =
            family.subsets()[15..].iter().map(|subset| &subset.positions[..]).collect();
        let expected: [&[u8]; 6] = [
            &[1, 3, 4, 7, 8, 9, 10],
            &[2, 5, 6, 11, 12, 13, 14],
            &[3, 7, 8],
            &[4, 9, 10],
            &[5, 11, 12],
            &[6, 13, 14],
        ];
        assert_eq!(added, expected);
        family.add_subtrees(&template);
        assert_eq!(family.len(), 21);
    }
}
