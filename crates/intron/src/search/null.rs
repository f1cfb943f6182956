//! Searches on shuffled targets, where there is nothing to find: how good and how small a formula comes from noise alone.

use super::budget::{Interrupt, StopReason};
use super::run::{Outcome, Run};
use crate::data::{Dataset, TrainingRows};
use crate::error::Error;
use crate::random::{Seed, StreamName};
use crate::settings::{Limits, ValidSettings};

/// A search on the training rows with their targets shuffled, with the budget of the real search: see [`null_budget`].
pub fn null_run(
    training: &Dataset,
    settings: &ValidSettings,
    n_evaluations: u64,
    repetition: u64,
    interrupt: Interrupt,
) -> Result<Run, Error> {
    let mut settings = settings.settings().clone();
    let (shuffled, seed) = shuffled_targets(training, settings.seed, repetition)?;
    settings.seed = seed;
    let Limits { when_solved, target_r2, .. } = settings.limits;
    let evaluations = Some(n_evaluations.max(1));
    settings.limits = Limits { evaluations, when_solved, target_r2, ..Limits::default() };
    settings.safety_margin = None;
    Run::new(&shuffled, &settings.validate()?, interrupt)
}

/// How many evaluations a search on shuffled targets may spend: as many as the real search did. One that ended early, since it had
/// found what it wanted, might have spent its whole limit, so noise may as well.
pub fn null_budget(limits: &Limits, stop_reason: StopReason, n_evaluations: u64) -> u64 {
    let ended_early =
        matches!(stop_reason, StopReason::Solved | StopReason::TargetR2 | StopReason::Converged);
    limits
        .evaluations
        .filter(|_| ended_early)
        .map_or(n_evaluations, |limit| limit.max(n_evaluations))
}

/// The training rows with their targets shuffled (a weight goes with its target), and the seed of the search on them.
pub fn shuffled_targets(
    training: &Dataset,
    seed: Seed,
    repetition: u64,
) -> Result<(Dataset, Seed), Error> {
    let mut stream = seed.stream(StreamName::Null { repetition });
    // One order of the rows, so that theirs does not matter.
    let rows = TrainingRows::new(training)?;
    let data = rows.dataset();
    let mut order: Vec<usize> = (0..data.n_rows()).collect();
    stream.shuffle(&mut order);
    let pick = |values: &[f64]| order.iter().map(|&row| values[row]).collect::<Vec<f64>>();
    let shuffled = Dataset::new(
        data.names().to_vec(),
        data.features().to_vec(),
        pick(data.target()),
        data.weights().map(pick),
    )?;
    Ok((shuffled, Seed(stream.bits())))
}

/// What one search on shuffled targets has found.
#[derive(Debug, Clone, PartialEq)]
pub struct NullFront {
    /// The shortest description length of a formula of its front; infinite if it has none.
    pub least_mdl: f64,
    /// Complexities (sizes, unless other ones are asked for) and training R².
    pub entries: Vec<(usize, f64)>,
}

/// What searches on shuffled targets have found.
///
/// How good and how small a formula is at once is its description length ([`crate::Criteria`]). To compare R² at the formula's own size
/// would ask noise for as much at one size, while the formula is the best of a choice among many.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NullFronts(pub Vec<NullFront>);

impl NullFronts {
    /// Takes the front of one more search in.
    pub fn add(&mut self, outcome: &Outcome) {
        let lengths = outcome.candidates.iter().map(|candidate| candidate.mdl);
        let entries = outcome.front.iter().map(|model| (model.complexity, model.fitness.r2()));
        self.0.push(NullFront {
            least_mdl: lengths.fold(f64::INFINITY, f64::min),
            entries: entries.collect(),
        });
    }

    /// Number of searches.
    pub fn n_runs(&self) -> usize {
        self.0.len()
    }

    /// The best R² of a formula of at most this size, for each search; none where it has no such formula.
    pub fn best_r2(&self, size: usize) -> impl Iterator<Item = Option<f64>> {
        self.0.iter().map(move |front| {
            let fitting = front.entries.iter().filter(|entry| entry.0 <= size).map(|entry| entry.1);
            fitting.fold(None, |best: Option<f64>, r2| Some(best.map_or(r2, |best| best.max(r2))))
        })
    }

    /// How many searches have a formula whose description is at most as long.
    pub fn n_as_good(&self, mdl: f64) -> usize {
        self.0.iter().filter(|front| front.least_mdl <= mdl).count()
    }

    /// The chance that a formula so good and so small comes from noise, p = (1 + k) / (1 + n): the real search counts as
    /// one of them, so that no finite number of searches gives 0. For the formula with the shortest description it is a permutation
    /// test; for every other one it is on the safe side.
    pub fn p_value(&self, mdl: f64) -> f64 {
        (1 + self.n_as_good(mdl)) as f64 / (1 + self.n_runs()) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_p_value_counts_searches_with_a_description_as_short() {
        let front = |least_mdl: f64, entries: &[(usize, f64)]| NullFront {
            least_mdl,
            entries: entries.to_vec(),
        };
        let fronts = NullFronts(vec![
            front(-3.0, &[(1, 0.1), (5, 0.3)]),
            front(-5.0, &[(3, 0.2), (9, 0.6)]),
            front(f64::INFINITY, &[]),
            front(-3.5, &[(2, 0.5)]),
        ]);
        assert_eq!(fronts.n_runs(), 4);
        assert_eq!(fronts.n_as_good(-3.5), 2);
        assert_eq!(fronts.p_value(-3.5), 3.0 / 5.0);
        assert_eq!(fronts.p_value(-9.0), 1.0 / 5.0);
        assert_eq!(fronts.p_value(0.0), 4.0 / 5.0);
        assert_eq!(NullFronts::default().p_value(0.0), 1.0);
        let best: Vec<Option<f64>> = fronts.best_r2(3).collect();
        assert_eq!(best, [Some(0.1), Some(0.2), None, Some(0.5)]);
    }

    #[test]
    fn a_search_that_ended_early_leaves_noise_its_whole_limit() {
        let limits = Limits { evaluations: Some(1000), ..Limits::default() };
        assert_eq!(null_budget(&limits, StopReason::Evaluations, 1000), 1000);
        assert_eq!(null_budget(&limits, StopReason::Interrupted, 300), 300);
        for early in [StopReason::Solved, StopReason::TargetR2, StopReason::Converged] {
            assert_eq!(null_budget(&limits, early, 300), 1000);
            assert_eq!(null_budget(&Limits::default(), early, 300), 300);
        }
    }
}
