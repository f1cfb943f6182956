//! How constants change during the search, and which parts come and go with constants tuned.

/// How constants change during the search. In the paper they never do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// The probability that a solution's constants are tuned by least squares after it was mixed.
    pub probability: f64,
    /// Steps of Levenberg and Marquardt each time, at most: a formula whose error stays far above what would be worth keeping (twice as
    /// large before the first step, 1.05 times after the fourth) is given up.
    pub n_steps: usize,
    /// The probability that an active constant is mutated, each time (coefficient mutation).
    pub mutation_probability: f64,
    /// The standard deviation of a mutation, as a share of the constant, in the first generation.
    pub mutation_scale: f64,
    /// What that standard deviation is multiplied by while the best of the population stands still.
    pub mutation_decay: f64,
    /// How many generations in a row without a better best lower it, each time.
    pub mutation_patience: usize,
    /// When constants are mutated.
    pub mutation_place: MutationPlace,
    /// The probability that a feature times a constant is added to a part of a solution, or takes its place, after it was
    /// mixed: the feature that derivatives promise most of, with constants by least squares. Needs `+` and `*`.
    pub weighing: f64,
    /// The probability that a part of some solution takes the place of a part of a solution, wherever it has room, after it
    /// was mixed, with constants by least squares. In the multistart a quarter of the evaluations goes to populations without.
    pub grafting: f64,
    /// The probability that a part of a solution is taken away, others are brought in by weighing and grafting, and the result is judged
    /// only then, after the solution was mixed. In populations that graft.
    pub pruning: f64,
    /// The probability that a part that is grafted is drawn at random instead of taken from a solution.
    pub new_parts: f64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            probability: 0.0,
            n_steps: 5,
            mutation_probability: 0.0,
            mutation_scale: 0.1,
            mutation_decay: 1.0,
            mutation_patience: 5,
            mutation_place: MutationPlace::After,
            weighing: 0.0,
            grafting: 0.0,
            pruning: 0.0,
            new_parts: 0.0,
        }
    }
}

impl Tuning {
    /// Whether constants are mutated there.
    pub(crate) fn mutates(&self, place: MutationPlace) -> bool {
        self.mutation_probability > 0.0 && self.mutation_place == place
    }

    /// What the standard deviation of mutations is multiplied by at the end of a generation; `n_still` is how many generations
    /// in a row the best has not become better.
    pub(crate) fn decay(&self, n_still: u32) -> f64 {
        let is_due = n_still > 0 && (n_still as usize).is_multiple_of(self.mutation_patience);
        if is_due { self.mutation_decay } else { 1.0 }
    }
}

/// When constants are mutated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MutationPlace {
    /// Once, after the solution was mixed, with a test of its own.
    After,
    /// After every subset of the linkage tree, with a test of its own.
    Interleaved,
    /// Those of the subset that was just copied, before the test of the copy.
    Within,
}
