//! What is added to a thread's stream: that the other side is asked something, and the outcome.

use crate::command::Command;
use crate::event::Event;
use crate::state::{Ruling, State};
use crate::{Decision, DecisionId};

/// Adds to a ruling the events for the thread of its decision, if it has one.
///
/// A message in the thread itself is not repeated, because its sender knows it.
pub(crate) fn follow(state: &State, command: &Command, ruling: &mut Ruling) {
    let Some(thread) = state.thread.as_ref().filter(|_| !matches!(command, Command::Post(_))) else { return };
    let asked = |decision: &Decision| Event::ThreadAsked {
        id: thread.id.clone(),
        project: thread.project.clone(),
        decision_id: decision.id,
    };
    let replied = |decision_id: DecisionId| Event::ThreadReplied {
        id: thread.id.clone(),
        project: thread.project.clone(),
        decision_id,
    };
    let settles = |id: DecisionId| {
        state.decision.as_ref().is_some_and(|decision| decision.id == id && thread.owns(decision))
    };
    let told: Vec<Event> = ruling
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Created(decision) if thread.owns(decision) => Some(asked(decision)),
            Event::Revised(revised) if settles(revised.id) => state.decision.as_deref().map(asked),
            Event::Resolved { id, .. } | Event::Expired { id, .. } | Event::Cancelled { id, .. }
                if settles(*id) =>
            {
                Some(replied(*id))
            }
            _ => None,
        })
        .collect();
    // At the end, because effects refer to earlier events by index.
    ruling.events.extend(told);
}
