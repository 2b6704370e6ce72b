//! Timing out at the deadline. Silence is not consent: the status is timed out, whatever was declared.

use super::silence::silent_answer;
use super::{OnTimeout, action};
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Timestamp, run};

/// Records that the deadline has passed; nothing happens if it has not, or if something else came first.
pub(crate) fn expire(state: &State, now: Timestamp) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if !decision.is_due(now) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let answer = silent_answer(decision, now);
    let mut actions = answer.as_ref().map(|answer| action::actions(decision, answer)).unwrap_or_default();
    if decision.on_timeout == OnTimeout::Cancel {
        actions.extend(decision.owner.as_ref().and_then(|owner| action::cancel_owner(decision, owner, None)));
    }
    let mut effects = vec![Effect::Tell { occasion: Occasion::Timeout, id: decision.id }];
    effects.extend((1..=actions.len()).map(|event| Effect::Act { event }));
    if answer.is_some() && run::carries_out(decision) {
        effects.push(Effect::CarryOut { id: decision.id });
    }
    let expired = Event::Expired {
        id: decision.id,
        project: decision.project.clone(),
        on_timeout: decision.on_timeout,
        answer,
    };
    let events = std::iter::once(expired).chain(actions).collect();
    Ok(Ruling { events, effects, ..Ruling::default() })
}
