//! Using an approval: once, and only for what was approved.

use std::sync::Arc;

use serde_json::Value;

use super::digest::subject_digest;
use super::outcome::{chosen, is_refusal};
use super::revise::may_act_for_asker;
use super::{Decision, Source, Status};
use crate::actor::{Actor, Auth};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Timestamp, apply, rule};

/// What an answer must satisfy for the approval to be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// The least assurance of the answerer's identity.
    pub min: Option<Auth>,
    /// Whether the answer must state that the whole subject was seen.
    pub seen: bool,
}

impl Decision {
    /// Returns whether a standing rule said yes and the request that asked used that yes up.
    pub fn is_used_by_its_request(&self) -> bool {
        let by_rule = self.answer.as_ref().is_some_and(|answer| answer.by.starts_with(rule::BY));
        by_rule && self.consumed_at == Some(self.created_at)
    }
}

/// Uses up the yes that rules give to a decision, in the ruling that asks it; returns none if they give no yes.
pub(super) fn at_once(asked: &Decision, by_rules: &[Event], actor: &Actor, now: Timestamp) -> Option<Event> {
    let subject = asked.subject.as_ref()?;
    let resolved = by_rules.iter().find(|event| event.decision() == Some(asked.id))?;
    let decision = apply(Some(asked.clone()), resolved, now).map(Arc::new);
    let state = State { decision, ..State::default() };
    consume(&state, actor, subject, Requirements::default(), now).ok()?.events.pop()
}

pub(crate) fn consume(
    state: &State,
    actor: &Actor,
    subject: &Value,
    required: Requirements,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_act_for_asker(decision, actor, "consume")?;
    let no = |why: String| Err(Refusal::NotConsumable { id: decision.id, why });
    if decision.source == Source::Verdict {
        return no("a verdict is carried out, not consumed".into());
    }
    let answer = match (&decision.status, &decision.answer) {
        (Status::Answered, Some(answer)) => answer,
        (Status::Pending, _) => return no("nobody has answered yet".into()),
        (status, _) => return no(format!("it is {status}, which is not a person's yes")),
    };
    let Some(approved) = &decision.subject_digest else {
        return no("it has no subject: nothing exact was approved".into());
    };
    if decision.answers_another() {
        return no("run hold doctor: the answer was given to something other than what is stored now".into());
    }
    let asked = subject_digest(subject)?;
    if asked != *approved {
        return no(format!("the subject differs from what was approved ({asked} is not {approved})"));
    }
    let picked = chosen(decision);
    let is_out = answer.out.is_some() || picked.iter().any(|chosen| chosen.option.refuses);
    if is_out || !picked.is_empty() && is_refusal(decision) {
        return no(format!("it was refused by {}", crate::text::inert_line(&answer.by)));
    }
    if picked.is_empty() {
        return no("no option was chosen, so nothing was approved".into());
    }
    if let Some(least) = required.min
        && !answer.auth.is_at_least(least)
    {
        return no(format!(
            "it was answered with assurance {}, but {} is needed",
            answer.auth.name(),
            least.name()
        ));
    }
    if required.seen && answer.seen != Some(true) {
        let by = crate::text::inert_line(&answer.by);
        return no(match answer.seen {
            Some(_) => format!("{by} consented unread, but the whole subject must have been seen"),
            None => format!("the answer of {by} does not say that the whole subject was seen"),
        });
    }
    if let Some(until) = decision.valid_until.filter(|until| *until <= now) {
        return no(format!("what was approved was valid until {until}; ask again"));
    }
    if let Some(at) = decision.consumed_at {
        return no(format!("it was consumed at {at}"));
    }
    let event = Event::Consumed {
        id: decision.id,
        project: decision.project.clone(),
        subject_digest: asked,
        by: actor.by.clone(),
        request_digest: None,
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
