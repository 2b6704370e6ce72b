//! What an answer does to the job or crew that waits: the chosen option's effect, as events.

use serde_json::Value;

use super::{Answer, Decision, Owner, OwnerKind, Source, outcome};
use crate::about::OwnerAction;
use crate::event::Event;
use crate::field::{self, Effect, Field, Kind};
use crate::job::detect::PlanAcceptance;
use crate::job::{ACCEPTS, GO_ON, MENU};
use crate::json::Values;
use crate::text::quote;

/// Returns the action events of an answer, each carrying the message. Owners of other kinds act by themselves.
pub(super) fn actions(decision: &Decision, answer: &Answer) -> Vec<Event> {
    let Some(owner) = decision.owner.as_ref().filter(|owner| owner.supersedes()) else { return Vec::new() };
    let message = answer.message.clone();
    let restart =
        |restart| vec![resume(decision, owner, restart, message.clone().or_else(|| Some(GO_ON.into())))];
    let key = |key: &str| vec![input(decision, owner, key.into(), message.clone())];
    let plan = |accept, option| vec![respond(decision, owner, accept, option, message.clone())];
    match effect(decision, &answer.values, answer.out.as_deref()) {
        // A verdict is carried out on its repository, not on the session.
        Some(Effect::Dismiss | Effect::Commit | Effect::Checkpoint | Effect::Abandon | Effect::Rollback) => {
            Vec::new()
        }
        Some(Effect::Cancel) => {
            let rejected = if decision.source == Source::Plan { plan(false, None) } else { Vec::new() };
            rejected.into_iter().chain(cancel_owner(decision, owner, message)).collect()
        }
        Some(Effect::Resume) => restart(false),
        Some(Effect::Restart | Effect::Retry) => restart(true),
        Some(Effect::Advance) => vec![advance(decision, owner, message)],
        Some(Effect::Approve) => key("y"),
        Some(Effect::Deny) => key("n"),
        Some(Effect::AcceptClear) => plan(true, Some(1)),
        Some(Effect::AcceptAuto) => plan(true, Some(2)),
        Some(Effect::AcceptManual) => plan(true, Some(3)),
        Some(Effect::Revise) => plan(false, None),
        None if decision.source == Source::Question && !answer.values.is_empty() => {
            inputs(decision, owner, answer)
        }
        // A message alone: a dead agent gets it when it is started again.
        None => {
            let dead = decision.source == Source::Dead;
            message.map(|message| resume(decision, owner, dead, Some(message))).into_iter().collect()
        }
    }
}

/// Returns whether an answer needs a message to mean anything: a plan that is sent back to an agent.
pub fn needs_words(decision: &Decision, values: &Values, out: Option<&str>) -> bool {
    let picked = outcome::picks(decision, values, out);
    let revises = matches!(picked.as_slice(), [only] if only.option.effect == Some(Effect::Revise));
    // The agent reads the message in its terminal, or as the reason why its hook refuses the plan.
    let is_read = decision.is_in_terminal() || decision.subject.is_some();
    decision.source == Source::Plan && is_read && revises
}

/// Returns why an answer accepts a plan in a way that the agent's menu lacks, if so. Otherwise the option at that place
/// in the menu would be typed instead.
pub(super) fn not_on_menu(decision: &Decision, values: &Values, out: Option<&str>) -> Option<String> {
    let origin = decision.origin.as_ref()?;
    let (accepts, menu) = (origin.extra.get(ACCEPTS)?, origin.extra.get(MENU)?.as_array()?);
    let way = match effect(decision, values, out)? {
        Effect::AcceptClear => PlanAcceptance::Clear,
        Effect::AcceptAuto => PlanAcceptance::Auto,
        Effect::AcceptManual => PlanAcceptance::Manual,
        _ => return None,
    };
    if accepts.get(way.name()).is_some() {
        return None;
    }
    let labels: Vec<String> = menu.iter().filter_map(Value::as_str).map(quote).collect();
    let menu = match labels.as_slice() {
        [] => "could not be read; choose in its terminal: hold job attach".to_owned(),
        labels => format!("does not offer this; it offers: {}", labels.join(", ")),
    };
    Some(format!("the agent's menu {menu}"))
}

/// Returns the effect of an answer: the one its only option declares, else what the option means by its id and source.
fn effect(decision: &Decision, values: &Values, out: Option<&str>) -> Option<Effect> {
    if let Some(out) = decision.outs.iter().find(|one| out == Some(one.id.as_str())) {
        let by_id = match out.id.as_str() {
            "cancel" => Some(Effect::Cancel),
            "dismiss" => Some(Effect::Dismiss),
            _ => None,
        };
        return out.effect.or(by_id);
    }
    let picked = outcome::picks(decision, values, None);
    let only = match picked.as_slice() {
        [] => return None,
        [only] => Some(only.option),
        _ => None,
    };
    if let Some(effect) = only.and_then(|option| option.effect) {
        return Some(effect);
    }
    match (decision.source, only.map(|option| option.id.as_str())) {
        // An approval with several boxes is a yes only if none of them refuses.
        (Source::Approval, _) if picked.iter().any(|chosen| chosen.option.refuses) => Some(Effect::Deny),
        (Source::Approval, _) => Some(Effect::Approve),
        (Source::Idle, Some("nudge")) => Some(Effect::Resume),
        (Source::Dead | Source::Error | Source::Gate, Some("retry")) => Some(Effect::Restart),
        (Source::Idle, Some("done")) | (Source::Dead | Source::Error | Source::Gate, Some("skip")) => {
            Some(Effect::Advance)
        }
        (Source::Plan, Some("accept_clear")) => Some(Effect::AcceptClear),
        (Source::Plan, Some("accept_auto")) => Some(Effect::AcceptAuto),
        (Source::Plan, Some("accept_manual")) => Some(Effect::AcceptManual),
        (Source::Plan, Some(_)) if only.is_some_and(|option| option.refuses) => Some(Effect::Revise),
        _ => None,
    }
}

/// Returns the event that cancels the owner, if owners of its kind can be cancelled.
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

fn act(decision: &Decision, owner: &Owner, message: Option<String>) -> OwnerAction {
    OwnerAction {
        id: owner.id.clone(),
        project: decision.project.clone(),
        decision_id: Some(decision.id),
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

/// Returns one input for each answered field, in the order they were asked; the message goes with the last.
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

/// Returns what is typed for a value: the numbers of options, and the person's own words.
fn typed(field: &Field, value: &Value) -> String {
    let word = |item: &Value| match item {
        Value::String(id) => match field.options.iter().position(|option| option.id == *id) {
            Some(at) => (at + 1).to_string(),
            None => id.clone(),
        },
        other => field::has_custom_text(other).map_or_else(|| other.to_string(), str::to_owned),
    };
    match value {
        Value::Array(items) if field.kind == Kind::Choices => {
            items.iter().map(word).collect::<Vec<_>>().join(",")
        }
        one => word(one),
    }
}
