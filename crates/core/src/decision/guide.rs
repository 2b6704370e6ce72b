//! Guidance: not a choice, but words for another round.

use serde_json::Value;

use super::answer::{Given, check_digest, settled, sign};
use super::{Decision, Source, Status, digest};
use crate::command::{Actor, Ruling, State};
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::field::definition::ACCEPT;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::{Kind, Opt, Timestamp, form};

/// Returns the option that guidance means, where one fits: its field and its id.
pub fn fitting_option(decision: &Decision) -> Option<(String, String)> {
    let wanted = match decision.source {
        Source::Plan => "revise",
        Source::Verdict | Source::Dead | Source::Error | Source::Gate => "retry",
        Source::Idle => "nudge",
        Source::Approval => "deny",
        Source::Question | Source::Form | Source::Request => return None,
    };
    let options =
        || decision.fields.iter().flat_map(|field| field.options.iter().map(move |option| (field, option)));
    let by_id = options().find(|(_, option)| option.id == wanted);
    let mut refusing = options().filter(|(_, option)| option.refuses);
    let only_no = match (decision.source, refusing.next(), refusing.next()) {
        (Source::Approval | Source::Plan, only, None) => only,
        _ => None,
    };
    by_id.or(only_no).map(|(field, option)| (field.id.clone(), option.id.clone()))
}

/// Reads guidance as an option with a message, where one fits; nothing where a next round is to be opened.
pub(super) fn as_option(decision: &Decision, guidance: &str) -> Result<Option<Given>, Refusal> {
    match decision.source {
        Source::Question | Source::Form => return Ok(None),
        Source::Request => {
            let message = "the other party takes an answer or a refusal, no guidance";
            return Err(Refusal::invalid("guidance", message));
        }
        _ => {}
    }
    let (field, option) = fitting_option(decision).ok_or_else(|| {
        Refusal::invalid("guidance", "no option here fits it; answer with a message instead")
    })?;
    let values = Values::from_iter([(field, Value::String(option))]);
    Ok(Some(Given { values, out: None, message: Some(guidance.to_owned()) }))
}

/// Closes the decision as refined and opens the next round.
pub(super) fn open_next(
    state: &State,
    decision: &Decision,
    actor: &Actor,
    guidance: &str,
    seen: Option<&str>,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    check_digest(decision, seen)?;
    if decision.iteration >= decision.max_iterations {
        return Err(Refusal::LastRound { id: decision.id, round: decision.iteration });
    }
    let fresh = state.fresh.ok_or_else(|| Refusal::invalid("id", "no fresh id was given"))?;
    let mut next = Decision {
        id: fresh,
        iteration: decision.iteration + 1,
        prior: Some(decision.id),
        guidance: Some(guidance.to_owned()),
        // The person has just looked: the clock starts anew, with as much time as the first round had.
        deadline: decision.deadline.and_then(|deadline| now.checked_add(deadline.since(decision.created_at))),
        draft: form::accept_draft(&decision.fields, &decision.draft).values,
        created_at: now,
        ..decision.clone()
    };
    offer_accept(&mut next);
    digest::seal(&mut next)?;
    let words = Given { values: Values::new(), out: None, message: Some(guidance.to_owned()) };
    let refined = Event::Refined {
        id: decision.id,
        project: decision.project.clone(),
        answer: sign(words, actor, now),
        next: next.id,
    };
    let effects = vec![
        Effect::Tell { occasion: Occasion::Respond, id: decision.id },
        Effect::Tell { occasion: Occasion::Create, id: next.id },
    ];
    Ok(Ruling { events: vec![refined, Event::Created(Box::new(next))], effects, ..Ruling::default() })
}

/// From the second round on, a question with one choice can be accepted as it stands.
pub(super) fn offer_accept(decision: &mut Decision) {
    if decision.source != Source::Question || decision.iteration < 2 {
        return;
    }
    if let [field] = decision.fields.as_mut_slice()
        && field.kind == Kind::Choice
        && !field.options.iter().any(|option| option.id == ACCEPT)
    {
        let mut accept = Opt::new(ACCEPT, "Accept my guidance and go on");
        accept.short = Some("Accept".into());
        field.options.push(accept);
    }
}
