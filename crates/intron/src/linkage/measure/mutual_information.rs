//! "MI" (equation 1): mutual information H(i) + H(j) − H(i, j) between positions, introns taken at face value.

use super::catalogue::{MeasureContext, SimilarityMeasure};
use crate::linkage::SimilarityMatrix;
use crate::linkage::entropy::Entropies;
use crate::linkage::labels::{Introns, LabelTable};
use crate::population::Solution;
use crate::random::Stream;

/// Plain mutual information.
pub(super) struct MutualInformation;

impl SimilarityMeasure for MutualInformation {
    fn estimate_similarity(
        &mut self,
        population: &[Solution],
        context: &MeasureContext,
        _stream: &mut Stream,
    ) -> SimilarityMatrix {
        let table = LabelTable::new(population, &context.template, Introns::Shown, context.bins);
        mutual_information(&Entropies::estimate(&table, &context.halt))
    }
}

/// H(i) + H(j) − H(i, j) for every pair.
pub(super) fn mutual_information(entropies: &Entropies) -> SimilarityMatrix {
    SimilarityMatrix::from_pairs(entropies.n_positions(), |i, j| {
        entropies.of(i) + entropies.of(j) - entropies.joint(i, j)
    })
}
