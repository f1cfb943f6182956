//! Intron finds small formulas in tables of numbers, by GP-GOMEA with intron- and template-aware linkage.
//!
//! ```
#![doc = include_str!("../examples/quickstart.rs")]
//! ```
//!
//! The order of the modules below is the layering: a module may use those above it in this list, never those below.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod error;
mod spelling;
mod halt;
mod random;
mod data;
mod expression;
mod evaluation;
mod selection;
mod model;
mod population;
mod linkage;
mod settings;
mod search;

pub use data::{Dataset, FeatureRanges, Split, TrainingRows, folds, hold_out, independent_rows};
pub use error::Error;
pub use evaluation::{
    Criteria, Danger, Evaluator, EvaluatorKind, Fitness, Instructions, LinearFit, LinearScaling,
    Objective, Outside, Problem, Region, Safety, Score, half_widths, interval_levels, is_same_on,
    made_up_points, predict, predict_row, score, test_points,
};
pub use expression::{
    Alphabet, Complexity, ComplexityMeasure, Composition, Compositions, ConstantRange,
    DigitTolerance, FeatureNames, FeatureOrigin, Format, Formula, Genome, MAX_FEATURES,
    MAX_POSITIONS, Made, Meaning, Node, Operator, PositionSet, SimpleNumber, Simplifier, Symbol,
    Template, TestPoint, active_positions, positions_of, rounded_constants, snap_constants,
};
pub use halt::Halt;
pub use linkage::{
    Binning, CustomMeasure, FamilyOfSubsets, Linkage, LinkageMeasure, LinkageModel, MeasureContext,
    Rebuild, SimilarityMatrix, SimilarityMeasure, Subset, linkage_tree,
};
pub use model::Model;
pub use population::{Duplicates, GrowRule, Initialization, Population, Solution, initialize};
pub use random::{RESULTS_VERSION, Seed, Stream, StreamName};
pub use search::{
    Archive, Checkpoint, Event, Given, Interrupt, Listed, NullFront, NullFronts, Observer, Outcome,
    RetirementReason, Run, Silent, StopReason, null_budget, null_run, shuffled_targets,
};
pub use selection::{Candidate, Selection, scores};
pub use settings::{
    ConstantSource, Convergence, EarlyRejection, ForcedImprovement, Key, Limits, Multistart,
    MutationPlace, Polish, PopulationSize, RetireOnEqual, Settings, Simplify, Tuning,
    ValidSettings, WhenSolved,
};
