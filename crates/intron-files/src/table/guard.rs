//! Readers of other people's formats, kept from ending the program where a damaged file makes them panic.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is expected, and so not to be printed.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What a reader gives; nothing if it panicked.
pub(super) fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                usual(panic);
            }
        }));
    });
    let before = IS_QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(read));
    IS_QUIET.set(before);
    outcome.ok()
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_a_value() {
        assert_eq!(guarded(|| 3), Some(3));
        assert_eq!(guarded(|| -> u8 { panic!("damaged") }), None);
    }
}
