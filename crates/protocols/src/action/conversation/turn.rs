//! One turn: what came in, and what it came to.

use holdpoint_core::{Opt, Values};

use super::super::form::Form;
use super::super::wire::{Action, ToolResult};
use super::wish::Wish;
use super::{State, shown};

/// What came in.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What the person wrote.
    pub text: String,
    /// Values that came as typed JSON, by field.
    pub typed: Values,
    /// Whether a typed value came while no field was asked, so that it cannot be told whose it is.
    pub astray: bool,
    /// What tools found.
    pub tool_results: Vec<ToolResult>,
}

impl Turn {
    /// Returns whether nothing was said or found: somebody only looks what is asked.
    pub fn is_silent(&self) -> bool {
        self.text.trim().is_empty() && self.typed.is_empty() && !self.astray && self.tool_results.is_empty()
    }

    /// Returns what the person said, typed values in words.
    pub fn worded(&self, form: &Form) -> String {
        if !self.text.trim().is_empty() {
            return self.text.clone();
        }
        let said = shown(form, &self.typed).into_iter().map(|(name, value)| format!("{name}: {value}"));
        said.collect::<Vec<_>>().join("; ")
    }
}

/// What a turn came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How far the conversation has come.
    pub state: State,
    /// The values of the visible fields.
    pub values: Values,
    /// Options that a tool gave to fields.
    pub options: Vec<(String, Vec<Opt>)>,
    /// What the front end is told.
    pub action: Action,
    /// Whether something was said that changed nothing, though it may have been meant to: then nothing is sent.
    pub unclear: bool,
    /// What the person wants done with the form, and may have done.
    pub wish: Option<Wish>,
}

impl Outcome {
    /// Returns whether the talk stands where it stood, so that nothing must be remembered. Who was only greeted has not
    /// said anything yet.
    pub fn stays(&self, before: &State) -> bool {
        let greeted = !before.begun
            && self.state.summed.is_none()
            && self.values.is_empty()
            && matches!(self.action, Action::Message { .. } | Action::FormComplete { .. });
        let standing =
            |state: &State| State { said: String::new(), resumed: false, past: Vec::new(), ..state.clone() };
        greeted || standing(before) == standing(&self.state)
    }
}
