//! The border: no panic crosses it, wrong input becomes `ValueError`, and the interpreter goes on while native code works.

use std::any::Any;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use intron::Interrupt;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Signals are looked at this often.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Works so that no panic gets out. It would be a `BaseException` that Dask and multiprocessing wait on for ever, so it
/// becomes an ordinary exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    outcome.unwrap_or_else(|panic| Err(bug(panic.as_ref())))
}

/// The same without the interpreter's lock, for what takes long.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    py.detach(|| guarded(work))
}

/// Works in a thread of its own, without the interpreter's lock. Meanwhile this one hears what the work tells it, and looks
/// around, with nothing told, every 50 ms.
pub(crate) fn accompanied<T: Send, M: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Sender<M>) -> PyResult<T> + Send,
    mut hear: impl FnMut(Python<'_>, Option<M>) + Send,
) -> PyResult<T> {
    let accompany = || {
        std::thread::scope(|scope| {
            let (telling, told) = channel();
            // The sender is dropped when the work ends, in whatever way: then the loop below ends too.
            let worker = scope.spawn(move || work(&telling));
            let mut looked_at = Instant::now();
            loop {
                let left = SIGNAL_INTERVAL.saturating_sub(looked_at.elapsed());
                match told.recv_timeout(left) {
                    Ok(message) => Python::attach(|py| hear(py, Some(message))),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if looked_at.elapsed() >= SIGNAL_INTERVAL {
                    looked_at = Instant::now();
                    Python::attach(|py| hear(py, None));
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    };
    detached(py, accompany)
}

/// Works in a thread of its own while this one looks at signals. What a handler raises, such as `KeyboardInterrupt`, raises
/// the interrupt too, and comes out once the work has ended.
pub(crate) fn supervised<T: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let look = |py: Python<'_>, _told: Option<Infallible>| {
        if let Err(error) = py.check_signals() {
            interrupt.raise();
            raised.get_or_insert(error);
        }
    };
    let outcome = accompanied(py, |_| work(), look);
    raised.map_or(outcome, Err)
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

/// Works for so many seconds in the way of a run, so that tests can see what goes on meanwhile.
#[pyfunction]
#[pyo3(name = "_work_on_purpose")]
pub(crate) fn work_on_purpose(py: Python<'_>, seconds: f64) -> PyResult<()> {
    let (interrupt, started) = (Interrupt::default(), Instant::now());
    supervised(py, &interrupt, || {
        while started.elapsed().as_secs_f64() < seconds && !interrupt.is_raised() {
            std::hint::spin_loop();
        }
        Ok(())
    })
}
