//! Gene-pool optimal mixing (GOM; algorithm 1, step 2) for one solution: copy each subset from a random donor, keep
//! the change unless the fitness gets worse. Changes of introns alone are kept and cost no evaluation.

use super::archive::Thresholds;
use super::workers::{Desk, Done};
use crate::evaluation::{Fitness, Problem};
use crate::expression::{
    Alphabet, Complexity, Genome, PositionSet, SizeLimits, Symbol, active_positions,
};
use crate::linkage::{FamilyOfSubsets, Subset};
use crate::population::Solution;
use crate::random::Stream;
use crate::settings::{EarlyRejection, MutationPlace, Tuning};

/// What all solutions of a generation share.
pub(super) struct Mixing<'a> {
    pub(super) problem: &'a Problem,
    /// The population as it was at the start of the generation: the donors.
    pub(super) parents: &'a [Solution],
    pub(super) family: &'a FamilyOfSubsets,
    /// What new parts are drawn from.
    pub(super) alphabet: &'a Alphabet,
    /// What the front weighs against accuracy.
    pub(super) complexity: &'a Complexity,
    /// What a formula of each complexity must beat to be worth a look.
    pub(super) thresholds: Thresholds,
    pub(super) early_rejection: EarlyRejection,
    pub(super) tuning: Tuning,
    /// Larger formulas are invalid, and cost no evaluation.
    pub(super) size_limits: SizeLimits,
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
        let mutates_between = self.tuning.mutates(MutationPlace::Interleaved);
        for subset in order {
            let donor = self.draw_donor(index, stream);
            pass.try_subset(&self.family.subsets()[subset], &self.parents[donor], stream);
            if mutates_between {
                pass.mutate_constants(stream);
            }
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
        pass.change_constants(parent, stream);
        pass.finish()
    }

    /// Uniform over all solutions but this one.
    fn draw_donor(&self, index: usize, stream: &mut Stream) -> usize {
        let donor = stream.below(self.parents.len() - 1);
        if donor >= index { donor + 1 } else { donor }
    }
}

/// One solution on its way through the subsets.
pub(super) struct Pass<'a> {
    pub(super) mixing: &'a Mixing<'a>,
    pub(super) desk: Desk<'a>,
    pub(super) offspring: Solution,
    candidates: Vec<Solution>,
    pub(super) thresholds: Thresholds,
    evaluations_before: u64,
    pub(super) is_over: bool,
    pub(super) is_interrupted: bool,
    /// Constants are mutated before the test of a copy.
    mutates_within: bool,
    /// Symbols that the change in hand has replaced.
    pub(super) backup: Vec<(usize, Symbol)>,
    /// How many times as large an error a change may bring: 1, but while a part is pruned.
    pub(super) leave: f64,
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
            mutates_within: mixing.tuning.mutates(MutationPlace::Within),
            desk,
            offspring,
            candidates: Vec::new(),
            thresholds: mixing.thresholds.clone(),
            backup: Vec::with_capacity(mixing.problem.template.n_positions()),
            leave: 1.0,
        }
    }

    fn finish(self) -> Done<Mixed> {
        Done {
            n_evaluations: self.n_evaluations(),
            result: Mixed { solution: self.offspring, candidates: self.candidates },
            is_interrupted: self.is_interrupted,
        }
    }

    pub(super) fn n_evaluations(&self) -> u64 {
        self.desk.evaluator.n_evaluations() - self.evaluations_before
    }

    /// Copies a subset from a donor and keeps it unless the fitness gets worse.
    fn try_subset(&mut self, subset: &Subset, donor: &Solution, stream: &mut Stream) {
        if self.is_over {
            return;
        }
        let mut changed = self.copy(subset, donor);
        if self.mutates_within {
            changed = self.mutate_copied(subset, changed, stream);
        }
        if changed & self.offspring.active == 0 {
            if changed != 0 {
                self.desk.evaluator.note_intron_change(changed);
            }
            return;
        }
        let active = self.active_after_change();
        if self.is_too_large(&self.offspring.genome, active) {
            return self.settle_too_large(active);
        }
        let fitness = self.evaluate(changed, active);
        if fitness.is_worse_than(self.offspring.fitness) {
            self.undo();
        } else {
            self.keep(fitness, active);
        }
    }

    pub(super) fn is_too_large(&self, genome: &Genome, active: PositionSet) -> bool {
        !self.mixing.size_limits.admit(genome, active)
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
    pub(super) fn evaluate(&mut self, changed: PositionSet, active: PositionSet) -> Fitness {
        let Mixing { problem, complexity, .. } = self.mixing;
        let complexity = complexity.of_genome(&self.offspring.genome, active, &problem.template);
        let limit = match self.mixing.early_rejection {
            EarlyRejection::On => self.bar().worse_of(self.thresholds.of(complexity)),
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
    pub(super) fn active_after_change(&self) -> PositionSet {
        let (symbols, active) = (self.offspring.genome.symbols(), self.offspring.active);
        let mut is_reshaped = false;
        for &(position, old) in &self.backup {
            is_reshaped |= active >> position & 1 == 1 && old.arity() != symbols[position].arity();
        }
        let find = || active_positions(&self.offspring.genome, &self.mixing.problem.template);
        debug_assert!(is_reshaped || active == find(), "the active positions are the same");
        if is_reshaped { find() } else { active }
    }

    /// The worst fitness that a change may bring.
    #[inline]
    pub(super) fn bar(&self) -> Fitness {
        Fitness::from_nmse(self.offspring.fitness.nmse() * self.leave)
    }

    /// Puts another solution in the place of the offspring.
    pub(super) fn replace_offspring(&mut self, solution: Solution) {
        self.desk.evaluator.load(solution.active);
        self.offspring = solution;
    }

    pub(super) fn keep(&mut self, fitness: Fitness, active: PositionSet) {
        self.desk.evaluator.accept();
        self.offspring.fitness = fitness;
        self.offspring.active = active;
    }

    pub(super) fn undo(&mut self) {
        self.desk.evaluator.reject();
        self.restore();
    }

    pub(super) fn restore(&mut self) {
        for &(position, symbol) in &self.backup {
            self.offspring.genome.set(position, symbol);
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
            if self.is_too_large(&self.offspring.genome, active) {
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
            self.replace_offspring(best.clone());
        }
    }
}
