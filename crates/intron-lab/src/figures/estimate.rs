//! A number with its interval, as computed elsewhere.

/// A point and the interval around it. What is not finite is not drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value itself.
    pub point: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    pub(super) fn values(&self) -> [f64; 3] {
        [self.point, self.low, self.high]
    }
}
