//! What is to be started.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What is to be started, and how.
#[derive(Clone, Serialize, Deserialize)]
pub struct Spec {
    /// The session's name; agents find it in `HOLD_SESSION`, and the folder in `HOLD_SESSION_DIR`.
    pub id: String,
    /// The command, given to `sh -c`.
    pub run: String,
    /// Where it runs. Must exist.
    pub cwd: PathBuf,
    /// Changes to the environment of the caller of [`start`](super::start): set, or removed where it is nothing.
    #[serde(default)]
    pub env: BTreeMap<String, Option<String>>,
    /// The words before a command that run it under the account that `run` leads to; its processes are ended by them
    /// where this account may not.
    #[serde(default)]
    pub account: Vec<String>,
    /// The size of the terminal.
    #[serde(default)]
    pub size: Size,
    /// How much of what the agent writes is kept.
    #[serde(default)]
    pub log: LogLimits,
    /// How long processes that the agent leaves behind may take to end after it.
    #[serde(default = "Spec::default_grace")]
    pub grace: Duration,
    /// The program that has the verb `session-host`; this one if it is nothing.
    #[serde(skip)]
    pub host: Option<PathBuf>,
}

/// The size of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Rows, at least 1.
    pub rows: u16,
    /// Columns, at least 1.
    pub cols: u16,
}

/// How much of what an agent writes is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLimits {
    /// How large one file may grow, in bytes.
    pub bytes: u64,
    /// How many files there may be.
    pub files: u32,
}

impl Spec {
    /// Makes a spec of the least there must be.
    pub fn new(id: impl Into<String>, run: impl Into<String>, cwd: impl Into<PathBuf>) -> Self {
        Self {
            id: id.into(),
            run: run.into(),
            cwd: cwd.into(),
            env: BTreeMap::new(),
            account: Vec::new(),
            size: Size::default(),
            log: LogLimits::default(),
            grace: Self::default_grace(),
            host: None,
        }
    }

    fn default_grace() -> Duration {
        Duration::from_secs(5)
    }
}

/// The environment may hold secrets: it is not shown.
impl std::fmt::Debug for Spec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spec")
            .field("id", &self.id)
            .field("run", &self.run)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

impl Size {
    /// Returns the size within bounds: an agent's terminal has at least one row and column, and not too many.
    pub(super) fn kept(self) -> Self {
        Self { rows: self.rows.clamp(1, 500), cols: self.cols.clamp(1, 1000) }
    }
}

impl Default for Size {
    fn default() -> Self {
        Self { rows: 40, cols: 120 }
    }
}

impl Default for LogLimits {
    fn default() -> Self {
        Self { bytes: 8 << 20, files: 4 }
    }
}
