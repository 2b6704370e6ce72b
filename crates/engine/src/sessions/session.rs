//! A handle on a session by its folder.

use std::path::{Path, PathBuf};

use holdpoint_core::Timestamp;
use serde::{Deserialize, Serialize};

use super::attach::Attached;
use super::error::Error;
use super::follow::Follow;
use super::input::{Keys, Typed};
use super::screen::Screen;
use super::spec::Size;
use super::stop::Stopped;

/// A handle on a session. Cheap to clone; holds nothing open.
#[derive(Clone, Debug)]
pub struct Session {
    dir: PathBuf,
    id: String,
}

/// How a session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The host answers and the agent runs.
    Running,
    /// The agent has ended.
    Exited(Ended),
    /// The host process is gone without having said how the agent ended.
    HostGone {
        /// What became of the agent.
        agent: AgentLeft,
    },
}

/// What became of an agent whose host is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentLeft {
    /// Its process still runs, without a terminal. [`Session::stop`] ends it.
    Alive,
    /// Its process is gone.
    Gone,
    /// The host died while starting it, or this machine cannot tell.
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
    /// Whether it was told to with [`Session::stop`].
    pub stopped: bool,
}

impl Session {
    /// Opens the session in a folder, whoever started it.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        Err(Error::NotStarted(dir.to_owned()))
    }

    /// Returns the session's name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the session's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns how the session is.
    pub async fn state(&self) -> Result<State, Error> {
        Err(Error::HostGone)
    }

    /// Returns what the terminal shows; of an agent that ended, what it showed last.
    pub async fn screen(&self) -> Result<Screen, Error> {
        Err(Error::HostGone)
    }

    /// Follows what the terminal shows. Changes come together: at most one every 50 ms, always the newest.
    pub async fn follow(&self) -> Result<Follow, Error> {
        Err(Error::HostGone)
    }

    /// Returns the last bytes of what the agent wrote, at most so many, over all log files. Raw: they may hold escapes.
    pub fn tail(&self, bytes: u64) -> Result<Vec<u8>, Error> {
        let _ = bytes;
        Err(Error::HostGone)
    }

    /// Types keys, once for each effect: written down before they are typed, and never typed again under that id.
    ///
    /// An error means that nothing was typed, and asking again is safe.
    pub async fn input(&self, effect: &str, keys: &Keys) -> Result<Typed, Error> {
        let _ = (effect, keys);
        Err(Error::HostGone)
    }

    /// Joins the terminal: bytes both ways, from a picture of the screen on. The terminal takes on the size.
    pub async fn attach(&self, size: Size) -> Result<Attached, Error> {
        let _ = size;
        Err(Error::HostGone)
    }

    /// Ends the agent and all that it started: asked first, and after the grace killed. Also if the host is gone.
    pub async fn stop(&self, grace: std::time::Duration) -> Result<Stopped, Error> {
        let _ = grace;
        Err(Error::HostGone)
    }
}
