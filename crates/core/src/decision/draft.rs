//! Drafts: values given so far, kept for the person who finishes the answer, and the state of the conversation about
//! them.

use serde_json::Value;

use super::Status;
use super::answer::check_draft;
use super::given::settled;
use super::may_answer::may_answer;
use crate::actor::Actor;
use crate::event::Event;
use crate::form;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{MAX_BODY, MAX_TALK};

/// The input that keeps values for the person who finishes the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftInput {
    /// The values, all of them.
    pub values: Values,
    /// The draft that these were made from; the input is refused if it has changed since.
    pub over: Option<Values>,
    /// The state that a conversation needs to continue: an object that the decision does not interpret. With it the
    /// turn is recorded even if the values are the same.
    pub talk: Option<Value>,
}

impl From<Values> for DraftInput {
    fn from(values: Values) -> Self {
        Self { values, ..Self::default() }
    }
}

/// Replaces the draft. Wrong values are refused field by field, hidden ones are dropped.
pub(crate) fn draft(state: &State, actor: &Actor, input: &DraftInput) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_answer(decision, actor)?;
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    check_size(input)?;
    check_draft(decision, input.over.as_ref())?;
    let filling = form::accept_draft(&decision.fields, &input.values);
    if !filling.faults.is_empty() {
        return Err(Refusal::Invalid(filling.faults));
    }
    if filling.values == decision.draft && input.talk.is_none() {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::Drafted {
        id: decision.id,
        project: decision.project.clone(),
        draft: filling.values,
        by: actor.by.clone(),
        talk: input.talk.clone(),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn check_size(input: &DraftInput) -> Result<(), Refusal> {
    let size = serde_json::to_vec(&input.values).map_or(usize::MAX, |body| body.len());
    if size > MAX_BODY {
        return Err(Refusal::invalid("draft", format!("has {size} bytes; at most {MAX_BODY} are allowed")));
    }
    let Some(talk) = &input.talk else { return Ok(()) };
    if !talk.is_object() {
        return Err(Refusal::invalid("talk", "is not an object"));
    }
    let size = serde_json::to_vec(talk).map_or(usize::MAX, |body| body.len());
    if size > MAX_TALK {
        return Err(Refusal::invalid("talk", format!("has {size} bytes; at most {MAX_TALK} are allowed")));
    }
    Ok(())
}
