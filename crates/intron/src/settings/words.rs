//! The words that settings take, with what they mean.

use super::knobs::{
    Convergence, EarlyRejection, ForcedImprovement, Polish, RetireOnEqual, Simplify, WhenSolved,
};
use super::tuning::MutationPlace;
use crate::evaluation::{EvaluatorKind, Instructions, LinearScaling};
use crate::expression::ComplexityMeasure;
use crate::linkage::Binning;
use crate::population::Duplicates;
use crate::selection::Selection;

pub(super) const SCALING: &[(&str, LinearScaling)] =
    &[("on", LinearScaling::On), ("off", LinearScaling::Off)];
pub(super) const MUTATION_PLACE: &[(&str, MutationPlace)] = &[
    ("after", MutationPlace::After),
    ("interleaved", MutationPlace::Interleaved),
    ("within", MutationPlace::Within),
];
pub(super) const DUPLICATES: &[(&str, Duplicates)] =
    &[("allowed", Duplicates::Allowed), ("drawn-again", Duplicates::DrawnAgain)];
pub(super) const BINNING: &[(&str, Binning)] =
    &[("upper-edge", Binning::UpperEdge), ("nearest", Binning::Nearest)];
pub(super) const RETIRE: &[(&str, RetireOnEqual)] =
    &[("yes", RetireOnEqual::Yes), ("no", RetireOnEqual::No)];
pub(super) const CONVERGENCE: &[(&str, Convergence)] = &[
    ("no-improvement", Convergence::NoImprovement),
    ("no-improvement-nor-evaluation", Convergence::NoImprovementNorEvaluation),
    ("identical", Convergence::IdenticalActiveParts),
];
pub(super) const FORCED: &[(&str, ForcedImprovement)] =
    &[("off", ForcedImprovement::Off), ("on", ForcedImprovement::On)];
pub(super) const POLISH: &[(&str, Polish)] = &[("on", Polish::On), ("off", Polish::Off)];
pub(super) const SIMPLIFY: &[(&str, Simplify)] = &[("on", Simplify::On), ("off", Simplify::Off)];
pub(super) const COMPLEXITY: &[(&str, ComplexityMeasure)] = &ComplexityMeasure::TABLE;
pub(super) const SELECT: &[(&str, Selection)] = &Selection::TABLE;
pub(super) const SOLVED: &[(&str, WhenSolved)] =
    &[("stop", WhenSolved::Stop), ("go-on", WhenSolved::GoOn)];
pub(super) const EVALUATOR: &[(&str, EvaluatorKind)] =
    &[("incremental", EvaluatorKind::Incremental), ("full", EvaluatorKind::Full)];
pub(super) const EARLY: &[(&str, EarlyRejection)] =
    &[("on", EarlyRejection::On), ("off", EarlyRejection::Off)];
pub(super) const INSTRUCTIONS: &[(&str, Instructions)] =
    &[("detected", Instructions::Detected), ("portable", Instructions::Portable)];
