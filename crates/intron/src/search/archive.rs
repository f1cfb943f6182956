//! The best formula of every size over the whole run: the front of size, or another complexity, and accuracy.

use std::sync::Arc;

use super::shelves::Shelves;
use crate::evaluation::{Fitness, Problem};
use crate::expression::{Complexity, Formula, MAX_POSITIONS};
use crate::model::{Model, scaled_formula};
use crate::population::Solution;
use crate::settings::ValidSettings;

/// The front: each model is better than every less complex one, by more than rounding noise.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    /// In increasing complexity and strictly increasing accuracy. Shared with checkpoints until it changes.
    front: Arc<Vec<Model>>,
    complexity: Arc<Complexity>,
    /// More formulas of each complexity, where they are wanted.
    shelves: Option<Shelves>,
}

/// A more complex formula must be better by this share of the error: less is rounding noise, as between `x` and `x + 1` where
/// formulas are scaled.
const NOISE: f64 = 1e-9;

/// Whether a formula is better by more than rounding noise.
pub(super) fn beats(new: Fitness, old: Fitness) -> bool {
    new.nmse() < old.nmse() * (1.0 - NOISE)
}

/// For each complexity the fitness that a formula of that complexity must beat to be worth a look.
#[derive(Clone)]
pub(super) struct Thresholds {
    /// Those of most sizes, and of other complexities that are as small.
    near: [Fitness; MAX_POSITIONS + 1],
    /// Those of complexities from which on they are lower; in increasing complexity.
    far: Vec<(usize, Fitness)>,
    /// Where several formulas of each complexity are wanted, one does not stand in the way of the next.
    shelves: Option<Shelves>,
}

impl Thresholds {
    /// Whether a formula of this complexity and fitness is worth offering to the archive.
    #[inline]
    pub(super) fn admits(&self, complexity: usize, fitness: Fitness) -> bool {
        beats(fitness, self.of(complexity))
    }

    /// What a formula of this complexity must beat.
    #[inline]
    pub(super) fn of(&self, complexity: usize) -> Fitness {
        match self.near.get(complexity) {
            Some(&threshold) => threshold,
            None => self.far_of(complexity),
        }
    }

    fn far_of(&self, complexity: usize) -> Fitness {
        if let Some(shelves) = &self.shelves {
            return shelves.threshold(complexity);
        }
        let step = self.far.iter().rev().find(|step| step.0 <= complexity);
        step.map_or(self.near[MAX_POSITIONS], |step| step.1)
    }

    /// Takes note of a formula.
    pub(super) fn lower(&mut self, complexity: usize, fitness: Fitness) {
        if self.shelves.is_some() {
            return;
        }
        for threshold in self.near.iter_mut().skip(complexity) {
            if fitness.is_better_than(*threshold) {
                *threshold = fitness;
            }
        }
        if complexity > MAX_POSITIONS || !self.far.is_empty() {
            self.lower_far(complexity, fitness);
        }
    }

    fn lower_far(&mut self, complexity: usize, fitness: Fitness) {
        if complexity > MAX_POSITIONS && fitness.is_better_than(self.far_of(complexity)) {
            let place = self.far.partition_point(|step| step.0 < complexity);
            self.far.insert(place, (complexity, fitness));
        }
        self.far.retain(|step| {
            let is_lower = step.0 < complexity || step.1.is_better_than(fitness);
            is_lower || *step == (complexity, fitness)
        });
    }
}

impl Archive {
    /// An empty archive.
    pub(super) fn new(settings: &ValidSettings) -> Archive {
        let per_size = settings.settings().per_size;
        Archive {
            front: Arc::default(),
            complexity: Arc::new(settings.complexity().clone()),
            shelves: (per_size > 1).then(|| Shelves::new(per_size)),
        }
    }

    /// An archive of these models, if they can be a front, none beaten by a less complex one, and stand on shelves.
    pub(super) fn from_models(
        front: Vec<Model>,
        shelved: Vec<Model>,
        settings: &ValidSettings,
    ) -> Option<Archive> {
        let mut archive = Archive::new(settings);
        let is_step = |pair: &[Model]| {
            pair[0].complexity < pair[1].complexity && beats(pair[1].fitness, pair[0].fitness)
        };
        if !front.iter().all(|model| model.fitness.is_valid()) || !front.windows(2).all(is_step) {
            return None;
        }
        archive.front = Arc::new(front);
        if archive.shelves.is_some() {
            archive.shelves = Some(Shelves::from_models(shelved, settings.settings().per_size)?);
        }
        Some(archive)
    }

    /// Whether the score of every model is that of its formula on these rows.
    pub(super) fn has_true_scores(&self, problem: &Problem) -> bool {
        let score = |model: &Model| {
            problem.objective.fitness_as_printed(&problem.outputs(&model.formula), None)
        };
        self.front.iter().chain(self.shelved()).all(|model| score(model) == model.fitness)
    }

    /// The measure of complexity.
    pub(super) fn complexity(&self) -> &Arc<Complexity> {
        &self.complexity
    }

    /// The best few different formulas of each complexity, if they are wanted; those of the front are among them.
    pub(super) fn shelved(&self) -> &[Model] {
        self.shelves.as_ref().map_or(&[], Shelves::models)
    }

    /// The models, least complex first, most accurate last.
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
        let near = [Fitness::INVALID; MAX_POSITIONS + 1];
        let mut thresholds = Thresholds { near, far: Vec::new(), shelves: self.shelves.clone() };
        if let Some(shelves) = &self.shelves {
            for (complexity, threshold) in thresholds.near.iter_mut().enumerate() {
                *threshold = shelves.threshold(complexity);
            }
        }
        self.front.iter().for_each(|model| thresholds.lower(model.complexity, model.fitness));
        thresholds
    }

    /// Takes a solution in if it is better than everything that is not more complex. Its score is computed anew, from
    /// the formula as it is printed, so that nothing the search was fooled by can enter. Says whether it is a new best.
    pub(super) fn offer(&mut self, solution: &Solution, problem: &Problem) -> bool {
        let Solution { genome, active, fitness } = solution;
        let complexity = self.complexity.of_genome(genome, *active, &problem.template);
        let is_shelved = |shelves: &Shelves| beats(*fitness, shelves.threshold(complexity));
        if !beats(*fitness, self.threshold(complexity))
            && !self.shelves.as_ref().is_some_and(is_shelved)
        {
            return false;
        }
        let model = model_of(solution, complexity, problem);
        if let Some(shelves) = &mut self.shelves {
            shelves.take(&model, problem);
        }
        self.take(model)
    }

    /// Whether a model belongs on the front.
    pub(super) fn would_take(&self, model: &Model) -> bool {
        beats(model.fitness, self.threshold(model.complexity))
    }

    /// What a model of this complexity must beat.
    pub(super) fn threshold(&self, complexity: usize) -> Fitness {
        let smaller = self.front.iter().rev().find(|model| model.complexity <= complexity);
        smaller.map_or(Fitness::INVALID, |model| model.fitness)
    }

    /// Takes a model in if it belongs on the front. Says whether it is a new best.
    pub(super) fn take(&mut self, model: Model) -> bool {
        if !self.would_take(&model) {
            return false;
        }
        let is_best = model.fitness.is_better_than(self.best_fitness());
        let front = Arc::make_mut(&mut self.front);
        front.retain(|old| old.complexity < model.complexity || beats(old.fitness, model.fitness));
        let place = front.partition_point(|old| old.complexity < model.complexity);
        front.insert(place, model);
        is_best
    }
}

/// The solution as a model: scaling written out, scored as printed.
fn model_of(solution: &Solution, complexity: usize, problem: &Problem) -> Model {
    let formula = problem.formula_of(&solution.genome, solution.active);
    let outputs = problem.outputs(&formula);
    let fit = problem.objective.fit(&outputs);
    let fitness = problem.objective.fitness_as_printed(&outputs, fit);
    Model { formula: scaled_formula(formula, fit), size: solution.size(), complexity, fitness }
}

/// A formula whose scaling is written out as a model, scored as printed.
pub(super) fn model_as_printed(
    formula: Formula,
    (size, complexity): (usize, usize),
    problem: &Problem,
) -> Model {
    let fitness = problem.objective.fitness_as_printed(&problem.outputs(&formula), None);
    Model { formula, size, complexity, fitness }
}
