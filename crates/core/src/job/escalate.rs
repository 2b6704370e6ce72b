//! Escalates a job: asks a person, and lets the job wait for the decision.

use std::borrow::Cow;

use super::state::Job;
use crate::about::OwnerRef;
use crate::actor::Actor;
use crate::decision::{self, New};
use crate::event::{Event, StepMissed, StepWaiting};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Decision, DecisionId, Source, Status, Timestamp};

const ASKED: &str = "auto-dismissed: the agent asks it itself";

/// Asks a person; the job waits for the decision.
pub(super) fn escalate(
    state: &State,
    actor: &Actor,
    job: &Job,
    escalation: &New,
    reason: &str,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let noted = with_undelivered(job, escalation);
    let mut ruling = decision::create(state, actor, &noted, now)?;
    let created = ruling.events.iter().rev().find_map(|event| match event {
        Event::Created(decision) => Some(decision.id),
        _ => None,
    });
    if let Some(decision_id) = created {
        let tells = !job.missed.is_empty();
        let waiting = StepWaiting { tells, ..waiting(state, job, &ruling.events, decision_id, reason) };
        ruling.events.push(Event::StepWaiting(Box::new(waiting)));
    }
    Ok(ruling)
}

/// Prepends undelivered input to the text for the person.
fn with_undelivered<'a>(job: &Job, escalation: &'a New) -> Cow<'a, New> {
    if job.missed.is_empty() {
        return Cow::Borrowed(escalation);
    }
    let notes = job.missed.iter().map(|missed| missed.what.as_str());
    let parts: Vec<&str> = notes.chain(escalation.prompt.as_deref()).collect();
    Cow::Owned(New { prompt: Some(parts.join("\n\n")), ..escalation.clone() })
}

/// Records what was missed, and asks a person about it unless they are asked something already.
pub(super) fn missed(
    state: &State,
    actor: &Actor,
    job: &Job,
    what: &str,
    escalation: Option<&New>,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let missed = Event::StepMissed(Box::new(StepMissed {
        of: OwnerRef::new(job),
        step: job.step.clone(),
        visit: job.visit,
        what: what.to_owned(),
    }));
    let is_asked = state.siblings.iter().any(|one| one.status == Status::Pending);
    let job = super::apply(Some(job.clone()), &missed, now);
    let mut ruling = match (escalation, job) {
        // A job that is being ended needs no person.
        (Some(escalation), Some(job)) if !is_asked && job.order.is_none() => {
            escalate(state, actor, &job, escalation, "missed", now)?
        }
        _ => Ruling::default(),
    };
    ruling.events.insert(0, missed);
    Ok(ruling)
}

/// Cancels decisions about the agent's screen if the agent itself now asks the same; returns the events by decision.
pub(crate) fn cancel_screen_duplicates(
    state: &State,
    actor: &Actor,
    asked: &Decision,
) -> Vec<(DecisionId, Event)> {
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

/// Returns that a job waits for a decision, and which others are pending beside it.
pub(crate) fn waiting(
    state: &State,
    job: &Job,
    events: &[Event],
    decision_id: DecisionId,
    reason: &str,
) -> StepWaiting {
    let settled = |id: DecisionId| {
        events.iter().any(|event| {
            matches!(event, Event::Superseded { id: gone, .. } | Event::Cancelled { id: gone, .. } if *gone == id)
        })
    };
    let pending = state.siblings.iter().filter(|one| one.status == Status::Pending).map(|one| one.id);
    StepWaiting {
        of: OwnerRef::new(job),
        step: job.step.clone(),
        visit: job.visit,
        decision_id,
        reason: reason.to_owned(),
        beside: pending.filter(|id| !settled(*id)).collect(),
        tells: false,
    }
}
