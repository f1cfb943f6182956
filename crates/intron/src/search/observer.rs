//! What a run tells while it works. Recording lives in observers, never in the algorithm.

use super::budget::StopReason;
use crate::linkage::{FamilyOfSubsets, SimilarityMatrix};
use crate::model::Model;
use crate::population::Solution;

/// Something that happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A population was made; its solutions are evaluated.
    PopulationStarted {
        /// Its number in the run, from 0.
        population: usize,
        /// Its initial solutions.
        solutions: &'a [Solution],
    },
    /// A linkage model was learned from a population as it was at the start of a generation.
    LinkageLearned {
        /// Number of the population.
        population: usize,
        /// Its generation, from 0: at 0 nothing was varied yet.
        generation: u64,
        /// The similarities; none for "Univariate".
        similarity: Option<&'a SimilarityMatrix>,
        /// The family of subsets.
        family: &'a FamilyOfSubsets,
    },
    /// Work goes on; some tens of milliseconds have passed.
    Progressed {
        /// Evaluations so far.
        n_evaluations: u64,
        /// Seconds since the start.
        elapsed_seconds: f64,
    },
    /// A more accurate model was found.
    BestImproved {
        /// The model.
        model: &'a Model,
        /// Evaluations so far.
        n_evaluations: u64,
        /// Generations so far, those of all populations added up.
        n_generations: u64,
        /// Size of the population that found it.
        n_solutions: usize,
        /// Seconds since the start.
        elapsed_seconds: f64,
    },
    /// A population has finished a generation.
    GenerationFinished {
        /// Number of the population.
        population: usize,
        /// Generations that it has done.
        generation: u64,
        /// Its solutions now.
        solutions: &'a [Solution],
        /// Evaluations so far, of the whole run.
        n_evaluations: u64,
        /// Seconds since the start.
        elapsed_seconds: f64,
    },
    /// A population will not step any more.
    PopulationRetired {
        /// Number of the population.
        population: usize,
        /// Why.
        reason: RetirementReason,
    },
    /// The next population would take more memory than allowed: from now on populations do not grow.
    MemoryLimitReached {
        /// The size that would have been too much.
        n_solutions: usize,
    },
    /// The run has ended.
    Finished {
        /// Why.
        stop_reason: StopReason,
    },
}

/// Why a population was retired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetirementReason {
    /// It has converged.
    Converged,
    /// A larger population is better.
    Outperformed,
}

/// Somebody who wants to know.
pub trait Observer {
    /// Called for every event, on the thread that drives the run.
    fn notify(&mut self, event: &Event<'_>);
}

/// Wants to know nothing.
pub struct Silent;

impl Observer for Silent {
    fn notify(&mut self, _event: &Event<'_>) {}
}

impl<F: FnMut(&Event<'_>)> Observer for F {
    fn notify(&mut self, event: &Event<'_>) {
        self(event);
    }
}
