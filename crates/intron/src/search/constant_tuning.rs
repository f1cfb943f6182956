//! Constants that change during the search, which the paper leaves as they are: after a solution was mixed they are mutated
//! and tuned by least squares.

use super::optimal_mixing::{Mixing, Pass};
use crate::evaluation::{Effort, Fitness, Problem, Tuned};
use crate::expression::{Formula, Genome, PositionSet, Symbol, positions_of};
use crate::model::scaled_formula;
use crate::population::Solution;
use crate::random::Stream;
use crate::settings::{MutationPlace, Tuning};

/// What least squares made of the constants of a genome.
pub(super) enum Constants {
    /// Symbols at their positions.
    Moved(Vec<(usize, Symbol)>),
    /// They are best as they are.
    Unmoved,
    /// With whatever constants, the genome is far worse than what it is to replace, and than the best of its size.
    Hopeless,
}

impl Pass<'_> {
    /// Moves the constants of the offspring, by chance or by least squares; keeps what is not worse.
    pub(super) fn change_constants(&mut self, parent: &Solution, stream: &mut Stream) {
        let Tuning { probability, n_steps, weighing, grafting, pruning, .. } = self.mixing.tuning;
        if self.mixing.tuning.mutates(MutationPlace::After) {
            self.mutate_constants(stream);
        }
        let is_tuned = stream.happens(probability);
        // Where mixing has changed nothing, least squares would find nothing new.
        if is_tuned && !self.offspring.has_same_active_part(parent) {
            self.tune_constants(n_steps);
        }
        if stream.happens(weighing) {
            self.weigh_a_feature(n_steps, stream);
        }
        if stream.happens(grafting) {
            self.graft_a_part(n_steps, stream);
        }
        if stream.happens(pruning) {
            self.prune_and_regrow(n_steps, stream);
        }
    }

    fn tune_constants(&mut self, n_steps: usize) {
        let active = self.offspring.active;
        let genome = self.offspring.genome.clone();
        if let Constants::Moved(tuned) = self.least_squares(&genome, active, n_steps) {
            self.try_symbols(&tuned, active, 0.0);
        }
    }

    /// The constants of a genome by least squares, unless it stays far worse than what is worth keeping.
    pub(super) fn least_squares(
        &mut self,
        genome: &Genome,
        active: PositionSet,
        n_steps: usize,
    ) -> Constants {
        if self.is_over || !self.offspring.fitness.is_valid() {
            return Constants::Unmoved;
        }
        // Constants of definitions stay as they are.
        let symbols = genome.symbols();
        let has_constant = |&position: &usize| constant_of(symbols[position]).is_some();
        let positions: Vec<usize> = positions_of(active).filter(has_constant).collect();
        if positions.is_empty() {
            return Constants::Unmoved;
        }
        let (scaled, of_positions) = self.as_scaled(genome, active);
        self.desk.evaluator.count(1);
        let places = positions.iter().map(|&position| {
            let place = of_positions[position] as usize;
            // Behind a factor stand its feature and the product.
            (if symbols[position].is_weighted() { place - 2 } else { place }, position)
        });
        let mut constants: Vec<(usize, usize)> = places.collect();
        constants.sort_unstable();
        let own = &self.mixing.problem.compositions;
        let n_nodes = of_positions[0] as usize + 1;
        let is_free = |place: &usize| {
            *place >= n_nodes || own.is_empty() || constants.iter().any(|known| known.0 == *place)
        };
        let free: Vec<usize> = scaled.constants().into_iter().filter(is_free).collect();
        let problem = self.mixing.problem;
        let to_reach = problem.objective.squared_error_of(self.worth_reaching(genome, active));
        let effort = Effort { n_steps, most_evaluations: self.evaluations_left(), to_reach };
        let tuned = self.desk.least_squares.tune(&scaled, &free, effort, problem);
        self.count_least_squares();
        let tuned = match tuned {
            Tuned::Moved(formula) => formula,
            Tuned::Unmoved => return Constants::Unmoved,
            Tuned::Hopeless => return Constants::Hopeless,
        };
        let value = |place: usize| tuned.nodes().get(place)?.symbol.as_constant();
        let moved = constants.iter().filter_map(|&(place, position)| {
            Some((position, with_constant(symbols[position], value(place)?)))
        });
        Constants::Moved(moved.collect())
    }

    /// The fitness that makes a genome worth keeping: that a change may bring, or less where it would be the best of its size.
    fn worth_reaching(&self, genome: &Genome, active: PositionSet) -> Fitness {
        let Mixing { problem, complexity, .. } = self.mixing;
        let complexity = complexity.of_genome(genome, active, &problem.template);
        self.bar().worse_of(self.thresholds.of(complexity))
    }

    /// The formula of a genome with slope and intercept, and the place of every active position in it. Slope and intercept cost
    /// an evaluation, for the caller to count.
    pub(super) fn as_scaled(&self, genome: &Genome, active: PositionSet) -> (Formula, Vec<u32>) {
        let Problem { template, objective, compositions, .. } = self.mixing.problem;
        let (formula, of_positions) = genome.to_formula_with(active, template, compositions);
        let fit = objective.fit(&self.mixing.problem.outputs(&formula));
        (scaled_formula(formula, fit), of_positions)
    }

    pub(super) fn evaluations_left(&self) -> u64 {
        self.desk.evaluations_left - self.n_evaluations()
    }

    /// Counts what least squares has done. A limit that it has felt ends the run, or a search with a larger one could not
    /// repeat this generation; so does a halt, or what was not tuned would be judged instead.
    pub(super) fn count_least_squares(&mut self) {
        self.desk.evaluator.count(self.desk.least_squares.n_evaluations());
        self.is_interrupted |= self.desk.least_squares.is_halted();
        self.is_over = self.is_interrupted || self.n_evaluations() >= self.desk.evaluations_left;
    }

    /// Tunes the constants of a genome that is to take the place of the offspring's; keeps it if that takes away at least this
    /// share of the error.
    pub(super) fn try_tuned(
        &mut self,
        mut genome: Genome,
        active: PositionSet,
        n_steps: usize,
        gain: f64,
    ) {
        match self.least_squares(&genome, active, n_steps) {
            Constants::Moved(tuned) => {
                tuned.into_iter().for_each(|(position, symbol)| genome.set(position, symbol));
            }
            Constants::Unmoved => {}
            Constants::Hopeless => return,
        }
        let symbols: Vec<(usize, Symbol)> =
            positions_of(active).map(|position| (position, genome.symbols()[position])).collect();
        self.try_symbols(&symbols, active, gain);
    }

    /// Puts symbols in place and keeps them if that takes away at least this share of the error.
    pub(super) fn try_symbols(
        &mut self,
        symbols: &[(usize, Symbol)],
        active: PositionSet,
        gain: f64,
    ) {
        if self.is_over {
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
        if self.is_too_large(&self.offspring.genome, active) {
            return self.restore();
        }
        let fitness = self.evaluate(changed, active);
        if fitness.nmse() > self.bar().nmse() * (1.0 - gain) {
            self.undo();
        } else {
            self.keep(fitness, active);
        }
    }
}

/// The constant of a symbol: itself, or the factor of a feature.
pub(super) fn constant_of(symbol: Symbol) -> Option<f64> {
    symbol.as_weighted().map(|(_, factor)| factor).or(symbol.as_constant())
}

/// The symbol with another constant; as it is, if that constant cannot be written.
pub(super) fn with_constant(symbol: Symbol, value: f64) -> Symbol {
    match symbol.as_weighted() {
        Some((feature, _)) => Symbol::weighted(feature, value).unwrap_or(symbol),
        None if value.is_finite() => Symbol::constant(value),
        None => symbol,
    }
}
