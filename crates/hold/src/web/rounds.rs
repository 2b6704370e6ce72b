//! Earlier rounds: what was asked, what the person said to it, and what the asker changed.

use holdpoint_core::text::{inert, inert_line};
use maud::{Markup, html};
use serde_json::Value;
use similar::ChangeTag;

use super::long;
pub(super) use crate::shown::rounds::{COMPARED, LINES, Round, before, subject_text};

/// Shows earlier rounds.
pub(super) fn earlier(rounds: &[Round]) -> Markup {
    html! {
        @if !rounds.is_empty() {
            section .rounds aria-labelledby="rounds-title" {
                h2 #rounds-title { "Earlier rounds" }
                @for (at, round) in rounds.iter().enumerate() {
                    details open[at == 0] {
                        summary { "Round " (round.iteration) " — what changed after it" }
                        p { bdi { (inert_line(&round.by)) } " asked for: " span .pre dir="auto" { (inert(&round.guidance)) } }
                        (changes(&round.changes))
                        p { a href={ "/d/" (round.id) } { "Open round " (round.iteration) } }
                    }
                }
            }
        }
    }
}

fn changes(changes: &[(ChangeTag, String)]) -> Markup {
    html! {
        @if changes.iter().all(|(tag, _)| *tag == ChangeTag::Equal) {
            p .hint { "Nothing was changed yet." }
        } @else {
            div .diff dir="auto" tabindex="0" role="group" aria-label="What changed" {
                @for (tag, line) in changes.iter().take(LINES) {
                    @match tag {
                        ChangeTag::Insert => ins { span .quiet { "added: " } (line) },
                        ChangeTag::Delete => del { span .quiet { "removed: " } (line) },
                        ChangeTag::Equal => span .same { (line) },
                    }
                }
                @if changes.len() > LINES { span .same { "…" } }
            }
        }
    }
}

/// Shows a subject in full: a list of named parts as such, anything else as it is.
pub(super) fn subject(subject: &Value) -> Markup {
    let parts = match subject {
        Value::Object(parts) if !parts.is_empty() && parts.len() <= LINES => parts,
        other => return code(&subject_text(other)),
    };
    html! {
        dl .parts {
            @for (name, value) in parts {
                dt dir="auto" { (inert_line(name)) }
                dd { (code(&subject_text(value))) }
            }
        }
    }
}

/// Shows a text as it is; one that is a patch with its lines marked.
fn code(text: &str) -> Markup {
    let patch = text.lines().take(40).any(|line| line.starts_with("@@ ") || line.starts_with("--- "));
    html! {
        pre .code tabindex="0" dir="auto" aria-label="In full" {
            @if patch && text.len() < COMPARED {
                @for line in text.lines() {
                    @if line.starts_with('+') { ins { (line) "\n" } }
                    @else if line.starts_with('-') { del { (line) "\n" } }
                    @else { (line) "\n" }
                }
            } @else { (long::text(text)) }
        }
    }
}
