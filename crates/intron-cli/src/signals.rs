//! Ctrl-C and SIGTERM: the first ends the search and keeps its result, a later one gives up waiting for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use intron::Interrupt;

use crate::terminal;

/// A second signal so soon after the first is the same wish: some shells and tools send two.
const SAME_WISH: Duration = Duration::from_secs(1);

/// Set once there is a result: from then on nothing may come between it and its files.
static HAS_RESULT: AtomicBool = AtomicBool::new(false);

/// Makes a signal end the search, and a second one the program, with some last words. Without a handler the search still
/// works; a signal then ends the program as usual.
pub(crate) fn end_on_signal(interrupt: Interrupt, last_words: impl Into<String>) {
    let last_words = last_words.into();
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || {
        if HAS_RESULT.load(Ordering::SeqCst) {
            return;
        }
        match first {
            None => {
                first = Some(Instant::now());
                interrupt.raise();
            }
            Some(at) if at.elapsed() < SAME_WISH => {}
            Some(_) => {
                terminal::tell(&last_words);
                std::process::exit(130);
            }
        }
    });
}

/// Signals are ignored from now on: the result is being written and shown.
pub(crate) fn protect_result() {
    HAS_RESULT.store(true, Ordering::SeqCst);
}
