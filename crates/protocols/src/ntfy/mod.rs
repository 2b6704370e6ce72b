//! ntfy: messages for a topic, in its JSON format.
//!
//! Anyone who knows the name of a topic can read it, so nothing here allows a consent to a subject: a message carries
//! the answers that decline, the answers to a question without a subject, and the link to the card.

use holdpoint_core::{Decision, Priority, Status};
use serde_json::{Value, json};

use crate::channel::{self, Control, DetailLevel, cut};

/// How many actions a message may have.
pub const MOST_ACTIONS: usize = 3;
/// How many bytes of text go into a message. The server takes 4,096 for the text and twice that for all of it.
const MOST_BYTES: usize = 2_800;
/// The highest priority without a sound.
pub const SILENT: u8 = 2;
/// The length limit of a button; options with longer labels are for the card.
const LABEL: usize = 40;

/// The address of the card, and one for each control.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Opens the card.
    pub card: Option<String>,
    /// The addresses to which the [`controls`] post, in their order.
    pub acts: Vec<String>,
}

/// Lists the answers for buttons.
pub fn controls(decision: &Decision) -> Vec<Control> {
    // One button is for the card, which has the yes.
    channel::unseen(decision, MOST_ACTIONS, MOST_ACTIONS - 1, LABEL)
}

/// Returns the name of a decision's message, with which a later message replaces it.
pub fn sequence(decision: &str) -> String {
    format!("hold-{decision}")
}

/// Returns the message about a decision in its current state.
pub fn message(topic: &str, decision: &Decision, show: DetailLevel, addresses: &Addresses) -> Value {
    let waits = decision.status == Status::Pending;
    let project = channel::project(decision);
    let title =
        if waits { format!("Decision needed in {project}") } else { cut(&channel::outcome(decision), 200) };
    let mut message = json!({
        "topic": topic,
        "title": title,
        "message": channel::text(decision, show, MOST_BYTES),
        "priority": priority(decision),
        "tags": [if waits { "raised_hand" } else { "ballot_box_with_check" }],
        "sequence_id": sequence(&decision.id.to_string()),
    });
    if let Some(card) = &addresses.card {
        message["click"] = json!(card);
    }
    let mut actions: Vec<Value> = controls(decision)
        .iter()
        .zip(&addresses.acts)
        .map(|(control, url)| {
            json!({ "action": "http", "label": control.label, "url": url, "method": "POST", "clear": true })
        })
        .collect();
    if waits
        && actions.len() < MOST_ACTIONS
        && let Some(card) = &addresses.card
    {
        actions.push(json!({ "action": "view", "label": "Open", "url": card }));
    }
    if !actions.is_empty() {
        message["actions"] = Value::Array(actions);
    }
    message
}

/// Returns the message that replaces one whose decision is gone, or is no longer for its reader.
pub fn withdrawn(topic: &str, decision: &str) -> Value {
    json!({
        "topic": topic,
        "title": "No longer asked",
        "message": "This decision is no longer waiting for you.",
        "priority": 1,
        "sequence_id": sequence(decision),
    })
}

/// Returns the message, of this name, for decisions that came too fast for a message each: how many of them are still
/// pending.
pub fn many(topic: &str, sequence: &str, waiting: usize, inbox: Option<&str>) -> Value {
    let words = channel::many(waiting);
    let mut message = json!({
        "topic": topic,
        "title": "Holdpoint",
        "message": words,
        "priority": if waiting == 0 { 1 } else { 3 },
        "sequence_id": sequence,
    });
    if let Some(inbox) = inbox.filter(|_| waiting > 0) {
        message["click"] = json!(inbox);
        message["actions"] = json!([{ "action": "view", "label": "Open the inbox", "url": inbox }]);
    }
    message
}

/// Returns a message that only shows that messages arrive.
pub fn test(topic: &str) -> Value {
    json!({
        "topic": topic,
        "title": "Holdpoint",
        "message": "This is a test: messages from Holdpoint arrive here.",
        "priority": 3,
    })
}

fn priority(decision: &Decision) -> u8 {
    match decision.priority {
        // Messages about settled decisions make no sound.
        _ if decision.status != Status::Pending => 1,
        Priority::Low => 2,
        Priority::Normal => 3,
        Priority::High => 4,
        Priority::Urgent => 5,
    }
}

#[cfg(test)]
mod tests;
