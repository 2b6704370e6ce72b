//! Any decision as a request, as far as AITP can carry it.

use holdpoint_core::json::Values;
use holdpoint_core::text::quote;
use holdpoint_core::{Decision, Field, Kind, OnTimeout, Opt};
use serde_json::{Map, Value, json};

use super::form::finding;
use super::keep::{field_id, option_id, option_texts, restore};
use super::{origin, request_id};
use crate::aitp::finding::Finding;
use crate::aitp::message::{Message, ParsedMessage};
use crate::aitp::{Capability, Layer};

/// A decision as a request, and what AITP cannot express of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRequest {
    /// The request.
    pub message: Message,
    /// Descriptions of what is left out.
    pub left_out: Vec<String>,
}

/// Converts a decision to a request.
///
/// # Errors
/// Why AITP cannot carry the decision.
pub fn to_request(decision: &Decision) -> Result<DecisionRequest, Vec<Finding>> {
    let carrier = carrier(decision)?;
    let mut left_out = about(decision);
    let mut body = Values::new();
    body.insert("id".into(), request_id(decision).into());
    for (name, text) in [("title", &decision.title), ("description", &decision.prompt)] {
        if let Some(text) = text {
            body.insert(name.into(), text.as_str().into());
        }
    }
    match carrier {
        Carrier::Choice(field) => {
            left_out.extend(of_choice(field));
            body.insert("type".into(), type_of(field.kind).into());
            body.insert("options".into(), field.options.iter().map(option).collect());
        }
        Carrier::Form => {
            left_out.extend(decision.fields.iter().flat_map(of_field));
            body.entry("description").or_insert_with(|| json!(""));
            body.insert(
                "form".into(),
                json!({ "fields": decision.fields.iter().map(field).collect::<Vec<_>>() }),
            );
        }
    }
    write(decision, carrier.capability(), carrier.request(), body, left_out)
}

/// The message that carries a decision.
#[derive(Clone, Copy, Debug)]
pub(super) enum Carrier<'a> {
    /// One field with options to choose from.
    Choice(&'a Field),
    /// All fields, to be filled in.
    Form,
}

impl Carrier<'_> {
    pub(super) fn capability(self) -> Capability {
        match self {
            Self::Choice(_) => Capability::Decisions,
            Self::Form => Capability::DataRequest,
        }
    }

    fn request(self) -> &'static str {
        match self {
            Self::Choice(_) => "request_decision",
            Self::Form => "request_data",
        }
    }
}

/// Determines which message can carry a decision.
pub(super) fn carrier(decision: &Decision) -> Result<Carrier<'_>, Vec<Finding>> {
    let was_form =
        origin(decision).and_then(|origin| origin.extra.get("message")) == Some(&json!("request_data"));
    match decision.fields.as_slice() {
        [field] if !was_form && field.kind.picks() && !field.custom && !field.options.is_empty() => {
            return Ok(Carrier::Choice(field));
        }
        _ => {}
    }
    let cannot = |field: &Field| {
        let why = match field.kind {
            Kind::Choices | Kind::Products => "takes several, which a form of AITP cannot",
            Kind::Choice | Kind::Confirm if field.options.is_empty() && !field.custom => {
                "has no options yet; a tool must give them first"
            }
            _ => return None,
        };
        Some(finding(String::new(), format!("field {} {why}", quote(&field.id))))
    };
    let faults: Vec<Finding> = decision.fields.iter().filter_map(cannot).collect();
    if faults.is_empty() { Ok(Carrier::Form) } else { Err(faults) }
}

fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Choices => "checkbox",
        Kind::Confirm => "confirmation",
        Kind::Products => "products",
        _ => "radio",
    }
}

fn option(option: &Opt) -> Value {
    let mut members = Map::new();
    members.insert("id".into(), option_id(option).into());
    members.insert("name".into(), option.label.as_str().into());
    for (name, text) in [
        ("short_variant_name", &option.short),
        ("image_url", &option.image_url),
        ("description", &option.description),
        ("url", &option.url),
    ] {
        if let Some(text) = text {
            members.insert(name.into(), text.as_str().into());
        }
    }
    for (name, value) in [
        ("quote", option.quote.clone()),
        ("reviews_count", option.reviews_count.map(Value::from)),
        ("five_star_rating", option.rating.map(Value::from)),
    ] {
        if let Some(value) = value {
            members.insert(name.into(), value);
        }
    }
    if !option.variants.is_empty() {
        members.insert("variants".into(), option.variants.iter().map(self::option).collect());
    }
    restore(&mut members, &option.extra);
    Value::Object(members)
}

fn field(field: &Field) -> Value {
    let mut members = Map::new();
    members.insert("id".into(), field_id(field).into());
    members.insert("label".into(), field.label.as_str().into());
    if let Some(description) = &field.description {
        members.insert("description".into(), description.as_str().into());
    }
    let kind = match field.kind {
        Kind::Number | Kind::Integer => "number",
        Kind::Email => "email",
        Kind::Multiline => "textarea",
        Kind::Tel => "tel",
        Kind::Choice | Kind::Confirm if field.custom => "combobox",
        Kind::Choice | Kind::Confirm | Kind::Boolean => "select",
        _ => "text",
    };
    members.insert("type".into(), kind.into());
    if field.kind == Kind::Boolean {
        members.insert("options".into(), json!(["Yes", "No"]));
    } else if !field.options.is_empty() {
        members.insert("options".into(), option_texts(field).into_iter().map(|(_, text)| text).collect());
    }
    // AITP cannot express when a field is visible: one that is only required at times is sent as optional.
    members.insert("required".into(), (field.required && field.visible_if.is_none()).into());
    if let Some(default) = &field.default {
        members.insert("default_value".into(), super::reply::text(field, default).into());
    }
    restore(&mut members, &field.extra);
    Value::Object(members)
}

/// Lists the parts of a decision that no message has.
fn about(decision: &Decision) -> Vec<String> {
    let mut left = Vec::new();
    if let Some(deadline) = decision.deadline {
        let then = match decision.on_timeout {
            OnTimeout::Expire => "",
            OnTimeout::Default => ", and that a default is taken then",
            OnTimeout::Deny => ", and that silence is a no",
            OnTimeout::Cancel => ", and that the owner is cancelled then",
        };
        left.push(format!("that it must be answered by {deadline}{then}"));
    }
    if !decision.outs.is_empty() {
        let ids: Vec<String> = decision.outs.iter().map(|out| quote(&out.id)).collect();
        left.push(format!("that it can be ended without an answer: {}", ids.join(", ")));
    }
    if decision.subject.is_some() {
        left.push("the subject that is decided on".into());
    }
    if decision.guidance.is_some() {
        left.push("the guidance that opened this round".into());
    }
    if !decision.assignees.is_empty() {
        left.push("who is to answer".into());
    }
    left
}

fn of_choice(field: &Field) -> Vec<String> {
    let mut left = Vec::new();
    let any = |is: fn(&Opt) -> bool| field.all_options().any(is);
    if any(|option| option.recommended) {
        left.push("which option is recommended".to_owned());
    }
    if any(|option| option.refuses) {
        left.push("which option is a no".into());
    }
    if field.min.is_some() || field.max.is_some() {
        left.push("how many may be chosen".into());
    }
    if !field.required {
        left.push("that nothing need be chosen".into());
    }
    left
}

fn of_field(field: &Field) -> Vec<String> {
    let mut left = Vec::new();
    let mut say = |what: &str| left.push(format!("{what} (field {})", quote(&field.id)));
    if field.visible_if.is_some() {
        say("when it is asked; it is sent as optional");
    }
    if field.min.is_some() || field.max.is_some() {
        say("its bounds");
    }
    if matches!(
        field.kind,
        Kind::Url | Kind::Date | Kind::Time | Kind::Datetime | Kind::Location | Kind::Integer
    ) {
        say(&format!("that it takes a {}", field.kind.name()));
    }
    let more =
        |option: &Opt| option.description.is_some() || option.image_url.is_some() || option.url.is_some();
    if field.all_options().any(more) {
        say("what its options say beside their names");
    }
    left
}

/// Completes a message and checks that it is valid.
pub(super) fn write(
    decision: &Decision,
    capability: Capability,
    name: &str,
    mut body: Values,
    left_out: Vec<String>,
) -> Result<DecisionRequest, Vec<Finding>> {
    let mut message = Map::new();
    let asked = origin(decision);
    if let Some(origin) = asked.filter(|origin| origin.extra.get("message") == Some(&json!(name))) {
        let fields = body.get("form").and_then(|form| form.get("fields")).cloned();
        restore(&mut body, &origin.extra);
        if let (Some(fields), Some(Value::Object(form))) = (fields, body.get_mut("form")) {
            form.insert("fields".into(), fields);
        }
        if let Some(Value::Object(envelope)) = origin.extra.get("envelope") {
            message.extend(envelope.clone());
        }
    }
    let schema = asked.and_then(|origin| origin.schema.clone()).unwrap_or_else(|| capability.schema());
    message.insert("$schema".into(), schema.into());
    message.insert(name.into(), Value::Object(body));
    match Message::read(&Value::Object(message).to_string(), decision.created_at) {
        Ok(ParsedMessage { message, .. }) => Ok(DecisionRequest { message, left_out }),
        Err(verdict) => {
            let schema = |finding: &Finding| finding.layer == Layer::Schema;
            let (wrong, odd): (Vec<Finding>, Vec<Finding>) = verdict.errors.into_iter().partition(schema);
            Err(if wrong.is_empty() { odd } else { wrong })
        }
    }
}
