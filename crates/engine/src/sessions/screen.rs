//! The screen of an agent's terminal.

use std::time::Duration;

use holdpoint_core::job::detect::{Observation, ScreenText};
use serde::{Deserialize, Serialize};

/// The screen of an agent's terminal at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// The text, the cursor, and whether it is the alternate screen.
    pub text: ScreenText,
    /// The number of the last change.
    pub seq: u64,
    /// How long the screen has been unchanged.
    pub quiet_for: Duration,
    /// Whether a process in the foreground is blocked reading the terminal; none if unknown.
    pub waiting_for_input: Option<bool>,
    /// Whether the agent only reads whole lines, each with its Enter.
    #[serde(default)]
    pub reads_lines: bool,
    /// The agent's process id, while it runs.
    pub pid: Option<u32>,
    /// How many bytes the agent wrote in total.
    pub written: u64,
    /// How many of them could not be written to the log, for example because the disk is full.
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
