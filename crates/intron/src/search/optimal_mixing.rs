//! Gene-pool optimal mixing (GOM; algorithm 1, step 2) for one solution: copy each subset from a random donor, keep
//! the change unless the fitness gets worse. Changes of introns alone are kept and cost no evaluation.

use super::archive::Thresholds;
use super::workers::{Desk, Done};
use crate::evaluation::{Fitness, Problem, constants_of};
use crate::expression::{Complexity, PositionSet, Symbol, active_positions, positions_of};
use crate::linkage::{FamilyOfSubsets, Subset};
use crate::model::scaled_formula;
use crate::population::Solution;
use crate::random::Stream;
use crate::settings::{EarlyRejection, Tuning};

/// What all solutions of a generation share.
pub(super) struct Mixing<'a> {
    pub(super) problem: &'a Problem,
    /// The population as it was at the start of the generation: the donors.
    pub(super) parents: &'a [Solution],
    pub(super) family: &'a FamilyOfSubsets,
    /// What the front weighs against accuracy.
    pub(super) complexity: &'a Complexity,
    /// What a formula of each complexity must beat to be worth a look.
    pub(super) thresholds: Thresholds,
    pub(super) early_rejection: EarlyRejection,
    pub(super) tuning: Tuning,
    /// Larger formulas are invalid, and cost no evaluation.
    pub(super) max_size: usize,
}

/// Whether a solution that mixing left as it was is forced towards the best.
pub(super) enum Forcing<'a> {
    Off,
    /// Only if mixing changes nothing.
    IfUnchanged(&'a Solution),
    Always(&'a Solution),
}

/// What became of a solution.
pub(super) struct Mixed {
    pub(super) solution: Solution,
    /// Candidates met on the way that were better than anything that is not more complex.
    pub(super) candidates: Vec<Solution>,
}

impl Mixing<'_> {
    /// Mixes the solution with this index.
    pub(super) fn mix(
        &self,
        index: usize,
        forcing: Forcing<'_>,
        desk: Desk<'_>,
        stream: &mut Stream,
    ) -> Done<Mixed> {
        let parent = &self.parents[index];
        let mut pass = Pass::new(self, parent.clone(), desk);
        let mut order: Vec<usize> = (0..self.family.len()).collect();
        stream.shuffle(&mut order);
        for subset in order {
            let donor = self.draw_donor(index, stream);
            pass.try_subset(&self.family.subsets()[subset], &self.parents[donor]);
            if pass.is_over {
                return pass.finish();
            }
        }
        match forcing {
            Forcing::Always(best) => pass.force(best, stream),
            Forcing::IfUnchanged(best) if pass.offspring.has_same_active_part(parent) => {
                pass.force(best, stream);
            }
            Forcing::IfUnchanged(_) | Forcing::Off => {}
        }
        pass.change_constants(stream);
        pass.finish()
    }

    /// Uniform over all solutions but this one.
    fn draw_donor(&self, index: usize, stream: &mut Stream) -> usize {
        let donor = stream.below(self.parents.len() - 1);
        if donor >= index { donor + 1 } else { donor }
    }
}

/// One solution on its way through the subsets.
struct Pass<'a> {
    mixing: &'a Mixing<'a>,
    desk: Desk<'a>,
    offspring: Solution,
    candidates: Vec<Solution>,
    thresholds: Thresholds,
    evaluations_before: u64,
    is_over: bool,
    is_interrupted: bool,
    /// Symbols that the change in hand has replaced.
    backup: Vec<(usize, Symbol)>,
}

impl<'a> Pass<'a> {
    fn new(mixing: &'a Mixing<'a>, offspring: Solution, mut desk: Desk<'a>) -> Pass<'a> {
        let is_interrupted = desk.alarm.rings(0);
        desk.evaluator.load(offspring.active);
        Pass {
            mixing,
            evaluations_before: desk.evaluator.n_evaluations(),
            is_over: is_interrupted || desk.evaluations_left == 0,
            is_interrupted,
            desk,
            offspring,
            candidates: Vec::new(),
            thresholds: mixing.thresholds.clone(),
            backup: Vec::with_capacity(mixing.problem.template.n_positions()),
        }
    }

    fn finish(self) -> Done<Mixed> {
        Done {
            n_evaluations: self.n_evaluations(),
            result: Mixed { solution: self.offspring, candidates: self.candidates },
            is_interrupted: self.is_interrupted,
        }
    }

    fn n_evaluations(&self) -> u64 {
        self.desk.evaluator.n_evaluations() - self.evaluations_before
    }

    /// Copies a subset from a donor and keeps it unless the fitness gets worse.
    fn try_subset(&mut self, subset: &Subset, donor: &Solution) {
        if self.is_over {
            return;
        }
        let changed = self.copy(subset, donor);
        if changed & self.offspring.active == 0 {
            if changed != 0 {
                self.desk.evaluator.note_intron_change(changed);
            }
            return;
        }
        let active = self.active_after_change();
        if self.is_too_large(active) {
            return self.settle_too_large(active);
        }
        let fitness = self.evaluate(changed, active);
        if fitness.is_worse_than(self.offspring.fitness) {
            self.undo();
        } else {
            self.keep(fitness, active);
        }
    }

    fn is_too_large(&self, active: PositionSet) -> bool {
        active.count_ones() as usize > self.mixing.max_size
    }

    /// A change that makes the formula too large is as good as any to one that is invalid, and worse than every other.
    fn settle_too_large(&mut self, active: PositionSet) {
        if self.offspring.fitness.is_valid() {
            return self.restore();
        }
        self.offspring.active = active;
        self.desk.evaluator.load(active);
    }

    /// Copies the symbols of a subset; returns the positions where they differed.
    #[inline]
    fn copy(&mut self, subset: &Subset, donor: &Solution) -> PositionSet {
        self.backup.clear();
        let mut changed = 0;
        for &position in &subset.positions {
            let position = usize::from(position);
            let (old, new) =
                (self.offspring.genome.symbols()[position], donor.genome.symbols()[position]);
            if old != new {
                changed |= 1 << position;
                self.backup.push((position, old));
                self.offspring.genome.set(position, new);
            }
        }
        changed
    }

    /// Evaluates the offspring with a change in place; notes it if it is good for its complexity.
    fn evaluate(&mut self, changed: PositionSet, active: PositionSet) -> Fitness {
        let Mixing { problem, complexity, .. } = self.mixing;
        let complexity = complexity.of_genome(&self.offspring.genome, active, &problem.template);
        let limit = match self.mixing.early_rejection {
            EarlyRejection::On => self.offspring.fitness.worse_of(self.thresholds.of(complexity)),
            EarlyRejection::Off => Fitness::INVALID,
        };
        let genome = &self.offspring.genome;
        let fitness = self.desk.evaluator.propose_within(genome, changed, active, limit);
        if self.thresholds.admits(complexity, fitness) {
            let genome = self.offspring.genome.clone();
            self.candidates.push(Solution { genome, active, fitness });
            self.thresholds.lower(complexity, fitness);
        }
        self.is_interrupted = self.desk.alarm.rings(self.mixing.problem.objective.n_rows() as u64);
        self.is_over = self.is_interrupted || self.n_evaluations() >= self.desk.evaluations_left;
        fitness
    }

    /// The active positions with the change in place. Most changes leave every active position as many arguments as it had,
    /// and then the same positions are active.
    #[inline]
    fn active_after_change(&self) -> PositionSet {
        let (symbols, active) = (self.offspring.genome.symbols(), self.offspring.active);
        let mut is_reshaped = false;
        for &(position, old) in &self.backup {
            is_reshaped |= active >> position & 1 == 1 && old.arity() != symbols[position].arity();
        }
        let find = || active_positions(&self.offspring.genome, &self.mixing.problem.template);
        debug_assert!(is_reshaped || active == find(), "the active positions are the same");
        if is_reshaped { find() } else { active }
    }

    fn keep(&mut self, fitness: Fitness, active: PositionSet) {
        self.desk.evaluator.accept();
        self.offspring.fitness = fitness;
        self.offspring.active = active;
    }

    fn undo(&mut self) {
        self.desk.evaluator.reject();
        self.restore();
    }

    fn restore(&mut self) {
        for &(position, symbol) in &self.backup {
            self.offspring.genome.set(position, symbol);
        }
    }

    /// Moves the constants of the offspring, by chance or by least squares; keeps what is not worse.
    fn change_constants(&mut self, stream: &mut Stream) {
        let Tuning { probability, n_steps, mutation_probability, mutation_scale } =
            self.mixing.tuning;
        if mutation_probability > 0.0 && stream.unit() < mutation_probability {
            self.mutate_constants(mutation_scale, stream);
        }
        if probability > 0.0 && stream.unit() < probability {
            self.tune_constants(n_steps);
        }
    }

    fn mutate_constants(&mut self, scale: f64, stream: &mut Stream) {
        let symbols = self.offspring.genome.symbols();
        let moved = positions_of(self.offspring.active)
            .filter_map(|position| symbols[position].as_constant().map(|value| (position, value)))
            .map(|(position, value)| {
                (position, value + value.abs().max(1e-16) * scale * stream.normal())
            })
            .collect::<Vec<_>>();
        self.try_constants(&moved);
    }

    fn tune_constants(&mut self, n_steps: usize) {
        let Problem { template, objective, .. } = self.mixing.problem;
        if self.is_over || !self.offspring.fitness.is_valid() {
            return;
        }
        let active = self.offspring.active;
        let own = &self.mixing.problem.compositions;
        let (formula, of_positions) = self.offspring.genome.to_formula_with(active, template, own);
        // Constants of definitions stay as they are.
        let symbols = self.offspring.genome.symbols();
        let mut constants: Vec<(usize, usize)> = positions_of(active)
            .filter(|&position| symbols[position].as_constant().is_some())
            .map(|position| (of_positions[position] as usize, position))
            .collect();
        constants.sort_unstable();
        if constants.is_empty() {
            return;
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
        let Some(tuned) = tuned else { return };
        let value = |place: usize| tuned.nodes().get(place).and_then(|n| n.symbol.as_constant());
        let moved: Vec<(usize, f64)> = constants
            .iter()
            .filter_map(|&(place, position)| value(place).map(|value| (position, value)))
            .collect();
        self.try_constants(&moved);
    }

    /// Puts constants in place and keeps them unless the fitness gets worse.
    fn try_constants(&mut self, constants: &[(usize, f64)]) {
        if self.is_over || self.is_too_large(self.offspring.active) {
            return;
        }
        self.backup.clear();
        let mut changed = 0;
        for &(position, value) in constants {
            let (old, new) = (self.offspring.genome.symbols()[position], Symbol::constant(value));
            if old != new && value.is_finite() {
                changed |= 1 << position;
                self.backup.push((position, old));
                self.offspring.genome.set(position, new);
            }
        }
        if changed == 0 {
            return;
        }
        // Constants change no size.
        let active = self.offspring.active;
        let fitness = self.evaluate(changed, active);
        if fitness.is_worse_than(self.offspring.fitness) {
            self.undo();
        } else {
            self.keep(fitness, active);
        }
    }

    /// Forced improvement: subsets of the best until one is strictly better; failing that, a copy of the best.
    fn force(&mut self, best: &Solution, stream: &mut Stream) {
        let mut order: Vec<usize> = (0..self.mixing.family.len()).collect();
        stream.shuffle(&mut order);
        for subset in order {
            if self.is_over {
                return;
            }
            let changed = self.copy(&self.mixing.family.subsets()[subset], best);
            if changed & self.offspring.active == 0 {
                self.restore();
                continue;
            }
            let active = self.active_after_change();
            if self.is_too_large(active) {
                self.restore();
                continue;
            }
            let fitness = self.evaluate(changed, active);
            if fitness.is_better_than(self.offspring.fitness) {
                return self.keep(fitness, active);
            }
            self.undo();
        }
        if best.fitness.is_better_than(self.offspring.fitness) {
            self.offspring = best.clone();
            self.desk.evaluator.load(best.active);
        }
    }
}
