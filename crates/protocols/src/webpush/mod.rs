//! Web Push: messages to the inbox's service worker, which shows them as notifications.
//!
//! A notification can be read on a lock screen, so nothing here allows a consent to a subject: it carries the answers
//! that decline, the answers to a question without a subject, and the link to the card.

use holdpoint_core::{Decision, Priority};
use serde::Serialize;

use crate::channel::{self, Control, DetailLevel, TapAction, cut};

/// How many bytes a message may have: with encryption they are 4,096, which every push service must accept.
pub const MOST_BYTES: usize = 3_993;
/// How many buttons browsers show.
pub const MOST_ACTIONS: usize = 2;
/// How many bytes of text go into a notification; as JSON they may be twice as many.
const TEXT: usize = 1_000;
/// The length limit of a button; options with longer labels are for the card.
const LABEL: usize = 40;

/// A message to the service worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Push {
    /// The kind of message.
    pub kind: Kind,
    /// What it is about; a later message with the same id replaces it.
    pub id: String,
    /// The digest of what is shown, if it can be answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The first line.
    pub title: String,
    /// The rest.
    pub body: String,
    /// The address that a click opens, on the inbox.
    pub url: String,
    /// Whether it stays until a person handles it.
    pub stays: bool,
    /// Whether it makes no sound.
    pub silent: bool,
    /// The answers that it offers.
    pub buttons: Vec<Button>,
}

/// What the service worker does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Shows it.
    Show,
    /// Replaces a notification that is on the screen, without a sound; does nothing if there is none.
    Update,
    /// Removes it.
    Close,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Button {
    /// The label.
    pub label: String,
    /// Its action.
    pub act: TapAction,
}

/// Returns how soon a device that saves power is notified, in the terms of RFC 8030.
pub fn urgency(decision: &Decision) -> &'static str {
    match decision.priority {
        Priority::Low => "low",
        Priority::Normal => "normal",
        Priority::High | Priority::Urgent => "high",
    }
}

/// Lists the answers for buttons.
pub fn controls(decision: &Decision) -> Vec<Control> {
    // One button is for the card, which has the yes.
    channel::unseen(decision, MOST_ACTIONS, MOST_ACTIONS - 1, LABEL)
}

/// Returns the message about a pending decision.
pub fn ask(decision: &Decision, show: DetailLevel) -> Push {
    let project = channel::project(decision);
    let button = |control: Control| Button { label: control.label, act: control.act };
    let mut push = Push {
        kind: Kind::Show,
        id: decision.id.to_string(),
        digest: Some(decision.digest.clone()),
        title: format!("Decision needed in {project}"),
        body: channel::text(decision, show, TEXT),
        url: format!("/d/{}", decision.id),
        stays: decision.priority >= Priority::High,
        silent: decision.priority == Priority::Low,
        buttons: controls(decision).into_iter().map(button).collect(),
    };
    if push.payload().len() > MOST_BYTES {
        // Ids of options may be long; the card has them.
        push.buttons.clear();
    }
    push
}

/// Returns the message about a decision that is still pending, once more is known about it.
pub fn update(decision: &Decision, show: DetailLevel) -> Push {
    Push { kind: Kind::Update, silent: true, ..ask(decision, show) }
}

/// Returns the message about a decision that is no longer pending, at least not for the reader.
pub fn settled(id: &str, outcome: &str) -> Push {
    Push { kind: Kind::Close, ..plain(id, &cut(outcome, 200), "") }
}

/// Returns the message for decisions that came too fast for a notification each.
pub fn many(id: &str, waiting: usize) -> Push {
    match waiting {
        0 => settled(id, "All answered"),
        1 => plain(id, "1 more decision waits", "Open the inbox to see it."),
        _ => plain(id, &format!("{waiting} more decisions wait"), "Open the inbox to see them."),
    }
}

/// Returns a message that only shows that notifications arrive.
pub fn test() -> Push {
    Push {
        silent: false,
        ..plain("test", "Holdpoint", "This is a test: notifications from Holdpoint arrive here.")
    }
}

fn plain(id: &str, title: &str, body: &str) -> Push {
    let (id, title, body, url) = (id.to_owned(), title.to_owned(), body.to_owned(), "/".to_owned());
    Push {
        kind: Kind::Show,
        id,
        digest: None,
        title,
        body,
        url,
        stays: false,
        silent: true,
        buttons: Vec::new(),
    }
}

impl Push {
    /// Returns it in the form in which it is sent.
    pub fn payload(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
