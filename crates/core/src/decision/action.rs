//! What an answer does to the job or crew that waits: the chosen option's effect, as events.

use super::{Answer, Decision, Owner, OwnerKind, Source, outcome};
use crate::event::{Act, Event};
use crate::field::{self, Effect, Field};

/// What an agent is told where the person said nothing.
const GO_ON: &str = "Please continue with the task.";

/// Returns the action events of an answer, each carrying the message. Other owners act by themselves.
pub(super) fn actions(decision: &Decision, answer: &Answer) -> Vec<Event> {
    let Some(owner) = decision.owner.as_ref().filter(|owner| owner.supersedes()) else { return Vec::new() };
    let settled = Decision { answer: Some(answer.clone()), ..decision.clone() };
    let picked = outcome::chosen(&settled);
    let effect = match picked.as_slice() {
        [only] => effect_of(decision.source, only.option),
        _ => None,
    };
    let message = answer.message.clone();
    match (decision.source, effect) {
        (_, Some(Effect::Dismiss)) => Vec::new(),
        (Source::Plan, Some(Effect::Cancel)) => {
            let rejected = respond(decision, owner, false, None, message.clone());
            std::iter::once(rejected).chain(cancel_owner(decision, owner, message)).collect()
        }
        (_, Some(Effect::Cancel)) => cancel_owner(decision, owner, message).into_iter().collect(),
        (_, Some(Effect::Resume)) => {
            vec![resume(decision, owner, false, message.or_else(|| Some(GO_ON.into())))]
        }
        (_, Some(Effect::Restart | Effect::Retry)) => {
            vec![resume(decision, owner, true, message.or_else(|| Some(GO_ON.into())))]
        }
        (_, Some(Effect::Advance)) => vec![advance(decision, owner, message)],
        (_, Some(Effect::Approve)) => vec![input(decision, owner, "y".into(), message)],
        (_, Some(Effect::Deny)) => vec![input(decision, owner, "n".into(), message)],
        (_, Some(Effect::AcceptClear)) => vec![respond(decision, owner, true, Some(1), message)],
        (_, Some(Effect::AcceptAuto)) => vec![respond(decision, owner, true, Some(2), message)],
        (_, Some(Effect::AcceptManual)) => vec![respond(decision, owner, true, Some(3), message)],
        (_, Some(Effect::Revise)) => vec![respond(decision, owner, false, None, message)],
        (Source::Question, _) if !answer.values.is_empty() => inputs(decision, owner, answer),
        (Source::Verdict, _) => Vec::new(),
        _ => message.map(|message| resume(decision, owner, false, Some(message))).into_iter().collect(),
    }
}

/// Returns the event that cancels the owner, if it is one that can be cancelled.
pub(super) fn cancel_owner(decision: &Decision, owner: &Owner, message: Option<String>) -> Option<Event> {
    let act = act(decision, owner, message);
    match owner.kind {
        OwnerKind::Job => Some(Event::JobCancel(act)),
        OwnerKind::Crew => {
            Some(Event::CrewUpdated { act, status: "failed".into(), reason: "cancelled".into() })
        }
        _ => None,
    }
}

fn effect_of(source: Source, option: &field::Opt) -> Option<Effect> {
    option.effect.or(match (source, option.id.as_str()) {
        (_, "cancel") => Some(Effect::Cancel),
        (_, "dismiss") => Some(Effect::Dismiss),
        (Source::Approval, _) if option.refuses => Some(Effect::Deny),
        (Source::Approval, _) => Some(Effect::Approve),
        _ => None,
    })
}

fn act(decision: &Decision, owner: &Owner, message: Option<String>) -> Act {
    Act {
        id: owner.id.clone(),
        project: decision.project.clone(),
        decision_id: decision.id,
        agent_id: decision.requested_by.clone(),
        message,
    }
}

fn resume(decision: &Decision, owner: &Owner, restart: bool, message: Option<String>) -> Event {
    let act = act(decision, owner, message);
    if owner.kind == OwnerKind::Crew {
        Event::CrewResume { act, restart }
    } else {
        Event::JobResume { act, restart }
    }
}

fn advance(decision: &Decision, owner: &Owner, message: Option<String>) -> Event {
    let act = act(decision, owner, message);
    if owner.kind == OwnerKind::Crew {
        let reason = if decision.source == Source::Idle { "done" } else { "skipped" };
        Event::CrewUpdated { act, status: "completed".into(), reason: reason.into() }
    } else {
        Event::StepCompleted(act)
    }
}

fn input(decision: &Decision, owner: &Owner, input: String, message: Option<String>) -> Event {
    Event::SessionInput { act: act(decision, owner, message), owner: owner.clone(), input }
}

fn respond(
    decision: &Decision,
    owner: &Owner,
    accept: bool,
    option: Option<u8>,
    message: Option<String>,
) -> Event {
    Event::SessionRespond { act: act(decision, owner, message), owner: owner.clone(), accept, option }
}

/// One input for each answered field, in the order they were asked; the message goes with the last.
fn inputs(decision: &Decision, owner: &Owner, answer: &Answer) -> Vec<Event> {
    let answered: Vec<&Field> =
        decision.fields.iter().filter(|field| answer.values.contains_key(&field.id)).collect();
    let last = answered.len().saturating_sub(1);
    let event = |(at, field): (usize, &&Field)| {
        let text = answer.values.get(&field.id).map(|value| typed(field, value)).unwrap_or_default();
        let message = answer.message.clone().filter(|message| at == last && *message != text);
        input(decision, owner, text, message)
    };
    answered.iter().enumerate().map(event).collect()
}

/// What is typed for a value: the option's number, or the person's own words.
fn typed(field: &Field, value: &serde_json::Value) -> String {
    if let Some(text) = field::has_custom_text(value) {
        return text.to_owned();
    }
    let number =
        |id: &str| field.options.iter().position(|option| option.id == id).map(|at| (at + 1).to_string());
    let numbers: Vec<String> =
        field::picked(field, value).iter().filter_map(|p| number(&p.option.id)).collect();
    match value {
        _ if !numbers.is_empty() => numbers.join(","),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
