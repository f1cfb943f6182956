//! The border: no panic crosses it, wrong input becomes `ValueError`, and the interpreter goes on while native code works.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Works without the interpreter's lock. A panic would be a `BaseException` that Dask and multiprocessing wait on for
/// ever, so it becomes an ordinary exception.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    outcome.unwrap_or_else(|panic| Err(bug(panic.as_ref())))
}

/// Wrong input, as Python knows it.
pub(crate) fn wrong_input(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn bug(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    PyRuntimeError::new_err(format!("a bug in intron, please report it: {message}"))
}

/// Panics, so that tests can see what becomes of a panic.
#[pyfunction]
#[pyo3(name = "_panic_on_purpose")]
pub(crate) fn panic_on_purpose(py: Python<'_>) -> PyResult<()> {
    detached(py, || panic!("on purpose"))
}
