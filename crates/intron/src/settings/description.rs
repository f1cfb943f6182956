//! Which settings tell one run from another: for the ids of records, and for going on from a checkpoint.

use super::keys::Key;
use super::knobs::Settings;

/// Settings that came after the paper's. At their defaults they change nothing.
const EXTENSIONS: &[&str] = &[
    "max_size",
    "max_positions",
    "complexity",
    "costs",
    "per_size",
    "start",
    "constants.factors",
    "constants.tuning",
    "constants.tuning_steps",
    "constants.mutation",
    "constants.mutation_scale",
    "constants.mutation_decay",
    "constants.mutation_patience",
    "constants.mutation_place",
    "constants.weighing",
    "constants.grafting",
    "constants.pruning",
    "constants.new_parts",
    "polish",
    "simplify",
    "select",
    "safety_margin",
];

/// Limits, and what gives the same bits for every value.
pub(super) const LEAVES_THE_SEARCH: [&str; 9] = [
    "evaluations",
    "generations",
    "time",
    "target_r2",
    "when_solved",
    "evaluator",
    "early_rejection",
    "instructions",
    "threads",
];

impl Key {
    /// Whether another value makes a search take another course; if not, it only says when the search ends or how it is
    /// computed.
    pub fn changes_the_search(&self) -> bool {
        !LEAVES_THE_SEARCH.contains(&self.name)
    }

    /// Whether this setting must be named to describe a run: all but extensions at their defaults. So the description of a
    /// run of the paper stays the same however many extensions come.
    pub fn describes(&self, settings: &Settings) -> bool {
        !EXTENSIONS.contains(&self.name) || self.value(settings) != self.value(&Settings::default())
    }
}
