//! "MI_masked" (section 3.2.2): mutual information in which every intron shows one and the same label.

use super::catalogue::{MeasureContext, SimilarityMeasure};
use super::mutual_information::mutual_information;
use crate::linkage::SimilarityMatrix;
use crate::linkage::entropy::Entropies;
use crate::linkage::labels::{Introns, LabelTable};
use crate::population::Solution;
use crate::random::Stream;

/// Mutual information that introns cannot blur. Pairs of two introns count like any other pair.
pub(super) struct MaskedMutualInformation;

impl SimilarityMeasure for MaskedMutualInformation {
    fn estimate_similarity(
        &mut self,
        population: &[Solution],
        context: &MeasureContext,
        _stream: &mut Stream,
    ) -> SimilarityMatrix {
        let table = LabelTable::new(population, &context.template, Introns::Masked, context.bins);
        mutual_information(&Entropies::estimate(&table, &context.halt))
    }
}
