//! Half-and-half initialisation (section 4.1, table 2): the first half *grow*, the rest *full*, at full template depth.
//! Every position is drawn on its own, introns included.

use std::collections::HashSet;

use super::solution::{Population, Solution};
use crate::expression::{Alphabet, Genome, Symbol, Template, positions_of};
use crate::halt::Halt;
use crate::random::Stream;

/// How *grow* chooses between terminals and operators at inner positions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum GrowRule {
    /// Uniform over the whole alphabet of the position.
    #[default]
    Domain,
    /// A terminal with this probability.
    TerminalProbability(f64),
}

/// Whether two initial solutions may mean the same expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Duplicates {
    /// They may.
    #[default]
    Allowed,
    /// A duplicate is drawn again, up to a limit.
    DrawnAgain,
}

/// How initial populations are made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Initialization {
    /// The grow rule.
    pub grow: GrowRule,
    /// What happens to duplicates.
    pub duplicates: Duplicates,
}

/// How often in a row a duplicate is drawn again before it is kept after all.
const MAX_TRIES: usize = 10_000;

/// So many solutions are made between two looks at the halt: some milliseconds.
const SOLUTIONS_PER_LOOK: usize = 1024;

/// An initial population, not evaluated yet; fewer solutions than asked for, but not none, once the halt is called.
pub fn initialize(
    n_solutions: usize,
    initialization: Initialization,
    alphabet: &Alphabet,
    template: &Template,
    stream: &mut Stream,
    halt: &Halt,
) -> Population {
    let mut seen = HashSet::new();
    let mut tries_left = MAX_TRIES;
    let mut population = Population::with_capacity(n_solutions);
    while population.len() < n_solutions {
        let genome = if population.len() < n_solutions / 2 {
            grow(initialization.grow, alphabet, template, stream)
        } else {
            full(alphabet, template, stream)
        };
        let solution = Solution::unevaluated(genome, template);
        if initialization.duplicates == Duplicates::DrawnAgain
            && !seen.insert(active_symbols(&solution))
            && tries_left > 0
        {
            tries_left -= 1;
            continue;
        }
        tries_left = MAX_TRIES;
        population.push(solution);
        if population.len().is_multiple_of(SOLUTIONS_PER_LOOK) && halt.is_called() {
            break;
        }
    }
    population
}

/// What the solution means: its active symbols in order, which fix the active positions too.
fn active_symbols(solution: &Solution) -> Vec<Symbol> {
    positions_of(solution.active).map(|position| solution.genome.symbols()[position]).collect()
}

fn grow(rule: GrowRule, alphabet: &Alphabet, template: &Template, stream: &mut Stream) -> Genome {
    fill(alphabet, template, stream, |stream| match rule {
        GrowRule::Domain => alphabet.draw_any(stream),
        GrowRule::TerminalProbability(probability) => {
            if stream.unit() < probability {
                alphabet.draw_terminal(stream)
            } else {
                alphabet.draw_operator(stream)
            }
        }
    })
}

fn full(alphabet: &Alphabet, template: &Template, stream: &mut Stream) -> Genome {
    fill(alphabet, template, stream, |stream| alphabet.draw_operator(stream))
}

fn fill(
    alphabet: &Alphabet,
    template: &Template,
    stream: &mut Stream,
    mut inner: impl FnMut(&mut Stream) -> Symbol,
) -> Genome {
    let symbols = (0..template.n_positions()).map(|position| {
        if template.is_leaf(position) { alphabet.draw_terminal(stream) } else { inner(stream) }
    });
    Genome::new(symbols.collect(), template)
}
