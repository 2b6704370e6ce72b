//! A decision as a form that a client shows itself, and the values that were filled in. Decisions that a form cannot
//! carry are shown elsewhere, by their address.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::field::has_custom_text;
use holdpoint_core::{Decision, Field, Kind, Values};
use serde_json::{Map, Value, json};

use super::ordered::ORDER;
use super::peer::Peer;
use crate::loss::{Surface, fits};

/// The member for a comment; no field of ours can have this name.
const COMMENT: &str = "_comment";
/// The suffix of a field's name for free text instead of an option.
const OWN: &str = "_own_words";

/// How a client can show a question.
#[derive(Clone, Debug, PartialEq)]
pub enum FormDisplay {
    /// As a form.
    Form(Value),
    /// As an address to open.
    Link(Value),
    /// Not at all; a text tells where the question is.
    Words(String),
}

/// Shows a decision in the best way that the client supports: as a form, by its address, or as text.
pub fn show(decision: &Decision, peer: &Peer, page: Option<&str>) -> FormDisplay {
    let message = decision.prompt.as_deref().or(decision.title.as_deref()).unwrap_or_default();
    match page {
        _ if peer.form && may_be_filled(decision) => FormDisplay::Form(
            json!({ "mode": "form", "message": message, "requestedSchema": schema(decision) }),
        ),
        Some(url) if peer.url => FormDisplay::Link(json!({ "mode": "url", "message": message, "url": url })),
        page => {
            let id = decision.id;
            let place = page.map_or_else(|| format!("hold answer {id}"), str::to_owned);
            FormDisplay::Words(format!("This question is answered elsewhere: {place}"))
        }
    }
}

/// Returns whether a client's form may carry a decision. A subject is shown completely, and by us; and a question for
/// certain people, or for several, is not for just any user of the client.
fn may_be_filled(decision: &Decision) -> bool {
    let anyone = decision.is_for_anyone() && decision.needs.is_none();
    anyone && !decision.needs_consent() && fits(decision, Surface::McpForm)
}

/// Adds to a form why what was filled in before does not count.
pub fn add_fault(form: &mut Value, why: &str) {
    let message = form["message"].as_str().unwrap_or_default();
    form["message"] = format!("{message}\n\nThat was not accepted: {why}").into();
}

/// Returns the name of the request that shows a decision. A revised question is a different request, so that no one
/// answers something that they were not shown.
pub fn key(decision: &Decision) -> String {
    let digest = decision.digest.trim_start_matches("sha256:");
    format!("decision-{}", digest.get(..12).unwrap_or(digest))
}

/// Reads the values that were filled in. None if the person did not answer there, which decides nothing.
pub fn filled(decision: &Decision, response: &Value) -> Option<AnswerInput> {
    if !may_be_filled(decision) || response.get("action").and_then(Value::as_str) != Some("accept") {
        return None;
    }
    let content = response.get("content")?.as_object()?;
    let mut values = Values::new();
    for field in &decision.fields {
        let own = content.get(&format!("{}{OWN}", field.id)).and_then(Value::as_str);
        let own = own.filter(|text| !text.trim().is_empty() && field.custom);
        let given = content.get(&field.id).filter(|value| !value.is_null());
        let value = match (own, given) {
            (Some(own), Some(Value::Array(items))) if field.kind == Kind::Choices => {
                Some(Value::Array(items.iter().cloned().chain([json!({ "text": own })]).collect()))
            }
            (Some(own), _) if field.kind == Kind::Choices => Some(json!([{ "text": own }])),
            (Some(own), _) => Some(json!({ "text": own })),
            (None, given) => given.cloned(),
        };
        if let Some(value) = value {
            values.insert(field.id.clone(), value);
        }
    }
    let message = content.get(COMMENT).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    Some(AnswerInput {
        values,
        message: message.map(str::to_owned),
        digest: Some(decision.digest.clone()),
        ..AnswerInput::default()
    })
}

fn schema(decision: &Decision) -> Value {
    let mut properties = Map::new();
    let mut order = Vec::new();
    let mut required = Vec::new();
    let mut add = |name: String, property| {
        properties.insert(name.clone(), property);
        order.push(name);
    };
    for field in &decision.fields {
        add(field.id.clone(), property(field));
        if field.custom {
            let title = format!("{} (in your own words)", field.label);
            add(format!("{}{OWN}", field.id), json!({ "type": "string", "title": title }));
        } else if field.required {
            required.push(field.id.as_str());
        }
    }
    add(COMMENT.to_owned(), json!({ "type": "string", "title": "Anything to add?" }));
    json!({ "type": "object", "properties": properties, "required": required, ORDER: order })
}

fn property(field: &Field) -> Value {
    let options = || field.options.iter().map(|option| json!({ "const": option.id, "title": option.label }));
    let mut property = match field.kind {
        Kind::Choice | Kind::Confirm => json!({ "type": "string", "oneOf": options().collect::<Vec<_>>() }),
        Kind::Choices => {
            let least = u64::from(field.required && !field.custom);
            json!({ "type": "array", "minItems": least, "items": { "anyOf": options().collect::<Vec<_>>() } })
        }
        Kind::Number => json!({ "type": "number" }),
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Email => json!({ "type": "string", "format": "email" }),
        Kind::Url => json!({ "type": "string", "format": "uri" }),
        Kind::Date => json!({ "type": "string", "format": "date" }),
        Kind::Text
        | Kind::Multiline
        | Kind::Tel
        | Kind::Time
        | Kind::Datetime
        | Kind::Location
        | Kind::Products => {
            json!({ "type": "string" })
        }
    };
    property["title"] = field.label.as_str().into();
    if let Some(about) = &field.description {
        property["description"] = about.as_str().into();
    }
    let (least, most) = match field.kind {
        Kind::Number | Kind::Integer => ("minimum", "maximum"),
        kind if kind.is_text() => ("minLength", "maxLength"),
        Kind::Choices => ("minItems", "maxItems"),
        _ => ("", ""),
    };
    for (key, bound) in [(least, &field.min), (most, &field.max)] {
        if let Some(bound) = bound.as_ref().filter(|bound| bound.is_number() && !key.is_empty()) {
            property[key] = bound.clone();
        }
    }
    if let Some(default) = field.default.as_ref().filter(|value| has_custom_text(value).is_none()) {
        property["default"] = default.clone();
    }
    property
}
