//! Clocks that are behind the log: a small difference is ignored, a step back is recorded and compensated.

use holdpoint_core::{Span, Timestamp};

/// How far a clock may lag behind the log before that is treated as a step back.
pub(crate) const STEP: Span = Span::from_secs(60);

/// Returns a clock's time, plus the skew if the clock is behind the last event by a step. A clock that was wrong only
/// for a moment needs no skew, and neither does another clock that is as far ahead as the log.
pub(crate) fn skewed(at: Option<Timestamp>, clock: Timestamp, skew: Span) -> Timestamp {
    let is_behind = at.is_some_and(|at| at.since(clock) > STEP);
    clock.checked_add(skew).filter(|_| is_behind).unwrap_or(clock)
}
