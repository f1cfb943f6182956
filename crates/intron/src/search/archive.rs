//! The best formula of every size over the whole run: the front of size and accuracy.

use std::sync::Arc;

use crate::evaluation::{Fitness, Problem};
use crate::expression::{Formula, MAX_POSITIONS};
use crate::model::{Model, scaled_formula};
use crate::population::Solution;

/// The front: each model is better than every smaller one, by more than rounding noise.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    /// In increasing size and strictly increasing accuracy. Shared with checkpoints until it changes.
    front: Arc<Vec<Model>>,
}

/// A larger formula must be better by this share of the error: less is rounding noise, as between `x` and `x + 1` where
/// formulas are scaled.
const NOISE: f64 = 1e-9;

/// Whether a formula is better by more than rounding noise.
fn beats(new: Fitness, old: Fitness) -> bool {
    new.nmse() < old.nmse() * (1.0 - NOISE)
}

/// For each size the fitness that a formula of that size must beat to enter the front.
#[derive(Clone)]
pub(super) struct Thresholds([Fitness; MAX_POSITIONS + 1]);

impl Thresholds {
    /// Whether a formula of this size and fitness is worth offering to the archive.
    #[inline]
    pub(super) fn admits(&self, size: usize, fitness: Fitness) -> bool {
        beats(fitness, self.0[size])
    }

    /// What a formula of this size must beat.
    #[inline]
    pub(super) fn of(&self, size: usize) -> Fitness {
        self.0[size]
    }

    /// Takes note of a formula.
    pub(super) fn lower(&mut self, size: usize, fitness: Fitness) {
        for threshold in &mut self.0[size..] {
            if fitness.is_better_than(*threshold) {
                *threshold = fitness;
            }
        }
    }
}

impl Archive {
    /// An archive of these models, if they can be a front: none is beaten by a smaller one.
    pub(super) fn from_front(front: Vec<Model>) -> Option<Archive> {
        let is_front = front.iter().all(|model| model.fitness.is_valid())
            && front
                .windows(2)
                .all(|pair| pair[0].size < pair[1].size && beats(pair[1].fitness, pair[0].fitness));
        is_front.then(|| Archive { front: Arc::new(front) })
    }

    /// Whether the score of every model is that of its formula on these rows.
    pub(super) fn has_true_scores(&self, problem: &Problem) -> bool {
        let score = |model: &Model| {
            problem.objective.fitness_as_printed(&problem.outputs(&model.formula), None)
        };
        self.front.iter().all(|model| score(model) == model.fitness)
    }

    /// The models, smallest first, most accurate last.
    pub fn front(&self) -> &[Model] {
        &self.front
    }

    /// The most accurate model; none while nothing valid was found.
    pub fn best(&self) -> Option<&Model> {
        self.front.last()
    }

    pub(super) fn best_fitness(&self) -> Fitness {
        self.best().map_or(Fitness::INVALID, |model| model.fitness)
    }

    pub(super) fn thresholds(&self) -> Thresholds {
        let mut thresholds = Thresholds([Fitness::INVALID; MAX_POSITIONS + 1]);
        self.front.iter().for_each(|model| thresholds.lower(model.size, model.fitness));
        thresholds
    }

    /// Takes a solution in if it is better than everything of its size or smaller. Its score is computed anew, from
    /// the formula as it is printed, so that nothing the search was fooled by can enter. Says whether it is a new best.
    pub(super) fn offer(&mut self, solution: &Solution, problem: &Problem) -> bool {
        beats(solution.fitness, self.threshold(solution.size()))
            && self.take(model_of(solution, problem))
    }

    /// What a model of this size must beat.
    fn threshold(&self, size: usize) -> Fitness {
        let smaller = self.front.iter().rev().find(|model| model.size <= size);
        smaller.map_or(Fitness::INVALID, |model| model.fitness)
    }

    /// Takes a model in if it belongs on the front. Says whether it is a new best.
    pub(super) fn take(&mut self, model: Model) -> bool {
        if !beats(model.fitness, self.threshold(model.size)) {
            return false;
        }
        let is_best = model.fitness.is_better_than(self.best_fitness());
        let front = Arc::make_mut(&mut self.front);
        front.retain(|old| old.size < model.size || beats(old.fitness, model.fitness));
        let place = front.partition_point(|old| old.size < model.size);
        front.insert(place, model);
        is_best
    }
}

/// The solution as a model: scaling written out, scored as printed.
fn model_of(solution: &Solution, problem: &Problem) -> Model {
    let formula = solution.genome.to_formula(solution.active, &problem.template);
    let outputs = problem.outputs(&formula);
    let fit = problem.objective.fit(&outputs);
    let fitness = problem.objective.fitness_as_printed(&outputs, fit);
    Model { formula: scaled_formula(formula, fit), size: solution.size(), fitness }
}

/// A formula whose scaling is written out as a model, scored as printed.
pub(super) fn model_as_printed(formula: Formula, size: usize, problem: &Problem) -> Model {
    let fitness = problem.objective.fitness_as_printed(&problem.outputs(&formula), None);
    Model { formula, size, fitness }
}
