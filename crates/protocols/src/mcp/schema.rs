//! The parameters of the tools, as JSON Schema: detailed enough for a model to write them. Core does the actual
//! validation.

use holdpoint_core::{Kind, Source, Status};
use serde_json::{Map, Value, json};

pub(super) fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub(super) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

pub(super) fn id() -> Value {
    text("The decision: its id, or any start of it that no other has")
}

pub(super) fn any_object(about: &str) -> Value {
    json!({ "type": "object", "description": about })
}

/// Returns the parameters of `ask`: a full decision, or the short form of one question.
pub(super) fn ask() -> Value {
    let sources: Vec<&str> = Source::ALL.iter().map(|source| source.name()).collect();
    let mut properties = question();
    let more = json!({
        "options": {
            "type": "array",
            "description": "Short form, instead of fields: what can be chosen",
            "items": { "anyOf": [{ "type": "string" }, option()] },
        },
        "multiple": { "type": "boolean", "description": "With options: several may be chosen" },
        "custom": { "type": "boolean", "description": "With options: words of their own are taken too" },
        "kind": { "type": "string", "description": "Short form, instead of fields: the kind of the one answer", "enum": kinds() },
        "source": { "type": "string", "enum": sources, "description": "Why it is asked; approval if there is a subject, else question" },
        "outs": { "type": "array", "items": option(), "description": "What can be taken instead of answering" },
        "owner": text("Who waits, e.g. item:bd-abc123"),
        "project": text("Where it belongs"),
        "requested_by": text("Your name; you are told what was answered under it"),
        "assignees": { "type": "array", "items": { "type": "string" }, "description": "Who is asked; agent:NAME for an agent" },
        "priority": { "type": "string", "enum": ["low", "normal", "high", "urgent"] },
        "timeout": text("How long until silence settles it, e.g. 30m"),
        "deadline": text("When silence settles it, e.g. 2030-01-01T12:00:00Z"),
        "on_timeout": { "type": "string", "enum": ["expire", "default", "deny", "cancel"], "description": "What silence means; never consent" },
        "default": any_object("The answer that silence gives, by field id"),
        "max_iterations": { "type": "integer", "minimum": 1, "maximum": 100, "description": "How many rounds of guidance there may be" },
        "origin": any_object("What a foreign message needs to be answered in kind"),
        "exclusive": { "type": "boolean", "description": "Refuse while another decision of the same owner is pending" },
        "key": text("Ask only once under this key, however often this is called"),
        "wait": wait(),
    });
    extend(&mut properties, more);
    object(&Value::Object(properties), &[])
}

/// Returns the parameters of `revise`.
pub(super) fn revise() -> Value {
    let mut properties = question();
    extend(
        &mut properties,
        json!({ "id": id(), "default": any_object("A new answer for silence, by field id") }),
    );
    object(&Value::Object(properties), &["id"])
}

/// Returns the parameters of `answer`.
pub(super) fn answer() -> Value {
    let properties = json!({
        "id": id(),
        "values": any_object("Values by field id"),
        "choice": { "description": "The value of the only field that takes one choice" },
        "choices": { "type": "array", "description": "The value of the only field that takes several" },
        "out": text("An out, instead of values"),
        "message": text("Free words that go with it"),
        "guidance": text("Words that ask for another round, instead of an answer"),
        "digest": text("The digest of what was shown"),
        "by": text("Who answers; counts only where nobody checks who it is"),
    });
    object(&properties, &["id"])
}

/// Returns the parameters of `list`.
pub(super) fn list() -> Value {
    let statuses: Vec<&str> = Status::ALL.iter().map(|status| status.name()).chain(["all"]).collect();
    let properties = json!({
        "status": { "type": "string", "enum": statuses, "description": "pending if not given" },
        "project": text("In which project; all if not given"),
        "source": text("From which source"),
        "owner": text("Of which owner"),
        "requested_by": text("Asked by whom"),
        "limit": { "type": "integer", "minimum": 1, "maximum": 200, "description": "20 if not given" },
        "cursor": text("Where the page before ended"),
    });
    object(&properties, &[])
}

/// Returns the parameter for how long a call holds.
pub(super) fn wait() -> Value {
    text("How long this call holds, e.g. 5m, or 0s not to hold; as long as you allow if not given")
}

fn question() -> Map<String, Value> {
    let mut properties = Map::new();
    extend(
        &mut properties,
        json!({
            "prompt": text("The question in full, as markdown"),
            "title": text("A line for lists"),
            "fields": { "type": "array", "items": field(), "description": "What is asked, where one question is not enough" },
            "subject": { "description": "The exact thing to be approved: tool and arguments, a command, a plan" },
        }),
    );
    properties
}

fn field() -> Value {
    json!({
        "type": "object",
        "required": ["id", "kind"],
        "properties": {
            "id": text("Names it in the answer"),
            "kind": { "type": "string", "enum": kinds() },
            "label": text("What the person reads"),
            "description": text("More about it"),
            "required": { "type": "boolean" },
            "options": { "type": "array", "items": option() },
            "custom": { "type": "boolean", "description": "Words of their own are taken too" },
            "visible_if": any_object("{field, op, value}, or a tree of all, any, not over such"),
            "default": { "description": "What it starts with" },
            "min": { "description": "Least number, length, count or date" },
            "exclusive_min": { "type": "boolean", "description": "A number must be greater than min" },
            "exclusive_max": { "type": "boolean", "description": "A number must be less than max" },
            "max": { "description": "Greatest number, length, count or date" },
        },
    })
}

fn option() -> Value {
    json!({
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": text("Names it in the answer"),
            "label": text("What the person reads"),
            "description": text("More about it, as markdown"),
            "recommended": { "type": "boolean" },
            "refuses": { "type": "boolean", "description": "Choosing it is a no" },
        },
    })
}

fn kinds() -> Vec<&'static str> {
    Kind::ALL.iter().map(|kind| kind.name()).collect()
}

fn extend(properties: &mut Map<String, Value>, more: Value) {
    if let Value::Object(more) = more {
        properties.extend(more);
    }
}
