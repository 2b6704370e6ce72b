//! Follows what a terminal shows.

use super::error::Error;
use super::screen::Screen;
use super::session::{AgentLeft, Ended};

/// What comes of following.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The screen changed; this is the newest.
    Screen(Box<Screen>),
    /// The agent ended. Nothing follows.
    Exited(Ended),
    /// The host is gone. Nothing follows.
    HostGone(AgentLeft),
}

/// A stream of changes; the first comes at once. Dropping it ends it.
#[derive(Debug)]
pub struct Follow {}

impl Follow {
    /// Waits for the next change. Safe to cancel.
    pub async fn next(&mut self) -> Result<Change, Error> {
        Err(Error::HostGone)
    }
}
