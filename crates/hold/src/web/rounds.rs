//! Earlier rounds: the question, the person's reply, and what the asker changed.

use holdpoint_core::text::{inert, inert_line};
use maud::{Markup, html};

use crate::view_model::compare::LineChange;
pub(super) use crate::view_model::rounds::{LINES, Round, before};

/// Renders earlier rounds.
pub(super) fn earlier(rounds: &[Round]) -> Markup {
    html! {
        @if !rounds.is_empty() {
            section .rounds aria-labelledby="rounds-title" {
                h2 #rounds-title { "Earlier rounds" }
                @for (at, round) in rounds.iter().enumerate() {
                    details open[at == 0] {
                        summary { "Changes since round " (round.iteration) }
                        p { bdi { (inert_line(&round.by)) } " asked for: " span .pre dir="auto" { (inert(&round.guidance)) } }
                        (changes(&round.changes))
                        p { a href={ "/d/" (round.id) } { "Open round " (round.iteration) } }
                    }
                }
            }
        }
    }
}

fn changes(changes: &[(LineChange, String)]) -> Markup {
    html! {
        @if changes.iter().all(|(tag, _)| *tag == LineChange::Same) {
            p .hint { "Nothing was changed yet." }
        } @else {
            div .diff dir="auto" tabindex="0" role="group" aria-label="What changed" {
                @for (tag, line) in changes.iter().take(LINES) {
                    @match tag {
                        LineChange::Added => ins { span .quiet { "added: " } (line) },
                        LineChange::Removed => del { span .quiet { "removed: " } (line) },
                        LineChange::Same => span .same { (line) },
                    }
                }
                @if changes.len() > LINES { span .same { "…" } }
            }
        }
    }
}
