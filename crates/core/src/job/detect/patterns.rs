//! The texts by which errors and prompts are recognized; settings can add to them.

use serde::{Deserialize, Serialize};

use super::signal::ErrorKind;

/// A text to find in a line: case-insensitive, any white space as one space, `*` for anything in between. It matches at
/// the start of a line, after bullets and frames; a pattern that starts with `*` matches anywhere in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    parts: Vec<String>,
}

/// Why a pattern is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// It would match everywhere.
    #[error("a pattern needs at least three letters or digits, or it would match almost any line")]
    TooShort,
    /// It is too long.
    #[error("a pattern has at most 200 characters")]
    TooLong,
}

/// All texts that detection looks for. The first match counts; added ones go first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    /// Texts of errors, by kind.
    pub errors: Vec<(ErrorKind, Pattern)>,
    /// Texts of requests for permission, besides `[y/n]` and the like.
    pub permissions: Vec<Pattern>,
    /// Texts that ask to accept a plan.
    pub plans: Vec<Pattern>,
    /// Texts that show that the agent is working although it is quiet.
    pub working: Vec<Pattern>,
    /// Texts that show that the agent is ready for input, if nothing else can tell.
    pub ready: Vec<Pattern>,
}

const LONGEST: usize = 200;
const FEWEST: usize = 3;

impl Pattern {
    /// Makes a pattern from a text.
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        if text.chars().count() > LONGEST {
            return Err(BadPattern::TooLong);
        }
        if text.chars().filter(|c| c.is_alphanumeric()).count() < FEWEST {
            return Err(BadPattern::TooShort);
        }
        Ok(Self::of(text))
    }

    fn of(text: &str) -> Self {
        let parts = text.split('*').map(level).collect();
        Self { text: text.to_owned(), parts }
    }

    /// Returns whether a line matches.
    pub fn matches(&self, line: &str) -> bool {
        let line = level(bare(line));
        let Some((first, others)) = self.parts.split_first() else { return false };
        let Some(mut rest) = line.strip_prefix(first.as_str()) else { return false };
        for part in others {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        true
    }
}

/// Returns a line without the frames, bullets and marks at its ends.
pub(super) fn bare(line: &str) -> &str {
    let decoration = |c: char| {
        c.is_whitespace()
            || matches!(c, '\u{2500}'..='\u{257f}' | '\u{2580}'..='\u{259f}' | '|' | '⎿' | '●' | '⏺' | '•' | '✗' | '✘' | '×' | '⚠' | '\u{fe0f}')
    };
    line.trim_matches(decoration)
}

/// Returns a text in lower case with single spaces, none at the ends.
pub(super) fn level(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

impl TryFrom<String> for Pattern {
    type Error = BadPattern;

    fn try_from(text: String) -> Result<Self, BadPattern> {
        Self::new(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.text
    }
}

impl Default for Patterns {
    fn default() -> Self {
        let all = |texts: &[&str]| texts.iter().map(|text| Pattern::of(text)).collect::<Vec<_>>();
        let errors = ERRORS.iter().map(|(kind, text)| (*kind, Pattern::of(text))).collect();
        Self {
            errors,
            permissions: all(PERMISSIONS),
            plans: all(PLANS),
            working: all(WORKING),
            ready: all(READY),
        }
    }
}

/// Errors as agents and the tools they run print them. Each must start its line unless it begins with a star: an agent
/// that writes about rate limits has not met an error.
const ERRORS: &[(ErrorKind, &str)] = &[
    (ErrorKind::Quota, "*credit balance is too low"),
    (ErrorKind::Quota, "*insufficient_quota"),
    (ErrorKind::Quota, "*exceeded your current quota"),
    (ErrorKind::Quota, "*billing_hard_limit_reached"),
    (ErrorKind::Quota, "api error*402"),
    (ErrorKind::Quota, "error*402 payment required"),
    (ErrorKind::Quota, "you're out of extra usage"),
    (ErrorKind::RateLimit, "*rate_limit_error"),
    (ErrorKind::RateLimit, "*usage limit reached"),
    (ErrorKind::RateLimit, "you've hit your*limit"),
    (ErrorKind::RateLimit, "you've reached your*limit"),
    (ErrorKind::RateLimit, "api error*429"),
    (ErrorKind::RateLimit, "api error*529"),
    (ErrorKind::RateLimit, "api error*overloaded"),
    (ErrorKind::RateLimit, "error*429 too many requests"),
    (ErrorKind::RateLimit, "error*rate limit"),
    (ErrorKind::RateLimit, "rate limit exceeded"),
    (ErrorKind::RateLimit, "rate limit reached"),
    (ErrorKind::RateLimit, "429 too many requests"),
    (ErrorKind::Auth, "*authentication_error"),
    (ErrorKind::Auth, "*invalid api key"),
    (ErrorKind::Auth, "*incorrect api key"),
    (ErrorKind::Auth, "*oauth token*expired"),
    (ErrorKind::Auth, "*please run /login"),
    (ErrorKind::Auth, "api error*401"),
    (ErrorKind::Auth, "api error*403"),
    (ErrorKind::Auth, "error*401 unauthorized"),
    (ErrorKind::Auth, "error*not logged in"),
    (ErrorKind::Auth, "not logged in"),
    (ErrorKind::Network, "api error*connection error"),
    (ErrorKind::Network, "api error*fetch failed"),
    (ErrorKind::Network, "*unable to connect to*api"),
    (ErrorKind::Network, "*could not resolve host"),
    (ErrorKind::Network, "*temporary failure in name resolution"),
    (ErrorKind::Network, "*network is unreachable"),
    (ErrorKind::Network, "*getaddrinfo e"),
    (ErrorKind::Network, "error*econnrefused"),
    (ErrorKind::Network, "error*econnreset"),
    (ErrorKind::Network, "error*etimedout"),
    (ErrorKind::Network, "error*stream disconnected before completion"),
    (ErrorKind::Network, "*check your internet connection"),
];

const PERMISSIONS: &[&str] = &[
    "do you want to*?",
    "*would you like to run*?",
    "*allow*to*?",
    "*grant permission",
    "*requires approval",
    "*trust the files in this folder?",
    "*do you trust*?",
];

const PLANS: &[&str] = &[
    "*ready to code?",
    "*would you like to proceed with*plan",
    "*approve*plan?",
    "*accept*plan?",
    "*written up a plan*proceed?",
];

/// Shown by agents while they work, or wait for their own retry.
const WORKING: &[&str] = &["*esc to interrupt", "*ctrl+c to interrupt", "*retrying in", "*reconnecting..."];

/// Shown by agents below their empty input box.
const READY: &[&str] = &["*? for shortcuts", "*send a message (/? for help)"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_where_a_line_starts_so() {
        let matches = |pattern: &str, line: &str| Pattern::new(pattern).unwrap().matches(line);
        assert!(matches("API error*429", "  ⎿  API Error: 429 {\"type\":\"error\"}"));
        assert!(matches("api  error", "│ API Error │"));
        assert!(!matches("api error", "the docs explain what an API Error is"));
        assert!(matches("*api error", "the docs explain what an API Error is"));
        assert!(!matches("api error*429", "API Error: 500"));
        assert!(matches("naïve ΣΑΣ", "Naïve ΣΑΣ"));
    }

    #[test]
    fn patterns_that_match_anything_are_refused() {
        for text in ["", "*", "* *", "a*b", "::"] {
            assert_eq!(Pattern::new(text), Err(BadPattern::TooShort), "{text:?}");
        }
        assert_eq!(Pattern::new(&"x".repeat(201)), Err(BadPattern::TooLong));
        assert!(serde_json::from_str::<Pattern>("\"disk full\"").is_ok());
        assert!(serde_json::from_str::<Pattern>("\"*\"").is_err());
    }
}
