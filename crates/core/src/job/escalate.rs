//! Asks a person what becomes of a job: the decision, and that the job waits for it.

use super::state::Job;
use crate::about::Of;
use crate::actor::Actor;
use crate::decision::{self, New};
use crate::event::{Event, StepWaiting};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Decision, DecisionId, Source, Status, Timestamp};

const ASKED: &str = "auto-dismissed: the agent asks it itself";

/// Asks a person; the job waits for what they decide.
pub(super) fn escalate(
    state: &State,
    actor: &Actor,
    job: &Job,
    escalation: &New,
    reason: &str,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let mut ruling = decision::create(state, actor, escalation, now)?;
    let created = ruling.events.iter().rev().find_map(|event| match event {
        Event::Created(decision) => Some(decision.id),
        _ => None,
    });
    if let Some(decision_id) = created {
        ruling.events.push(waiting(state, job, &ruling.events, decision_id, reason));
    }
    Ok(ruling)
}

/// Takes back what the screen of an agent showed, where the agent itself now asks the same: by decision.
pub(crate) fn seen_too(state: &State, actor: &Actor, asked: &Decision) -> Vec<(DecisionId, Event)> {
    let seen = |one: &&std::sync::Arc<Decision>| {
        one.status == Status::Pending
            && one.requested_by == asked.requested_by
            && matches!(one.source, Source::Approval | Source::Question | Source::Plan)
            && !one.is_held()
    };
    let event = |one: &std::sync::Arc<Decision>| {
        let reason = Some(ASKED.to_owned());
        let (by, via) = (actor.by.clone(), actor.via.clone());
        (one.id, Event::Cancelled { id: one.id, project: one.project.clone(), reason, by, via })
    };
    state.siblings.iter().filter(seen).map(event).collect()
}

/// Says that a job waits for a decision, and which others stand beside it.
pub(crate) fn waiting(
    state: &State,
    job: &Job,
    events: &[Event],
    decision_id: DecisionId,
    reason: &str,
) -> Event {
    let settled = |id: DecisionId| {
        events.iter().any(|event| {
            matches!(event, Event::Superseded { id: gone, .. } | Event::Cancelled { id: gone, .. } if *gone == id)
        })
    };
    let pending = state.siblings.iter().filter(|one| one.status == Status::Pending).map(|one| one.id);
    Event::StepWaiting(Box::new(StepWaiting {
        of: Of::new(job),
        step: job.step.clone(),
        visit: job.visit,
        decision_id,
        reason: reason.to_owned(),
        beside: pending.filter(|id| !settled(*id)).collect(),
    }))
}
