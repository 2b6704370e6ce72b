//! Removing decisions: an owner's when it ends, and old ones by retention.

use std::sync::Arc;

use super::{Decision, Owner, OwnerKind, Status};
use crate::actor::Actor;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};

/// Removes decisions of an owner: the unresolved ones when it ended, all when it was deleted.
pub(crate) fn end_owner(
    state: &State,
    actor: &Actor,
    project: &str,
    owner: &Owner,
    deleted: bool,
) -> Result<Ruling, Refusal> {
    let missing = |what| Err(Refusal::NotFound { what, id: owner.id.clone() });
    match owner.kind {
        OwnerKind::Item if deleted && !state.knows_item(&owner.id) => return missing("item"),
        OwnerKind::Thread if deleted && state.thread.is_none() => return missing("thread"),
        _ => {}
    }
    let reason = if deleted { "its owner was deleted" } else { "its owner ended" };
    let goes = |decision: &&Arc<Decision>| {
        decision.owner.as_ref() == Some(owner)
            && decision.project == project
            && (deleted || decision.status == Status::Pending)
    };
    let removed = |decision: &Arc<Decision>| Event::Removed {
        id: decision.id,
        project: decision.project.clone(),
        reason: reason.into(),
        by: actor.by.clone(),
    };
    let mut events: Vec<Event> = state.siblings.iter().filter(goes).map(removed).collect();
    if deleted && owner.kind == OwnerKind::Item {
        events.push(Event::ItemDeleted {
            id: owner.id.clone(),
            project: project.to_owned(),
            by: actor.by.clone(),
        });
    }
    if deleted && owner.kind == OwnerKind::Thread {
        events.push(Event::ThreadRemoved {
            id: owner.id.clone(),
            project: project.to_owned(),
            by: actor.by.clone(),
        });
    }
    let replayed = events.is_empty();
    Ok(Ruling { events, replayed, ..Ruling::default() })
}

/// Removes one settled decision because it is old.
pub(crate) fn prune(state: &State, actor: &Actor) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if decision.status == Status::Pending {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::Removed {
        id: decision.id,
        project: decision.project.clone(),
        reason: "pruned".into(),
        by: actor.by.clone(),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
