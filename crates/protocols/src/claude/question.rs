//! `AskUserQuestion`: one to four questions at once, each a field; the answer's keys are the exact questions.

use std::collections::HashSet;

use holdpoint_core::decision::New;
use holdpoint_core::field::has_custom_text;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Opt, Refusal, Source};
use serde_json::{Map, Value, json};

use super::input::Tool;
use super::lineage;
use super::terms::CallContext;
use crate::oddjobs::question::{Question, fields, read_all};

/// The tool's name.
pub(super) const TOOL: &str = "AskUserQuestion";

/// Returns the question for an agent's questions.
pub(super) fn ask(tool: &Tool, terms: &CallContext) -> Result<New, Refusal> {
    let questions = read(tool)?;
    let dismiss = Opt {
        description: Some("Do not answer; the agent is told so".to_owned()),
        ..Opt::new("dismiss", "Dismiss")
    };
    let outs = terms.within.as_ref().map_or_else(|| vec![dismiss], |_| lineage::outs(Source::Question));
    let fields = fields(&questions, &outs);
    let first = questions.first().map(|question| question.question.as_str()).unwrap_or_default();
    let (title, prompt) = match questions.len() {
        1 => (first.to_owned(), first.to_owned()),
        count => (
            format!("{count} questions: {}", inert_line(first)),
            format!("The agent asks {count} questions."),
        ),
    };
    Ok(New {
        source: Some(Source::Question),
        title: Some(lineage::title(terms, &title)),
        prompt: Some(prompt),
        fields,
        outs,
        ..New::default()
    })
}

/// Returns the input with which the tool continues: the unchanged questions, and the answers.
pub(super) fn answered(tool: &Tool, decision: &Decision) -> Map<String, Value> {
    let questions = read(tool).unwrap_or_default();
    let message = decision.answer.as_ref().and_then(|answer| answer.message.as_deref());
    let (mut answers, mut notes) = (Map::new(), Map::new());
    for (question, field) in questions.iter().zip(&decision.fields) {
        let value = decision.answer.as_ref().and_then(|answer| answer.values.get(&field.id));
        if let Some(value) = value {
            answers.insert(question.question.clone(), Value::from(value_text(field, value)));
        }
    }
    // A message belongs to the whole card; it is read as a note on the first question.
    if let (Some(message), Some(first)) = (message, questions.first()) {
        notes.insert(first.question.clone(), json!({ "notes": message }));
    }
    let mut input = tool.input.clone();
    input.insert("answers".to_owned(), Value::Object(answers));
    if !notes.is_empty() {
        input.insert("annotations".to_owned(), Value::Object(notes));
    }
    input
}

/// Returns the input for a person who replied to the whole card instead.
pub(super) fn responded(tool: &Tool, response: &str) -> Map<String, Value> {
    let mut input = tool.input.clone();
    input.insert("answers".to_owned(), Value::Object(Map::new()));
    input.insert("response".to_owned(), response.into());
    input
}

/// Returns the chosen labels, or the person's own text.
fn value_text(field: &Field, value: &Value) -> String {
    let word = |item: &Value| match item {
        Value::String(id) => field.option(id).map_or_else(|| id.clone(), |option| option.label.clone()),
        other => has_custom_text(other).map_or_else(|| other.to_string(), str::to_owned),
    };
    match value {
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(", "),
        one => word(one),
    }
}

fn read(tool: &Tool) -> Result<Vec<Question>, Refusal> {
    let no = |why: &str| Err(Refusal::invalid("questions", why));
    let Some(Value::Array(items)) = tool.input.get("questions") else {
        return no("must be an array of {question, header, options, multiSelect}");
    };
    let mut questions = read_all(items)?;
    if questions.is_empty() {
        return no("are missing: what is asked?");
    }
    let mut met = HashSet::new();
    if questions.iter().any(|question| !met.insert(question.question.as_str())) {
        return no("must differ: answers are identified by the question's text");
    }
    for (question, item) in questions.iter_mut().zip(items) {
        let previews = item.get("options").and_then(Value::as_array).into_iter().flatten();
        for ((_, description), option) in question.options.iter_mut().zip(previews) {
            if let Some(preview) = option.get("preview").and_then(Value::as_str) {
                let before = description.take().map(|text| format!("{text}\n\n")).unwrap_or_default();
                *description = Some(format!("{before}{}", fenced(preview)));
            }
        }
    }
    Ok(questions)
}

/// Wraps text in a fence longer than any in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}
