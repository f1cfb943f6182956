//! A part of some solution in place of a part of this one, wherever it has room, with all constants tuned before it is judged.
//! Mixing copies symbols to the positions they come from, constants as they are; where constants matter, that is seldom good at
//! once. Some parts are drawn at random instead: once a population has converged, its solutions have nothing new for each other.
//! In the paper there is no such step.

use super::optimal_mixing::{Mixing, Pass};
use crate::expression::{Genome, active_positions, positions_of};
use crate::random::Stream;

/// How often a position of a new part is a terminal; with one half, parts have about three positions on average.
const SHARE_OF_TERMINALS: f64 = 0.5;

impl Pass<'_> {
    /// Puts another part in the place of a random part of the offspring; keeps it if it is not worse.
    pub(super) fn graft_a_part(&mut self, n_steps: usize, stream: &mut Stream) {
        // Instead of the whole formula there would be nothing but the part.
        let places: Vec<usize> = positions_of(self.offspring.active).skip(1).collect();
        if places.is_empty() || self.is_over || !self.offspring.fitness.is_valid() {
            return;
        }
        let at = places[stream.below(places.len())];
        let is_new = stream.happens(self.mixing.tuning.new_parts);
        let grafted =
            if is_new { self.with_new_part(at, stream) } else { self.with_known_part(at, stream) };
        let Some(genome) = grafted else { return };
        let active = active_positions(&genome, &self.mixing.problem.template);
        if genome != self.offspring.genome && !self.is_too_large(&genome, active) {
            self.try_tuned(genome, active, n_steps, 0.0);
        }
    }

    /// The genome with a random part of a random solution at some position; nothing if there is no room.
    fn with_known_part(&self, at: usize, stream: &mut Stream) -> Option<Genome> {
        let Mixing { parents, problem, .. } = self.mixing;
        let donor = &parents[stream.below(parents.len())];
        let parts: Vec<usize> = positions_of(donor.active).collect();
        let from = parts[stream.below(parts.len())];
        self.offspring.genome.with_part(at, (&donor.genome, from), &problem.template)
    }

    /// The genome with a part at some position that is drawn at random, symbol by symbol.
    fn with_new_part(&self, at: usize, stream: &mut Stream) -> Option<Genome> {
        let Mixing { alphabet, problem, .. } = self.mixing;
        let mut genome = self.offspring.genome.clone();
        let mut left = vec![at];
        while let Some(position) = left.pop() {
            let ends = problem.template.is_leaf(position) || stream.happens(SHARE_OF_TERMINALS);
            let symbol =
                if ends { alphabet.draw_terminal(stream) } else { alphabet.draw_operator(stream) };
            genome.set(position, symbol);
            left.extend((0..symbol.arity()).map(|k| problem.template.child(position, k)));
        }
        Some(genome)
    }
}
