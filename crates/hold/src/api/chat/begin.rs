//! Opening a form: a decision that nobody else is asked.

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::{Decision, Owner, OwnerKind, Source};
use holdpoint_engine::Client as _;
use holdpoint_protocols::action::form::{Form, Tool};
use serde_json::{Map, Value, json};

use super::asker;
use crate::api::App;
use crate::api::problem::Answer;

/// Opens a form under a conversation's id. `last` is what was talked about under it before: two who open it at once,
/// here or on two nodes, open one.
pub(crate) async fn begin(
    app: &App,
    form: &Form,
    project: &str,
    id: &str,
    last: Option<&Decision>,
) -> Answer<Decision> {
    let extra = json!({ "form": form.id, "tools": form.tools }).as_object().cloned().unwrap_or_default();
    let new = New {
        project: Some(project.to_owned()),
        source: Some(Source::Form),
        title: Some(form.title.clone()),
        prompt: form.purpose.clone(),
        fields: form.fields.clone(),
        owner: Some(Owner::new(OwnerKind::Chat, id)),
        origin: Some(Origin {
            protocol: "action".into(),
            id: Some(id.to_owned()),
            schema: None,
            thread: None,
            extra,
        }),
        ..New::default()
    };
    let last = last.map_or_else(|| "none".to_owned(), |last| last.id.to_string());
    let digest = holdpoint_core::json::hex(&hash(id));
    let created = asker(app).create(new, Some(format!("chat {digest} after {last}"))).await?;
    Ok(created.decision)
}

/// Returns the form that a decision asks, as far as it is one.
pub(super) fn form_of(decision: &Decision) -> Form {
    let none = Map::new();
    let extra = decision.origin.as_ref().map_or(&none, |origin| &origin.extra);
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let tool = |value: &Value| {
        // Earlier versions kept no more than the name.
        let name = value.as_str().map(str::to_owned).or_else(|| text(value, "name"))?;
        Some(Tool { name, purpose: text(value, "purpose"), when: text(value, "when") })
    };
    let tools = extra.get("tools").and_then(Value::as_array).into_iter().flatten().filter_map(tool).collect();
    Form {
        id: extra.get("form").and_then(Value::as_str).unwrap_or_default().to_owned(),
        title: decision.title.clone().unwrap_or_else(|| decision.summary().chars().take(200).collect()),
        purpose: decision.prompt.clone(),
        fields: decision.fields.clone(),
        tools,
        warnings: Vec::new(),
    }
}

/// An id may be longer than a key.
fn hash(id: &str) -> [u8; 16] {
    use sha2::{Digest as _, Sha256};
    let digest = Sha256::digest(id.as_bytes());
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}
