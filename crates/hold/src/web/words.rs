//! The words of the interface, and times that the script keeps true.

use holdpoint_core::{Owner, OwnerKind, Timestamp};
use maud::{Markup, html};

use crate::shown::span;
pub(super) use crate::shown::words::*;

/// Shows how long ago something was; the script keeps it true.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(then) title=(then) data-ago { (span::words(now.since(then).as_millis())) } }
}

/// Shows how far off something is; the script keeps it true.
pub(crate) fn left(then: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(then) title=(then) data-left { (span::left(then.since(now).as_millis())) } }
}

/// Shows who waits where people know it by its name: conversations and runs go by ids.
pub(crate) fn owner_known(owner: &Owner) -> Option<Markup> {
    let is_thread = owner.kind == OwnerKind::Thread && owner.id.starts_with("thr-");
    let is_named = !matches!(owner.kind, OwnerKind::Thread | OwnerKind::Chat | OwnerKind::Run);
    if is_thread {
        Some(self::owner(owner))
    } else {
        is_named.then(|| html! { bdi { (short(&owner.id, 80)) } })
    }
}

/// Shows who waits; a thread leads to what was said in it.
pub(crate) fn owner(owner: &Owner) -> Markup {
    let text = short(&crate::shown::words::owner(owner), 80);
    let is_thread = owner.kind == OwnerKind::Thread && owner.id.starts_with("thr-");
    html! { @if is_thread { a href={ "/t/" (owner.id) } { (text) } } @else { bdi { (text) } } }
}
