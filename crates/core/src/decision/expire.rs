//! The deadline passes. Silence is not consent: the status says so whatever was declared.

use std::collections::BTreeMap;

use super::{Answer, Decision, OnTimeout, Status, action, silence};
use crate::actor::Auth;
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Timestamp, run};

/// Who answers where a deadline does.
pub(super) const TIMEOUT: &str = "system:timeout";

/// Records that the deadline has passed; nothing if it has not, or if something else was first.
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

/// Returns the decision timed out, with the answer that silence gives.
pub(super) fn settle(mut decision: Decision, now: Timestamp) -> Decision {
    decision.answer = silent_answer(&decision, now);
    decision.status = Status::TimedOut;
    decision.settled_at = Some(settled_at(&decision, now));
    decision
}

fn settled_at(decision: &Decision, now: Timestamp) -> Timestamp {
    decision.deadline.unwrap_or(now)
}

fn silent_answer(decision: &Decision, now: Timestamp) -> Option<Answer> {
    let (values, out) = match decision.on_timeout {
        OnTimeout::Expire | OnTimeout::Cancel => return None,
        OnTimeout::Default => silence::read_default(decision, decision.default.as_ref()?).ok()?,
        OnTimeout::Deny => (silence::denial(decision).ok()?, None),
    };
    Some(Answer {
        values: if out.is_some() { Values::new() } else { values },
        out,
        message: None,
        written: BTreeMap::new(),
        seen: None,
        digest: Some(decision.digest.clone()),
        by: TIMEOUT.into(),
        on_behalf_of: None,
        via: "timeout".into(),
        channel: None,
        auth: Auth::System,
        at: settled_at(decision, now),
    })
}
