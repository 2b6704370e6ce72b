//! `GET /api/schemas`, `GET /api/schemas/{name}` and `POST /api/validate-schema`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_protocols::action::form::{self, Flaw, LONGEST};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::{Answer, Failed};

/// How many forms are listed.
const MOST: usize = 1000;

/// Lists the forms in the folder; one that cannot be read is listed with its first flaw.
pub(super) async fn list(State(app): State<Arc<App>>, _: Caller) -> Json<Value> {
    let entries = std::fs::read_dir(&app.chats.folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_form(name)).collect();
    names.sort();
    let mut schemas = Vec::new();
    for filename in names.into_iter().take(MOST) {
        let Some(text) = text_of(&app, &filename) else { continue };
        let size = text.chars().count();
        schemas.push(match form::read(&text) {
            Ok(form) => json!({
                "filename": filename, "form_id": form.id, "title": form.title, "field_count": form.fields.len(), "size": size,
            }),
            Err(flaws) => json!({ "filename": filename, "size": size, "error": flaws.first().map(Flaw::to_string) }),
        });
    }
    Json(json!({ "schemas": schemas }))
}

/// Shows one form as it is written: JSON as such, Markdown as a text.
pub(super) async fn show(State(app): State<Arc<App>>, _: Caller, Path(name): Path) -> Answer<Json<Value>> {
    let missing = || Failed::new(404, "not_found", "there is no such form");
    let text = if is_form(&name) { text_of(&app, &name) } else { None };
    let text = text.ok_or_else(missing)?;
    if ending(&name) == Some("json") {
        return serde_json::from_str(&text).map(Json).map_err(|_| missing());
    }
    Ok(Json(json!({ "filename": name, "content": text })))
}

#[derive(Debug, Deserialize)]
pub(super) struct Schema {
    form_schema: Option<Value>,
    form_context_md: Option<String>,
}

/// Checks a definition.
pub(super) async fn validate(_: Caller, Body(schema): Body<Schema>) -> Answer<Json<Value>> {
    let read = match (&schema.form_schema, &schema.form_context_md) {
        (Some(schema), None) => form::read_value(schema),
        (None, Some(text)) => form::read(text),
        _ => return Err(Failed::new(422, "invalid", "give form_schema or form_context_md")),
    };
    let errors: Vec<String> = read.as_ref().err().into_iter().flatten().map(Flaw::to_string).collect();
    Ok(Json(json!({ "valid": read.is_ok(), "errors": errors })))
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
