//! The similarity matrix **S** of all pairs of positions, symmetric by construction.

/// How strongly each pair of positions is linked.
///
/// Values are kept as whole numbers of a small unit, so that sums are exact and a tie is a true tie
/// (section 3.2.3: ties are broken randomly).
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarityMatrix {
    n_positions: usize,
    units: Vec<i64>,
    units_per_one: f64,
}

/// Measures that yield fractions are rounded to multiples of 1e-12: rounding noise must not decide ties.
const FRACTION_UNITS: f64 = 1e12;
/// Keeps sums over all pairs within 64 bits.
const MAX_SIMILARITY: f64 = 1e3;

impl SimilarityMatrix {
    /// From a function that gives the similarity of two different positions `i < j`, each pair asked once in order.
    /// Fractions are rounded to multiples of 1e-12. The diagonal is 0; clustering does not use it.
    pub fn from_pairs(
        n_positions: usize,
        mut similarity: impl FnMut(usize, usize) -> f64,
    ) -> SimilarityMatrix {
        SimilarityMatrix::from_units(n_positions, FRACTION_UNITS, |i, j| {
            if i == j {
                return 0;
            }
            let value = similarity(i, j);
            assert!(value.abs() <= MAX_SIMILARITY, "the similarity of {i} and {j} is {value}");
            (value * FRACTION_UNITS).round_ties_even() as i64
        })
    }

    /// From whole numbers of units for every pair `i <= j`, `units_per_one` of them making a similarity of 1.
    pub fn from_units(
        n_positions: usize,
        units_per_one: f64,
        mut units_of: impl FnMut(usize, usize) -> i64,
    ) -> SimilarityMatrix {
        let mut units = vec![0; n_positions * n_positions];
        for i in 0..n_positions {
            for j in i..n_positions {
                let value = units_of(i, j);
                units[i * n_positions + j] = value;
                units[j * n_positions + i] = value;
            }
        }
        SimilarityMatrix { n_positions, units, units_per_one }
    }

    /// Number of positions.
    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// The similarity of two positions.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        self.units(i, j) as f64 / self.units_per_one
    }

    /// The similarity in whole units, exact.
    pub(crate) fn units(&self, i: usize, j: usize) -> i64 {
        self.units[i * self.n_positions + j]
    }
}
