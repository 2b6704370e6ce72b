//! Wording of the pages, and times that the script keeps up to date.

use holdpoint_core::{Owner, OwnerKind, Timestamp};
use maud::{Markup, html};

use crate::view_model::span;
pub(super) use crate::view_model::wording::*;

/// Renders how long ago something was; the script keeps it up to date.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(then) title=(then) data-ago { (span::spelled_out(now.since(then).as_millis().max(1_000))) } }
}

/// Renders the time left; the script keeps it up to date.
pub(crate) fn time_left(then: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(then) title=(then) data-left { (span::remaining(then.since(now).as_millis())) } }
}

/// Renders an owner that has a name people know; conversations and runs only have ids.
pub(crate) fn owner_known(owner: &Owner) -> Option<Markup> {
    let is_thread = owner.kind == OwnerKind::Thread && owner.id.starts_with("thr-");
    let is_named = !matches!(owner.kind, OwnerKind::Thread | OwnerKind::Chat | OwnerKind::Run);
    if is_thread {
        Some(self::owner(owner))
    } else {
        is_named.then(|| html! { bdi { (short(&owner.id, 80)) } })
    }
}

/// Renders an owner; a thread links to its messages.
pub(crate) fn owner(owner: &Owner) -> Markup {
    let text = short(&crate::view_model::wording::owner(owner), 80);
    let is_thread = owner.kind == OwnerKind::Thread && owner.id.starts_with("thr-");
    html! { @if is_thread { a href={ "/t/" (owner.id) } { (text) } } @else { bdi { (text) } } }
}
