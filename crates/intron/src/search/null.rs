//! Searches on shuffled targets, where there is nothing to find: how good and how small a formula comes from noise alone.

use super::budget::Interrupt;
use super::run::Run;
use crate::data::{Dataset, TrainingRows};
use crate::error::Error;
use crate::model::Model;
use crate::random::{Seed, StreamName};
use crate::settings::{Limits, ValidSettings};

/// A search on the training rows with their targets shuffled, with exactly as many evaluations as the real search did.
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
    let when_solved = settings.limits.when_solved;
    let evaluations = Some(n_evaluations.max(1));
    settings.limits = Limits { evaluations, when_solved, ..Limits::default() };
    settings.safety_margin = None;
    Run::new(&shuffled, &settings.validate()?, interrupt)
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

/// The fronts of searches on shuffled targets, each as complexities (sizes, unless other ones are asked for) and training R².
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NullFronts(pub Vec<Vec<(usize, f64)>>);

impl NullFronts {
    /// Takes the front of one more search in.
    pub fn add(&mut self, front: &[Model]) {
        self.0.push(front.iter().map(|model| (model.complexity, model.fitness.r2())).collect());
    }

    /// Number of searches.
    pub fn n_runs(&self) -> usize {
        self.0.len()
    }

    /// The best R² of a formula of at most this size, for each search; none where it has no such formula.
    pub fn best_r2(&self, size: usize) -> impl Iterator<Item = Option<f64>> {
        self.0.iter().map(move |front| {
            let fitting = front.iter().filter(|entry| entry.0 <= size).map(|entry| entry.1);
            fitting.fold(None, |best: Option<f64>, r2| Some(best.map_or(r2, |best| best.max(r2))))
        })
    }

    /// In how many searches a formula of at most this size has at least this R².
    pub fn n_as_good(&self, size: usize, r2: f64) -> usize {
        self.best_r2(size).filter(|best| best.is_some_and(|best| best >= r2)).count()
    }

    /// The chance that a formula so good and so small comes from noise, p = (1 + k) / (1 + n): the real search counts as
    /// one of them, so that no finite number of searches gives 0.
    pub fn p_value(&self, size: usize, r2: f64) -> f64 {
        (1 + self.n_as_good(size, r2)) as f64 / (1 + self.n_runs()) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_p_value_counts_formulas_that_are_as_small_and_as_good() {
        let fronts = NullFronts(vec![
            vec![(1, 0.1), (5, 0.3)],
            vec![(3, 0.2), (9, 0.6)],
            vec![],
            vec![(2, 0.5)],
        ]);
        assert_eq!(fronts.n_runs(), 4);
        assert_eq!(fronts.n_as_good(5, 0.3), 2);
        assert_eq!(fronts.p_value(5, 0.3), 3.0 / 5.0);
        assert_eq!(fronts.p_value(9, 0.9), 1.0 / 5.0);
        assert_eq!(fronts.p_value(1, 0.1), 2.0 / 5.0);
        assert_eq!(NullFronts::default().p_value(1, 0.0), 1.0);
        let best: Vec<Option<f64>> = fronts.best_r2(3).collect();
        assert_eq!(best, [Some(0.1), Some(0.2), None, Some(0.5)]);
    }
}
