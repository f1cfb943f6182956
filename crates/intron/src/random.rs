//! `Seed` and independent named streams. No draw happens outside a named stream, and no two uses share one:
//! so measures share their initial populations (section 4.1), and results do not depend on threads.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The version of what a seed gives: it goes up whenever a change makes a search take another course.
pub const RESULTS_VERSION: u32 = 6;

/// The seed of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seed(pub u64);

/// What a stream is for. Streams of different names, or of the same name with other numbers, are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamName {
    /// Which rows are held out.
    Split,
    /// Which rows each fold of a cross-validation holds out.
    Folds,
    /// Resampling for the intervals of a statistic.
    Bootstrap,
    /// Which rows a report draws.
    Drawing {
        /// Number of the part: training rows, test rows.
        part: u64,
    },
    /// The order that a feature's values are shuffled into, to see how much it matters.
    Permutation {
        /// Index of the feature.
        feature: u64,
        /// Number of the shuffle.
        repeat: u64,
    },
    /// Which row gets the target of which other, and the seed of the search on them.
    Null {
        /// Number of the search on shuffled targets.
        repetition: u64,
    },
    /// The initial solutions of a population.
    Initialization {
        /// Number of the population in the run.
        population: u64,
    },
    /// The linkage model of a population at one generation: random similarities and tie-breaking.
    Linkage {
        /// Number of the population in the run.
        population: u64,
        /// Generation of that population.
        generation: u64,
    },
    /// Order of subsets and choice of donors for one solution in one generation.
    Mixing {
        /// Number of the population in the run.
        population: u64,
        /// Generation of that population.
        generation: u64,
        /// Index of the solution.
        solution: u64,
    },
}

impl Seed {
    /// The stream of this name.
    pub fn stream(self, name: StreamName) -> Stream {
        let words = match name {
            StreamName::Split => [1, 0, 0, 0],
            StreamName::Folds => [5, 0, 0, 0],
            StreamName::Bootstrap => [6, 0, 0, 0],
            StreamName::Drawing { part } => [10, part, 0, 0],
            StreamName::Permutation { feature, repeat } => [11, feature, repeat, 0],
            StreamName::Null { repetition } => [7, repetition, 0, 0],
            StreamName::Initialization { population } => [2, population, 0, 0],
            StreamName::Linkage { population, generation } => [3, population, generation, 0],
            StreamName::Mixing { population, generation, solution } => {
                [4, population, generation, solution]
            }
        };
        let key = words.iter().fold(scramble(self.0), |key, &word| scramble(key ^ scramble(word)));
        Stream(Xoshiro256PlusPlus::seed_from_u64(key))
    }
}

/// A bijection of 64-bit words that spreads every input bit over the output (the finaliser of SplitMix64).
fn scramble(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// A number that other words, or the same in another order, do not have but for one chance in 2⁶⁴. It keeps no secrets.
pub(crate) fn fingerprint(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(scramble(0), |key, word| scramble(key ^ scramble(word)))
}

/// A stream of random numbers: xoshiro256++. How numbers are drawn from it is fixed here, not in a library,
/// so that a seed keeps its meaning.
#[derive(Debug, Clone)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform integer in `0..bound`, without bias (Lemire's method). `bound` is at least 1.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        assert!(bound > 0, "an empty range has no element to draw");
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as usize
    }

    /// A uniform number in `[0, 1)`, a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Whether something happens that has this probability. What is impossible draws nothing.
    #[inline]
    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// A normally distributed number with mean 0 and standard deviation 1 (Box and Muller's method).
    pub fn normal(&mut self) -> f64 {
        // 1 − u is never 0.
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Puts the items into a uniformly random order.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_other_names_differ_and_the_same_name_repeats() {
        let seed = Seed(7);
        let first = |name| seed.stream(name).bits();
        let names = [
            StreamName::Split,
            StreamName::Initialization { population: 0 },
            StreamName::Initialization { population: 1 },
            StreamName::Linkage { population: 0, generation: 1 },
            StreamName::Linkage { population: 1, generation: 0 },
            StreamName::Mixing { population: 0, generation: 0, solution: 1 },
            StreamName::Mixing { population: 0, generation: 1, solution: 0 },
        ];
        for (i, &a) in names.iter().enumerate() {
            assert_eq!(first(a), first(a));
            assert!(names[..i].iter().all(|&b| first(a) != first(b)));
        }
        assert_ne!(
            Seed(7).stream(StreamName::Split).bits(),
            Seed(8).stream(StreamName::Split).bits()
        );
    }

    #[test]
    fn draws_are_uniform() {
        let mut stream = Seed(1).stream(StreamName::Split);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[stream.below(7)] += 1;
        }
        assert!(counts.iter().all(|&c| (9_600..10_400).contains(&c)), "{counts:?}");
        let mean = (0..10_000).map(|_| stream.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02);
        let mut orders = std::collections::HashMap::new();
        for _ in 0..6_000 {
            let mut items = [0, 1, 2];
            stream.shuffle(&mut items);
            *orders.entry(items).or_insert(0) += 1;
        }
        assert_eq!(orders.len(), 6);
        assert!(orders.values().all(|&c| (850..1_150).contains(&c)), "{orders:?}");
    }
}
