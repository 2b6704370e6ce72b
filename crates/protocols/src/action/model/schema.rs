//! The JSON schema that a model's output must follow.

use holdpoint_core::{Field, Kind};
use serde_json::{Map, Value, json};

use super::super::form::Tool;

/// Options beyond these are not listed; the value is still checked against all of them.
const LISTED: usize = 200;

/// Returns the schema for a form.
pub fn schema(fields: &[Field], tools: &[Tool]) -> Value {
    let ids: Vec<&str> = fields.iter().map(|field| field.id.as_str()).collect();
    let answers: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let answer = json!({
                "type": "object",
                "properties": { "value": value(field), "words": { "type": "string" } },
                "required": ["value", "words"],
                "additionalProperties": false,
            });
            (field.id.clone(), answer)
        })
        .collect();
    let text = json!({ "type": "string" });
    let one = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    // Each intent with what it must carry: an answer without a value says nothing.
    let mut said = vec![
        one(
            json!({
                "intent": { "enum": ["multi_answer"] },
                "answers": { "type": "object", "properties": answers, "additionalProperties": false },
                "message": text,
            }),
            json!(["intent", "answers"]),
        ),
        one(
            json!({ "intent": { "enum": ["answer"] }, "field_id": { "enum": ids }, "value": {}, "words": text, "message": text }),
            json!(["intent", "field_id", "value", "words"]),
        ),
        one(
            json!({ "intent": { "enum": ["correction"] }, "field_id": { "enum": ids }, "value": {}, "words": text, "message": text }),
            json!(["intent", "field_id"]),
        ),
        one(
            json!({ "intent": { "enum": ["clarify", "ask"] }, "message": text }),
            json!(["intent", "message"]),
        ),
    ];
    if tools.is_empty() {
        return json!({ "anyOf": said });
    }
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let call = json!({
        "type": "object",
        "properties": {
            "action": { "enum": ["TOOL_CALL"] },
            "tool_name": { "enum": names },
            "tool_args": { "type": "object" },
            "message": { "type": "string" },
        },
        "required": ["action", "tool_name"],
        "additionalProperties": false,
    });
    said.push(call);
    json!({ "anyOf": said })
}

fn value(field: &Field) -> Value {
    let ids: Vec<&str> = field.all_options().take(LISTED).map(|option| option.id.as_str()).collect();
    let whole = !field.custom && !ids.is_empty() && field.all_options().count() <= LISTED;
    match field.kind {
        Kind::Choice | Kind::Confirm if whole => json!({ "enum": ids }),
        Kind::Choices if whole => json!({ "type": "array", "items": { "enum": ids } }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Number => json!({ "type": "number" }),
        Kind::Date => json!({ "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$" }),
        Kind::Time => json!({ "type": "string", "pattern": "^\\d{2}:\\d{2}:\\d{2}$" }),
        Kind::Datetime => {
            json!({ "type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$" })
        }
        Kind::Location => json!({
            "type": "object",
            "properties": { "lat": { "type": "number" }, "lng": { "type": "number" } },
            "required": ["lat", "lng"],
            "additionalProperties": false,
        }),
        Kind::Choice | Kind::Confirm | Kind::Choices | Kind::Products => json!({}),
        Kind::Text | Kind::Multiline | Kind::Email | Kind::Tel | Kind::Url => json!({ "type": "string" }),
    }
}
