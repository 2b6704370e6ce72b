//! Earlier rounds: what was asked, what the person said to it, and what the asker changed.

use holdpoint_core::text::{inert, inert_line};
use maud::{Markup, html};

use crate::shown::compare::Change;
pub(super) use crate::shown::rounds::{LINES, Round, before};

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

fn changes(changes: &[(Change, String)]) -> Markup {
    html! {
        @if changes.iter().all(|(tag, _)| *tag == Change::Equal) {
            p .hint { "Nothing was changed yet." }
        } @else {
            div .diff dir="auto" tabindex="0" role="group" aria-label="What changed" {
                @for (tag, line) in changes.iter().take(LINES) {
                    @match tag {
                        Change::Insert => ins { span .quiet { "added: " } (line) },
                        Change::Delete => del { span .quiet { "removed: " } (line) },
                        Change::Equal => span .same { (line) },
                    }
                }
                @if changes.len() > LINES { span .same { "…" } }
            }
        }
    }
}
