//! Results of tools: a sentence and the same as JSON, so that both a model and a program can read it.

use holdpoint_core::decision::{chosen, is_refusal};
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Refusal, Status};
use serde_json::{Map, Value, json};

use crate::claude::{Tool, output, reply};

/// Returns the result of the call that created a decision, in the form of its tool.
pub fn of_call(decision: &Decision) -> Map<String, Value> {
    match prompted(decision) {
        Some(tool) => permission(&output::prompt_tool(&reply(&tool, decision))),
        None => outcome(decision),
    }
}

/// Returns the tool call that a decision is about, if the permission prompt tool asked.
pub fn prompted(decision: &Decision) -> Option<Tool> {
    let origin = decision.origin.as_ref()?;
    let way = origin.extra.get("way").and_then(Value::as_str)?;
    if origin.protocol != "claude-code" || way != "prompt_tool" {
        return None;
    }
    let asked = origin.extra.get("call").or(decision.subject.as_ref())?;
    Some(Tool {
        name: asked.get("tool")?.as_str()?.to_owned(),
        input: asked.get("input")?.as_object()?.clone(),
        use_id: origin.id.clone(),
        cwd: None,
        suggestions: Vec::new(),
    })
}

/// Returns the outcome of a decision, or that it is pending.
pub fn outcome(decision: &Decision) -> Map<String, Value> {
    let answer = decision.answer.as_ref();
    let settled = decision.status != Status::Pending;
    let words = describe_state(decision);
    // Some clients show only the JSON to the model.
    let mut shown = json!({
        "summary": words,
        "state": decision.status,
        "decision_id": decision.id,
        "accepted": accepted(decision),
        "values": answer.map(|answer| &answer.values),
        "out": answer.and_then(|answer| answer.out.as_ref()),
        "message": answer.and_then(|answer| answer.message.as_ref()),
        "by": answer.map(|answer| &answer.by),
        "reason": decision.reason,
        "next": decision.next,
        "superseded_by": decision.superseded_by,
    });
    if !settled {
        shown["poll_after_ms"] = 1_000.into();
    }
    structured(&words, shown)
}

/// Returns a decision in full.
pub fn resource(decision: &Decision) -> Map<String, Value> {
    structured(&describe_state(decision), json!({ "decision": decision }))
}

/// Returns any JSON as a result.
pub fn structured(words: &str, value: Value) -> Map<String, Value> {
    let text = format!("{words}\n{value}");
    let mut result = texts(&text);
    result.insert("structuredContent".to_owned(), value);
    result
}

/// Returns a refusal of a call, with a message that a model can act on.
pub fn failure(message: &str) -> Map<String, Value> {
    let mut result = texts(message);
    result.insert("isError".to_owned(), true.into());
    result
}

/// Returns the text of a result.
pub fn text(result: &Map<String, Value>) -> String {
    let first = result.get("content").and_then(|content| content.get(0));
    first.and_then(|first| first.get("text")).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns the result for a refused command.
pub fn refusal(refusal: &Refusal) -> Map<String, Value> {
    let hint = refusal.hint().map(|hint| format!("\n{hint}")).unwrap_or_default();
    failure(&format!("{}: {refusal}{hint}", refusal.code()))
}

/// Returns the answer of the permission prompt tool: a single text with JSON.
pub fn permission(answer: &Value) -> Map<String, Value> {
    texts(&answer.to_string())
}

/// Returns whether a person chose an option that is not a refusal: a text without a choice is not a yes.
fn accepted(decision: &Decision) -> bool {
    let answered = matches!(decision.status, Status::Answered | Status::TimedOut);
    let filled = decision.answer.as_ref().is_some_and(|answer| !answer.values.is_empty());
    answered && filled && !is_refusal(decision)
}

/// Describes the state of a decision in a sentence.
pub fn describe_state(decision: &Decision) -> String {
    let id = decision.id;
    let picked: Vec<&str> = chosen(decision).iter().map(|chosen| chosen.option.label.as_str()).collect();
    let answer = decision.answer.as_ref();
    let what =
        if picked.is_empty() { answer.map(holdpoint_core::Answer::brief) } else { Some(picked.join(", ")) };
    let what = inert(&what.unwrap_or_default());
    let by = inert(answer.map(|answer| answer.by.as_str()).unwrap_or_default());
    let message =
        answer.and_then(|answer| answer.message.as_deref()).map(|text| format!(" They say: {}", inert(text)));
    let message = message.unwrap_or_default();
    match decision.status {
        Status::Pending => format!("Decision {id} waits for a person. Call `wait` with this id."),
        Status::Answered if accepted(decision) => format!("{by} decided: {what}.{message}"),
        Status::Answered => format!("{by} said no: {what}.{message} Do not go on."),
        Status::TimedOut if answer.is_some() => {
            format!("Nobody answered in time; the declared default is: {what}.")
        }
        Status::TimedOut => "Nobody answered in time, and there is no answer. Do not go on.".to_owned(),
        Status::Refined => {
            let next = decision.next.map(|next| format!(" `revise` decision {next}, then `wait` for it."));
            format!("{by} gave guidance instead of an answer.{message}{}", next.unwrap_or_default())
        }
        Status::Cancelled => "The question was taken back; there is no answer. Do not go on.".to_owned(),
        Status::Superseded => "A newer question replaced it; there is no answer to this one.".to_owned(),
    }
}

fn texts(text: &str) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
    result
}
