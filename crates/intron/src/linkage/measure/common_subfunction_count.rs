//! "#CS" (figure 3, middle): in how many subfunctions of the template both positions take part.

use super::catalogue::{MeasureContext, SimilarityMeasure};
use crate::expression::Template;
use crate::linkage::SimilarityMatrix;
use crate::population::Solution;
use crate::random::Stream;

/// Common subfunction count: the population is not looked at.
pub(super) struct CommonSubfunctionCount {
    similarity: SimilarityMatrix,
}

impl CommonSubfunctionCount {
    pub(super) fn new(template: &Template) -> CommonSubfunctionCount {
        let units = |i, j| template.n_common_subtrees(i, j) as i64;
        CommonSubfunctionCount {
            similarity: SimilarityMatrix::from_units(template.n_positions(), 1.0, units),
        }
    }
}

impl SimilarityMeasure for CommonSubfunctionCount {
    fn estimate_similarity(
        &mut self,
        _population: &[Solution],
        _context: &MeasureContext,
        _stream: &mut Stream,
    ) -> SimilarityMatrix {
        self.similarity.clone()
    }
}
