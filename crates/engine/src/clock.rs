//! The only place that reads the time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use holdpoint_core::{Span, Timestamp};

use crate::error::{Error, Result};

/// The times that a clock may return, in milliseconds: from 1970 to the end of the year 8999. Later times would leave
/// no room in the log for what follows.
const FIRST: i64 = 0;
const LAST: i64 = 221_845_391_999_999;

/// Returns the time: the system's, or one that a test sets.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands still until it is moved.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// Makes a clock that stands still at a time.
    pub fn fixed(at: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(at.as_millis())))
    }

    /// Returns the time now.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => {
                static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
                static LATEST: Latest = Latest::new();
                let passed = i64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(i64::MAX);
                Timestamp::from_millis(LATEST.tell(system(), passed))
            }
            Self::Fixed(at) => Timestamp::from_millis(at.load(Ordering::SeqCst)),
        }
    }

    /// Refuses a clock whose time is out of range.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::System if !is_told(system()) => Err(Error::Settings(
                "the system's clock is before 1970 or after the year 8999; set it, then try again".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Moves a fixed clock on; the system's clock moves by itself.
    pub fn advance(&self, by: Span) {
        if let Self::Fixed(at) = self {
            at.fetch_add(by.as_millis(), Ordering::SeqCst);
        }
    }
}

/// Reads the system's clock, in milliseconds since 1970. It may return anything.
fn system() -> i64 {
    let clamped = |millis: u128| i64::try_from(millis).unwrap_or(i64::MAX);
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => clamped(since.as_millis()),
        Err(before) => -clamped(before.duration().as_millis()),
    }
}

fn is_told(millis: i64) -> bool {
    (FIRST..=LAST).contains(&millis)
}

/// How far the system's clock was ahead of the time that has passed, when it was last read.
///
/// A clock that is set to an absurd time while a process runs is not followed: time continues from where it was.
struct Latest(AtomicI64);

impl Latest {
    const NEVER: i64 = i64::MIN;

    const fn new() -> Self {
        Self(AtomicI64::new(Self::NEVER))
    }

    fn tell(&self, millis: i64, passed: i64) -> i64 {
        if is_told(millis) {
            self.0.store(millis.saturating_sub(passed), Ordering::Relaxed);
            return millis;
        }
        match self.0.load(Ordering::Relaxed) {
            Self::NEVER => millis.clamp(FIRST, LAST),
            ahead => ahead.saturating_add(passed).clamp(FIRST, LAST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR: i64 = 365 * 86_400_000;

    #[test]
    fn a_clock_that_tells_nonsense_is_not_followed() {
        let latest = Latest::new();
        assert_eq!(latest.tell(56 * YEAR, 10), 56 * YEAR);
        for nonsense in [-1, 8_056 * YEAR, i64::MAX, i64::MIN, -60 * YEAR] {
            assert_eq!(latest.tell(nonsense, 15), 56 * YEAR + 5, "{nonsense}");
        }
        assert_eq!(latest.tell(56 * YEAR - 50, 20), 56 * YEAR - 50, "it is followed again, also back");
        assert_eq!(latest.tell(i64::MAX, 21), 56 * YEAR - 49);
        assert_eq!(latest.tell(i64::MAX, i64::MAX), LAST, "nor does it run out of the times there are");
    }

    #[test]
    fn a_clock_that_never_told_a_time_tells_the_nearest() {
        for (millis, told) in [(i64::MAX, LAST), (i64::MIN, FIRST), (LAST, LAST), (FIRST, FIRST)] {
            assert_eq!(Latest::new().tell(millis, 7), told);
            assert!(Timestamp::from_millis(told).to_string().len() > 10);
        }
    }

    #[test]
    fn the_system_clock_tells_a_time() {
        Clock::System.check().unwrap();
        assert!(Clock::System.now() > Timestamp::from_millis(50 * YEAR));
    }
}
