//! The keys that events about decisions carry besides what the log keeps.

use holdpoint_core::field::has_custom_text;
use holdpoint_core::{Answer, Decision, Opt, OwnerKind, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::number;
use super::number::{OTHER, Pick};
use super::view::context;

/// Returns the keys that belong to an event of this type besides its body; none for other types, nor where the
/// body is erased or not what the type has.
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
    let several = number::questions(decision).len() > 1;
    let option = |entry: &number::Entry<'_>| {
        let mut option = Map::from_iter([
            ("number".to_owned(), Value::from(entry.number)),
            ("id".to_owned(), Value::from(entry.id().unwrap_or(OTHER))),
            ("label".to_owned(), Value::from(entry.label)),
            ("recommended".to_owned(), Value::from(entry.recommended)),
        ]);
        option
            .extend(entry.field().filter(|_| several).map(|field| ("field".to_owned(), Value::from(field))));
        option.extend(entry.description.map(|text| ("description".to_owned(), Value::from(text))));
        Value::Object(option)
    };
    let mut options: Vec<Value> = number::entries(decision).iter().map(option).collect();
    // What goes by its id has no number.
    let by_ids = number::questions(decision).into_iter().filter(|field| number::goes_by_ids(field));
    options.extend(by_ids.flat_map(|field| {
        let listed = |option: &Opt| json!({ "id": option.id, "label": option.label, "recommended": option.recommended, "field": field.id });
        field.options.iter().map(listed)
    }));
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

/// Of several questions the event itself says what was chosen for each.
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

/// What was chosen, where it is one thing: the out, or the value of the only field; own words go by an id of their own.
///
/// This is its id among the options of the event that created the decision; its number there is in `choices`.
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
