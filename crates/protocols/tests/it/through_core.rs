//! Sends what the translators made through core, as the store would.

use std::sync::Arc;

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{
    Actor, Command, Decision, DecisionId, Event, Numbering, Refusal, Ruling, State, Timestamp, apply, decide,
};

/// When everything in these tests is asked.
pub(crate) const ASKED_MS: i64 = 1_763_200_000_000;

pub(crate) fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(ASKED_MS + millis)
}

pub(crate) fn id(number: i64) -> DecisionId {
    Numbering::new(1).id(number)
}

/// Asks; gives the decision as it stands afterwards.
pub(crate) fn ask(new: New) -> Result<Decision, Refusal> {
    let ruling = run(None, &Command::Create(Box::new(new)), at(0))?;
    Ok(created(&ruling))
}

/// Answers a second later.
pub(crate) fn answer(decision: &Decision, input: AnswerInput) -> Result<Decision, Refusal> {
    let (decision, _) = settle(decision, input)?;
    Ok(decision)
}

/// Answers as it was seen, and also gives the events.
pub(crate) fn settle(decision: &Decision, mut input: AnswerInput) -> Result<(Decision, Vec<Event>), Refusal> {
    input.digest.get_or_insert_with(|| decision.digest.clone());
    let command = Command::Answer { id: decision.id, input: Box::new(input) };
    let ruling = run(Some(decision), &command, at(1_000))?;
    Ok((after(decision, &ruling, at(1_000)), ruling.events))
}

/// Gives guidance; gives the refined decision and the next round.
pub(crate) fn guide(decision: &Decision, guidance: &str) -> (Decision, Decision) {
    let digest = Some(decision.digest.clone());
    let input = AnswerInput { guidance: Some(guidance.into()), digest, ..AnswerInput::default() };
    let ruling =
        run(Some(decision), &Command::Answer { id: decision.id, input: Box::new(input) }, at(1_000)).unwrap();
    (after(decision, &ruling, at(1_000)), created(&ruling))
}

pub(crate) fn cancel(decision: &Decision, reason: &str) -> Decision {
    let command = Command::Cancel { id: decision.id, reason: Some(reason.into()) };
    let ruling = run(Some(decision), &command, at(1_000)).unwrap();
    after(decision, &ruling, at(1_000))
}

fn run(decision: Option<&Decision>, command: &Command, now: Timestamp) -> Result<Ruling, Refusal> {
    let state = State {
        decision: decision.cloned().map(Arc::new),
        named: "it".into(),
        fresh: Some(id(decision.map_or(1, |decision| 1 + i64::from(decision.iteration)))),
        ..State::default()
    };
    decide(&state, &Actor::claimed("ana", "cli"), command, now)
}

fn created(ruling: &Ruling) -> Decision {
    let created = |event: &Event| match event {
        Event::Created(decision) => Some((**decision).clone()),
        _ => None,
    };
    ruling.events.iter().find_map(created).expect("something was asked")
}

fn after(decision: &Decision, ruling: &Ruling, now: Timestamp) -> Decision {
    let mut own = ruling.events.iter().filter(|event| event.decision() == Some(decision.id));
    own.try_fold(decision.clone(), |decision, event| apply(Some(decision), event, now))
        .expect("it was not removed")
}
