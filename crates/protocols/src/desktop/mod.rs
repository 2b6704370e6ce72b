//! Desktop notifications: their content and actions, and the format of the programs that show them.
//!
//! A notification shows a title and no subject, so it offers no consent to one: it declines, answers a question without
//! a subject, or opens the card.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Priority, Status};

use crate::channel::{self, Control, cut};

/// How many answers a notification offers, besides opening the card.
const MOST_ACTIONS: usize = 3;
/// The action that opens the card: a click on the notification itself.
pub const OPEN: &str = "default";
/// The length limit of a button; options with longer labels are for the card.
const LABEL: usize = 40;
/// How many characters of an agent's text are shown.
const SHOWN: usize = 200;

/// The content of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The first line.
    pub title: String,
    /// The text below; plain text.
    pub body: String,
    /// The actions, each with a name and a label.
    pub actions: Vec<(String, String)>,
    /// Whether it stays until a person has seen it.
    pub stays: bool,
}

/// Lists the answers for buttons: all answers of a plain question if they fit, and only those that decline if consent
/// is asked.
pub fn controls(decision: &Decision) -> Vec<Control> {
    channel::unseen(decision, MOST_ACTIONS, MOST_ACTIONS, LABEL)
}

/// Returns the notification of a pending decision. A button's name has its index in [`controls`].
pub fn notice(decision: &Decision, has_card: bool) -> Notice {
    let project = channel::project(decision);
    let mut actions: Vec<(String, String)> = controls(decision)
        .iter()
        .enumerate()
        .map(|(at, control)| (format!("answer-{at}"), control.label.clone()))
        .collect();
    if has_card {
        actions.push((OPEN.into(), "Open".into()));
    }
    let asked = cut(&inert_line(decision.summary()), SHOWN);
    Notice {
        title: format!("Decision needed in {project}"),
        body: format!("{} asks: {asked}", channel::asker(decision)),
        actions,
        stays: decision.priority >= Priority::High,
    }
}

/// Returns the index in [`controls`] of an action.
pub fn answer(action: &str) -> Option<usize> {
    action.strip_prefix("answer-")?.parse().ok()
}

/// Returns the notification that replaces that of a settled decision.
pub fn settled(decision: &Decision) -> Notice {
    let title = if decision.status == Status::Pending {
        "No longer for you".into()
    } else {
        channel::outcome(decision)
    };
    let body = cut(&inert_line(decision.summary()), SHOWN);
    Notice { title: cut(&title, SHOWN), body, actions: Vec::new(), stays: false }
}

/// Returns the notification for several decisions.
pub fn several(count: usize, has_card: bool) -> Notice {
    let actions = if has_card { vec![(OPEN.into(), "Open".into())] } else { Vec::new() };
    let body = "They stand in the inbox.".into();
    Notice { title: format!("{count} decisions wait for you"), body, actions, stays: false }
}

/// Escapes a text for programs that interpret markup in notifications.
pub fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a text in the syntax of `gdbus`: a quoted `GVariant` string.
pub fn variant(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// An event of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotificationEvent {
    /// A button was clicked, or the notification itself.
    Clicked(u32, String),
    /// It was closed.
    Closed(u32),
}

/// Parses a line of `gdbus monitor`: `…: org.freedesktop.Notifications.ActionInvoked (uint32 5, 'answer-0')`.
pub fn parse_event(line: &str) -> Option<NotificationEvent> {
    let (_, said) = line.split_once(": org.freedesktop.Notifications.")?;
    let (signal, values) = said.split_once(' ')?;
    let values = values.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (id, value) = values.split_once(", ")?;
    let id = id.strip_prefix("uint32 ").unwrap_or(id).parse().ok()?;
    match signal {
        "ActionInvoked" => {
            let name = value.strip_prefix('\'')?.strip_suffix('\'')?;
            Some(NotificationEvent::Clicked(id, name.to_owned()))
        }
        "NotificationClosed" => Some(NotificationEvent::Closed(id)),
        _ => None,
    }
}

/// Parses the output of `gdbus call` for a new notification: `(uint32 5,)`.
pub fn id(answer: &str) -> Option<u32> {
    answer.trim().strip_prefix("(uint32 ")?.strip_suffix(",)")?.parse().ok().filter(|id| *id > 0)
}

#[cfg(test)]
mod tests;
