//! What goes into detection and what comes out.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::json::sha256_hex;

/// The visible screen of a terminal, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenText {
    /// The rows from the top, without trailing blanks.
    pub rows: Vec<String>,
    /// Row and column of the cursor, from 0.
    pub cursor: (u16, u16),
    /// Whether the program draws on the alternate screen, as full-screen programs do.
    #[serde(default)]
    pub alternate: bool,
}

/// What was seen of an agent at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// When this was seen, on a clock that only rises; where it starts does not matter.
    pub at: Duration,
    /// What the terminal shows.
    pub screen: ScreenText,
    /// How long the screen has not changed.
    pub quiet_for: Duration,
    /// Whether a process in the foreground is blocked reading the terminal; nothing if that cannot be told.
    pub waiting_for_input: Option<bool>,
    /// How the agent's process ended, if it has: exit code, signal.
    pub exit: Option<(Option<i32>, Option<i32>)>,
    /// What the agent's own hooks said since the last observation.
    pub notices: Vec<Notice>,
}

/// What an agent said of itself through a hook. Believed before the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Notice {
    /// It works.
    Working,
    /// It ended its turn and waits.
    Idle,
    /// It shows a prompt.
    Prompt {
        /// Which.
        prompt: Prompt,
    },
    /// It met an error.
    Error {
        /// Of which kind.
        kind: ErrorKind,
        /// In its words.
        text: String,
    },
}

/// What an agent is doing, as far as a supervisor cares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Signal {
    /// It works; nobody is needed.
    Working,
    /// It has stopped and waits for whatever comes.
    Idle,
    /// It shows a prompt that wants an answer.
    Prompt {
        /// Which.
        prompt: Prompt,
    },
    /// It met an error that it cannot get over by itself.
    Error {
        /// Of which kind.
        kind: ErrorKind,
        /// The line that says so.
        text: String,
    },
    /// Its process ended.
    Dead {
        /// The exit code, if it exited.
        code: Option<i32>,
        /// The signal, if one ended it.
        signal: Option<i32>,
    },
}

/// A prompt on an agent's screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Prompt {
    /// It asks leave to do something.
    Permission {
        /// What it asks, as far as it can be read.
        text: String,
        /// How yes and no are typed.
        keys: YesNo,
    },
    /// It asks one or more questions.
    Question {
        /// Which, in order.
        questions: Vec<Question>,
        /// Whether Enter must follow a number.
        #[serde(default = "yes")]
        enter: bool,
    },
    /// It shows a plan and wants it accepted.
    Plan {
        /// The plan, as far as it can be read.
        text: String,
        /// What the dialog offers, in order of its numbers; empty if it could not be read.
        options: Vec<QuestionOption>,
        /// Whether Enter must follow a number.
        #[serde(default = "yes")]
        enter: bool,
    },
}

fn yes() -> bool {
    true
}

impl Prompt {
    /// Returns what it is known by again: two that say the same have the same, whatever lines they were broken into.
    pub fn fingerprint(&self) -> String {
        let (kind, texts): (_, Vec<&str>) = match self {
            Self::Permission { text, keys } => ("permission", vec![text, &keys.yes, &keys.no]),
            Self::Question { questions, .. } => {
                ("question", questions.iter().flat_map(Question::texts).collect())
            }
            Self::Plan { text, options, .. } => {
                let labels = options.iter().map(|option| option.label.as_str());
                ("plan", std::iter::once(text.as_str()).chain(labels).collect())
            }
        };
        let words = texts.into_iter().flat_map(str::split_whitespace);
        sha256_hex(std::iter::once(kind).chain(words).collect::<String>().as_bytes())
    }
}

/// How a yes and a no are typed into a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct YesNo {
    /// What is typed for yes: `y`, or a number of a list.
    pub yes: String,
    /// What is typed for no: `n`, a number of a list, or `\u{1b}` for Escape.
    pub no: String,
    /// Whether Enter must follow wherever it is typed; else only where whole lines are read, or the key is only echoed.
    pub enter: bool,
}

impl Default for YesNo {
    fn default() -> Self {
        Self { yes: "y".into(), no: "n".into(), enter: false }
    }
}

/// A question that an agent asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What it asks.
    pub text: String,
    /// A word or two above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// What it offers, in order of its numbers.
    #[serde(default)]
    pub options: Vec<QuestionOption>,
    /// Whether several may be chosen.
    #[serde(default)]
    pub multiple: bool,
    /// Whether it is a list with one option marked, so that Enter takes that one whatever words come before it.
    #[serde(default)]
    pub selects: bool,
}

impl Question {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let labels = self.options.iter().map(|option| option.label.as_str());
        self.header.as_deref().into_iter().chain([self.text.as_str()]).chain(labels)
    }
}

/// One thing a question offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    /// The number that chooses it.
    pub number: u8,
    /// What it says.
    pub label: String,
    /// What it says below that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// What kind of error an agent met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// Too many requests for now.
    RateLimit,
    /// No credit or quota left.
    Quota,
    /// Not signed in, or no longer.
    Auth,
    /// The network cannot be reached.
    Network,
    /// Something that a setting or runbook names.
    Other,
}
