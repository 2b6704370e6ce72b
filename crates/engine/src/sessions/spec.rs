//! The specification of a session to start.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What to start, and how.
#[derive(Clone, Serialize, Deserialize)]
pub struct Spec {
    /// The session's name; agents find it in `HOLD_SESSION`, and the folder in `HOLD_SESSION_DIR`.
    pub id: String,
    /// The command, given to `sh -c`.
    pub run: String,
    /// Where it runs. Must exist.
    pub cwd: PathBuf,
    /// Changes to the environment of the caller of [`start`](super::start): set, or removed if none.
    #[serde(default)]
    pub env: BTreeMap<String, Option<String>>,
    /// The command that runs another under the account that `run` switches to; it is used to end the session's
    /// processes if this account may not.
    #[serde(default)]
    pub account: Vec<String>,
    /// The size of the terminal.
    #[serde(default)]
    pub size: Size,
    /// How much of the agent's output is kept.
    #[serde(default)]
    pub log: LogLimits,
    /// How long processes that the agent leaves behind may take to end after it.
    #[serde(default = "Spec::default_grace")]
    pub grace: Duration,
    /// The program that has the verb `session-host`; this program if none.
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

/// How much of an agent's output is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLimits {
    /// How large one file may grow, in bytes.
    pub bytes: u64,
    /// How many files there may be.
    pub files: u32,
}

impl Spec {
    /// Makes a spec with only the required parts.
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

/// The environment may contain secrets, so it is left out.
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
    /// Returns the size limited to the allowed range: at least one row and column, and not too many.
    pub(super) fn within_limits(self) -> Self {
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
