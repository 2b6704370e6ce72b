//! Web Push: what the service worker of the inbox is told, and shows as a notification.
//!
//! A notification is read on a lock screen, so nothing here lets anybody consent to a subject: it carries what declines, the
//! answers to a question without a subject, and the way to the card.

use holdpoint_core::{Decision, Priority};
use serde::Serialize;

use crate::channel::{self, Act, Control, Show, cut};

/// How many bytes a push service must take, once they are encrypted they are 4,096.
pub const MOST_BYTES: usize = 3_993;
/// How many buttons browsers show.
pub const MOST_ACTIONS: usize = 2;
/// How many bytes of text go into a notification; written as JSON they may be twice as many.
const TEXT: usize = 1_000;
/// How many characters a button may have; what has a longer label is for the card.
const LABEL: usize = 40;

/// What the service worker is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Push {
    /// What it does.
    pub kind: Kind,
    /// What it is about; a later one of the same takes its place.
    pub id: String,
    /// The digest of what is shown, where it can be answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The first line.
    pub title: String,
    /// The rest.
    pub body: String,
    /// Where a click leads, on the inbox.
    pub url: String,
    /// Whether it stays until somebody does something about it.
    pub stays: bool,
    /// Whether it makes no sound.
    pub silent: bool,
    /// What can be answered there.
    pub buttons: Vec<Button>,
}

/// What a service worker does with what it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Shows it.
    Show,
    /// Shows it in the place of one that is on the screen, without a sound; does nothing where there is none.
    Update,
    /// Takes it away.
    Close,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Button {
    /// What the person reads.
    pub label: String,
    /// What it stands for.
    pub act: Act,
}

/// How soon a device that saves power is told, in the words of RFC 8030.
pub fn urgency(decision: &Decision) -> &'static str {
    match decision.priority {
        Priority::Low => "low",
        Priority::Normal => "normal",
        Priority::High | Priority::Urgent => "high",
    }
}

/// Lists what can be answered by a button.
pub fn controls(decision: &Decision) -> Vec<Control> {
    // One place is for the way to the card, where the yes is.
    channel::unseen(decision, MOST_ACTIONS, MOST_ACTIONS - 1, LABEL)
}

/// Returns what is told of a decision that waits.
pub fn ask(decision: &Decision, show: Show) -> Push {
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

/// Returns what is told of a decision that waits as before, once more is known about it.
pub fn update(decision: &Decision, show: Show) -> Push {
    Push { kind: Kind::Update, silent: true, ..ask(decision, show) }
}

/// Returns what is told of a decision that waits no more, at least not for the reader.
pub fn settled(id: &str, outcome: &str) -> Push {
    Push { kind: Kind::Close, ..plain(id, &cut(outcome, 200), "") }
}

/// Returns what stands for decisions that came too fast for a notification each.
pub fn many(id: &str, waiting: usize) -> Push {
    match waiting {
        0 => settled(id, "All answered"),
        1 => plain(id, "1 more decision waits", "Open the inbox to see it."),
        _ => plain(id, &format!("{waiting} more decisions wait"), "Open the inbox to see them."),
    }
}

/// Returns what only shows that notifications arrive.
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
    /// Returns it as it is sent.
    pub fn payload(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
