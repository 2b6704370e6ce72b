//! Tracks when the content that keys act on appeared. A key acts on what was on the screen when it was pressed, or on
//! nothing.

use std::time::Duration;

use holdpoint_core::Timestamp;

use crate::view_model::read_before_consent::{AGAIN, QUIET};

/// When the content that keys act on appeared.
#[derive(Debug)]
pub(crate) struct ContentArrival {
    /// When it was drawn, or when a key last came too early.
    since: Option<Timestamp>,
    /// How long after that no key opens, picks or sends anything.
    quiet_for: Duration,
    /// Whether that time is still running; the screen shows it.
    pub(crate) quiet: bool,
}

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyEffect {
    /// Look elsewhere or leave: harmless, whatever has just appeared.
    Looks,
    /// Start or continue to type.
    Writes,
    /// Open, pick or send.
    Acts,
}

impl Default for ContentArrival {
    fn default() -> Self {
        Self { since: None, quiet_for: QUIET, quiet: true }
    }
}

impl ContentArrival {
    /// Notes that the keys act on different content now.
    pub(crate) fn renew(&mut self) {
        *self = Self::default();
    }

    /// Notes that the content was drawn.
    pub(crate) fn drawn(&mut self, now: Timestamp) {
        self.since.get_or_insert(now);
    }

    /// Ends the quiet time if it is over; returns how much of it is left.
    pub(crate) fn settle(&mut self, now: Timestamp) -> Option<Duration> {
        let gone = self.since.map_or(Duration::ZERO, |since| age(since, now));
        let left = self.quiet_for.saturating_sub(gone);
        self.quiet = self.quiet && !left.is_zero();
        self.quiet.then_some(left)
    }

    /// Returns whether a key was pressed too early. After an early key that would have acted, no key may follow for a
    /// while.
    pub(crate) fn is_early(&mut self, pressed: Timestamp, reach: KeyEffect) -> bool {
        if reach == KeyEffect::Looks {
            return false;
        }
        let Some(since) = self.since else { return true };
        if pressed < since || (reach == KeyEffect::Acts && age(since, pressed) < self.quiet_for) {
            if reach == KeyEffect::Acts {
                *self = Self { since: Some(since.max(pressed)), quiet_for: AGAIN, quiet: true };
            }
            return true;
        }
        if reach == KeyEffect::Acts {
            self.quiet = false;
        }
        false
    }
}

fn age(since: Timestamp, now: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(now.since(since).as_millis()).unwrap_or(0))
}
