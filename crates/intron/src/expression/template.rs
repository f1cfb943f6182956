//! The template (figure 1): a full n-ary tree whose positions are numbered breadth-first. Shape only.
//! Height counts **levels**: a binary template of height 5 has 31 positions, of height 7 it has 127.

use crate::error::Error;

/// The most positions a template can have: a set of positions is one 128-bit word.
pub const MAX_POSITIONS: usize = 127;

/// A set of positions, one bit each.
pub type PositionSet = u128;

/// A full tree of positions. Position 0 is the root; the children of `i` are `arity·i + 1 … arity·i + arity`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    height: usize,
    arity: usize,
    n_positions: usize,
    first_leaf: usize,
    ancestors: Vec<PositionSet>,
    arguments: Vec<[PositionSet; 3]>,
}

impl Template {
    /// The full tree of this height in levels, each inner position with `arity` children.
    pub fn full(height: usize, arity: usize) -> Result<Template, Error> {
        let (n_positions, first_leaf) = count_positions(height, arity)?;
        let parent = |position: usize| (position - 1) / arity;
        let mut ancestors: Vec<PositionSet> = vec![0; n_positions];
        for position in 1..n_positions {
            ancestors[position] = ancestors[parent(position)] | 1 << parent(position);
        }
        let arguments = (0..n_positions)
            .map(|position| {
                let first = arity * position + 1;
                let children = |count: usize| -> PositionSet {
                    if position >= first_leaf {
                        0
                    } else {
                        (first..first + count).map(|child| 1 << child).sum()
                    }
                };
                [0, children(1), children(2.min(arity))]
            })
            .collect();
        Ok(Template { height, arity, n_positions, first_leaf, ancestors, arguments })
    }

    /// Number of levels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of children of an inner position.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Number of positions, the paper's ℓ.
    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// Number of positions with children; they come before the leaves.
    pub fn n_inner_positions(&self) -> usize {
        self.first_leaf
    }

    /// Whether the position is a leaf, where no operator can stand.
    pub fn is_leaf(&self, position: usize) -> bool {
        position >= self.first_leaf
    }

    /// The parent of a position; the root has none.
    pub fn parent(&self, position: usize) -> Option<usize> {
        (position > 0).then(|| (position - 1) / self.arity)
    }

    /// The child number `k` of an inner position.
    #[inline]
    pub fn child(&self, position: usize, k: usize) -> usize {
        self.arity * position + 1 + k
    }

    /// Number of edges from the root.
    pub fn depth(&self, position: usize) -> usize {
        self.ancestors[position].count_ones() as usize
    }

    /// All positions on the way to the root, the position itself not among them.
    #[inline]
    pub fn ancestors(&self, position: usize) -> PositionSet {
        self.ancestors[position]
    }

    /// The first `arity` children of a position: the arguments of an operator of that arity (at most 2).
    #[inline]
    pub fn arguments(&self, position: usize, arity: usize) -> PositionSet {
        self.arguments[position][arity]
    }

    /// Every position.
    pub fn all_positions(&self) -> PositionSet {
        (1 << self.n_positions) - 1
    }

    /// Number of template subtrees that contain both positions: depth of the lowest common ancestor + 1.
    pub fn n_common_subtrees(&self, a: usize, b: usize) -> usize {
        let with_itself = |position: usize| self.ancestors[position] | 1 << position;
        (with_itself(a) & with_itself(b)).count_ones() as usize
    }

    /// Number of edges on the path between two positions.
    pub fn distance(&self, a: usize, b: usize) -> usize {
        let depth_of_common_ancestor = self.n_common_subtrees(a, b) - 1;
        self.depth(a) + self.depth(b) - 2 * depth_of_common_ancestor
    }

    /// The largest distance between two positions.
    pub fn max_distance(&self) -> usize {
        if self.arity == 1 { self.height - 1 } else { 2 * (self.height - 1) }
    }
}

/// Number of positions and the first leaf, or why there is no such template.
fn count_positions(height: usize, arity: usize) -> Result<(usize, usize), Error> {
    if arity == 0 || arity > MAX_POSITIONS {
        return Err(Error::setting(
            "template.arity",
            format!("{arity} children per position is not possible"),
            "take 2, the largest arity of the operators",
        ));
    }
    if height == 0 {
        return Err(Error::setting(
            "height",
            "a template has at least one level",
            "take 5 (31 positions)",
        ));
    }
    let (mut n_positions, mut level, mut first_leaf) = (0_usize, 1_usize, 0);
    for _ in 0..height {
        first_leaf = n_positions;
        n_positions += level;
        if n_positions > MAX_POSITIONS {
            return Err(Error::setting(
                "height",
                format!(
                    "{height} levels with {arity} children each are more than {MAX_POSITIONS} positions"
                ),
                "height counts levels: take 5 (31 positions) or 7 (127 positions), not more",
            ));
        }
        level *= arity;
    }
    Ok((n_positions, first_leaf))
}

/// The positions of a set, in increasing order.
#[inline]
pub fn positions_of(mut set: PositionSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let position = set.trailing_zeros() as usize;
            set &= set - 1;
            position
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn height_counts_levels() {
        for (height, n_positions) in [(1, 1), (2, 3), (3, 7), (5, 31), (7, 127)] {
            let template = Template::full(height, 2).unwrap();
            assert_eq!(template.n_positions(), n_positions);
            assert_eq!(template.all_positions().count_ones() as usize, n_positions);
        }
        for height in [0, 8, 30, usize::MAX] {
            assert!(Template::full(height, 2).is_err());
        }
        assert_eq!(Template::full(4, 3).unwrap().n_positions(), 40);
        assert_eq!(Template::full(100, 1).unwrap().n_positions(), 100);
        assert!(Template::full(3, 0).is_err());
    }

    #[test]
    fn relatives_of_a_position() {
        let template = Template::full(3, 2).unwrap();
        assert_eq!(template.child(1, 0), 3);
        assert_eq!(template.child(1, 1), 4);
        assert_eq!((template.parent(0), template.parent(6)), (None, Some(2)));
        assert_eq!(positions_of(template.ancestors(6)).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(positions_of(template.arguments(2, 2)).collect::<Vec<_>>(), [5, 6]);
        assert_eq!(positions_of(template.arguments(2, 1)).collect::<Vec<_>>(), [5]);
        assert_eq!(template.arguments(5, 2), 0);
        assert!(template.is_leaf(3) && !template.is_leaf(2));
        assert_eq!(Template::full(4, 3).unwrap().parent(39), Some(12));
    }

    #[test]
    fn the_largest_distance_is_the_largest() {
        for (height, arity) in [(1, 2), (3, 2), (5, 2), (7, 2), (4, 3), (9, 1)] {
            let template = Template::full(height, arity).unwrap();
            let n = template.n_positions();
            let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
            let largest = pairs.map(|(a, b)| template.distance(a, b)).max().unwrap();
            assert_eq!(largest, template.max_distance());
        }
    }
}
