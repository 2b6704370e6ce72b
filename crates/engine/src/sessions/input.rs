//! Input that can be typed.

use serde::{Deserialize, Serialize};

/// What to type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keys {
    /// A text followed by Enter. Control characters are left out; the text is pasted if the agent supports that,
    /// otherwise its lines are joined, so that it is one input.
    Line(String),
    /// Single keys, one after the other, without Enter unless it is one of them.
    Press(Vec<Key>),
}

/// What must be on the screen for keys to be typed: by the time they arrive, an agent may show something else, and
/// would read them as the answer to that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScreenCondition {
    /// Anything.
    #[default]
    Anything,
    /// The prompt with this fingerprint.
    Prompt(String),
    /// No prompt: the input is for the agent itself, which may ask in plain text what to do.
    NoPrompt,
    /// Neither a prompt nor a question in plain text that the agent waits to have answered.
    NoQuestion,
    /// No prompt, or a list whose marked option is this one, which takes free text.
    Words(u8),
    /// The prompt with this fingerprint, followed by this text, written there by the agent itself: it has read the keys
    /// and waits for the rest of the line. The echo of the terminal does not count.
    Echoed {
        /// The fingerprint of the prompt.
        prompt: String,
        /// What was typed.
        text: String,
    },
}

/// A single key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// A letter, digit or symbol. Control characters are refused.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Control and C: interrupt.
    Interrupt,
}

/// The result of typing keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypingStatus {
    /// They were typed just now: the terminal has accepted all of them.
    Now,
    /// They were typed before, under the same id.
    Already,
    /// Typing began, but it is unknown whether it was completed. It will not be repeated.
    Unsure,
    /// Nothing was typed or recorded: the screen does not show what they are for.
    Elsewhere,
}
