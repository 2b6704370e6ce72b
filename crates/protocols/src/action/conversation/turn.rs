//! One turn: its input and its outcome.

use holdpoint_core::{Opt, Values};

use super::super::form::Form;
use super::super::wire::{Action, ToolResult};
use super::wish::FormOutcome;
use super::{State, shown};

/// The input of a turn.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What the person wrote.
    pub text: String,
    /// Values that came as typed JSON, by field.
    pub typed: Values,
    /// Whether a typed value came while no field was asked, so that its field is unknown.
    pub astray: bool,
    /// What tools found.
    pub tool_results: Vec<ToolResult>,
}

impl Turn {
    /// Returns whether the turn is empty: somebody only looks at the current question.
    pub fn is_silent(&self) -> bool {
        self.text.trim().is_empty() && self.typed.is_empty() && !self.astray && self.tool_results.is_empty()
    }

    /// Returns what the person said, typed values in words.
    pub fn in_words(&self, form: &Form) -> String {
        if !self.text.trim().is_empty() {
            return self.text.clone();
        }
        let said = shown(form, &self.typed).into_iter().map(|(name, value)| format!("{name}: {value}"));
        said.collect::<Vec<_>>().join("; ")
    }
}

/// The outcome of a turn.
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
    /// Whether a message changed nothing, although it may have been meant to: then the form is not sent.
    pub unclear: bool,
    /// What the person wants done with the form, and may have done.
    pub wish: Option<FormOutcome>,
}

impl Outcome {
    /// Returns whether the talk stands where it stood, so that nothing must be remembered. Who was only greeted has not
    /// said anything yet.
    pub fn changes_nothing(&self, before: &State) -> bool {
        let greeted = !before.begun
            && self.state.summed.is_none()
            && self.values.is_empty()
            && matches!(self.action, Action::Message { .. } | Action::FormComplete { .. });
        let standing =
            |state: &State| State { said: String::new(), resumed: false, past: Vec::new(), ..state.clone() };
        greeted || standing(before) == standing(&self.state)
    }
}
