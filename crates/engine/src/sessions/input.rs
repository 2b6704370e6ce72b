//! What can be typed.

use serde::{Deserialize, Serialize};

/// What to type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keys {
    /// A text and then Enter. Control characters are left out; it is pasted where the agent takes pastes, else its lines
    /// are joined, so that it is one input.
    Line(String),
    /// Single keys, one after the other, without Enter unless it is among them.
    Press(Vec<Key>),
}

/// What must stand on the screen for keys to be typed: an agent may show something else by the time they come, and would
/// take them for the answer to that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum On {
    /// Whatever does.
    #[default]
    Anything,
    /// The prompt with this fingerprint.
    Prompt(String),
    /// No prompt: what is typed is for the agent itself.
    NoPrompt,
    /// No prompt, or a list whose marked option is this one: where own words go.
    Words(u8),
    /// The prompt with this fingerprint, with this text after it that the agent itself has written there: it has read the
    /// keys and waits for the rest of the line. What the terminal echoes by itself does not count.
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
    /// A letter, digit or sign. Control characters are refused.
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

/// What became of keys that were to be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Typed {
    /// They were typed just now: the terminal has taken them all.
    Now,
    /// They were typed before, under the same id.
    Already,
    /// It was begun and nobody knows whether it was done. It will not be done again.
    Unsure,
    /// Nothing was typed, and nothing was written down: the screen does not show what they are meant for.
    Elsewhere,
}
