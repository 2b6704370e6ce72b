//! Superseding: a newer decision of the same job or crew replaces the pending one.

use std::sync::Arc;

use super::{Decision, Source, Status};
use crate::event::Event;

/// Returns the events by which a new decision supersedes older ones of the same owner.
pub(super) fn superseded_by(new: &Decision, siblings: &[Arc<Decision>]) -> Vec<Event> {
    let Some(owner) = new.owner.as_ref().filter(|owner| owner.supersedes()) else { return Vec::new() };
    let replaced = |old: &&Arc<Decision>| {
        old.status == Status::Pending
            && old.owner.as_ref() == Some(owner)
            && old.project == new.project
            && old.requested_by == new.requested_by
            && !stands_beside(new, old)
    };
    let event = |old: &Arc<Decision>| Event::Superseded {
        id: old.id,
        project: old.project.clone(),
        superseded_by: new.id,
    };
    siblings.iter().filter(replaced).map(event).collect()
}

/// Returns whether both may be pending at once. A permission prompt must not replace a decision that a person still has
/// to think about. But a terminal shows one prompt at a time, so an earlier prompt there can no longer be answered.
fn stands_beside(new: &Decision, old: &Decision) -> bool {
    let took_its_place = new.is_on_screen() && old.is_on_screen();
    new.source == Source::Approval
        && !took_its_place
        && match old.source {
            Source::Question | Source::Plan => true,
            Source::Approval => old.subject_digest != new.subject_digest,
            _ => false,
        }
}
