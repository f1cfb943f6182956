//! Coefficient mutation (Virgolin and Bosman 2022): constants move at random, by a share of themselves, and what is not worse is
//! kept. It comes after mixing, after each subset, or within the test of a subset. In the paper there is none.

use super::constant_tuning::{constant_of, with_constant};
use super::optimal_mixing::Pass;
use crate::expression::{PositionSet, Symbol, positions_of};
use crate::linkage::Subset;
use crate::random::Stream;
use crate::settings::Tuning;

/// The standard deviation for a constant of zero, which has no share to take.
const LEAST_DEVIATION: f64 = 1e-16;

impl Pass<'_> {
    /// Mutates active constants of the offspring; keeps what is not worse. Those of introns stay as they are: nothing would tell
    /// good ones from bad ones.
    pub(super) fn mutate_constants(&mut self, stream: &mut Stream) {
        if self.is_over {
            return;
        }
        let active = self.offspring.active;
        let moved: Vec<(usize, Symbol)> = positions_of(active)
            .filter_map(|position| Some((position, self.mutated(position, stream)?)))
            .collect();
        self.try_symbols(&moved, active, 0.0);
    }

    /// Mutates active constants of a subset that was just copied; the test of the copy is theirs too. Takes the positions that
    /// the copy has changed, and returns all that differ now.
    #[cold]
    pub(super) fn mutate_copied(
        &mut self,
        subset: &Subset,
        mut changed: PositionSet,
        stream: &mut Stream,
    ) -> PositionSet {
        let active = self.active_after_change();
        for &position in &subset.positions {
            let position = usize::from(position);
            let bit = 1 << position;
            if active & bit == 0 {
                continue;
            }
            let Some(symbol) = self.mutated(position, stream) else { continue };
            if changed & bit == 0 {
                changed |= bit;
                self.backup.push((position, self.offspring.genome.symbols()[position]));
            }
            self.offspring.genome.set(position, symbol);
        }
        changed
    }

    /// The symbol of a position with its constant moved; nothing if it has none, or is not drawn, or cannot move.
    fn mutated(&self, position: usize, stream: &mut Stream) -> Option<Symbol> {
        let Tuning { mutation_probability, mutation_scale, .. } = self.mixing.tuning;
        let symbol = self.offspring.genome.symbols()[position];
        let value = constant_of(symbol)?;
        if stream.unit() >= mutation_probability {
            return None;
        }
        let share = mutation_scale * value.abs();
        let deviation = if share == 0.0 { LEAST_DEVIATION } else { share };
        let moved = with_constant(symbol, value + deviation * stream.normal());
        (moved != symbol).then_some(moved)
    }
}
