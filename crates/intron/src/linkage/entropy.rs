//! Entropies of a label table (equation 1): plug-in estimates in bits, no bias correction, no normalisation.

use super::labels::LabelTable;
use crate::halt::Halt;

/// H(i) of every position and H(i, j) of every pair.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entropies {
    n_positions: usize,
    /// H(i, j) at `i * n_positions + j` for i < j, H(i) on the diagonal.
    bits: Vec<f64>,
}

impl Entropies {
    /// Counts labels and pairs of labels. A pair costs one pass over the solutions, whatever the alphabet: seconds in all for
    /// large populations.
    pub(crate) fn estimate(table: &LabelTable, halt: &Halt) -> Entropies {
        let (n_positions, n_solutions) = (table.n_positions(), table.n_solutions());
        let mut counter = Counter::new(n_solutions);
        let ranks: Vec<Ranked> =
            (0..n_positions).map(|position| Ranked::new(table.position(position))).collect();
        let mut bits = vec![0.0; n_positions * n_positions];
        for i in 0..n_positions {
            if halt.is_called() {
                break;
            }
            let groups = ranks[i].groups();
            for j in i..n_positions {
                // Where i = j the pair is the label itself.
                bits[i * n_positions + j] = counter.joint_entropy(&groups, &ranks[j]);
            }
        }
        Entropies { n_positions, bits }
    }

    pub(crate) fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// H(i).
    pub(crate) fn of(&self, i: usize) -> f64 {
        self.bits[i * self.n_positions + i]
    }

    /// H(i, j) for i < j.
    pub(crate) fn joint(&self, i: usize, j: usize) -> f64 {
        self.bits[i * self.n_positions + j]
    }
}

/// The labels of one position, numbered from 0 in the order in which they are met.
struct Ranked {
    ranks: Vec<u32>,
    n_labels: usize,
}

impl Ranked {
    fn new(labels: &[u16]) -> Ranked {
        let mut rank_of_label = vec![u32::MAX; usize::from(u16::MAX) + 1];
        let mut n_labels = 0;
        let ranks = labels.iter().map(|&label| {
            let rank = &mut rank_of_label[usize::from(label)];
            if *rank == u32::MAX {
                *rank = n_labels;
                n_labels += 1;
            }
            *rank
        });
        Ranked { ranks: ranks.collect(), n_labels: n_labels as usize }
    }

    /// Solutions with equal labels together.
    fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups = vec![Vec::new(); self.n_labels];
        for (solution, &rank) in self.ranks.iter().enumerate() {
            groups[rank as usize].push(solution as u32);
        }
        groups
    }
}

/// Counts the labels of one position inside groups of the other.
struct Counter {
    counts: Vec<u32>,
    met: Vec<u32>,
    /// c·log₂ c for every possible count.
    count_times_log: Vec<f64>,
}

impl Counter {
    fn new(n_solutions: usize) -> Counter {
        let count_times_log =
            (0..=n_solutions).map(|c| if c < 2 { 0.0 } else { c as f64 * libm::log2(c as f64) });
        Counter {
            counts: vec![0; n_solutions],
            met: Vec::with_capacity(n_solutions),
            count_times_log: count_times_log.collect(),
        }
    }

    /// H = log₂ n − (Σ c·log₂ c) / n over the counts c of all pairs of labels.
    fn joint_entropy(&mut self, groups: &[Vec<u32>], other: &Ranked) -> f64 {
        let mut sum = 0.0;
        for group in groups {
            for &solution in group {
                let rank = other.ranks[solution as usize];
                let count = &mut self.counts[rank as usize];
                if *count == 0 {
                    self.met.push(rank);
                }
                *count += 1;
            }
            for rank in self.met.drain(..) {
                sum += self.count_times_log[self.counts[rank as usize] as usize];
                self.counts[rank as usize] = 0;
            }
        }
        let n = self.counts.len() as f64;
        ((self.count_times_log[self.counts.len()] - sum) / n).max(0.0)
    }
}
