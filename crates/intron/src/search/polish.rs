//! The final polish: the constants of every formula on the front by least squares, kept only where the formula gets better.
//! It runs after the search, and its evaluations are counted apart.

use super::archive::{Archive, model_as_printed};
use crate::evaluation::{LeastSquares, Problem};
use crate::model::Model;

/// Steps of least squares for each formula.
const STEPS: usize = 50;
/// The polish of a whole front computes about this many rows at most: a few seconds on a large table.
const MOST_ROWS: u64 = 1_000_000_000;

/// A front after the polish.
pub(super) struct Polished {
    pub(super) front: Vec<Model>,
    pub(super) n_evaluations: u64,
}

/// Polishes every formula, and drops those that are then no better than a smaller one.
pub(super) fn polish(front: &[Model], problem: &Problem) -> Polished {
    let most_each =
        MOST_ROWS / problem.objective.n_rows().max(1) as u64 / front.len().max(1) as u64;
    let mut polisher =
        Polisher { problem, least_squares: LeastSquares::default(), n_evaluations: 0 };
    let mut polished = Archive::default();
    for model in front {
        polished.take(polisher.polish(model, most_each));
    }
    Polished { front: polished.front().to_vec(), n_evaluations: polisher.n_evaluations }
}

struct Polisher<'a> {
    problem: &'a Problem,
    least_squares: LeastSquares,
    n_evaluations: u64,
}

impl Polisher<'_> {
    fn polish(&mut self, model: &Model, most_evaluations: u64) -> Model {
        let tuned = self.least_squares.tune(&model.formula, STEPS, most_evaluations, self.problem);
        self.n_evaluations += self.least_squares.n_evaluations();
        let Some(formula) = tuned else { return model.clone() };
        let tuned = model_as_printed(formula, model.size, self.problem);
        if tuned.fitness.is_better_than(model.fitness) { tuned } else { model.clone() }
    }
}
