//! Whether an agent runs, and how it ended.

use holdpoint_core::Timestamp;
use serde::{Deserialize, Serialize};

/// The state of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The host answers and the agent runs.
    Running,
    /// The agent has ended.
    Exited(Ended),
    /// The host process is gone without having recorded how the agent ended.
    HostGone {
        /// The state of the agent.
        agent: OrphanedAgent,
    },
}

/// The state of an agent whose host is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrphanedAgent {
    /// Its process still runs, without a terminal. [`Session::stop`](super::Session::stop) ends it.
    Alive,
    /// Its process is gone.
    Gone,
    /// The host died while starting it, or the state cannot be determined on this machine.
    Unknown,
}

/// How an agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The exit code, if it exited.
    pub code: Option<i32>,
    /// The signal, if one ended it.
    pub signal: Option<i32>,
    /// When.
    pub at: Timestamp,
    /// Whether it was ended by [`Session::stop`](super::Session::stop).
    pub stopped: bool,
}
