//! "Node" (equation 4): similarity straight from the template, 1 − distance / (1 + largest distance).

use super::catalogue::{MeasureContext, SimilarityMeasure};
use crate::expression::Template;
use crate::linkage::SimilarityMatrix;
use crate::population::Solution;
use crate::random::Stream;

/// Node proximity: the population is not looked at.
pub(super) struct NodeProximity {
    similarity: SimilarityMatrix,
}

impl NodeProximity {
    pub(super) fn new(template: &Template) -> NodeProximity {
        let divisor = 1 + template.max_distance();
        let units = |i, j| (divisor - template.distance(i, j)) as i64;
        NodeProximity {
            similarity: SimilarityMatrix::from_units(template.n_positions(), divisor as f64, units),
        }
    }
}

impl SimilarityMeasure for NodeProximity {
    fn estimate_similarity(
        &mut self,
        _population: &[Solution],
        _context: &MeasureContext,
        _stream: &mut Stream,
    ) -> SimilarityMatrix {
        self.similarity.clone()
    }
}
