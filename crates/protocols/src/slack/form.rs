//! The form of a decision, as a modal.

use std::collections::HashSet;

use holdpoint_core::form::{Condition, accept_draft, visible};
use holdpoint_core::json::Values;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, FieldError, Source, Status};
use serde_json::{Value, json};

use super::inputs::{inputs, is_drawable};
use super::text::{block, line, normal, plain};
use crate::channel::shortened;

/// The most inputs in a modal; Slack allows a hundred blocks.
const MOST_INPUTS: usize = 40;
/// The most characters that a person may write, as in Slack.
pub(super) const MOST_WORDS: usize = 3_000;
/// How much of the question is shown above the form.
const PROMPT: usize = 1_200;

/// What a person has entered so far.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The values, by field.
    pub values: Values,
    /// The free text.
    pub words: Option<String>,
    /// The errors in it.
    pub faults: Vec<FieldError>,
}

impl Draft {
    /// Returns the initial values of a form.
    pub fn of(decision: &Decision) -> Self {
        let start = |id: &String| decision.draft.get(id).cloned();
        let fields = decision.fields.iter();
        let values = fields.filter_map(|field| {
            Some((field.id.clone(), start(&field.id).or_else(|| field.default.clone())?))
        });
        Self { values: values.collect(), ..Self::default() }
    }
}

/// Returns whether a decision can be answered in a modal: every field has an input there.
pub fn can_draw(decision: &Decision) -> bool {
    decision.status == Status::Pending
        && decision.source != Source::Verdict
        && !decision.fields.is_empty()
        && decision.fields.len() <= MOST_INPUTS
        && decision.fields.iter().all(is_drawable)
}

/// Returns the modal for answering a decision. `consents` says whether it may offer a yes to the subject.
pub fn form(decision: &Decision, handle: &str, consents: bool, draft: &Draft) -> Value {
    // Wrong values make no other fields visible.
    let known = accept_draft(&decision.fields, &draft.values).values;
    let looked_at: HashSet<&str> = decision
        .fields
        .iter()
        .filter_map(|field| field.visible_if.as_ref())
        .flat_map(Condition::references)
        .collect();
    let mut blocks = vec![above(decision)];
    let no_only = decision.needs_consent() && !consents;
    let asked = visible(&decision.fields, &known);
    for (at, field) in decision.fields.iter().enumerate() {
        if !asked.iter().any(|one| one.id == field.id) {
            continue;
        }
        let watched = looked_at.contains(field.id.as_str());
        blocks.extend(inputs(at, field, draft.values.get(&field.id), watched, no_only));
        let fault = draft.faults.iter().find(|fault| fault.field == field.id);
        blocks.extend(fault.map(|fault| wrong(&fault.message)));
    }
    let is_elsewhere = |fault: &&FieldError| !asked.iter().any(|field| field.id == fault.field);
    blocks.extend(draft.faults.iter().filter(is_elsewhere).map(|fault| wrong(&fault.to_string())));
    let words = words_input("Words that go with it", draft.words.as_deref(), true);
    blocks.push(words);
    view(handle, &blocks, Some("Send"))
}

/// Returns the modal for an answer that needs a text.
pub fn words_form(decision: &Decision, handle: &str, label: &str) -> Value {
    let blocks = [above(decision), words_input(label, None, false)];
    view(handle, &blocks, Some("Send"))
}

/// Returns the modal while an answer is being sent.
pub fn sending() -> Value {
    closing("Sending…")
}

/// Returns the final modal.
pub fn closing(words: &str) -> Value {
    view("", &[json!({ "type": "rich_text", "elements": [line(&[normal(&shortened(words, 1_000))])] })], None)
}

fn view(handle: &str, blocks: &[Value], submit: Option<&str>) -> Value {
    let mut view = json!({
        "type": "modal", "callback_id": "answer", "private_metadata": handle, "blocks": blocks,
        "title": plain("Decision", 24), "close": plain("Close", 24),
    });
    if let Some(submit) = submit {
        view["submit"] = plain(submit, 24);
    }
    view
}

fn above(decision: &Decision) -> Value {
    let title = inert_line(decision.summary());
    let mut parts = vec![block(&shortened(&title, 300))];
    if let Some(prompt) = decision.prompt.as_deref().filter(|_| decision.title.is_some()) {
        parts.push(block(&shortened(&inert(prompt), PROMPT)));
    }
    json!({ "type": "rich_text", "elements": parts })
}

fn words_input(label: &str, start: Option<&str>, optional: bool) -> Value {
    let mut element = json!({
        "type": "plain_text_input", "action_id": "v", "multiline": true, "max_length": MOST_WORDS,
    });
    if let Some(start) = start {
        element["initial_value"] = json!(shortened(start, MOST_WORDS));
    }
    json!({ "type": "input", "block_id": "words", "label": plain(label, 200), "optional": optional, "element": element })
}

fn wrong(why: &str) -> Value {
    json!({ "type": "context", "elements": [plain(&format!("Wrong: {}", inert_line(why)), 500)] })
}
