//! An answer in its one normal form, and its result once it is signed.

use std::collections::BTreeMap;

use super::{Answer, Decision, action, number, outcome};
use crate::actor::Actor;
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::state::Ruling;
use crate::{Timestamp, form, run};

/// An answer in normal form, not yet signed.
#[derive(Default)]
pub(super) struct UnsignedAnswer {
    pub(super) values: Values,
    pub(super) out: Option<String>,
    pub(super) message: Option<String>,
    pub(super) written: BTreeMap<String, String>,
}

/// Signs an answer: adds what it answers, the name, the entry point and the time.
pub(super) fn sign(decision: &Decision, given: UnsignedAnswer, actor: &Actor, now: Timestamp) -> Answer {
    Answer {
        values: given.values,
        out: given.out,
        message: given.message,
        written: given.written,
        seen: None,
        digest: Some(decision.digest.clone()),
        by: actor.by.clone(),
        on_behalf_of: None,
        via: actor.via.clone(),
        channel: actor.channel.clone(),
        auth: actor.auth,
        at: now,
    }
}

/// Settles a decision with an answer, after the events that came before.
pub(super) fn resolved(decision: &Decision, answer: Answer, mut events: Vec<Event>) -> Ruling {
    let actions = action::actions(decision, &answer);
    let mut effects = vec![Effect::Tell { occasion: Occasion::Respond, id: decision.id }];
    let first = events.len() + 1;
    effects.extend((first..first + actions.len()).map(|event| Effect::Act { event }));
    if run::carries_out(decision) {
        effects.push(Effect::CarryOut { id: decision.id });
    }
    let choices = number::numbers(decision, &answer.values, answer.out.as_deref());
    let chosen = number::picks(decision, &answer.values, answer.out.as_deref());
    events.push(Event::Resolved {
        id: decision.id,
        project: decision.project.clone(),
        answer,
        choices,
        chosen,
    });
    events.extend(actions);
    Ruling { events, effects, ..Ruling::default() }
}

pub(super) fn settled(decision: &Decision) -> Refusal {
    Refusal::Settled(Box::new(decision.clone()))
}

/// Describes what would answer a decision.
pub(super) fn what_is_right(decision: &Decision) -> String {
    match decision.fields.as_slice() {
        [field] if field.kind.picks() => format!("choose one of: {}", outcome::list(&field.options)),
        [field] => format!("give a {}", field.kind.name()),
        fields => format!("give values for: {}", form::names(fields)),
    }
}
