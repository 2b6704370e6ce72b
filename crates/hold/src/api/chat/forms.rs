//! `GET /api/schemas`, `GET /api/schemas/{name}` and `POST /api/validate-schema`

use holdpoint_engine::api::NoParams;
use holdpoint_engine::api::forms::{FormChecked, FormDefinition, FormListed};
use holdpoint_protocols::action::form::{self, Flaw, Form, LONGEST};
use serde_json::{Value, json};

use crate::api::routes::Call;
use crate::http::app::App;
use crate::http::problem::{HandlerError, HandlerResult};

/// The maximum number of forms listed.
const MOST: usize = 1000;

/// Lists the forms in the folder; one that cannot be read is listed with its first flaw.
pub(crate) fn listed(app: &App) -> Vec<FormListed> {
    let entries = std::fs::read_dir(&app.chats.folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_form(name)).collect();
    names.sort();
    let one = |filename: String| {
        let text = text_of(app, &filename)?;
        let size = text.chars().count();
        let blank = FormListed { filename, form_id: None, title: None, field_count: None, size, error: None };
        Some(match form::read(&text) {
            Ok(form) => FormListed {
                form_id: Some(form.id),
                title: Some(form.title),
                field_count: Some(form.fields.len()),
                ..blank
            },
            Err(flaws) => FormListed { error: flaws.first().map(Flaw::to_string), ..blank },
        })
    };
    names.into_iter().take(MOST).filter_map(one).collect()
}

/// Reads a form from the folder.
pub(crate) fn named(app: &App, name: &str) -> Option<Result<Form, Vec<Flaw>>> {
    is_form(name).then(|| text_of(app, name)).flatten().map(|text| form::read(&text))
}

pub(super) async fn show(call: Call) -> HandlerResult<Value> {
    let (app, name) = (&call.app, &call.name);
    let missing = || HandlerError::new(404, "not_found", "there is no such form");
    let text = if is_form(name) { text_of(app, name) } else { None };
    let text = text.ok_or_else(missing)?;
    if ending(name) == Some("json") {
        return serde_json::from_str(&text).map_err(|_| missing());
    }
    Ok(json!({ "filename": name, "content": text }))
}

pub(super) async fn validate(call: Call<NoParams, FormDefinition>) -> HandlerResult<FormChecked> {
    let schema = call.body;
    let read = match (&schema.form_schema, &schema.form_context_md) {
        (Some(schema), None) => form::read_value(schema),
        (None, Some(text)) => form::read(text),
        _ => return Err(HandlerError::new(422, "invalid", "give form_schema or form_context_md")),
    };
    let errors: Vec<String> = read.as_ref().err().into_iter().flatten().map(Flaw::to_string).collect();
    Ok(FormChecked { valid: read.is_ok(), errors })
}

/// Returns whether a name is the plain file name of a form, which cannot lead out of the folder.
fn is_form(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    name.chars().all(plain) && !name.starts_with('.') && matches!(ending(name), Some("json" | "md"))
}

fn ending(name: &str) -> Option<&str> {
    std::path::Path::new(name).extension()?.to_str()
}

/// Reads a form's text. It blocks: reading a small local file is faster than dispatching it to another thread.
fn text_of(app: &App, name: &str) -> Option<String> {
    let path = app.chats.folder.join(name);
    let size = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?.len();
    if size > LONGEST as u64 {
        return None;
    }
    std::fs::read_to_string(path).ok()
}
