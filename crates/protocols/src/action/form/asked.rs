//! A form as a decision that is being drafted, and back.

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::{Decision, Owner, OwnerKind, Source};
use serde_json::{Map, Value, json};

use super::{Form, Tool};

impl Form {
    /// Returns the decision that a conversation drafts. It contains all that is needed to continue elsewhere.
    pub fn opening(&self, project: &str, chat: &str) -> New {
        let extra = json!({ "form": self.id, "tools": self.tools }).as_object().cloned().unwrap_or_default();
        New {
            project: Some(project.to_owned()),
            source: Some(Source::Form),
            title: Some(self.title.clone()),
            prompt: self.purpose.clone(),
            fields: self.fields.clone(),
            owner: Some(Owner::new(OwnerKind::Chat, chat)),
            origin: Some(Origin {
                protocol: "action".into(),
                id: Some(chat.to_owned()),
                schema: None,
                thread: None,
                extra,
            }),
            ..New::default()
        }
    }

    /// Returns the form that a decision asks, if it is one.
    pub fn of(decision: &Decision) -> Self {
        let none = Map::new();
        let extra = decision.origin.as_ref().map_or(&none, |origin| &origin.extra);
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let tool = |value: &Value| {
            // Earlier versions kept no more than the name.
            let name = value.as_str().map(str::to_owned).or_else(|| text(value, "name"))?;
            Some(Tool { name, purpose: text(value, "purpose"), when: text(value, "when") })
        };
        let tools = extra.get("tools").and_then(Value::as_array).into_iter().flatten().filter_map(tool);
        Self {
            id: extra.get("form").and_then(Value::as_str).unwrap_or_default().to_owned(),
            title: decision.title.clone().unwrap_or_else(|| decision.summary().chars().take(200).collect()),
            purpose: decision.prompt.clone(),
            fields: decision.fields.clone(),
            tools: tools.collect(),
            warnings: Vec::new(),
        }
    }
}
