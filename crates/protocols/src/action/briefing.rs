//! What a reader knows when it reads a message.

use holdpoint_core::Values;

use super::form::Tool;
use super::reader::{Question, Reading};
use super::wire::{Action, ToolResult};

/// A conversation as far as a reader needs it. The built-in reader looks at the question alone.
#[derive(Clone, Copy, Debug)]
pub struct Briefing<'a> {
    /// What is to be read.
    pub question: Question<'a>,
    /// What the form is called.
    pub title: &'a str,
    /// What it is for.
    pub purpose: Option<&'a str>,
    /// What the front end can look up.
    pub tools: &'a [Tool],
    /// What is known so far.
    pub values: &'a Values,
    /// What the person was told last.
    pub said: &'a str,
    /// What tools have just found.
    pub results: &'a [ToolResult],
}

/// The result of reading a message.
#[derive(Clone, Debug, PartialEq)]
pub enum ReaderResult {
    /// Values that were stated.
    Values(Reading),
    /// The person wants to change a field.
    Correction {
        /// Which, if one that exists was named.
        field: Option<String>,
        /// The new value, if it was stated.
        reading: Reading,
    },
    /// Something is to be said before the field is asked again.
    Remark(Option<String>),
    /// Something is to be looked up first.
    Tool(Action),
}

impl Default for ReaderResult {
    fn default() -> Self {
        Self::Values(Reading::default())
    }
}

impl From<Reading> for ReaderResult {
    fn from(reading: Reading) -> Self {
        Self::Values(reading)
    }
}
