//! Guidance: words that ask for another round instead of a choice.

use super::accept::offer_accept;
use super::answer_input::message_alone;
use super::fitting::fitting_values;
use super::given::{UnsignedAnswer, settled, sign, what_is_right};
use super::{Decision, Source, Status, digest};
use crate::actor::Actor;
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::people::Escalation;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Timestamp, form};

/// Returns whether guidance opens another round here; elsewhere it is an option with a message, or refused. An agent in
/// a terminal does not propose again: the words are typed there.
pub fn opens_next(decision: &Decision) -> bool {
    matches!(decision.source, Source::Question | Source::Form) && !decision.is_in_terminal()
}

/// Reads guidance as the answer it amounts to: the text for a question, else an option with the words as message.
pub(super) fn as_answer(decision: &Decision, guidance: &str) -> Result<UnsignedAnswer, Refusal> {
    let wrong = |message: &str| Refusal::invalid("guidance", message);
    match decision.source {
        Source::Request => return Err(wrong("answer or refuse: the other party does not accept guidance")),
        Source::Question => return message_alone(decision, guidance.to_owned()),
        _ => {}
    }
    let values = fitting_values(decision);
    let values =
        values.ok_or_else(|| wrong(&format!("no option here means it; {}", what_is_right(decision))))?;
    Ok(UnsignedAnswer { values, message: Some(guidance.to_owned()), ..UnsignedAnswer::default() })
}

/// Closes the decision as refined and opens the next round.
pub(super) fn open_next(
    state: &State,
    decision: &Decision,
    actor: &Actor,
    guidance: &str,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    if decision.iteration >= decision.max_iterations {
        return Err(Refusal::LastRound { id: decision.id, round: decision.iteration });
    }
    let fresh = state.fresh.ok_or_else(|| Refusal::invalid("id", "no fresh id was given"))?;
    let mut next = Decision {
        id: fresh,
        iteration: decision.iteration + 1,
        prior: Some(decision.id),
        guidance: Some(guidance.to_owned()),
        // The person has just read it: the clock starts over, with as much time as the first round had.
        deadline: decision.deadline.map(|deadline| {
            let timeout = deadline.since(decision.created_at).as_millis();
            Timestamp::from_millis(now.as_millis().saturating_add(timeout))
        }),
        draft: form::accept_draft(&decision.fields, &decision.draft).values,
        created_at: now,
        votes: Vec::new(),
        escalation: decision
            .escalation
            .as_ref()
            .and_then(|escalation| Escalation::start(escalation.steps.clone(), now)),
        // Steps begin again, so people whom they added are not assigned yet.
        assignees: match &decision.escalation {
            Some(escalation) if escalation.open => Vec::new(),
            _ => decision.assignees.clone(),
        },
        // The person who had taken it has just given the guidance.
        taken: None,
        ..decision.clone()
    };
    offer_accept(&mut next);
    digest::seal(&mut next)?;
    let words = UnsignedAnswer { message: Some(guidance.to_owned()), ..UnsignedAnswer::default() };
    let refined = Event::Refined {
        id: decision.id,
        project: decision.project.clone(),
        answer: sign(decision, words, actor, now),
        next: next.id,
    };
    let effects = vec![
        Effect::Tell { occasion: Occasion::Respond, id: decision.id },
        Effect::Tell { occasion: Occasion::Create, id: next.id },
    ];
    Ok(Ruling { events: vec![refined, Event::Created(Box::new(next))], effects, ..Ruling::default() })
}
