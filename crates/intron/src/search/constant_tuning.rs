//! Constants that change during the search, which the paper leaves as they are: after a solution was mixed they are mutated
//! (coefficient mutation, Virgolin and Bosman 2022), tuned by least squares, and put before features as weights.

use super::optimal_mixing::Pass;
use crate::evaluation::{Problem, constants_of};
use crate::expression::{Genome, Meaning, Operator, PositionSet, Symbol, positions_of};
use crate::model::scaled_formula;
use crate::population::Solution;
use crate::random::Stream;
use crate::settings::Tuning;

/// A weight makes a formula larger by two nodes, so it must take away at least this share of the error.
const LEAST_GAIN_OF_A_WEIGHT: f64 = 1e-3;

impl Pass<'_> {
    /// Moves the constants of the offspring, by chance or by least squares; keeps what is not worse.
    pub(super) fn change_constants(&mut self, parent: &Solution, stream: &mut Stream) {
        let Tuning { probability, n_steps, mutation_probability, mutation_scale, weighing } =
            self.mixing.tuning;
        let is_drawn = |probability: f64, stream: &mut Stream| {
            probability > 0.0 && stream.unit() < probability
        };
        if is_drawn(mutation_probability, stream) {
            self.mutate_constants(mutation_scale, stream);
        }
        let is_tuned = is_drawn(probability, stream);
        // Where mixing has changed nothing, least squares would find nothing new.
        if is_tuned && !self.offspring.has_same_active_part(parent) {
            self.tune_constants(n_steps);
        }
        if is_drawn(weighing, stream) {
            self.weigh_a_feature(n_steps, stream);
        }
    }

    fn mutate_constants(&mut self, scale: f64, stream: &mut Stream) {
        let symbols = self.offspring.genome.symbols();
        let moved = positions_of(self.offspring.active)
            .filter_map(|position| symbols[position].as_constant().map(|value| (position, value)))
            .map(|(position, value)| {
                let moved = value + value.abs().max(1e-16) * scale * stream.normal();
                (position, Symbol::constant(if moved.is_finite() { moved } else { value }))
            })
            .collect::<Vec<_>>();
        self.try_symbols(&moved, self.offspring.active, 0.0);
    }

    fn tune_constants(&mut self, n_steps: usize) {
        let active = self.offspring.active;
        if let Some(tuned) = self.least_squares(&self.offspring.genome.clone(), active, n_steps) {
            self.try_symbols(&tuned, active, 0.0);
        }
    }

    /// Multiplies one feature of the formula with a constant, where the template has room for it, and tunes all constants.
    fn weigh_a_feature(&mut self, n_steps: usize, stream: &mut Stream) {
        let template = &self.mixing.problem.template;
        let Solution { genome, active, .. } = &self.offspring;
        let has_room = |&position: &usize| {
            let symbol = genome.symbols()[position];
            let is_feature = symbol.as_composition().is_none()
                && matches!(symbol.meaning(), Meaning::Feature(_));
            is_feature && !template.is_leaf(position)
        };
        let features: Vec<usize> = positions_of(*active).filter(has_room).collect();
        if features.is_empty() {
            return;
        }
        let at = features[stream.below(features.len())];
        let (left, right) = (template.child(at, 0), template.child(at, 1));
        let larger = active | 1 << left | 1 << right;
        if self.is_too_large(larger) {
            return;
        }
        let mut weighed = genome.clone();
        weighed.set(right, genome.symbols()[at]);
        weighed.set(left, Symbol::constant(1.0));
        weighed.set(at, Symbol::operator(Operator::Multiply));
        let Some(tuned) = self.least_squares(&weighed, larger, n_steps) else { return };
        let mut symbols = vec![(at, weighed.symbols()[at]), (right, weighed.symbols()[right])];
        symbols.extend(tuned);
        self.try_symbols(&symbols, larger, LEAST_GAIN_OF_A_WEIGHT);
    }

    /// The constants of a genome by least squares, as symbols at their positions; nothing if they are best as they are.
    fn least_squares(
        &mut self,
        genome: &Genome,
        active: PositionSet,
        n_steps: usize,
    ) -> Option<Vec<(usize, Symbol)>> {
        let Problem { template, objective, .. } = self.mixing.problem;
        if self.is_over || !self.offspring.fitness.is_valid() {
            return None;
        }
        let own = &self.mixing.problem.compositions;
        let (formula, of_positions) = genome.to_formula_with(active, template, own);
        // Constants of definitions stay as they are.
        let mut constants: Vec<(usize, usize)> = positions_of(active)
            .filter(|&position| genome.symbols()[position].as_constant().is_some())
            .map(|position| (of_positions[position] as usize, position))
            .collect();
        constants.sort_unstable();
        if constants.is_empty() {
            return None;
        }
        let fit = objective.fit(&self.mixing.problem.outputs(&formula));
        let n_nodes = formula.size();
        let scaled = scaled_formula(formula, fit);
        let is_free = |place: &usize| {
            *place >= n_nodes || own.is_empty() || constants.iter().any(|known| known.0 == *place)
        };
        let free: Vec<usize> = constants_of(&scaled).into_iter().filter(is_free).collect();
        let left = self.desk.evaluations_left - self.n_evaluations();
        let problem = self.mixing.problem;
        let tuned = self.desk.least_squares.tune(&scaled, &free, n_steps, left, problem);
        self.desk.evaluator.count(self.desk.least_squares.n_evaluations());
        // A limit that least squares has felt ends the run, or a search with a larger one could not repeat this generation.
        self.is_over = self.n_evaluations() >= self.desk.evaluations_left;
        let tuned = tuned?;
        let symbol = |place: usize| tuned.nodes().get(place).map(|node| node.symbol);
        let moved =
            constants.iter().filter_map(|&(place, position)| Some((position, symbol(place)?)));
        Some(moved.collect())
    }

    /// Puts symbols in place and keeps them if that takes away at least this share of the error.
    fn try_symbols(&mut self, symbols: &[(usize, Symbol)], active: PositionSet, gain: f64) {
        if self.is_over || self.is_too_large(active) {
            return;
        }
        self.backup.clear();
        let mut changed = 0;
        for &(position, new) in symbols {
            let old = self.offspring.genome.symbols()[position];
            if old != new {
                changed |= 1 << position;
                self.backup.push((position, old));
                self.offspring.genome.set(position, new);
            }
        }
        if changed == 0 {
            return;
        }
        let fitness = self.evaluate(changed, active);
        if fitness.nmse() > self.offspring.fitness.nmse() * (1.0 - gain) {
            self.undo();
        } else {
            self.keep(fitness, active);
        }
    }
}
