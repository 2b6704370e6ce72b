//! Escalation: when a decision stays unanswered, people are notified, reminded or added. It settles nothing.

use std::collections::BTreeSet;

use super::{Decision, Status};
use crate::Timestamp;
use crate::actor::{Actor, Auth};
use crate::effect::{Effect, Occasion};
use crate::event::{Escalated, Event};
use crate::people::Occurrence;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};

impl Decision {
    /// Returns when the next step is due, if any is.
    pub fn escalates_at(&self) -> Option<Timestamp> {
        let escalation = self.escalation.as_ref().filter(|_| self.status == Status::Pending)?;
        escalation.next_at.filter(|next| self.deadline.is_none_or(|deadline| *next < deadline))
    }

    /// Returns whether anyone may answer, because nobody was assigned, even if a step has assigned somebody since.
    pub fn is_for_anyone(&self) -> bool {
        self.assignees.is_empty() || self.escalation.as_ref().is_some_and(|escalation| escalation.open)
    }
}

/// How many assignees a decision may have.
const MOST_ASSIGNEES: usize = 100;

/// Takes all steps that are due; nothing happens if none are, or if something else came first. Steps that were missed
/// while no server ran happen once.
pub(crate) fn escalate(state: &State, actor: &Actor, now: Timestamp) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if actor.auth != Auth::System {
        return Err(Refusal::Forbidden("only the server takes escalation steps".into()));
    }
    let nothing = || Ok(Ruling { replayed: true, ..Ruling::default() });
    let Some(escalation) = decision.escalation.as_ref().filter(|_| decision.status == Status::Pending) else {
        return nothing();
    };
    let mut due = escalation.ahead(decision.created_at);
    due.retain(|occurrence| occurrence.at <= now);
    let fired = u32::try_from(due.len()).unwrap_or(u32::MAX).saturating_add(escalation.fired);
    if due.is_empty() {
        return nothing();
    }
    let (mut events, mut told, mut asked) = (Vec::new(), BTreeSet::new(), decision.assignees.clone());
    for (at, occurrence) in due.iter().enumerate() {
        if due.iter().skip(at + 1).any(|later| later.place == occurrence.place) {
            continue;
        }
        let step = step(state, decision, occurrence, &asked, now);
        asked.extend(step.assigned.iter().cloned());
        told.extend(step.told.iter().cloned());
        events.push(Event::Escalated(Box::new(Escalated { fired, ..step })));
    }
    let id = decision.id;
    let mut effects = vec![Effect::Tell { occasion: Occasion::Escalate, id }];
    // Where nobody is assigned, a reminder goes where the first notice went.
    let is_for_all =
        decision.is_for_anyone() && decision.needs.as_ref().is_none_or(|needs| needs.named().is_empty());
    let others = is_for_all && due.iter().any(|occurrence| occurrence.step.remind);
    if others || !told.is_empty() {
        effects.push(Effect::TellPeople { id, people: told.into_iter().collect(), others });
    }
    Ok(Ruling { events, effects, ..Ruling::default() })
}

/// Works out whom a step reaches at this time.
fn step(
    state: &State,
    decision: &Decision,
    occurrence: &Occurrence<'_>,
    asked: &[String],
    now: Timestamp,
) -> Escalated {
    let assign = &occurrence.step.assign;
    let room = MOST_ASSIGNEES.saturating_sub(asked.len());
    let assigned = state.roster.named(assign).into_iter().map(str::to_owned);
    let assigned: Vec<String> = assigned.filter(|who| !asked.contains(who)).take(room).collect();
    Escalated {
        id: decision.id,
        project: decision.project.clone(),
        step: occurrence.place + 1,
        round: occurrence.round,
        fired: 0,
        told: occurrence.reaches(decision, &state.roster, now),
        open: !assigned.is_empty() && decision.is_for_anyone(),
        assigned,
        what: occurrence.happens(),
    }
}
