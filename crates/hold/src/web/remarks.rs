//! Remarks on a decision from programs named in the settings.

use holdpoint_core::Decision;
use maud::{Markup, html};

use crate::view_model::remarks::{UNCHECKED, lines};

/// Renders all remarks.
pub(super) fn all(decision: &Decision) -> Markup {
    html! { @if !decision.remarks.is_empty() { section .remarks aria-label="What programs remark" { (after(decision, 0)) } } }
}

/// Renders a place below the form for remarks that arrive while the page is open, so that nothing moves under the
/// person's hands. It has no label because it is usually empty.
pub(super) fn later() -> Markup {
    html! { div #remarks .remarks aria-live="polite" {} }
}

/// Renders the remarks after the first `shown`.
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
