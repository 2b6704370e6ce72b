//! `GET /api/schemas`, `GET /api/schemas/{name}` and `POST /api/validate-schema`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_protocols::action::form::{self, Flaw, Form, LONGEST};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::{Answer, Failed};

/// How many forms are listed.
const MOST: usize = 1000;

/// A form in the folder.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FormListed)]
pub(crate) struct Listed {
    /// Its file, by which it is fetched.
    pub(crate) filename: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) form_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) field_count: Option<usize>,
    /// How many characters it has.
    pub(crate) size: usize,
    /// Its first flaw, if it cannot be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// The forms in the folder.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Forms)]
pub(crate) struct Folder {
    schemas: Vec<Listed>,
}

/// Lists the forms in the server's folder.
#[utoipa::path(
    get,
    path = "/api/schemas",
    operation_id = "listForms",
    tag = "forms",
    responses((status = 200, description = "Forms; one that cannot be read stands there with its first flaw", body = Folder))
)]
pub(crate) async fn list(State(app): State<Arc<App>>, _: Caller) -> Json<Folder> {
    Json(Folder { schemas: listed(&app) })
}

/// Lists the forms in the folder; one that cannot be read is listed with its first flaw.
pub(crate) fn listed(app: &App) -> Vec<Listed> {
    let entries = std::fs::read_dir(&app.chats.folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_form(name)).collect();
    names.sort();
    let one = |filename: String| {
        let text = text_of(app, &filename)?;
        let size = text.chars().count();
        let blank = Listed { filename, form_id: None, title: None, field_count: None, size, error: None };
        Some(match form::read(&text) {
            Ok(form) => Listed {
                form_id: Some(form.id),
                title: Some(form.title),
                field_count: Some(form.fields.len()),
                ..blank
            },
            Err(flaws) => Listed { error: flaws.first().map(Flaw::to_string), ..blank },
        })
    };
    names.into_iter().take(MOST).filter_map(one).collect()
}

/// Reads a form of the folder.
pub(crate) fn named(app: &App, name: &str) -> Option<Result<Form, Vec<Flaw>>> {
    is_form(name).then(|| text_of(app, name)).flatten().map(|text| form::read(&text))
}

/// Shows one form as it is written: JSON as such, Markdown as a text.
#[utoipa::path(
    get,
    path = "/api/schemas/{name}",
    operation_id = "getForm",
    tag = "forms",
    params(("name" = String, Path, description = "The file's name")),
    responses((status = 200, description = "The form: its JSON, or `{filename, content}`", body = Object))
)]
pub(crate) async fn show(State(app): State<Arc<App>>, _: Caller, Path(name): Path) -> Answer<Json<Value>> {
    let missing = || Failed::new(404, "not_found", "there is no such form");
    let text = if is_form(&name) { text_of(&app, &name) } else { None };
    let text = text.ok_or_else(missing)?;
    if ending(&name) == Some("json") {
        return serde_json::from_str(&text).map(Json).map_err(|_| missing());
    }
    Ok(Json(json!({ "filename": name, "content": text })))
}

/// A form that is to be checked: one of both.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = FormDefinition)]
pub(crate) struct Schema {
    #[schema(value_type = Option<Object>)]
    form_schema: Option<Value>,
    form_context_md: Option<String>,
}

/// What is wrong with a form.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FormChecked)]
pub(crate) struct Checked {
    valid: bool,
    errors: Vec<String>,
}

/// Checks a form's definition.
#[utoipa::path(
    post,
    path = "/api/validate-schema",
    operation_id = "validateForm",
    tag = "forms",
    request_body = Schema,
    responses((status = 200, description = "Whether it can be asked, and if not, why", body = Checked))
)]
pub(crate) async fn validate(_: Caller, Body(schema): Body<Schema>) -> Answer<Json<Checked>> {
    let read = match (&schema.form_schema, &schema.form_context_md) {
        (Some(schema), None) => form::read_value(schema),
        (None, Some(text)) => form::read(text),
        _ => return Err(Failed::new(422, "invalid", "give form_schema or form_context_md")),
    };
    let errors: Vec<String> = read.as_ref().err().into_iter().flatten().map(Flaw::to_string).collect();
    Ok(Json(Checked { valid: read.is_ok(), errors }))
}

/// Returns whether a name is that of a form in the folder, and of nothing elsewhere.
fn is_form(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    name.chars().all(plain) && !name.starts_with('.') && matches!(ending(name), Some("json" | "md"))
}

fn ending(name: &str) -> Option<&str> {
    std::path::Path::new(name).extension()?.to_str()
}

/// Reads a form. A small file on the server's own disk is read faster than a thread is found for it.
fn text_of(app: &App, name: &str) -> Option<String> {
    let path = app.chats.folder.join(name);
    let size = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?.len();
    if size > LONGEST as u64 {
        return None;
    }
    std::fs::read_to_string(path).ok()
}
