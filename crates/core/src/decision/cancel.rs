//! Cancelling a question.

use super::Status;
use super::given::settled;
use crate::actor::Actor;
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{MAX_MESSAGE, check_length};

pub(crate) fn cancel(state: &State, actor: &Actor, reason: Option<&str>) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if actor.is_program() && !actor.asked(decision.asked_with.as_deref()) {
        return Err(Refusal::Forbidden("an agent can cancel only its own questions".into()));
    }
    check_length(reason.unwrap_or_default(), MAX_MESSAGE).map_err(|why| Refusal::invalid("reason", why))?;
    let reason = reason.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    match decision.status {
        Status::Pending => {}
        Status::Cancelled if decision.reason == reason => {
            return Ok(Ruling { replayed: true, ..Ruling::default() });
        }
        _ => return Err(settled(decision)),
    }
    let event = Event::Cancelled {
        id: decision.id,
        project: decision.project.clone(),
        reason,
        by: actor.by.clone(),
        via: actor.via.clone(),
    };
    let effects = vec![Effect::Tell { occasion: Occasion::Respond, id: decision.id }];
    Ok(Ruling { events: vec![event], effects, ..Ruling::default() })
}
