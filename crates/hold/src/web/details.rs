//! What a decision is known by, and its subject as it was sent, folded away.

use holdpoint_core::Decision;
use maud::{Markup, html};

use super::subject::code;
use crate::shown::details::{TITLE, facts, raw};

/// More than this is left to `hold show --json`.
const RAW: usize = 64 << 10;

/// Shows the details of a decision; with them what a change is in words, where something better is shown in their place.
pub(super) fn of(decision: &Decision, same: &[Decision], words: Option<&str>) -> Markup {
    let raw = decision.subject.as_ref().map(raw);
    html! {
        details #details .fold {
            summary { (TITLE) kbd .number aria-hidden="true" { "i" } }
            dl .parts { @for (name, value) in facts(decision, same) { dt { (name) } dd { code dir="auto" { (value) } } } }
            @if let Some(words) = words { (code(words)) }
            @match raw {
                Some(raw) if raw.len() <= RAW => (code(&raw)),
                Some(_) => p .hint { "The subject as it was sent is too long for this page: " code { "hold show --json" } " has it." },
                None => {},
            }
        }
    }
}
