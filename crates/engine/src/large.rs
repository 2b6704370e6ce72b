//! Large documents. Digests, canonical text and disk make each take long, and what is asked meanwhile waits for it.

use holdpoint_core::Command;
use holdpoint_core::decision::New;
use serde_json::Value;
use tokio::sync::MutexGuard;

use crate::engine::Engine;

/// The number of bytes of text from which a document is large.
const LARGE: usize = 256 * 1024;

impl Engine {
    /// Waits for the turn of a command with a large document: between two of them, what others ask is committed.
    pub(crate) async fn turn_of(&self, command: &Command) -> Option<MutexGuard<'_, ()>> {
        let is_large = match command {
            Command::Create(new) => is_large(new.prompt.as_ref(), new.subject.as_ref()),
            Command::Revise { revision, .. } => is_large(revision.prompt.as_ref(), revision.subject.as_ref()),
            Command::Consume { subject, .. } => is_large(None, Some(subject)),
            _ => false,
        };
        if is_large { Some(self.large.lock().await) } else { None }
    }

    /// Computes what takes long for a large document before the writer has to.
    pub(crate) async fn prepare(&self, mut new: New) -> New {
        if !is_large(new.prompt.as_ref(), new.subject.as_ref()) {
            return new;
        }
        let now = self.clock.now();
        let prepared = tokio::task::spawn_blocking({
            let mut new = new.clone();
            move || {
                new.seal_ahead(now);
                new
            }
        });
        if let Ok(prepared) = prepared.await {
            new = prepared;
        }
        new
    }
}

fn is_large(prompt: Option<&String>, subject: Option<&Value>) -> bool {
    prompt.map_or(0, String::len) + subject.map_or(0, bytes) >= LARGE
}

/// Returns about how many bytes of text a value has.
fn bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| bytes(item) + 1).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + 4 + bytes(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}
