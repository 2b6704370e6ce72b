//! Which commands are run when something happens.

use holdpoint_core::{Occasion, Span};
use serde::Deserialize;

/// Commands that are run when something happens; each gets JSON on its standard input.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hooks {
    /// When a decision waits for someone.
    pub on_decision_create: Option<HookCommand>,
    /// When someone answered, guided or cancelled.
    pub on_decision_respond: Option<HookCommand>,
    /// When a deadline passed.
    pub on_decision_timeout: Option<HookCommand>,
    /// When nobody has answered for a while, and a step of an escalation is taken.
    pub on_decision_escalate: Option<HookCommand>,
    /// When one of several people has voted, and others are still needed.
    pub on_decision_vote: Option<HookCommand>,
    /// Whether a desktop notice is shown where no `on_decision_create` is set.
    pub desktop: bool,
    /// How long a command may take.
    pub timeout: Span,
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            on_decision_create: None,
            on_decision_respond: None,
            on_decision_timeout: None,
            on_decision_escalate: None,
            on_decision_vote: None,
            desktop: true,
            timeout: Span::from_secs(10),
        }
    }
}

impl Hooks {
    /// Returns the command for an occasion.
    pub fn command(&self, occasion: Occasion) -> Option<&HookCommand> {
        match occasion {
            Occasion::Create => self.on_decision_create.as_ref(),
            Occasion::Respond => self.on_decision_respond.as_ref(),
            Occasion::Timeout => self.on_decision_timeout.as_ref(),
            Occasion::Escalate => self.on_decision_escalate.as_ref(),
            Occasion::Vote => self.on_decision_vote.as_ref(),
        }
    }
}

/// A command: a line for `sh`, or a program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum HookCommand {
    /// A line for `sh -c`.
    Shell(String),
    /// A program and its arguments, run as they are.
    Program(Vec<String>),
}

impl HookCommand {
    /// Returns whether there is nothing to run.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Shell(line) => line.trim().is_empty(),
            Self::Program(words) => words.first().is_none_or(String::is_empty),
        }
    }
}
