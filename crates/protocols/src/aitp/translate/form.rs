//! From a data request to a form.

use std::collections::HashSet;

use holdpoint_core::decision::New;
use holdpoint_core::text::{MAX_FIELDS, MAX_OPTIONS, quote};
use holdpoint_core::{Field, Kind, Opt, Refusal};
use serde_json::{Map, Value};

use super::ask::title_and_prompt;
use super::keep::{Names, option_texts, store_members};
use crate::aitp::finding::Finding;
use crate::aitp::message::data::{FieldType, Form, FormField, RequestData};
use crate::aitp::message::{Body, Message};
use crate::aitp::{Capability, Verdict, validate};

/// Returns the address of the rest of a form, if it is elsewhere.
pub fn form_address(message: &Message) -> Option<&str> {
    match &message.body {
        Body::RequestData(request) => request.form.json_url.as_deref(),
        _ => None,
    }
}

/// Merges a fetched form into the message that named its address. The members of the message take precedence, and its
/// fields come last.
///
/// # Errors
/// If the fetched text is not a form.
pub fn with_form(
    message: Message,
    fetched: &str,
    now: holdpoint_core::Timestamp,
) -> Result<Message, Verdict> {
    let Body::RequestData(mut request) = message.body else { return Ok(message) };
    let mut judged = format!("{{\"$schema\":{:?},\"request_data\":", Capability::DataRequest.schema());
    judged.push_str("{\"id\":\"\",\"description\":\"\",\"form\":");
    judged.push_str(fetched);
    judged.push_str("}}");
    let mut verdict = validate(&judged, now);
    let form = serde_json::from_str::<Form>(fetched);
    let (true, Ok(mut form)) = (verdict.readable, form) else {
        for error in &mut verdict.errors {
            error.pointer = error.pointer.replacen("/request_data/form", "", 1);
        }
        return Err(verdict);
    };
    let own = request.form;
    let fields: Vec<FormField> = form.fields.into_iter().chain(own.fields).flatten().collect();
    form.extra.extend(own.extra);
    request.form =
        Form { fields: (!fields.is_empty()).then_some(fields), json_url: own.json_url, extra: form.extra };
    Ok(Message { body: Body::RequestData(request), ..message })
}

pub(super) fn request(request: &RequestData) -> Result<(New, Map<String, Value>), Refusal> {
    let asked = request.form.fields.as_deref().unwrap_or_default();
    if asked.is_empty() {
        let why = match &request.form.json_url {
            Some(address) => format!("the form lies at {} and must be fetched first", quote(address)),
            None => "has neither fields nor json_url; nobody can fill it in".into(),
        };
        return Err(Refusal::invalid("form", why));
    }
    if asked.len() > MAX_FIELDS {
        return Err(Refusal::invalid("fields", format!("are more than {MAX_FIELDS}")));
    }
    if asked.iter().flat_map(|field| &field.options).map(Vec::len).sum::<usize>() > MAX_OPTIONS {
        return Err(Refusal::invalid("fields", format!("have more than {MAX_OPTIONS} options in all")));
    }
    let mut members = request.extra.clone();
    let mut form = request.form.extra.clone();
    if let Some(address) = &request.form.json_url {
        form.insert("json_url".into(), address.as_str().into());
    }
    if !form.is_empty() {
        members.insert("form".into(), Value::Object(form));
    }
    if let Some(label) = &request.fill_button_label {
        members.insert("fillButtonLabel".into(), label.as_str().into());
    }
    let mut names = Names::new(asked.iter().map(|field| field.id.as_str()));
    let fields = asked.iter().map(|asked| field(asked, &mut names)).collect();
    let (title, prompt) = title_and_prompt(
        request.title.as_deref(),
        Some(&request.description),
        "Please fill in",
        &mut members,
    );
    Ok((New { title, prompt: Some(prompt), fields, ..New::default() }, members))
}

fn field(asked: &FormField, names: &mut Names) -> Field {
    let mut members = asked.extra.clone();
    let id = names.name(&asked.id, "field", &mut members);
    let kind = match asked.kind.unwrap_or_default() {
        FieldType::Text => Kind::Text,
        FieldType::Number => Kind::Number,
        FieldType::Email => Kind::Email,
        FieldType::Textarea => Kind::Multiline,
        FieldType::Tel => Kind::Tel,
        // Without options, only free text is possible.
        FieldType::Select if asked.options.as_ref().is_none_or(Vec::is_empty) => Kind::Text,
        FieldType::Select | FieldType::Combobox => Kind::Choice,
    };
    let given = asked.kind.and_then(|given| serde_json::to_value(given).ok());
    members.insert("type".into(), given.unwrap_or_default());
    for (name, given) in [("autocomplete", &asked.autocomplete), ("default_value", &asked.default_value)] {
        if let Some(given) = given {
            members.insert(name.into(), given.as_str().into());
        }
    }
    let label = asked.label.as_deref().filter(|label| !label.trim().is_empty());
    if label.is_none() {
        members.insert("label".into(), asked.label.as_deref().map_or(Value::Null, Value::from));
    }
    if let Some(options) = &asked.options {
        members.insert("options".into(), options.iter().map(String::as_str).collect());
    }
    if asked.required.is_none() {
        members.insert("required".into(), Value::Null);
    }
    let mut made = Field {
        description: asked.description.clone(),
        required: asked.required.unwrap_or_default(),
        custom: asked.kind == Some(FieldType::Combobox),
        options: if kind == Kind::Choice { options(asked) } else { Vec::new() },
        ..Field::new(id, kind, label.unwrap_or(&asked.id))
    };
    made.default = asked.default_value.as_deref().and_then(|given| value(&made, given).ok().flatten());
    store_members(&mut made.extra, members);
    made
}

/// Makes options of plain strings; duplicates are offered once.
fn options(asked: &FormField) -> Vec<Opt> {
    let given = asked.options.as_deref().unwrap_or_default();
    let mut names = Names::new(given.iter().map(String::as_str));
    let mut met = HashSet::new();
    let made = given.iter().filter(|text| met.insert(text.as_str())).map(|text| {
        let mut members = Map::new();
        let id = names.name(text, "option", &mut members);
        let mut option = Opt::new(id, text.as_str());
        store_members(&mut option.extra, members);
        option
    });
    made.collect()
}

/// Converts the string for a field in a message to the value of the field; none if it is blank.
///
/// # Errors
/// Describes why the field does not accept it.
pub(super) fn value(field: &Field, text: &str) -> Result<Option<Value>, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    let read = match field.kind {
        // A number is kept as written: what a message has in a string is sent back unchanged.
        Kind::Number | Kind::Integer => {
            return holdpoint_core::field::check(field, &trimmed.into()).map(|_| Some(trimmed.into()));
        }
        Kind::Boolean => match trimmed {
            "true" | "Yes" | "yes" => Value::Bool(true),
            "false" | "No" | "no" => Value::Bool(false),
            _ => return Err(format!("{} is neither yes nor no", quote(text))),
        },
        Kind::Choice | Kind::Confirm => {
            let texts = option_texts(field);
            let found = texts.iter().find(|(option, offered)| *offered == text || option.id == text);
            match found {
                Some((option, _)) => option.id.as_str().into(),
                None if field.custom => serde_json::json!({ "text": text }),
                None => text.into(),
            }
        }
        Kind::Location => {
            let (lat, lng) =
                trimmed.split_once(',').ok_or("a location is given as latitude, longitude".to_owned())?;
            let read =
                |part: &str| number(part.trim()).ok_or_else(|| format!("{} is not a number", quote(part)));
            serde_json::json!({ "lat": read(lat)?, "lng": read(lng)? })
        }
        _ => text.into(),
    };
    holdpoint_core::field::check(field, &read).map(Some)
}

fn number(text: &str) -> Option<Value> {
    let whole = text.parse::<i64>().ok().map(Value::from);
    whole.or_else(|| text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Value::Number))
}

/// Makes a finding of the semantic layer.
pub(super) fn finding(pointer: String, message: String) -> Finding {
    Finding { layer: crate::aitp::Layer::Semantic, pointer, message }
}
