//! A question for long work below the search: whether its result is still wanted. That work has no clock of its own.

use std::fmt;
use std::sync::Arc;

/// Long work asks this now and then. Once it is called, the work comes to its end with anything: nobody will look at it.
#[derive(Clone, Default)]
pub struct Halt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Halt {
    /// A halt that is called from the moment the condition holds; it must then hold for ever.
    pub fn when(condition: impl Fn() -> bool + Send + Sync + 'static) -> Halt {
        Halt(Some(Arc::new(condition)))
    }

    /// Whether to come to an end. Takes as long as a look at the clock.
    pub fn is_called(&self) -> bool {
        self.0.as_ref().is_some_and(|condition| condition())
    }
}

impl fmt::Debug for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Halt {{ is_called: {} }}", self.is_called())
    }
}
