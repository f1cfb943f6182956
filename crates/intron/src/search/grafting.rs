//! A part of some solution in place of a part of this one, wherever it has room, with all constants tuned before it is judged.
//! Mixing copies symbols to the positions they come from, constants as they are; where constants matter, that is seldom good at
//! once. In the paper there is no such step.

use super::optimal_mixing::Pass;
use crate::expression::{active_positions, positions_of};
use crate::random::Stream;

impl Pass<'_> {
    /// Puts a random part of a random solution in the place of a random part of the offspring; keeps it if it is not worse.
    pub(super) fn graft_a_part(&mut self, n_steps: usize, stream: &mut Stream) {
        let template = &self.mixing.problem.template;
        let donor = &self.mixing.parents[stream.below(self.mixing.parents.len())];
        // Instead of the whole formula there would be nothing but the part.
        let places: Vec<usize> = positions_of(self.offspring.active).skip(1).collect();
        let parts: Vec<usize> = positions_of(donor.active).collect();
        if places.is_empty() || self.is_over || !self.offspring.fitness.is_valid() {
            return;
        }
        let at = places[stream.below(places.len())];
        let from = parts[stream.below(parts.len())];
        let part = (&donor.genome, from);
        let Some(genome) = self.offspring.genome.with_part(at, part, template) else { return };
        let active = active_positions(&genome, template);
        if genome != self.offspring.genome && !self.is_too_large(&genome, active) {
            self.try_tuned(genome, active, n_steps, 0.0);
        }
    }
}
