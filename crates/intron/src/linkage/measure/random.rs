//! "Random" (section 3.2.1): similarities drawn from U(0, 1), anew at every model.

use super::catalogue::{MeasureContext, SimilarityMeasure};
use crate::linkage::SimilarityMatrix;
use crate::population::Solution;
use crate::random::Stream;

/// No information: the linkage tree is random.
pub(super) struct Random;

impl SimilarityMeasure for Random {
    fn estimate_similarity(
        &mut self,
        _population: &[Solution],
        context: &MeasureContext,
        stream: &mut Stream,
    ) -> SimilarityMatrix {
        SimilarityMatrix::from_pairs(context.template.n_positions(), |_, _| stream.unit())
    }
}
