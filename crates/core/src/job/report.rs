//! Decides the reports of the node that supervises a job.

use super::command::Report;
use super::decide::{act, dismissed, events, nothing, terminal};
use super::escalate::{escalate, missed};
use super::runbook::{Action, Attempts, Reaction, Trigger};
use super::state::{Job, JobKind, JobStatus, Order};
use super::{GO_ON, apply, interpolate};
use crate::about::OwnerRef;
use crate::actor::Actor;
use crate::decision::{New, SHOWN};
use crate::event::{Event, StepAttempted, StepStarted};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Decision, Effect, Source, Status, Timestamp};

/// How often a job may start a step: a loop in a runbook must not run forever.
const MOST_VISITS: usize = 50;
const ACTIVE: &str = "auto-dismissed: agent became active";
const EXITED: &str = "auto-dismissed: agent exited";

pub(super) fn report(
    state: &State,
    actor: &Actor,
    job: &Job,
    report: &Report,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    match report {
        Report::Began { agent_id, own_account } => {
            let mut ruling = began(state, actor, job, agent_id);
            if let [Event::StepStarted(started)] = ruling.events.as_mut_slice() {
                started.own_account = *own_account;
            }
            Ok(ruling)
        }
        Report::Ended { .. } | Report::Broken { .. } if job.status == JobStatus::Waiting => Ok(nothing()),
        Report::Ended { ok: true, detail } => Ok(completed(state, actor, job, Some(detail.clone()))),
        Report::Ended { ok: false, detail } | Report::Broken { why: detail } => {
            Ok(failed(state, actor, job, detail))
        }
        Report::Happened { trigger, detail, escalation } => {
            happened(state, actor, job, *trigger, detail, escalation, now)
        }
        Report::Due { escalation } => match &job.retry {
            Some(retry) if retry.at <= now => {
                let (trigger, detail) = (retry.trigger, retry.detail.clone());
                let reaction = reaction(job, trigger, &detail);
                react(
                    state,
                    actor,
                    job,
                    &Cause { trigger, detail: &detail, escalation, now },
                    &reaction,
                    true,
                )
            }
            _ => Ok(nothing()),
        },
        Report::Gated { passed: true, .. } if matches!(job.order, Some(Order::Gate { .. })) => {
            Ok(completed(state, actor, job, Some("the gate passed".into())))
        }
        Report::Gated { passed: false, escalation } if matches!(job.order, Some(Order::Gate { .. })) => {
            escalate(state, actor, job, escalation, "gate", now)
        }
        Report::Gated { .. } => Ok(nothing()),
        Report::Active => Ok(active(state, actor, job)),
        Report::Unsure { escalation } => escalate(state, actor, job, escalation, "unsure", now),
        Report::Missed { what, escalation } => missed(state, actor, job, what, escalation.as_deref(), now),
        Report::Carried => Ok(carried(state, actor, job)),
    }
}

fn began(state: &State, actor: &Actor, job: &Job, agent_id: &str) -> Ruling {
    let begins = match &job.order {
        Some(Order::Restart { .. }) => true,
        // The user has ended it meanwhile.
        Some(_) => false,
        None => job.status == JobStatus::Pending,
    };
    if !begins {
        return nothing();
    }
    let visits = job.history.iter().filter(|visit| visit.step == job.step).count();
    if job.status == JobStatus::Pending && visits >= MOST_VISITS {
        let why = format!("step {:?} was begun {visits} times; a runbook must not loop forever", job.step);
        return failed_for_good(state, actor, job, &why);
    }
    let (words, before) = match &job.order {
        Some(Order::Restart { message }) => (message, told_before(job)),
        _ => (&job.words, None),
    };
    // The default message is for an agent that is still running.
    let words = words.clone().filter(|words| words != GO_ON).or(before).or_else(|| handed_over(job));
    events(vec![Event::StepStarted(Box::new(StepStarted {
        words,
        of: OwnerRef::new(job),
        step: job.step.clone(),
        visit: job.visit + 1,
        agent_id: agent_id.to_owned(),
        node: job.node.clone().unwrap_or_default(),
        own_account: false,
    }))])
}

/// Returns the message of the agent that is started again, since it may have ended before it read it.
fn told_before(job: &Job) -> Option<String> {
    job.history.last().filter(|visit| visit.step == job.step)?.words.clone()
}

/// Returns the message for a step of a retried job that starts for the first time. Each step gets it, because the agent
/// it was meant for may not be the first to work.
fn handed_over(job: &Job) -> Option<String> {
    let begun = job.history.iter().any(|visit| visit.step == job.step);
    job.again.as_ref().filter(|_| !begun).and_then(|again| again.describe())
}

/// Completes the step: continues with the step that it names, or the next one.
fn completed(state: &State, actor: &Actor, job: &Job, detail: Option<String>) -> Ruling {
    let next = job.definition().and_then(|definition| {
        let at = definition.steps.iter().position(|step| step.name == job.step)?;
        let after = definition.steps.get(at + 1).map(|step| step.name.clone());
        // The step that the job's `on_done` names does not use it, or it would repeat forever.
        let last = definition.on_done.clone().filter(|name| *name != job.step);
        // A clean-up step leads on only if it names a step itself.
        let others = after.or(last).filter(|_| !job.cancelling);
        definition.steps[at].on_done.clone().or(others)
    });
    let done = Event::StepCompleted(act(job, detail));
    match next {
        Some(to) if job.kind == JobKind::Job => {
            let mut all = vec![done];
            all.extend(moved(state, actor, job, to, None));
            events(all)
        }
        _ => {
            let end = if job.cancelling { "cancelled" } else { "done" };
            let mut ruling = terminal(state, actor, job, end, None);
            if job.kind == JobKind::Job {
                ruling.events.insert(0, done);
            }
            ruling
        }
    }
}

fn failed(state: &State, actor: &Actor, job: &Job, why: &str) -> Ruling {
    let next = job.current().and_then(|step| step.on_fail.clone());
    let others = || job.definition().and_then(|definition| definition.on_fail.clone());
    let next = if job.cancelling { next } else { next.or_else(others) };
    match next.filter(|name| *name != job.step) {
        Some(to) if job.kind == JobKind::Job => {
            let mut all = vec![failure(job, why)];
            all.extend(moved(state, actor, job, to, Some(why.to_owned())));
            events(all)
        }
        _ => failed_for_good(state, actor, job, why),
    }
}

fn failed_for_good(state: &State, actor: &Actor, job: &Job, why: &str) -> Ruling {
    let end = if job.cancelling { "cancelled" } else { "failed" };
    let mut ruling = terminal(state, actor, job, end, Some(why.to_owned()));
    ruling.events.insert(0, failure(job, why));
    ruling
}

fn failure(job: &Job, why: &str) -> Event {
    Event::StepFailed {
        of: OwnerRef::new(job),
        step: job.step.clone(),
        visit: job.visit,
        error: why.to_owned(),
    }
}

fn moved(state: &State, actor: &Actor, job: &Job, to: String, reason: Option<String>) -> Vec<Event> {
    let mut all = dismissed(state, actor, "auto-dismissed: the job went on");
    all.push(Event::JobAdvanced { of: OwnerRef::new(job), from: job.step.clone(), to, reason });
    all
}

/// Carries out the rest of an order, after what was running has been ended.
fn carried(state: &State, actor: &Actor, job: &Job) -> Ruling {
    match &job.order {
        Some(Order::Cancel) => {
            let next = job.current().and_then(|step| step.on_cancel.clone());
            let next = next.or_else(|| job.definition().and_then(|definition| definition.on_cancel.clone()));
            let seen = |name: &String| {
                job.history.iter().any(|visit| visit.step == *name && visit.outcome.is_none())
            };
            match next.filter(|name| *name != job.step && !job.cancelling && !seen(name)) {
                Some(to) => events(moved(state, actor, job, to, Some("cancelled".into()))),
                None => terminal(state, actor, job, "cancelled", None),
            }
        }
        Some(Order::Suspend) => terminal(state, actor, job, "suspended", None),
        // The step's completion was recorded with the person's answer already.
        Some(Order::Advance) => {
            let mut ruling = completed(state, actor, job, None);
            ruling.events.retain(|event| !matches!(event, Event::StepCompleted(_)));
            ruling
        }
        Some(Order::Restart { .. } | Order::Gate { .. }) | None => nothing(),
    }
}

fn active(state: &State, actor: &Actor, job: &Job) -> Ruling {
    if job.status != JobStatus::Waiting && job.retry.is_none() {
        return nothing();
    }
    // The person must learn what was not typed, whatever the agent does. A prompt that has gone can no longer be
    // answered, so it does not keep the note: the next decision says it again.
    let tells = |one: &Decision| {
        one.source == Source::Idle && job.missed.iter().any(|missed| missed.told_in == Some(one.id))
    };
    // A dead agent does not continue by itself, and neither does one for which a client other than the watcher holds.
    let goes_on = |one: &Decision| {
        (is_alive(one.source) || matches!(one.source, Source::Error | Source::Gate))
            && !one.is_held()
            && !tells(one)
    };
    let waits = state.siblings.iter().filter(|one| one.status == Status::Pending).any(|one| !goes_on(one));
    if waits {
        return nothing();
    }
    let mut all = dismissed(state, actor, ACTIVE);
    all.push(Event::StepResumed { of: OwnerRef::new(job), step: job.step.clone(), reason: ACTIVE.into() });
    events(all)
}

/// Returns whether a source means that the agent is still running.
fn is_alive(source: Source) -> bool {
    matches!(source, Source::Idle | Source::Question | Source::Plan | Source::Approval)
}

/// A trigger, and what to ask a person about it.
struct Cause<'a> {
    trigger: Trigger,
    detail: &'a str,
    escalation: &'a New,
    now: Timestamp,
}

fn happened(
    state: &State,
    actor: &Actor,
    job: &Job,
    trigger: Trigger,
    detail: &str,
    escalation: &New,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if job.order.is_some() || (job.retry.is_some() && trigger != Trigger::Dead) {
        return Ok(nothing());
    }
    let pending: Vec<_> = state.siblings.iter().filter(|one| one.status == Status::Pending).collect();
    let mut before = Vec::new();
    if job.status == JobStatus::Waiting {
        let acknowledged: Vec<_> = state.siblings.iter().filter(|one| is_dismissed(job, one)).collect();
        match trigger {
            // A person has seen that it ended, and wants nothing done about it.
            Trigger::Dead if acknowledged.iter().any(|one| !is_alive(one.source)) => return Ok(nothing()),
            // The agent that asked is gone, so the question needs no answer.
            Trigger::Dead if pending.iter().all(|one| is_alive(one.source)) => {
                before = dismissed(state, actor, EXITED);
            }
            // A repeated prompt, idleness while a person is asked, or the end of an agent that is dead already.
            Trigger::Dead | Trigger::Idle | Trigger::Error => return Ok(nothing()),
            Trigger::Prompt => {
                // A held decision is asked by the agent itself, which knows more than its screen shows.
                let asked = pending.iter().any(|one| one.is_held() || is_asked_by(one, escalation));
                // A held decision that was left to the agent's own prompt is what its screen shows now.
                let left = |one: &Decision| one.is_held() && Some(one.source) == escalation.source;
                if asked || acknowledged.iter().any(|one| left(one) || is_asked_by(one, escalation)) {
                    return Ok(nothing());
                }
            }
        }
    }
    let cause = Cause { trigger, detail, escalation, now };
    let reaction = reaction(job, trigger, detail);
    let settled = State { siblings: without(state, &before), ..state.clone() };
    let mut ruling = react(&settled, actor, job, &cause, &reaction, false)?;
    let shift = before.len();
    ruling.effects = ruling.effects.into_iter().map(|effect| shifted(effect, shift)).collect();
    before.extend(ruling.events);
    Ok(Ruling { events: before, ..ruling })
}

/// Returns whether a job waits because a person dismissed its decision, so that nothing should be done.
fn is_dismissed(job: &Job, decision: &Decision) -> bool {
    let waits = job.waiting_for == Some(decision.id) || job.also_waiting_for.contains(&decision.id);
    decision.status == Status::Answered && waits
}

/// Returns whether a decision asks the same as an escalation would: the same prompt, however it is worded.
fn is_asked_by(decision: &Decision, escalation: &New) -> bool {
    // The prompt's fingerprint decides, not what was around it on the screen, such as a clock.
    let same = match (decision.origin.as_ref(), escalation.origin.as_ref()) {
        (Some(one), Some(other)) => match (one.extra.get(SHOWN), other.extra.get(SHOWN)) {
            (Some(one), Some(other)) => one == other,
            _ => one.extra == other.extra,
        },
        _ => decision.prompt == escalation.prompt,
    };
    Some(decision.source) == escalation.source && same
}

fn without(state: &State, before: &[Event]) -> Vec<std::sync::Arc<Decision>> {
    if before.is_empty() { state.siblings.clone() } else { Vec::new() }
}

fn shifted(effect: Effect, by: usize) -> Effect {
    match effect {
        Effect::Act { event } => Effect::Act { event: event + by },
        other => other,
    }
}

fn reaction(job: &Job, trigger: Trigger, detail: &str) -> Reaction {
    job.agent().map(|agent| agent.reaction(trigger, detail)).unwrap_or_default()
}

/// Takes the runbook's action, as often as it allows; after that a person is asked.
fn react(
    state: &State,
    actor: &Actor,
    job: &Job,
    cause: &Cause<'_>,
    reaction: &Reaction,
    due: bool,
) -> Result<Ruling, Refusal> {
    let Cause { trigger, detail, escalation, now } = *cause;
    let name = trigger.name();
    // A person hears of words that the agent did not read before the runbook ends the step.
    let is_told = trigger != Trigger::Dead || job.missed.is_empty();
    match reaction.action {
        Action::Escalate => return escalate(state, actor, job, escalation, name, now),
        Action::Done | Action::Fail if !is_told => {
            return escalate(state, actor, job, escalation, name, now);
        }
        Action::Auto => return Ok(nothing()),
        Action::Done => return Ok(completed(state, actor, job, Some(format!("{name}: {detail}")))),
        Action::Fail => return Ok(failed(state, actor, job, &format!("{name}: {detail}"))),
        Action::Nudge | Action::Resume | Action::Gate => {}
    }
    let tried = job.attempts.get(&apply::key(trigger, detail)).copied().unwrap_or_default();
    let over = matches!(reaction.attempts, Attempts::Times(most) if tried >= most);
    if over {
        return escalate(state, actor, job, escalation, &format!("{name}:exhausted"), now);
    }
    let not_before = reaction.cooldown.filter(|_| tried > 0 && !due).and_then(|wait| now.checked_add(wait));
    let known = job.values();
    let message = reaction
        .message
        .as_deref()
        .map(|text| interpolate::plain(text, &known).unwrap_or_else(|_| text.to_owned()));
    let attempted = Event::StepAttempted(Box::new(StepAttempted {
        of: OwnerRef::new(job),
        step: job.step.clone(),
        visit: job.visit,
        trigger,
        detail: detail.to_owned(),
        action: reaction.action,
        attempt: tried + 1,
        not_before,
        message: message.clone(),
        run: reaction.run.clone(),
    }));
    let mut all = vec![attempted];
    let mut effects = Vec::new();
    if reaction.action == Action::Nudge && not_before.is_none() {
        let input = message.unwrap_or_else(|| GO_ON.to_owned());
        all.push(Event::SessionInput { act: act(job, None), owner: job.owner(), input });
        effects.push(Effect::Act { event: 1 });
    }
    Ok(Ruling { events: all, effects, ..Ruling::default() })
}
