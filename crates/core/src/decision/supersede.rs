//! A newer decision of the same job or crew takes the place of the pending one.

use std::sync::Arc;

use super::{Decision, Source, Status};
use crate::event::Event;

/// Returns the events by which a new decision supersedes its elder siblings.
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

/// A permission prompt must not push away what a person is still to think about.
fn stands_beside(new: &Decision, old: &Decision) -> bool {
    new.source == Source::Approval
        && match old.source {
            Source::Question | Source::Plan => true,
            Source::Approval => old.subject_digest != new.subject_digest,
            _ => false,
        }
}
