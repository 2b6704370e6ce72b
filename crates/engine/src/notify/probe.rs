//! Test messages to programs.

use holdpoint_core::Timestamp;
use serde_json::{Value, json};

/// A message to a program that only shows that messages arrive.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// The program, by its name in the settings.
    pub name: &'a str,
    /// An id that distinguishes it from others.
    pub id: i64,
    /// When it is sent.
    pub at: Timestamp,
}

impl Probe<'_> {
    /// Returns the body: in the form of a webhook, without a decision.
    pub fn body(&self) -> Value {
        json!({ "id": self.id, "event": { "type": "channel:test", "at": self.at }, "decision": null, "url": null })
    }
}
