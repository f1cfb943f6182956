//! "MI_adjusted" (section 3.2.1): factors from the initial population make its own similarities zero,
//! so that the bias of initialisation is not taken for linkage.

use super::catalogue::{MeasureContext, SimilarityMeasure};
use crate::linkage::SimilarityMatrix;
use crate::linkage::entropy::Entropies;
use crate::linkage::labels::{Introns, LabelTable};
use crate::population::Solution;
use crate::random::Stream;

/// β_i·H(i) + β_j·H(j) − β_ij·H(i, j) with β_i = 1 / H⁰(i) and β_ij = 2 / H⁰(i, j), and β = 1 where H⁰ = 0.
pub(super) struct AdjustedMutualInformation {
    initial: Entropies,
}

impl AdjustedMutualInformation {
    /// The factors come from the population's own initial solutions and stay for its life.
    pub(super) fn new(initial: &[Solution], context: &MeasureContext) -> AdjustedMutualInformation {
        AdjustedMutualInformation { initial: estimate(initial, context) }
    }
}

impl SimilarityMeasure for AdjustedMutualInformation {
    fn estimate_similarity(
        &mut self,
        population: &[Solution],
        context: &MeasureContext,
        _stream: &mut Stream,
    ) -> SimilarityMatrix {
        let factor =
            |numerator: f64, initial: f64| if initial > 0.0 { numerator / initial } else { 1.0 };
        let now = estimate(population, context);
        let initial = &self.initial;
        let single = |i: usize| factor(1.0, initial.of(i)) * now.of(i);
        SimilarityMatrix::from_pairs(now.n_positions(), |i, j| {
            single(i) + single(j) - factor(2.0, initial.joint(i, j)) * now.joint(i, j)
        })
    }
}

fn estimate(population: &[Solution], context: &MeasureContext) -> Entropies {
    let table = LabelTable::new(population, &context.template, Introns::Shown, context.bins);
    Entropies::estimate(&table, &context.halt)
}
