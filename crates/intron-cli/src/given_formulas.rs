//! What is said of the formulas that were given with `--start`: those that the search cannot start from, and why.

use intron::{Outcome, PopulationSize, Settings};

use crate::terminal;

pub(crate) fn tell(outcome: &Outcome, settings: &Settings) {
    for given in outcome.given.iter().filter(|given| !given.is_searched) {
        const SCORED: &str = "it is scored, but the search does not start from it";
        let is_single = settings.population != PopulationSize::Multistart;
        let why = match (given.fits, is_single) {
            (false, _) => format!(
                "does not fit the template and its limits (max_positions, max_size): {SCORED}"
            ),
            (true, true) => format!("finds no room left in the population: {SCORED}"),
            (true, false) => {
                "finds no room left in the first population: larger ones start from it".to_owned()
            }
        };
        terminal::tell(&format!("note: `{}` {why}", given.text));
    }
    for given in outcome.given.iter().filter(|given| !given.model.fitness.is_valid()) {
        terminal::tell(&format!(
            "note: `{}` has no score: it is not finite on every training row",
            given.text
        ));
    }
}
