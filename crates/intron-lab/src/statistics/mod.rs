//! The statistics of the paper, one file each. They compute every number that a table or a figure shows.
//!
//! All are pure functions of tables of scores, tasks × runs, where higher is better; a task is a problem with a template
//! height and linear scaling on or off. Wrong input gives an error or nothing, never a panic.

mod error;
mod scores;
mod quantiles;
mod stratified_bootstrap;
mod interquartile_mean;
mod mean_of_medians;
mod probability_of_improvement;
mod ranks;
mod chi_squared;
mod friedman;
mod studentized_range;
mod nemenyi;
mod rank_correlation;
mod step_curve;

pub use error::StatisticsError;
pub use friedman::{Friedman, friedman};
pub use interquartile_mean::{interquartile_mean, interquartile_mean_interval};
pub use mean_of_medians::{mean_of_medians, median_of_means, medians};
pub use nemenyi::{ALPHA, Nemenyi, critical_difference, nemenyi};
pub use probability_of_improvement::{
    probability_of_improvement, probability_of_improvement_interval,
};
pub use quantiles::{Quartiles, median, quantile, quartiles};
pub use rank_correlation::{matrix_rank_correlation, rank_correlation};
pub use ranks::{blocks_of_medians, blocks_of_runs, mean_ranks, ranks};
pub use scores::floored;
pub use step_curve::{Trace, interquartile_mean_curve, median_curve, trace_on_grid};
pub use stratified_bootstrap::{Bootstrap, Interval};
