//! The keys of events about decisions that are added to those in the log.

use holdpoint_core::field::has_custom_text;
use holdpoint_core::{Answer, Decision, OwnerKind, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::number::{OTHER, Pick};
use super::view::{Choice, context, options};

/// Returns the keys that are added to the body of an event of this type; none for other types, or if the body is erased
/// or does not match the type.
pub fn derived(tag: &str, at: Timestamp, body: &Value) -> Map<String, Value> {
    match tag {
        "decision:created" => {
            Decision::deserialize(body).map(|decision| created(&decision, at)).unwrap_or_default()
        }
        "decision:resolved" => {
            let answer = body.get("answer").and_then(|answer| Answer::deserialize(answer).ok());
            let picks = body.get("chosen").and_then(|picks| Vec::<Pick>::deserialize(picks).ok());
            answer.map(|answer| resolved(&answer, &picks.unwrap_or_default(), at)).unwrap_or_default()
        }
        _ => Map::new(),
    }
}

fn created(decision: &Decision, at: Timestamp) -> Map<String, Value> {
    let option = |choice: &Choice| {
        let mut option = json!(choice);
        if let (None, Value::Object(option)) = (&choice.description, &mut option) {
            option.remove("description");
        }
        option
    };
    let options: Vec<Value> = options(decision).iter().map(option).collect();
    let owner = decision.owner.as_ref();
    let mut keys = Map::from_iter([
        ("owner".to_owned(), owner.map_or(Value::Null, |owner| Value::from(owner.to_string()))),
        ("source".to_owned(), Value::from(decision.source.name())),
        ("context".to_owned(), Value::from(context(decision))),
        ("options".to_owned(), Value::Array(options)),
        ("created_at_ms".to_owned(), json!(at.as_millis())),
    ]);
    let job = owner.filter(|owner| owner.kind == OwnerKind::Job);
    keys.extend(job.map(|owner| ("job_id".to_owned(), Value::from(owner.id.as_str()))));
    keys.extend(decision.requested_by.as_deref().map(|agent| ("agent_id".to_owned(), Value::from(agent))));
    keys
}

/// With several questions, the event itself has what was chosen for each.
fn resolved(answer: &Answer, picks: &[Pick], at: Timestamp) -> Map<String, Value> {
    let mut keys = Map::from_iter([("resolved_at_ms".to_owned(), json!(at.as_millis()))]);
    let only = match picks {
        [] => chosen(answer),
        [only] if only.field.is_empty() => Some(Value::from(only.id.as_str())),
        [first, ..] if first.field.is_empty() => Some(picks.iter().map(|pick| pick.id.as_str()).collect()),
        _ => None,
    };
    keys.extend(only.map(|chosen| ("chosen".to_owned(), chosen)));
    let is_words = picks.iter().any(|pick| pick.field.is_empty() && pick.id == OTHER);
    let text = || answer.values.values().find_map(Value::as_str).filter(|_| is_words);
    let words = || answer.values.values().find_map(has_custom_text);
    let message = answer.message.as_deref().or_else(words).or_else(text);
    keys.extend(message.map(|message| ("message".to_owned(), Value::from(message))));
    keys
}

/// Returns what was chosen, if it is one thing: the out, or the value of the only field; free text has a separate id.
///
/// This is the id among the options of the event that created the decision; the number there is in `choices`.
fn chosen(answer: &Answer) -> Option<Value> {
    if let Some(out) = &answer.out {
        return Some(Value::from(out.as_str()));
    }
    let mut values = answer.values.values();
    let only = values.next().filter(|_| answer.values.len() == 1)?;
    let is_words =
        has_custom_text(only).is_some() || answer.message.as_deref().is_some_and(|message| only == message);
    Some(if is_words { Value::from(OTHER) } else { only.clone() })
}
