//! A conversation as tests hold it: the form, how far it has come, and who reads.

use holdpoint_core::Values;
use holdpoint_protocols::action::conversation::{self, FormOutcome, Outcome, State, Turn};
use holdpoint_protocols::action::form::Form;
use holdpoint_protocols::action::model;
use holdpoint_protocols::action::reader::{self, Question};
use holdpoint_protocols::action::{Briefing, ReaderResult, ToolResult};
use jiff::civil::{DateTime, datetime};
use serde_json::{Value, json};

use crate::action_form::example;

pub(crate) const NOW: DateTime = datetime(2026, 1, 20, 10, 0, 0, 0);

pub(crate) struct Chat {
    pub(crate) form: Form,
    pub(crate) state: State,
    pub(crate) values: Values,
    pub(crate) now: DateTime,
    /// What the person wanted done with the form in the last turn.
    pub(crate) wish: Option<FormOutcome>,
}

impl Chat {
    pub(crate) fn new(form: Form) -> Self {
        Self { form, state: State::default(), values: Values::new(), now: NOW, wish: None }
    }

    /// One whose greeting is over.
    pub(crate) fn begun(name: &str) -> Self {
        let mut chat = Self::new(example(name));
        chat.say("");
        chat
    }

    /// A change request whose first step is filled in and agreed to.
    pub(crate) fn in_second_step() -> Self {
        let mut chat = Self::begun("change_request.md");
        chat.state.confirmed = vec![1];
        let values = json!({"service": {"text": "x"}, "environment": "staging", "regions": ["eu"]});
        chat.values.clone_from(values.as_object().unwrap());
        chat
    }

    pub(crate) fn turn(&mut self, turn: &Turn, read: impl Fn(&Briefing<'_>) -> ReaderResult) -> Value {
        let heard = conversation::take_turn(&self.form, &self.state, &self.values, turn);
        let understood =
            heard.briefing(self.now, &jiff::tz::TimeZone::UTC).as_ref().map(read).unwrap_or_default();
        let Outcome { state, values, options, action, wish, .. } = heard.answer(&understood);
        self.wish = wish;
        for (id, options) in options {
            self.form.fields.iter_mut().find(|field| field.id == id).unwrap().options = options;
        }
        // Between turns a talk is what was kept of it.
        let past = state.past.clone();
        let kept = State { past, ..State::read(&state.to_value()).unwrap() };
        assert_eq!(kept, state);
        (self.state, self.values) = (kept, values);
        serde_json::to_value(action).unwrap()
    }

    pub(crate) fn say(&mut self, text: &str) -> Value {
        let turn = Turn { text: text.into(), ..Turn::default() };
        self.turn(&turn, built_in)
    }

    pub(crate) fn typed(&mut self, id: &str, value: Value) -> Value {
        let typed = Values::from_iter([(id.to_owned(), value)]);
        self.turn(&Turn { typed, ..Turn::default() }, built_in)
    }

    pub(crate) fn tool(&mut self, name: &str, result: Value) -> Value {
        let tool_results = vec![ToolResult { tool_name: Some(name.into()), result }];
        self.turn(&Turn { tool_results, ..Turn::default() }, built_in)
    }

    /// Says something of which a model understood this.
    pub(crate) fn model(&mut self, text: &str, output: &Value) -> Value {
        let turn = Turn { text: text.into(), ..Turn::default() };
        self.turn(&turn, |briefing| model::read(&output.to_string(), briefing).unwrap())
    }
}

pub(crate) fn built_in(briefing: &Briefing<'_>) -> ReaderResult {
    reader::read(briefing.question).into()
}

/// Reads a model's output about a message to a form of which nothing is known yet.
pub(crate) fn read(output: &str, form: &Form, text: &str) -> Result<ReaderResult, String> {
    let known = &Values::new();
    let question = Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known };
    let (title, purpose, said) = ("", None, "");
    let briefing =
        Briefing { question, title, purpose, tools: &form.tools, values: &Values::new(), said, results: &[] };
    model::read(output, &briefing)
}

#[track_caller]
pub(crate) fn asks(action: &Value, kind: &str, field: &str) {
    assert_eq!(
        (action["action"].as_str(), action["field_id"].as_str()),
        (Some(kind), Some(field)),
        "{action}"
    );
}

#[track_caller]
pub(crate) fn says(action: &Value, words: &[&str]) {
    let said = action["message"].as_str().or(action["text"].as_str()).unwrap_or_default();
    for word in words {
        assert!(said.contains(word), "{word:?} is not in {said:?}");
    }
}
