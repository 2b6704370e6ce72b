//! The texts by which errors and prompts are known. They can be added to.

use serde::{Deserialize, Serialize};

use super::signal::ErrorKind;

/// A text to look for in a line: letters of either case, blanks as one, `*` for anything in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(String);

/// Why a pattern is no good.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// It would match everywhere.
    #[error("a pattern needs at least three letters or digits, or it would match almost any line")]
    TooShort,
    /// It is too long.
    #[error("a pattern has at most 200 characters")]
    TooLong,
}

/// All the texts that detection looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    /// What an error says, with its kind; the first that matches counts.
    pub errors: Vec<(ErrorKind, Pattern)>,
    /// What asks leave to do something.
    pub permissions: Vec<Pattern>,
    /// What asks to accept a plan.
    pub plans: Vec<Pattern>,
    /// What shows that the agent is at work, however quiet.
    pub working: Vec<Pattern>,
}

impl Pattern {
    /// Makes a pattern of a text.
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        if text.chars().count() > 200 {
            return Err(BadPattern::TooLong);
        }
        if text.chars().filter(|c| c.is_alphanumeric()).count() < 3 {
            return Err(BadPattern::TooShort);
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for Pattern {
    type Error = BadPattern;

    fn try_from(text: String) -> Result<Self, BadPattern> {
        Self::new(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0
    }
}

impl Default for Patterns {
    fn default() -> Self {
        Self { errors: vec![], permissions: vec![], plans: vec![], working: vec![] }
    }
}
