//! Why a rule does not match.

use std::fmt;

use crate::text::inert_line;

/// Why a rule does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    why: String,
    /// How much of the rule matched before this did not: the more, the nearer.
    pub nearness: u8,
    /// Among equally near rules, how much matched: commands of a line, words of a command. The rule that fails last is
    /// nearest.
    pub fitted: usize,
}

impl Mismatch {
    /// Adds how much matched before.
    pub(super) fn after(self, fitted: usize) -> Self {
        Self { fitted: self.fitted + fitted, ..self }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

pub(super) fn no<T>(nearness: u8, why: impl Into<String>) -> Result<T, Mismatch> {
    Err(Mismatch { why: inert_line(&why.into()), nearness, fitted: 0 })
}
