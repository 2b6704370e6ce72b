//! A form filled in conversation: one turn in, one action out.
//!
//! The conversation keeps no values of its own: they are the draft of a decision, and whoever may answer it can go
//! on in another place. What it keeps ([`State`]) is only how far the talk has come; lost, it is made anew from the
//! draft. Nothing here decides what a text means, that is a reader's; nothing here waits.

mod apply;
mod next;
mod say;
mod tools;

use std::collections::BTreeMap;

use holdpoint_core::{Field, Opt, Values, form as together};
use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;

use super::form::{Form, step};
use super::reader::{Manner, Question, Reading, manner};
use super::wire::{Action, ToolResult};

pub use tools::options_of;

/// How far a conversation has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Whether anything was said yet.
    pub begun: bool,
    /// The field that was asked for last.
    pub asked: Option<String>,
    /// The field that was answered last.
    pub last: Option<String>,
    /// The field that is asked next, because the person wants to change it.
    pub first: Option<String>,
    /// Fields that the person wants to leave for later.
    pub postponed: Vec<String>,
    /// Steps that the person has agreed to.
    pub confirmed: Vec<u64>,
    /// The step whose summary waits for a yes.
    pub summed: Option<u64>,
    /// How often in a row the asked field was not understood.
    pub failures: u32,
    /// Halves of dates and times.
    pub halves: BTreeMap<String, (Option<Date>, Option<Time>)>,
    /// The tool whose result is awaited.
    pub tool: Option<String>,
    /// Tools that gave nothing; they are not called again.
    pub barren: Vec<String>,
}

/// What came in.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What the person wrote.
    pub text: String,
    /// Values that came as typed JSON, by field.
    pub typed: Values,
    /// What tools found.
    pub tool_results: Vec<ToolResult>,
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
}

/// Returns what a reader must be asked before a turn is taken, if anything.
pub fn question<'a>(
    form: &'a Form,
    state: &State,
    values: &Values,
    turn: &'a Turn,
    now: DateTime,
) -> Option<Question<'a>> {
    let text = turn.text.trim();
    if text.is_empty() {
        return None;
    }
    let how = manner(text);
    if state.summed.is_some() && !matches!(how, Manner::Edit | Manner::Correct) {
        return None;
    }
    let asked = match how {
        // Who takes something back speaks of what was said last, unless it was in words.
        Manner::Correct | Manner::Edit => field(form, state.last.as_deref())
            .filter(|field| !field.kind.is_text() && values.contains_key(&field.id)),
        _ => field(form, state.asked.as_deref()),
    };
    Some(Question { fields: &form.fields, asked, text: &turn.text, now })
}

/// Takes a turn. `reading` is what a reader made of its text; [`Reading::default`] if none was asked.
pub fn turn(form: &Form, state: &State, values: &Values, turn: &Turn, reading: &Reading) -> Outcome {
    let mut talk = Talk {
        form: form.clone(),
        state: state.clone(),
        values: together::accept_draft(&form.fields, values).values,
        options: Vec::new(),
        told: Vec::new(),
    };
    let fresh = !std::mem::replace(&mut talk.state.begun, true);
    if !turn.tool_results.is_empty() {
        tools::take(&mut talk, &turn.tool_results);
    }
    let blank = turn.text.trim().is_empty() && turn.typed.is_empty();
    if fresh && blank && turn.tool_results.is_empty() && next::missing(&talk).is_some() {
        let action = Action::Message { text: say::greeting(&talk.form) };
        return talk.ends(action);
    }
    if let Some(step) = talk.state.summed
        && !blank
    {
        if let Some(action) = apply::answer_to_summary(&mut talk, step, turn, reading) {
            return talk.ends(action);
        }
    } else if !blank {
        apply::take(&mut talk, turn, reading);
    }
    let action = next::action(&mut talk);
    talk.ends(action)
}

/// A conversation in the middle of a turn.
struct Talk {
    form: Form,
    state: State,
    values: Values,
    options: Vec<(String, Vec<Opt>)>,
    /// What is said before the next question.
    told: Vec<String>,
}

impl Talk {
    fn ends(self, action: Action) -> Outcome {
        let Self { mut state, values, options, .. } = self;
        if !matches!(action, Action::Message { .. }) {
            state.asked = action.field_id().map(str::to_owned);
        }
        Outcome { state, values, options, action }
    }

    fn field(&self, id: &str) -> Option<&Field> {
        field(&self.form, Some(id))
    }

    /// Lists the visible fields.
    fn visible(&self) -> Vec<&Field> {
        together::visible(&self.form.fields, &self.values)
    }

    /// Lists the steps of the visible fields, in order. Gaps between their numbers mean nothing.
    fn steps(&self) -> Vec<u64> {
        let mut steps: Vec<u64> = self.visible().into_iter().map(step).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.told.push(text.into());
    }

    /// Sets values and drops what they hide; tells what was dropped.
    fn set(&mut self, given: Vec<(String, Value)>) {
        let before = self.values.clone();
        for (id, value) in given {
            self.state.postponed.retain(|postponed| *postponed != id);
            self.state.halves.remove(&id);
            self.state.last = Some(id.clone());
            self.values.insert(id, value);
        }
        self.values = together::accept_draft(&self.form.fields, &self.values).values;
        let dropped: Vec<String> =
            before.keys().filter(|id| !self.values.contains_key(*id)).map(|id| say::name(id)).collect();
        if !dropped.is_empty() {
            self.tell(format!("This no longer applies: {}.", dropped.join(", ")));
        }
    }
}

fn field<'a>(form: &'a Form, id: Option<&str>) -> Option<&'a Field> {
    form.fields.iter().find(|field| Some(field.id.as_str()) == id)
}
