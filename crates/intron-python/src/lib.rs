//! The native half of the Python package `intron`: arrays and text in, formulas out. Names and defaults that users see are
//! in `python/src/intron`.

mod border;
mod arrays;
mod formula;
mod search;

use pyo3::prelude::*;

/// Searches and formulas, compiled.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::border::panic_on_purpose;
    #[pymodule_export]
    use super::formula::Formula;
    #[pymodule_export]
    use super::search::{check_settings, search, settings};
    #[pymodule_export]
    const RESULTS_VERSION: u32 = intron::RESULTS_VERSION;
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python gives to versions")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
