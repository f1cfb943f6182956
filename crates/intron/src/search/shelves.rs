//! Several different formulas of each complexity, for those who want more than the best one to choose from. Two formulas are
//! different if they give other values on the training rows and are not the same formula with other constants.

use std::sync::Arc;

use super::archive::beats;
use crate::evaluation::{Fitness, Problem};
use crate::expression::{Formula, Node};
use crate::model::Model;

/// Outputs that differ by at most this share of the target's standard deviation are the same.
const SAME: f64 = 1e-6;

/// The best few different formulas of each complexity.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelves {
    /// In increasing complexity, and best first among equals. Shared with checkpoints until it changes.
    models: Arc<Vec<Model>>,
    /// How many of each complexity there may be.
    room: usize,
}

impl Shelves {
    /// Shelves with room for this many formulas of each complexity.
    pub(super) fn new(room: usize) -> Shelves {
        Shelves { models: Arc::default(), room }
    }

    /// Shelves with these models, if they can stand there in this order.
    pub(super) fn from_models(models: Vec<Model>, room: usize) -> Option<Shelves> {
        let key = |model: &Model| (model.complexity, model.fitness.nmse());
        let is_full = |complexity| {
            models.iter().filter(|model: &&Model| model.complexity == complexity).count() > room
        };
        let is_sorted = models.is_sorted_by(|a, b| key(a) <= key(b));
        let is_sound = is_sorted && models.iter().all(|m| m.fitness.is_valid());
        let is_sound = is_sound && !models.iter().any(|model| is_full(model.complexity));
        is_sound.then(|| Shelves { models: Arc::new(models), room })
    }

    /// All models.
    pub(super) fn models(&self) -> &[Model] {
        &self.models
    }

    /// The models of one complexity, best first.
    pub(super) fn of(&self, complexity: usize) -> &[Model] {
        let start = self.models.partition_point(|model| model.complexity < complexity);
        let end = self.models.partition_point(|model| model.complexity <= complexity);
        &self.models[start..end]
    }

    /// What a formula of this complexity must beat to be worth a look.
    pub(super) fn threshold(&self, complexity: usize) -> Fitness {
        let shelf = self.of(complexity);
        match shelf.last() {
            Some(last) if shelf.len() >= self.room => last.fitness,
            _ => Fitness::INVALID,
        }
    }

    /// Takes a model in if it is among the best of its complexity. Of formulas that are the same the better one stays.
    pub(super) fn take(&mut self, model: &Model, problem: &Problem) {
        if !beats(model.fitness, self.threshold(model.complexity)) {
            return;
        }
        let shelf = self.of(model.complexity);
        let same: Vec<bool> = shelf.iter().map(|old| are_same(old, model, problem)).collect();
        let is_beaten =
            |(old, &is_same): (&Model, &bool)| is_same && !beats(model.fitness, old.fitness);
        if shelf.iter().zip(&same).any(is_beaten) {
            return;
        }
        let start = self.models.partition_point(|old| old.complexity < model.complexity);
        let models = Arc::make_mut(&mut self.models);
        for place in (0..same.len()).rev().filter(|&place| same[place]) {
            models.remove(start + place);
        }
        let key = |model: &Model| (model.complexity, model.fitness.nmse());
        let place = models.partition_point(|old| key(old) <= key(model));
        models.insert(place, model.clone());
        let end = models.partition_point(|old| old.complexity <= model.complexity);
        if end - start > self.room {
            models.remove(end - 1);
        }
    }
}

/// Whether two formulas are the same one to a reader: equal but for constants, or with the same values on the training rows.
pub(super) fn are_same(a: &Model, b: &Model, problem: &Problem) -> bool {
    let apart = (a.fitness.nmse().sqrt() - b.fitness.nmse().sqrt()).abs();
    // The root mean square of two outputs' difference is at least the difference of their root mean square errors.
    let may_be_equal = apart <= SAME;
    have_same_shape(&a.formula, &b.formula)
        || may_be_equal && problem.is_same(&a.formula, &b.formula, SAME)
}

fn have_same_shape(a: &Formula, b: &Formula) -> bool {
    let same = |(a, b): (&Node, &Node)| {
        let are_constants = a.symbol.as_constant().is_some() && b.symbol.as_constant().is_some();
        (a.symbol == b.symbol || are_constants) && a.arguments == b.arguments
    };
    a.size() == b.size() && a.nodes().iter().zip(b.nodes()).all(same)
}
