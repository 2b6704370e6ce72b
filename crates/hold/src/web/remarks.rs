//! What programs of the settings remark on a decision, on its card.

use holdpoint_core::Decision;
use maud::{Markup, html};

use crate::shown::remarks::{UNCHECKED, lines};

/// Shows the remarks that there are.
pub(super) fn all(decision: &Decision) -> Markup {
    html! { @if !decision.remarks.is_empty() { section .remarks aria-label="What programs remark" { (after(decision, 0)) } } }
}

/// Keeps a place below the form for what is remarked while the page is open: nothing moves under the person's hand. It has no name,
/// for it is empty on most cards.
pub(super) fn later() -> Markup {
    html! { div #remarks .remarks aria-live="polite" {} }
}

/// Shows the remarks after so many.
pub(super) fn after(decision: &Decision, shown: usize) -> Markup {
    html! {
        @for (by, text) in lines(decision).skip(shown) {
            p dir="auto" {
                strong { bdi { (by) } " remarks: " } bdi { (text) }
                span .hint { " (" (UNCHECKED) ")" }
            }
        }
    }
}
