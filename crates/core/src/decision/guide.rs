//! Guidance: not a choice, but words for another round.

use super::answer::{Given, message_alone, settled, sign, what_is_right};
use super::{Decision, Source, Status, digest};
use crate::actor::Actor;
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::field::definition::ACCEPT;
use crate::field::{Effect as Act, Field, picking};
use crate::json::Values;
use crate::people::Escalation;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Kind, Opt, Timestamp, form};

/// Returns the option that guidance means, where one fits: its field and its id.
pub fn fitting_option(decision: &Decision) -> Option<(String, String)> {
    fitting(decision).map(|(field, option)| (field.id.clone(), option.id.clone()))
}

/// Returns the values that pick the option that guidance means, where one fits.
pub(super) fn fitting_values(decision: &Decision) -> Option<Values> {
    fitting(decision)
        .map(|(field, option)| Values::from_iter([(field.id.clone(), picking(field, &option.id))]))
}

/// Finds the option by its id, else by what it does; an approval and a plan take their only no.
fn fitting(decision: &Decision) -> Option<(&Field, &Opt)> {
    let (id, effects) = match decision.source {
        Source::Plan => ("revise", [Act::Revise, Act::Deny]),
        Source::Verdict | Source::Dead | Source::Error | Source::Gate => {
            ("retry", [Act::Retry, Act::Restart])
        }
        Source::Idle => ("nudge", [Act::Resume, Act::Resume]),
        Source::Approval => ("deny", [Act::Deny, Act::Deny]),
        Source::Question | Source::Form | Source::Request => return None,
    };
    let fields = decision.fields.iter();
    let options: Vec<_> =
        fields.flat_map(|field| field.options.iter().map(move |option| (field, option))).collect();
    let by_id = options.iter().find(|(_, option)| option.id == id);
    let by_effect =
        || options.iter().find(|(_, option)| option.effect.is_some_and(|act| effects.contains(&act)));
    let only_no = || {
        let mut refusing = options.iter().filter(|(_, option)| option.refuses);
        let only = refusing.next().filter(|_| matches!(decision.source, Source::Approval | Source::Plan));
        only.filter(|_| refusing.next().is_none())
    };
    by_id.or_else(by_effect).or_else(only_no).copied()
}

/// Returns whether guidance opens a next round here; elsewhere it is an option with a message, or refused. An agent in a
/// terminal does not propose again: it is told the words.
pub fn opens_next(decision: &Decision) -> bool {
    matches!(decision.source, Source::Question | Source::Form) && !decision.is_in_terminal()
}

/// Reads guidance as the answer that it means: words to a question, else an option with the words as message.
pub(super) fn as_answer(decision: &Decision, guidance: &str) -> Result<Given, Refusal> {
    let wrong = |message: &str| Refusal::invalid("guidance", message);
    match decision.source {
        Source::Request => return Err(wrong("the other party takes an answer or a refusal, no guidance")),
        Source::Question => return message_alone(decision, guidance.to_owned()),
        _ => {}
    }
    let values = fitting_values(decision);
    let values =
        values.ok_or_else(|| wrong(&format!("no option here means it; {}", what_is_right(decision))))?;
    Ok(Given { values, message: Some(guidance.to_owned()), ..Given::default() })
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
        // The person has just looked: the clock starts over, with as much time as the first round had.
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
        // Steps begin anew: whom they asked too is not asked yet.
        assignees: match &decision.escalation {
            Some(escalation) if escalation.open => Vec::new(),
            _ => decision.assignees.clone(),
        },
        // Who was on it has just guided it.
        taken: None,
        ..decision.clone()
    };
    offer_accept(&mut next);
    digest::seal(&mut next)?;
    let words = Given { message: Some(guidance.to_owned()), ..Given::default() };
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

/// From the second round on, a question with one choice can be accepted as it stands. The option is ours, not
/// the asker's: it is appended again each time.
pub(super) fn offer_accept(decision: &mut Decision) {
    withdraw_accept(&mut decision.fields);
    if decision.source != Source::Question || decision.iteration < 2 || decision.is_in_terminal() {
        return;
    }
    if let [field] = decision.fields.as_mut_slice()
        && field.kind == Kind::Choice
    {
        let mut accept = Opt::new(ACCEPT, "Accept the proposal as it stands");
        accept.short = Some("Accept".into());
        field.options.push(accept);
    }
}

/// Leaves what the asker itself offers.
pub(super) fn withdraw_accept(fields: &mut [Field]) {
    for field in fields {
        field.options.retain(|option| option.id != ACCEPT);
    }
}
