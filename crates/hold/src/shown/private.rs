//! What concerns only whoever talks: forms that people fill in for themselves.

use holdpoint_core::{Decision, OwnerKind, Source};

/// Returns whether a decision is a conversation that nobody asked for by name: it concerns whoever talks, and no one
/// else's inbox.
pub(crate) fn is_private(decision: &Decision) -> bool {
    let chat = decision.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Chat);
    chat && decision.source == Source::Form
        && decision.requested_by.is_none()
        && decision.assignees.is_empty()
}
