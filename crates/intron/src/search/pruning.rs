//! A part of a solution is taken away, others are brought in, and only then is it judged. A formula that has reached the limit on its size
//! can grow no more: no single change makes it better, though one that frees room and one that uses it would. In the paper there is no
//! such step.

use super::optimal_mixing::Pass;
use crate::expression::{active_positions, positions_of};
use crate::random::Stream;

/// How many times as large the error may be while a part is missing.
const LEAVE: f64 = 1.2;
/// How many parts are brought in afterwards, one after the other.
const N_REGROWN: usize = 2;
/// How often such a part is a feature with a factor; else it comes by grafting.
const SHARE_OF_FEATURES: f64 = 0.5;

impl Pass<'_> {
    /// Takes a part of the offspring away and brings others in; goes back to what it was if that is worse in the end.
    pub(super) fn prune_and_regrow(&mut self, n_steps: usize, stream: &mut Stream) {
        if self.is_over || !self.offspring.fitness.is_valid() {
            return;
        }
        let before = self.offspring.clone();
        self.leave = LEAVE;
        self.prune(n_steps, stream);
        self.leave = 1.0;
        if self.offspring == before {
            return;
        }
        let weighs = self.mixing.tuning.weighing > 0.0;
        for _ in 0..N_REGROWN {
            if weighs && stream.happens(SHARE_OF_FEATURES) {
                self.weigh_a_feature(n_steps, stream);
            } else {
                self.graft_a_part(n_steps, stream);
            }
        }
        if self.offspring.fitness.is_worse_than(before.fitness) {
            self.replace_offspring(before);
        }
    }

    /// Puts one of its own arguments in the place of a random part, with all constants tuned.
    fn prune(&mut self, n_steps: usize, stream: &mut Stream) {
        let template = &self.mixing.problem.template;
        let genome = &self.offspring.genome;
        let n_arguments = |at: usize| genome.symbols()[at].arity();
        // The outermost operator may go as well: slope and intercept stay.
        let has_parts = |&at: &usize| n_arguments(at) > 0;
        let parts: Vec<usize> = positions_of(self.offspring.active).filter(has_parts).collect();
        if parts.is_empty() {
            return;
        }
        let at = parts[stream.below(parts.len())];
        let argument = template.child(at, stream.below(n_arguments(at)));
        let Some(pruned) = genome.with_part(at, (genome, argument), template) else { return };
        let active = active_positions(&pruned, template);
        self.try_tuned(pruned, active, n_steps, 0.0);
    }
}
