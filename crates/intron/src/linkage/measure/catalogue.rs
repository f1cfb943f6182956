//! The trait of all measures, and the catalogue of those that settings can name.

use std::sync::Arc;

use super::adjusted_mutual_information::AdjustedMutualInformation;
use super::common_subfunction_count::CommonSubfunctionCount;
use super::masked_mutual_information::MaskedMutualInformation;
use super::mutual_information::MutualInformation;
use super::node_proximity::NodeProximity;
use super::random::Random;
use crate::expression::Template;
use crate::halt::Halt;
use crate::linkage::{Binning, SimilarityMatrix};
use crate::population::Solution;
use crate::random::Stream;

/// What a measure may look at beside the population.
#[derive(Debug, Clone)]
pub struct MeasureContext {
    /// The shape of solutions.
    pub template: Template,
    /// Number of bins for constants, and how a constant finds its bin.
    pub bins: (usize, Binning),
    /// Once it is called, similarities may be anything.
    pub halt: Halt,
}

/// Estimates how strongly positions are linked; one per population, called once per model.
pub trait SimilarityMeasure: Send {
    /// The similarity of every pair of positions (the paper's *EstimateSimilarity*).
    fn estimate_similarity(
        &mut self,
        population: &[Solution],
        context: &MeasureContext,
        stream: &mut Stream,
    ) -> SimilarityMatrix;
}

/// Makes a measure of one's own for a population, given its initial solutions.
pub type CustomMeasure =
    Arc<dyn Fn(&[Solution], &MeasureContext) -> Box<dyn SimilarityMeasure> + Send + Sync>;

/// The measures of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkageMeasure {
    /// "Random"
    Random,
    /// "MI"
    MutualInformation,
    /// "MI_adjusted"
    AdjustedMutualInformation,
    /// "MI_masked"
    MaskedMutualInformation,
    /// "Node"
    NodeProximity,
    /// "#CS"
    CommonSubfunctionCount,
}

impl LinkageMeasure {
    /// Makes the measure for a population with these initial solutions.
    pub fn build(
        self,
        initial: &[Solution],
        context: &MeasureContext,
    ) -> Box<dyn SimilarityMeasure> {
        match self {
            LinkageMeasure::Random => Box::new(Random),
            LinkageMeasure::MutualInformation => Box::new(MutualInformation),
            LinkageMeasure::AdjustedMutualInformation => {
                Box::new(AdjustedMutualInformation::new(initial, context))
            }
            LinkageMeasure::MaskedMutualInformation => Box::new(MaskedMutualInformation),
            LinkageMeasure::NodeProximity => Box::new(NodeProximity::new(&context.template)),
            LinkageMeasure::CommonSubfunctionCount => {
                Box::new(CommonSubfunctionCount::new(&context.template))
            }
        }
    }
}
