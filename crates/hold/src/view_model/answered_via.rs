//! Describes through which interface an answer was given.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Answer, Auth, ChannelMessage};

use super::wording;

/// Says through which door somebody answered, by which account and message of a channel, and how they were verified:
/// `over HTTP (local)`.
pub(crate) fn answered_via(answer: &Answer) -> String {
    let mut facts = Vec::new();
    if let Some(ChannelMessage { account, message }) = answer.channel.as_deref() {
        facts.push(format!("account {}", inert_line(account)));
        facts.extend(message.as_deref().map(|message| format!("message {}", inert_line(message))));
    }
    // What a rule or a deadline answered says so by its door.
    if !matches!(answer.auth, Auth::Rule | Auth::System) {
        facts.push(wording::auth(answer.auth).to_owned());
    }
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    match answer.via.as_str() {
        "http" => format!("over HTTP{facts}"),
        "cli" => format!("on the command line{facts}"),
        "web" => format!("on the web{facts}"),
        via => format!("via {}{facts}", inert_line(via)),
    }
}
