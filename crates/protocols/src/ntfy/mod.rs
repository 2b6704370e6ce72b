//! ntfy: what is published to a topic, as its JSON form wants it.
//!
//! A topic is known to whoever knows its name, so nothing here lets anybody consent to a subject: a message carries what
//! declines, the answers to a question without a subject, and the way to the card.

use holdpoint_core::{Decision, Priority, Status};
use serde_json::{Value, json};

use crate::channel::{self, Control, Show, cut};

/// How many actions a message may have.
pub const MOST_ACTIONS: usize = 3;
/// How many bytes of text go into a message. The server takes 4,096 for the text and twice that for all of it.
const MOST_BYTES: usize = 2_800;
/// The priority at which nothing makes a sound.
pub const SILENT: u8 = 2;
/// How many characters a button may have; what has a longer label is for the card.
const LABEL: usize = 40;

/// Where the card is, and an address for each control.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Opens the card.
    pub card: Option<String>,
    /// What each of [`controls`] posts to, in their order.
    pub acts: Vec<String>,
}

/// Lists what can be taken by a button.
pub fn controls(decision: &Decision) -> Vec<Control> {
    // One place is for the way to the card, where the yes is.
    channel::unseen(decision, MOST_ACTIONS, MOST_ACTIONS - 1, LABEL)
}

/// Names the message of a decision, so that a later one takes its place.
pub fn sequence(decision: &str) -> String {
    format!("hold-{decision}")
}

/// Returns what is published about a decision as it is now.
pub fn message(topic: &str, decision: &Decision, show: Show, addresses: &Addresses) -> Value {
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

/// Returns what takes the place of a message whose decision is gone, or is no longer for its reader.
pub fn withdrawn(topic: &str, decision: &str) -> Value {
    json!({
        "topic": topic,
        "title": "No longer asked",
        "message": "This decision is no longer waiting for you.",
        "priority": 1,
        "sequence_id": sequence(decision),
    })
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
        // What is settled does not make a sound.
        _ if decision.status != Status::Pending => 1,
        Priority::Low => 2,
        Priority::Normal => 3,
        Priority::High => 4,
        Priority::Urgent => 5,
    }
}

#[cfg(test)]
mod tests;
