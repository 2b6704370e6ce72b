//! What an agent's terminal shows.

use std::time::Duration;

use holdpoint_core::job::detect::{Observation, ScreenText};
use serde::{Deserialize, Serialize};

/// What an agent's terminal shows at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// The text, the cursor, and whether it is the alternate screen.
    pub text: ScreenText,
    /// Rises with every change.
    pub seq: u64,
    /// How long nothing has changed.
    pub quiet_for: Duration,
    /// Whether a process in the foreground is blocked reading the terminal; nothing if that cannot be told.
    pub waiting_for_input: Option<bool>,
    /// Whether the agent gets whole lines only, each with its Enter.
    #[serde(default)]
    pub reads_lines: bool,
    /// The agent's process id, while it runs.
    pub pid: Option<u32>,
    /// How many bytes the agent wrote altogether.
    pub written: u64,
    /// How many of them could not be kept in the log, because the disk is full for example.
    pub log_lost: u64,
}

impl Screen {
    /// Returns this as an observation of a running agent, without notices.
    pub fn observation(&self) -> Observation {
        Observation {
            screen: self.text.clone(),
            quiet_for: self.quiet_for,
            waiting_for_input: self.waiting_for_input,
            ..Observation::default()
        }
    }
}
