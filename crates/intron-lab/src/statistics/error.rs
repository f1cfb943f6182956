//! What is wrong with the input of a statistic. Indices in the messages count from 0.

/// Why a statistic has no value. Only wrong input produces it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// Nothing was given.
    #[error("no task was given; a statistic needs at least one")]
    NoTask,
    /// A task without scores.
    #[error("task {task} has no run; leave the task out or run it")]
    EmptyTask {
        /// Index of the task.
        task: usize,
    },
    /// A score that is infinite or not a number.
    #[error("task {task}, run {run}: the score {score} is not finite; replace it with `floored`")]
    NotFinite {
        /// Index of the task, block or trace.
        task: usize,
        /// Index of the score in it.
        run: usize,
        /// The score itself.
        score: f64,
    },
    /// A comparison of less than two settings.
    #[error("a comparison needs at least two settings, not {n_settings}")]
    TooFewSettings {
        /// Number of settings given.
        n_settings: usize,
    },
    /// Two lists that belong together have different lengths.
    #[error("{what}: {first} in the first, {other} in number {index}; they have to agree")]
    Unequal {
        /// What was counted.
        what: &'static str,
        /// The count in the first list.
        first: usize,
        /// Index of the list that differs.
        index: usize,
        /// The count there.
        other: usize,
    },
    /// Every setting has the same score in every block.
    #[error("all settings have equal scores in every block; there is nothing to rank")]
    AllTied,
    /// A bootstrap that cannot give an interval.
    #[error(
        "a bootstrap of {n_resamples} resamples at confidence {confidence} has no interval; take at least 1, between 0 and 1"
    )]
    Bootstrap {
        /// Number of resamples asked for.
        n_resamples: usize,
        /// Coverage asked for.
        confidence: f64,
    },
    /// A trace whose points are not in order.
    #[error(
        "trace {trace}, point {point}: x is {x}; it has to be finite and not before the previous point"
    )]
    UnorderedTrace {
        /// Index of the trace.
        trace: usize,
        /// Index of the point in it.
        point: usize,
        /// Where the point lies.
        x: f64,
    },
}
