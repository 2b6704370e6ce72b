//! The one place that asks what time it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use holdpoint_core::{Span, Timestamp};

/// Tells the time: the system's, or one that a test sets.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands until it is moved.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// Makes a clock that stands at a time.
    pub fn fixed(at: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(at.as_millis())))
    }

    /// Returns the time now.
    pub fn now(&self) -> Timestamp {
        match self {
            #[expect(clippy::disallowed_methods, reason = "this is the clock")]
            Self::System => Timestamp::from_millis(jiff::Timestamp::now().as_millisecond()),
            Self::Fixed(at) => Timestamp::from_millis(at.load(Ordering::SeqCst)),
        }
    }

    /// Moves a fixed clock on; the system's clock moves by itself.
    pub fn advance(&self, by: Span) {
        if let Self::Fixed(at) = self {
            at.fetch_add(by.as_millis(), Ordering::SeqCst);
        }
    }
}
