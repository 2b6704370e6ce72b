//! A form filled in conversation: one turn in, one action out.
//!
//! The conversation stores no values itself: they are the draft of a decision, and anyone who may answer it can go
//! on in another place. What it keeps ([`State`]) is only how far the talk has come; unreadable, it is made anew from the
//! draft. Nothing here decides what a text means, that is a reader's; nothing here waits: a turn is heard, a reader
//! is asked, the turn is answered.

mod apply;
mod kept;
mod listen;
mod mend;
mod next;
mod offer;
mod order;
mod phrase;
mod say;
mod send;
mod summary;
mod tools;
mod turn;
mod undo;
mod wish;

use std::borrow::Cow;
use std::collections::BTreeMap;

use holdpoint_core::text::start;
use holdpoint_core::{Field, Opt, Values, form as together};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::briefing::ReaderResult;
use super::form::{Form, step};
use super::wire::Action;

pub use super::form::options_of;
pub use super::past::{DraftDirection, DraftHistory};
pub use super::worded::shown;
pub use offer::Offer;
pub use phrase::Command;
pub use send::{plain, sent, unsent};
pub use turn::{Outcome, Turn};
pub use wish::FormOutcome;

/// How far a conversation has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Whether the conversation has begun.
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
    /// What is uncertain, whether or not the person was already asked about it.
    pub offers: Vec<Offer>,
    /// The words that each value was read from.
    pub sources: BTreeMap<String, String>,
    /// What the person wants done with the whole form, once they have said yes to that.
    pub wished: Option<Command>,
    /// What was offered and passed by; it is not offered again.
    pub passed_by: Vec<(String, Value)>,
    /// The day or the time that was given for an asked field that takes both.
    pub half: Option<String>,
    /// A start after the known end: it is accepted together with a later end.
    pub waiting: Option<Value>,
    /// The tool whose result is awaited.
    pub tool: Option<String>,
    /// How often in a row something else came while its result was awaited.
    pub unheard: u32,
    /// Tools that gave nothing; they are not called again.
    pub barren: Vec<String>,
    /// The message from before a tool call: it is read again with the tool's results.
    pub heard: Option<String>,
    /// How often in a row the reader had something looked up.
    pub rounds: u32,
    /// Whether it was rebuilt from a draft, so that the next message may answer the earlier question.
    pub resumed: bool,
    /// What the person was told last.
    pub said: String,
    /// What was known before each of the last turns that changed something; it follows from what was drafted.
    #[serde(skip)]
    pub past: Vec<Values>,
}

/// How often in a row a model may look something up before it must say what it understood.
const ROUNDS: u32 = 3;
/// How much of the text that a value was read from is stored.
const SOURCE: usize = 120;
/// How much of a message is stored during a lookup.
const KEPT: usize = 10_000;

/// Begins a turn: takes what tools found. What the text means is asked of a reader next ([`Conversation::briefing`]).
pub fn take_turn<'a>(form: &'a Form, state: &State, values: &Values, turn: &'a Turn) -> Conversation<'a> {
    let known = together::accept_draft(&form.fields, values).values;
    // The day or the time from the previous message is combined with this one.
    let half = state.half.as_ref().filter(|half| state.asked.is_some() && !turn.text.contains(half.as_str()));
    let text = half.map_or_else(|| turn.text.clone(), |half| format!("{half} {}", turn.text));
    let mut talk = Conversation {
        before: known.clone(),
        text,
        unclear: false,
        wish: None,
        form: Cow::Borrowed(form),
        turn,
        state: state.clone(),
        values: known,
        options: Vec::new(),
        told: Vec::new(),
        fresh: !state.begun,
        sources: Vec::new(),
    };
    talk.state.begun = true;
    if !turn.tool_results.is_empty() {
        tools::take(&mut talk, &turn.tool_results);
    }
    if !turn.text.trim().is_empty() {
        (talk.state.heard, talk.state.rounds) = (None, 0);
    }
    talk
}

/// A conversation in the middle of a turn.
#[derive(Debug)]
pub struct Conversation<'a> {
    form: Cow<'a, Form>,
    turn: &'a Turn,
    state: State,
    values: Values,
    options: Vec<(String, Vec<Opt>)>,
    before: Values,
    /// The message, with the half of the answer that was given before.
    text: String,
    /// Whether the message changed nothing, although it may have been meant to.
    unclear: bool,
    wish: Option<FormOutcome>,
    /// The text before the next question.
    told: Vec<String>,
    fresh: bool,
    /// From which words what was given in this turn came.
    sources: Vec<(String, String)>,
}

impl Conversation<'_> {
    /// Answers the turn. `understood` is what a reader made of its text; the default if none was asked.
    pub fn answer(mut self, understood: &ReaderResult) -> Outcome {
        let turn = self.turn;
        let blank = self.is_blank();
        if self.fresh && blank && turn.tool_results.is_empty() {
            let text = say::greeting(&self.form);
            if next::missing(&self).is_some() {
                return self.ends(Action::Message { text });
            }
            if self.values.is_empty() {
                // Nothing is required, so it is complete; the person still hears what can be filled in.
                let data = send::plain(&self.values);
                return self.ends(Action::FormComplete { data, message: text });
            }
        }
        if let ReaderResult::Tool(call) = understood
            && self.state.rounds < ROUNDS
        {
            return self.looks_up(call.clone());
        }
        if let Some(wished) = self.wished().filter(|_| !self.picks_exactly()) {
            let action = wish::follow(&mut self, wished);
            return self.ends(action);
        }
        if !blank {
            self.state.wished = None;
        }
        if phrase::undoes(&turn.text) && turn.typed.is_empty() && !self.picks_exactly() {
            undo::take_back(&mut self);
            let action = next::action(&mut self);
            return self.ends(action);
        }
        if let Some(step) = self.state.summed
            && !blank
        {
            if let Some(action) = summary::answer(&mut self, step, turn, understood) {
                return self.ends(action);
            }
        } else if !blank {
            apply::take(&mut self, turn, understood);
        } else if self.reads_again() {
            apply::take_late(&mut self, understood);
        }
        let action = next::action(&mut self);
        self.ends(action)
    }

    /// Returns whether the earlier message is read again, now that tools have results.
    fn reads_again(&self) -> bool {
        self.is_blank() && !self.turn.tool_results.is_empty() && self.state.heard.is_some()
    }

    fn is_blank(&self) -> bool {
        self.turn.text.trim().is_empty() && self.turn.typed.is_empty() && !self.turn.astray
    }

    /// Starts a lookup that the reader asked for; the message is kept until it ends.
    fn looks_up(mut self, call: Action) -> Outcome {
        if let Action::ToolCall { tool_name, .. } = &call {
            self.state.tool = Some(tool_name.clone());
        }
        self.state.rounds += 1;
        self.keep_text();
        self.ends(call)
    }

    /// Keeps the message until a tool has found what it may refer to.
    fn keep_text(&mut self) {
        if !self.turn.text.trim().is_empty() {
            self.state.heard = Some(start(&self.turn.text, KEPT).to_owned());
        }
    }

    fn ends(self, action: Action) -> Outcome {
        let Self { mut state, values, options, before, unclear, wish, .. } = self;
        undo::remember(&mut state, before, &values);
        state.resumed = false;
        match &action {
            // The question still stands while the reader looks something up for its answer.
            Action::Message { .. } => {}
            Action::ToolCall { .. } if state.rounds > 0 => {}
            _ => state.asked = action.field_id().map(str::to_owned),
        }
        if !matches!(action, Action::ToolCall { .. }) {
            state.heard = None;
        }
        action.said().clone_into(&mut state.said);
        Outcome { state, values, options, action, unclear, wish }
    }

    fn field(&self, id: &str) -> Option<&Field> {
        field(&self.form, Some(id))
    }

    /// Returns what a field is called; what is no field, by the words of its id.
    fn called(&self, id: &str) -> String {
        self.field(id).map_or_else(|| say::name(id), say::called)
    }

    /// Lists the visible fields.
    fn visible(&self) -> Vec<&Field> {
        together::visible(&self.form.fields, &self.values)
    }

    /// Lists the steps of the visible fields, in order. Gaps between their numbers mean nothing.
    fn steps(&self) -> Vec<u64> {
        steps(&self.visible())
    }

    fn add_message(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.told.extend((!self.told.contains(&text)).then_some(text));
    }

    /// Sets values and drops what they hide; tells what was dropped.
    fn set(&mut self, given: Vec<(String, Value)>) {
        let before = self.values.clone();
        for (id, value) in given {
            self.state.first = self.state.first.take().filter(|first| *first != id);
            self.state.postponed.retain(|postponed| *postponed != id);
            self.state.last = Some(id.clone());
            self.state.sources.remove(&id);
            self.values.insert(id, value);
        }
        for (id, words) in std::mem::take(&mut self.sources) {
            self.state.sources.insert(id, start(words.trim(), SOURCE).to_owned());
        }
        self.values = together::accept_draft(&self.form.fields, &self.values).values;
        self.state.sources.retain(|id, _| self.values.contains_key(id));
        let dropped: Vec<String> =
            before.keys().filter(|id| !self.values.contains_key(*id)).map(|id| self.called(id)).collect();
        if !dropped.is_empty() {
            self.add_message(format!("This no longer applies: {}.", dropped.join(", ")));
        }
    }
}

/// Lists the steps that must have been agreed to, where only the draft is known: all that is needed in them is there,
/// and a later one has been begun.
pub fn passed(form: &Form, values: &Values) -> Vec<u64> {
    let visible = together::visible(&form.fields, values);
    let is_known = |field: &&&Field| values.contains_key(&field.id);
    let begun = visible.iter().filter(is_known).map(|field| step(field)).max();
    let lacks = |number: u64, field: &&&Field| step(field) == number && field.required && !is_known(field);
    let mut steps = steps(&visible);
    steps.retain(|number| Some(*number) < begun && !visible.iter().any(|field| lacks(*number, &field)));
    steps
}

fn steps(fields: &[&Field]) -> Vec<u64> {
    let mut steps: Vec<u64> = fields.iter().map(|field| step(field)).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

fn field<'a>(form: &'a Form, id: Option<&str>) -> Option<&'a Field> {
    form.fields.iter().find(|field| Some(field.id.as_str()) == id)
}
