//! The linkage tree by UPGMA: the two clusters with the largest average similarity merge, ties broken uniformly
//! at random (section 3.1). Exact: averages are compared as fractions of whole numbers.

use super::similarity::SimilarityMatrix;
use crate::expression::PositionSet;
use crate::random::Stream;

/// Every union of the tree in the order of merging, the last one being all positions.
pub fn linkage_tree(similarity: &SimilarityMatrix, stream: &mut Stream) -> Vec<PositionSet> {
    let mut clusters = Clusters::singletons(similarity);
    let mut unions = Vec::with_capacity(similarity.n_positions().saturating_sub(1));
    let mut ties = Vec::new();
    while clusters.members.len() > 1 {
        clusters.most_similar_pairs(&mut ties);
        let (a, b) = ties[stream.below(ties.len())];
        unions.push(clusters.merge(a, b));
    }
    unions
}

/// The clusters that are left. Sums of similarities are kept, not averages: whole numbers stay exact.
struct Clusters {
    members: Vec<PositionSet>,
    sizes: Vec<i64>,
    sums: Vec<Vec<i64>>,
}

impl Clusters {
    fn singletons(similarity: &SimilarityMatrix) -> Clusters {
        let n = similarity.n_positions();
        Clusters {
            members: (0..n).map(|position| 1 << position).collect(),
            sizes: vec![1; n],
            sums: (0..n).map(|i| (0..n).map(|j| similarity.units(i, j)).collect()).collect(),
        }
    }

    /// All pairs with the largest average similarity, in order.
    fn most_similar_pairs(&self, ties: &mut Vec<(usize, usize)>) {
        ties.clear();
        let mut best = Average { sum: i64::MIN, n_pairs: 1 };
        for a in 0..self.members.len() {
            for b in a + 1..self.members.len() {
                let average =
                    Average { sum: self.sums[a][b], n_pairs: self.sizes[a] * self.sizes[b] };
                match average.compare(best) {
                    std::cmp::Ordering::Less => continue,
                    std::cmp::Ordering::Greater => {
                        best = average;
                        ties.clear();
                    }
                    std::cmp::Ordering::Equal => {}
                }
                ties.push((a, b));
            }
        }
    }

    /// Merges b into a (a < b) and returns the union.
    fn merge(&mut self, a: usize, b: usize) -> PositionSet {
        let row = self.sums.swap_remove(b);
        self.sums.iter_mut().for_each(|sums| {
            sums.swap_remove(b);
        });
        let size = self.sizes.swap_remove(b);
        let members = self.members.swap_remove(b);
        self.sizes[a] += size;
        self.members[a] |= members;
        let n = self.members.len();
        for other in (0..n).filter(|&other| other != a) {
            // The last cluster has taken the place of b.
            let before = if other == b { n } else { other };
            let sum = self.sums[a][other] + row[before];
            self.sums[a][other] = sum;
            self.sums[other][a] = sum;
        }
        self.members[a]
    }
}

/// A sum over a number of pairs of positions.
#[derive(Clone, Copy)]
struct Average {
    sum: i64,
    n_pairs: i64,
}

impl Average {
    #[inline]
    fn compare(self, other: Average) -> std::cmp::Ordering {
        let cross = |sum: i64, n_pairs: i64| i128::from(sum) * i128::from(n_pairs);
        cross(self.sum, other.n_pairs).cmp(&cross(other.sum, self.n_pairs))
    }
}
