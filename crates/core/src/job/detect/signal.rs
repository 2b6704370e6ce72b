//! The input and the output of detection.

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

/// The state of an agent at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// The time of the observation, on a monotonic clock with any origin.
    pub at: Duration,
    /// The terminal's screen.
    pub screen: ScreenText,
    /// How long the screen has not changed.
    pub quiet_for: Duration,
    /// Whether a process in the foreground is blocked reading the terminal; none if unknown.
    pub waiting_for_input: Option<bool>,
    /// How the agent's process ended, if it has: exit code, signal.
    pub exit: Option<(Option<i32>, Option<i32>)>,
    /// The reports of the agent's own hooks since the last observation.
    pub notices: Vec<Notice>,
}

/// What an agent reported through a hook. It takes precedence over the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Notice {
    /// It is working.
    Working,
    /// It ended its turn and waits.
    Idle,
    /// It shows a prompt.
    Prompt {
        /// The prompt.
        prompt: Prompt,
    },
    /// It reported an error.
    Error {
        /// The kind of error.
        kind: ErrorKind,
        /// The text of the error.
        text: String,
    },
}

/// What an agent is doing, as far as it concerns a supervisor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Signal {
    /// It is working and needs no one.
    Working,
    /// It has stopped and waits for input.
    Idle,
    /// It shows a prompt that needs an answer.
    Prompt {
        /// The prompt.
        prompt: Prompt,
    },
    /// It met an error from which it cannot recover by itself.
    Error {
        /// The kind of error.
        kind: ErrorKind,
        /// The line with the error.
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
    /// It asks permission to do something.
    Permission {
        /// The text of the request, as far as it can be read.
        text: String,
        /// How yes and no are typed.
        keys: YesNo,
    },
    /// It asks one or more questions.
    Question {
        /// The questions, in order.
        questions: Vec<Question>,
        /// Whether Enter must follow a number.
        #[serde(default = "yes")]
        enter: bool,
    },
    /// It shows a plan and wants it accepted.
    Plan {
        /// The plan, as far as it can be read.
        text: String,
        /// The options of the dialog, by number; empty if they could not be read.
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
    /// Returns a hash by which the prompt is recognized: the same for equal texts, whatever their line breaks.
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
    /// Whether Enter always follows; otherwise only where whole lines are read, or the key is only echoed.
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
    /// The text of the question.
    pub text: String,
    /// A word or two above the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The options, by number.
    #[serde(default)]
    pub options: Vec<QuestionOption>,
    /// Whether several may be chosen.
    #[serde(default)]
    pub multiple: bool,
    /// Whether it is a list with one option marked, so that Enter chooses it whatever was typed before.
    #[serde(default)]
    pub selects: bool,
}

impl Question {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let labels = self.options.iter().map(|option| option.label.as_str());
        self.header.as_deref().into_iter().chain([self.text.as_str()]).chain(labels)
    }
}

/// An option of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    /// The number that chooses it.
    pub number: u8,
    /// The label.
    pub label: String,
    /// The description below the label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The kinds of error that agents meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// Too many requests for now.
    RateLimit,
    /// No credit or quota is left.
    Quota,
    /// Not signed in, or no longer.
    Auth,
    /// The network cannot be reached.
    Network,
    /// An error that a setting or runbook defines.
    Other,
}
