//! Shows input that was not sent, so that it can be copied.

use holdpoint_core::text::inert;
use maud::{Markup, html};

use super::form::Form;

/// Renders the input.
pub(super) fn shown(form: &Form) -> Markup {
    // Values that the page or its script adds are not the person's input.
    let ours = [
        "alone",
        "asked",
        "back",
        "check",
        "csrf",
        "digest",
        "draft",
        "flow",
        "id",
        "item",
        "kept",
        "next",
        "patchset_shown",
        "read",
        "same",
        "script",
        "seen",
        "shown",
        "token",
        "unread",
        "verb",
        "watched",
        "zone",
    ];
    let words =
        form.0.iter().filter(|(name, value)| !ours.contains(&name.as_str()) && !value.trim().is_empty());
    let words: Vec<_> = words.collect();
    html! {
        @if !words.is_empty() {
            section .panel aria-labelledby="typed-title" {
                h2 #typed-title { "What you typed" }
                dl .typed {
                    @for (name, value) in words {
                        // The script inserts the card's labels here, which this server may not show to an unknown
                        // visitor.
                        dt dir="auto" data-name=(name) { (inert(name.split_once(':').map_or(name.as_str(), |(_, id)| id))) }
                        dd .pre dir="auto" { (inert(value)) }
                    }
                }
            }
        }
    }
}
