//! A decision's ids and its raw subject, folded.

use holdpoint_core::Decision;
use maud::{Markup, html};

use super::subject::code;
use crate::view_model::details::{TITLE, facts, raw};

/// A larger subject is left to `hold show --json`.
const RAW: usize = 64 << 10;

/// Renders the details of a decision, with the change in words if the page shows the change itself instead.
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
