//! What a language model says it understood, taken for what it is: input like any other.
//!
//! The model is shown the form and the person's words, and answers with one JSON object ([`schema`]). Each value must
//! point to the words it comes from; what it cannot point to is asked, not assumed. What it says that no field takes
//! is told, never stored.

use holdpoint_core::{Field, field};
use serde_json::{Map, Value, json};

use super::reader::{Reading, Taken, Unfit};
use super::wire::Action;

/// What the model made of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Understood {
    /// Values, as a reader gives them.
    Values(Reading),
    /// The person wants to change a field.
    Correction {
        /// Which, if the model names one that exists.
        field: Option<String>,
        /// The new value, if it was said.
        reading: Reading,
    },
    /// Something is to be said before the field is asked again.
    Remark(Option<String>),
    /// The model wants something looked up.
    Tool(Action),
}

/// Reads a model's output.
///
/// # Errors
/// If it is nothing that could be understood; the message tells the model what would be.
pub fn read(output: &str, fields: &[Field], asked: Option<&str>, text: &str) -> Result<Understood, String> {
    let value = object_in(output).ok_or("answer with one JSON object and nothing else")?;
    let Value::Object(map) = value else {
        return Err("answer with one JSON object, not a list or a bare value".into());
    };
    if map.contains_key("action") {
        return tool_call(&map);
    }
    let message = map
        .get("message")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned);
    match map.get("intent").and_then(Value::as_str) {
        Some("multi_answer") => {
            // Answers that are no object say nothing; the field is asked.
            let answers = map.get("answers").and_then(Value::as_object).cloned().unwrap_or_default();
            let mut reading = Reading::default();
            for (id, answer) in &answers {
                take(&mut reading, fields, id, answer, map.get("words"), text);
            }
            Ok(Understood::Values(reading))
        }
        Some("answer") => {
            let id = match map.get("field_id") {
                None => asked,
                Some(id) => id.as_str().filter(|id| fields.iter().any(|field| field.id == *id)),
            };
            let mut reading = Reading::default();
            if let (Some(id), Some(value)) = (id, map.get("value").filter(|value| !value.is_null())) {
                take(&mut reading, fields, id, value, map.get("words"), text);
            }
            if reading.is_empty() { Ok(Understood::Remark(message)) } else { Ok(Understood::Values(reading)) }
        }
        Some("correction") => {
            let id = map
                .get("field_id")
                .and_then(Value::as_str)
                .filter(|id| fields.iter().any(|field| field.id == *id));
            let mut reading = Reading::default();
            if let (Some(id), Some(value)) = (id, map.get("value").filter(|value| !value.is_null())) {
                take(&mut reading, fields, id, value, map.get("words"), text);
            }
            Ok(Understood::Correction { field: id.map(str::to_owned), reading })
        }
        Some(_) => Ok(Understood::Remark(message)),
        None if message.is_some() => Ok(Understood::Remark(message)),
        None => Err("give an intent: multi_answer, answer, correction, clarify or ask".into()),
    }
}

/// Returns the JSON schema that a model's output is held to.
pub fn schema(fields: &[Field]) -> Value {
    let ids: Vec<&str> = fields.iter().map(|field| field.id.as_str()).collect();
    let answer = json!({
        "type": "object",
        "properties": { "value": {}, "words": { "type": "string" } },
        "required": ["value", "words"],
        "additionalProperties": false,
    });
    let answers: Map<String, Value> = ids.iter().map(|id| ((*id).to_owned(), answer.clone())).collect();
    json!({
        "type": "object",
        "properties": {
            "intent": { "enum": ["multi_answer", "answer", "correction", "clarify", "ask"] },
            "answers": { "type": "object", "properties": answers, "additionalProperties": false },
            "field_id": { "enum": ids },
            "value": {},
            "words": { "type": "string" },
            "message": { "type": "string" },
        },
        "required": ["intent"],
        "additionalProperties": false,
    })
}

/// Takes one value, if it fits its field and its words stand in the text.
fn take(
    reading: &mut Reading,
    fields: &[Field],
    id: &str,
    answer: &Value,
    words: Option<&Value>,
    text: &str,
) {
    let (value, own) = match answer {
        Value::Object(map) if map.contains_key("value") => {
            (map.get("value").unwrap_or(answer), map.get("words"))
        }
        _ => (answer, None),
    };
    let words = own.or(words).and_then(Value::as_str).unwrap_or_default().trim();
    let Some(known) = fields.iter().find(|field| field.id == id) else {
        let words = holdpoint_core::text::inert_line(&value.to_string());
        reading.unfit.push(Unfit { field: id.to_owned(), why: "there is no such field".into(), words });
        return;
    };
    match field::check(known, value) {
        Ok(_) if words.is_empty() || !contains(text, words) => {}
        Ok(value) => reading.taken.push(Taken { field: id.to_owned(), value, words: words.to_owned() }),
        Err(why) => {
            let words = holdpoint_core::text::inert_line(&value.to_string());
            reading.unfit.push(Unfit { field: id.to_owned(), why, words });
        }
    }
}

/// Returns whether a text holds some words, spaces and case aside.
fn contains(text: &str, words: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    plain(text).contains(&plain(words))
}

fn tool_call(map: &Map<String, Value>) -> Result<Understood, String> {
    if map.get("action").and_then(Value::as_str) != Some("TOOL_CALL") {
        return Err("only TOOL_CALL is taken as an action; say what you understood with an intent".into());
    }
    let name = map.get("tool_name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    let tool_name = name.ok_or("TOOL_CALL needs a tool_name")?.to_owned();
    let tool_args = match map.get("tool_args") {
        None => Map::new(),
        Some(Value::Object(args)) => args.clone(),
        Some(_) => return Err("tool_args must be an object".into()),
    };
    let message = map.get("message").and_then(Value::as_str).unwrap_or("Looking that up…").to_owned();
    Ok(Understood::Tool(Action::ToolCall { tool_name, tool_args, message }))
}

/// Finds the JSON in an output: all of it, what is fenced, or from the first brace to the last.
fn object_in(output: &str) -> Option<Value> {
    let parse = |text: &str| holdpoint_core::json::parse_strict(text.trim()).ok();
    let fenced = || {
        output.split("```").skip(1).step_by(2).find_map(|part| {
            let part = part.strip_prefix("json").unwrap_or(part);
            parse(part)
        })
    };
    let braced = || output.get(output.find('{')?..=output.rfind('}')?).and_then(parse);
    parse(output).or_else(fenced).or_else(braced)
}
