//! A population as a table of labels: one alphabet for all positions, constants in at most 25 bins (section 4.1),
//! and, where introns are masked, one label for every inactive cell (section 3.2.2).

use std::collections::HashSet;

use crate::expression::{
    MAX_COMPOSITIONS, MAX_FEATURES, Meaning, N_OPERATORS, PositionSet, Template,
};
use crate::population::Solution;

/// The label of every intron in a masked table: one more symbol, not a bin.
pub(crate) const MASKED: u16 = u16::MAX;
/// The paper's number of bins for constants.
pub(crate) const DEFAULT_BINS: usize = 25;
/// Bins share the labels of 16 bits with operators, features and the mask.
pub(crate) const MAX_BINS: usize = 500;

const FIRST_FEATURE: u16 = N_OPERATORS as u16;
const FIRST_BIN: u16 = (N_OPERATORS + MAX_FEATURES) as u16;
/// Operators of one's own come last.
const FIRST_COMPOSITION: u16 = FIRST_BIN + MAX_BINS as u16;
const _: () = assert!(N_OPERATORS + MAX_FEATURES + MAX_BINS + MAX_COMPOSITIONS < MASKED as usize);

/// How a constant finds its bin among the first distinct constants met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Binning {
    /// The bins are upper edges: the smallest that is not below the constant, else the last.
    #[default]
    UpperEdge,
    /// The bins are centres: the nearest, and of two equally near the one met first.
    Nearest,
}

/// Which cells of the table show their symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Introns {
    /// Introns show what stands there.
    Shown,
    /// Introns all show the same label.
    Masked,
}

/// One label per position and solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LabelTable {
    n_solutions: usize,
    /// Labels of position 0 for all solutions, then of position 1, …
    labels: Vec<u16>,
}

impl LabelTable {
    pub(crate) fn new(
        population: &[Solution],
        template: &Template,
        introns: Introns,
        (n_bins, binning): (usize, Binning),
    ) -> LabelTable {
        let shown = |solution: &Solution| match introns {
            Introns::Shown => template.all_positions(),
            Introns::Masked => solution.active,
        };
        let bins = Bins::collect(population, shown, n_bins, binning);
        let n_solutions = population.len();
        let mut labels = vec![MASKED; template.n_positions() * n_solutions];
        for (index, solution) in population.iter().enumerate() {
            let shown = shown(solution);
            for (position, symbol) in solution.genome.symbols().iter().enumerate() {
                if shown >> position & 1 == 1 {
                    let label = match (symbol.as_composition(), symbol.as_weighted()) {
                        (Some(own), _) => FIRST_COMPOSITION + own as u16,
                        // With whatever factor, it is the same feature.
                        (_, Some((k, _))) => FIRST_FEATURE + k as u16,
                        _ => match symbol.meaning() {
                            Meaning::Operator(operator) => operator as u16,
                            Meaning::Feature(k) => FIRST_FEATURE + k as u16,
                            Meaning::Constant(value) => FIRST_BIN + bins.bin(value) as u16,
                        },
                    };
                    labels[position * n_solutions + index] = label;
                }
            }
        }
        LabelTable { n_solutions, labels }
    }

    /// Number of solutions.
    pub(crate) fn n_solutions(&self) -> usize {
        self.n_solutions
    }

    /// Number of positions.
    pub(crate) fn n_positions(&self) -> usize {
        self.labels.len() / self.n_solutions
    }

    /// The labels of one position, one per solution.
    pub(crate) fn position(&self, position: usize) -> &[u16] {
        &self.labels[position * self.n_solutions..][..self.n_solutions]
    }
}

/// The first distinct constants met, solutions in order and positions in order inside each.
struct Bins {
    /// In increasing order, each with the order in which it was met.
    values: Vec<(f64, usize)>,
    binning: Binning,
}

impl Bins {
    fn collect(
        population: &[Solution],
        shown: impl Fn(&Solution) -> PositionSet,
        n_bins: usize,
        binning: Binning,
    ) -> Bins {
        let constants = population.iter().flat_map(|s| s.genome.constants(shown(s)));
        Bins::from_constants(constants, n_bins, binning)
    }

    fn from_constants(
        constants: impl Iterator<Item = f64>,
        n_bins: usize,
        binning: Binning,
    ) -> Bins {
        let mut seen = HashSet::new();
        let mut values = Vec::new();
        for value in constants {
            if values.len() == n_bins {
                break;
            }
            // +0 and −0 are the same constant.
            if seen.insert((value + 0.0).to_bits()) {
                values.push((value, values.len()));
            }
        }
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        Bins { values, binning }
    }

    fn bin(&self, value: f64) -> usize {
        let above = self.values.partition_point(|bin| bin.0 < value);
        let last = self.values.len() - 1;
        match self.binning {
            Binning::UpperEdge => above.min(last),
            Binning::Nearest if above == 0 => 0,
            Binning::Nearest if above > last => last,
            Binning::Nearest => {
                let ((low, low_met), (high, high_met)) =
                    (self.values[above - 1], self.values[above]);
                let (to_low, to_high) = (value - low, high - value);
                let is_low = to_low < to_high || (to_low == to_high && low_met < high_met);
                if is_low { above - 1 } else { above }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_h_bins_of_constants() {
        let constants = [5.0, 1.0, 3.0, 1.0, 2.0, 9.0, 0.0];
        let edges = Bins::from_constants(constants.into_iter(), 3, Binning::UpperEdge);
        assert_eq!(constants.map(|c| edges.bin(c)), [2, 0, 1, 0, 1, 2, 0]);
        let centres = Bins::from_constants(constants.into_iter(), 3, Binning::Nearest);
        assert_eq!(constants.map(|c| centres.bin(c)), [2, 0, 1, 0, 0, 2, 0]);
    }
}
