//! Values given so far, kept for whoever finishes.

use super::Status;
use super::answer::{may_answer, settled};
use crate::actor::Actor;
use crate::event::Event;
use crate::form;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::MAX_BODY;

/// Replaces the draft. What is wrong is refused field by field, what is hidden is dropped.
pub(crate) fn draft(state: &State, actor: &Actor, values: &Values) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_answer(decision, actor)?;
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    let size = serde_json::to_vec(values).map_or(usize::MAX, |body| body.len());
    if size > MAX_BODY {
        return Err(Refusal::invalid("draft", format!("has {size} bytes; at most {MAX_BODY} are taken")));
    }
    let filling = form::accept_draft(&decision.fields, values);
    if !filling.faults.is_empty() {
        return Err(Refusal::Invalid(filling.faults));
    }
    if filling.values == decision.draft {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::Drafted {
        id: decision.id,
        project: decision.project.clone(),
        draft: filling.values,
        by: actor.by.clone(),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
