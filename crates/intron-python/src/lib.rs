//! The native half of the Python package `intron`: arrays and text in, formulas and numbers out. Names and defaults that users see are
//! in `python/src/intron`.

mod border;
mod arrays;
mod formula;
mod watch;
mod search;
mod report;
mod trust;
mod lab;
mod lab_tables;
mod statistics;

use pyo3::prelude::*;

/// Searches, formulas, experiments and statistics, compiled.
#[pymodule]
mod _native {
    use pyo3::pymodule;

    #[pymodule_export]
    use super::border::{panic_on_purpose, work_on_purpose};
    #[pymodule_export]
    use super::formula::Formula;
    #[pymodule_export]
    use super::lab::{Experiment, Stop, plan_text, plans};
    #[pymodule_export]
    use super::report::{check_model, report};
    #[pymodule_export]
    use super::search::{
        check_settings, choose, idle_settings, scores, search, selections, settings,
    };
    #[pymodule_export]
    use super::trust::{
        half_widths, hold_out, independent_rows, interval_levels, p_value, shuffled_targets,
    };
    #[pymodule_export]
    const RESULTS_VERSION: u32 = intron::RESULTS_VERSION;
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python gives to versions")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// The statistics of the paper: lists of arrays in, numbers out.
    #[pymodule]
    mod statistics {
        #[pymodule_export]
        use crate::statistics::{
            blocks_of_medians, blocks_of_runs, critical_difference, floored, friedman,
            interquartile_mean, interquartile_mean_curve, interquartile_mean_interval,
            matrix_rank_correlation, mean_of_medians, mean_ranks, median_curve, median_of_means,
            medians, nemenyi, probability_of_improvement, probability_of_improvement_interval,
            quantile, quartiles, rank_correlation, ranks, stratified_bootstrap, trace_on_grid,
        };
    }
}
