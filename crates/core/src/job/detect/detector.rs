//! Turns observations into signals, each said once.

use std::time::Duration;

use super::patterns::Patterns;
use super::signal::{Observation, Signal};

/// How long things must hold before they are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How long a prompt must stand still.
    pub prompt: Duration,
    /// How long an error must stand still.
    pub error: Duration,
    /// How long it must be quiet if a process is known to wait for terminal input.
    pub idle_waiting: Duration,
    /// How long it must be quiet if that cannot be told.
    pub idle_quiet: Duration,
    /// After which time a first idle is looked at again.
    pub recheck: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            prompt: Duration::from_millis(150),
            error: Duration::from_secs(2),
            idle_waiting: Duration::from_secs(2),
            idle_quiet: Duration::from_secs(60),
            recheck: Duration::from_secs(1),
        }
    }
}

/// What came of one observation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What is new; nothing if it is as it was.
    pub signal: Option<Signal>,
    /// When to look again even if nothing changes; nothing if only a change can tell more.
    pub look_again: Option<Duration>,
}

/// Watches one agent through observations.
#[derive(Clone, Debug)]
pub struct Detector {
    patterns: Patterns,
    timing: Timing,
    said: Option<Signal>,
}

impl Detector {
    /// Makes a detector that has seen nothing.
    pub fn new(patterns: Patterns, timing: Timing) -> Self {
        Self { patterns, timing, said: None }
    }

    /// Takes one observation in. A signal is returned when it first holds, and again only after another one.
    pub fn observe(&mut self, observation: &Observation) -> Seen {
        let _ = (&self.patterns, &self.timing, observation);
        Seen::default()
    }

    /// Returns what was said last.
    pub fn said(&self) -> Option<&Signal> {
        self.said.as_ref()
    }

    /// Forgets what was said, so that what still holds is said again: after keys were typed, or a restart.
    pub fn forget(&mut self) {
        self.said = None;
    }
}
