//! `elicitation/create` with a form: the fields of a flat schema, filled in here or in the editor.

use holdpoint_core::decision::New;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Kind, Opt, Source, Status};
use serde_json::{Map, Value, json};

use super::Reply;

/// The question of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Elicitation {
    pub(super) session: Option<String>,
    message: String,
    fields: Vec<Field>,
}

/// Reads a form; none if it is not one, or has a part that cannot be shown.
pub(super) fn read(params: &Map<String, Value>) -> Option<Elicitation> {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    if text("mode") != Some("form") {
        return None;
    }
    let schema = params.get("requestedSchema")?;
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties")?.as_object()?;
    let fields = properties
        .iter()
        .map(|(id, property)| {
            Some(Field { required: required.contains(&id.as_str()), ..field(id, property)? })
        })
        .collect::<Option<Vec<_>>>()?;
    let message = text("message").unwrap_or("The agent asks.").to_owned();
    (!fields.is_empty()).then(|| Elicitation {
        session: text("sessionId").map(str::to_owned),
        message,
        fields,
    })
}

fn field(id: &str, property: &Value) -> Option<Field> {
    let text = |name: &str| property.get(name).and_then(Value::as_str);
    let label = text("title").map(inert_line).filter(|title| !title.trim().is_empty());
    let label = label.unwrap_or_else(|| id.to_owned());
    let (kind, options, bounds) = match text("type")? {
        "string" => match options(property, "oneOf")? {
            Some(options) => (Kind::Choice, options, None),
            None => (text_kind(text("format")), Vec::new(), Some(("minLength", "maxLength"))),
        },
        "number" => (Kind::Number, Vec::new(), Some(("minimum", "maximum"))),
        "integer" => (Kind::Integer, Vec::new(), Some(("minimum", "maximum"))),
        "boolean" => (Kind::Boolean, Vec::new(), None),
        "array" => {
            (Kind::Choices, options(property.get("items")?, "anyOf")??, Some(("minItems", "maxItems")))
        }
        _ => return None,
    };
    let bound = |name: &str| property.get(name).filter(|bound| bound.is_number()).cloned();
    let mut field = Field::offering(id, kind, label, options);
    field.description = text("description").map(str::to_owned);
    field.default = property.get("default").filter(|default| !default.is_null()).cloned();
    if let Some((least, most)) = bounds {
        (field.min, field.max) = (bound(least), bound(most));
    }
    Some(field)
}

fn text_kind(format: Option<&str>) -> Kind {
    match format {
        Some("email") => Kind::Email,
        Some("uri") => Kind::Url,
        Some("date") => Kind::Date,
        _ => Kind::Text,
    }
}

/// Reads the options of a property: `enum`, or values with titles. The outer none means that they cannot be read.
#[expect(clippy::option_option, reason = "no options are not options that cannot be read")]
fn options(property: &Value, titled: &str) -> Option<Option<Vec<Opt>>> {
    if let Some(values) = property.get("enum") {
        let names = property.get("enumNames").and_then(Value::as_array);
        let read = |(at, value): (usize, &Value)| {
            let id = value.as_str()?;
            let name = names.and_then(|names| names.get(at)).and_then(Value::as_str).unwrap_or(id);
            Some(Opt::new(id, name))
        };
        return Some(Some(values.as_array()?.iter().enumerate().map(read).collect::<Option<_>>()?));
    }
    let Some(values) = property.get(titled) else { return Some(None) };
    let read = |value: &Value| {
        let id = value.get("const")?.as_str()?;
        Some(Opt::new(id, value.get("title").and_then(Value::as_str).unwrap_or(id)))
    };
    Some(Some(values.as_array()?.iter().map(read).collect::<Option<_>>()?))
}

/// Returns the question for a form.
pub(super) fn ask(asked: &Elicitation) -> New {
    New {
        source: Some(Source::Question),
        prompt: Some(asked.message.clone()),
        fields: asked.fields.clone(),
        outs: vec![Opt::new("decline", "Decline")],
        // The editor's form allows no second round.
        max_iterations: Some(1),
        ..New::default()
    }
}

/// Turns a settled decision into the agent's reply; none if there is no answer.
pub(super) fn reply(_: &Elicitation, decision: &Decision) -> Option<Reply> {
    let answer = decision.answer.as_ref().filter(|_| decision.status == Status::Answered)?;
    if answer.out.is_some() || answer.values.is_empty() {
        return Some(Reply { result: declined(), reason: answer.message.clone() });
    }
    Some(Reply { result: json!({ "action": "accept", "content": answer.values }), reason: None })
}

/// Returns a refusal.
pub(super) fn declined() -> Value {
    json!({ "action": "decline" })
}
