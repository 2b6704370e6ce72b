//! Decides the commands that people give to jobs; reports are decided in `report.rs`.

use std::sync::Arc;

use super::command::{JobCommand, NewJob};
use super::report;
use super::state::{Job, JobKind, JobStatus, Order};
use crate::about::{OwnerAction, OwnerRef, Requested};
use crate::actor::{Actor, Auth};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{MAX_MESSAGE, check_length, check_name, quote};
use crate::{Decision, Effect, Owner, Status, Timestamp};

/// The reason for dismissing decisions when a job resumes.
const RESUMED: &str = "auto-dismissed by job resume";
const MOST_VARS: usize = 200;

/// Decides a command to a job.
pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    project: &str,
    owner: &Owner,
    command: &JobCommand,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if let JobCommand::Start(new) = command {
        return start(state, actor, project, owner, new, now);
    }
    let missing = || Refusal::NotFound { what: "job", id: owner.id.clone() };
    let job = state.job.as_deref().filter(|job| job.project == project).ok_or_else(missing)?;
    match command {
        JobCommand::Start(_) => Err(missing()),
        JobCommand::Resume { message, restart } => resume(state, actor, job, message.as_deref(), *restart),
        JobCommand::Cancel { message } => cancel(state, actor, job, message.as_deref()),
        JobCommand::Suspend => suspend(state, actor, job),
        JobCommand::Delete => delete(state, actor, job),
        JobCommand::Claim { node, from } => {
            let theirs = job.status.is_active() && job.node == *from && job.node.as_ref() != Some(node);
            let claimed =
                Event::JobClaimed { of: OwnerRef::new(job), node: node.clone(), from: from.clone() };
            Ok(if theirs { events(vec![claimed]) } else { nothing() })
        }
        JobCommand::Report { node, visit, report } => {
            let late = job.node.as_ref() != Some(node) || job.visit != *visit || !job.status.is_active();
            if late { Ok(nothing()) } else { report::report(state, actor, job, report, now) }
        }
    }
}

fn start(
    state: &State,
    actor: &Actor,
    project: &str,
    owner: &Owner,
    new: &NewJob,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if let Some(job) = &state.job {
        // An id is reused only by the same start: a child of one visit.
        return if new.parent.is_some() && job.parent == new.parent {
            Ok(nothing())
        } else {
            Err(Refusal::invalid("id", format!("{} is taken", quote(&owner.id))))
        };
    }
    let name = new.name.clone().unwrap_or_else(|| new.definition.clone());
    for (place, text) in [("project", project), ("name", name.as_str()), ("id", owner.id.as_str())] {
        check_name(text).map_err(|why| Refusal::invalid(place, format!("{} {why}", quote(text))))?;
    }
    let (step, vars) = match new.kind {
        JobKind::Job => {
            let known: Vec<&str> = new.runbook.jobs.keys().map(String::as_str).collect();
            let unknown = || {
                let message = format!(
                    "the runbook has no job {}; it has: {}",
                    quote(&new.definition),
                    known.join(", ")
                );
                Refusal::invalid("job", message)
            };
            let definition = new.runbook.jobs.get(&new.definition).ok_or_else(unknown)?;
            let first = definition.steps.first().ok_or_else(|| Refusal::invalid("job", "has no step"))?;
            (first.name.clone(), values(new, &definition.vars)?)
        }
        JobKind::Crew => {
            if !new.runbook.agents.contains_key(&new.definition) {
                let message = format!("the runbook has no agent {}", quote(&new.definition));
                return Err(Refusal::invalid("agent", message));
            }
            (new.definition.clone(), new.vars.clone())
        }
    };
    if vars.len() > MOST_VARS {
        return Err(Refusal::invalid("vars", format!("at most {MOST_VARS} can be given")));
    }
    let item = new.item();
    if let Some(item) = &item {
        check_name(item).map_err(|why| Refusal::invalid("item", format!("{} {why}", quote(item))))?;
    }
    let unknown = item.iter().filter(|item| !state.knows_item(item)).map(|item| Event::ItemCreated {
        id: item.clone(),
        project: project.to_owned(),
        title: None,
        by: actor.by.clone(),
    });
    let mut all: Vec<Event> = unknown.collect();
    let job = Job {
        id: owner.id.clone(),
        kind: new.kind,
        project: project.to_owned(),
        name,
        definition: new.definition.clone(),
        runbook: new.runbook.clone(),
        vars,
        cwd: new.cwd.clone(),
        item,
        parent: new.parent.clone(),
        status: JobStatus::Pending,
        step,
        visit: 0,
        agent_id: None,
        waiting_for: None,
        also_waiting_for: Vec::new(),
        cancelling: false,
        words: None,
        again: None,
        next: None,
        order: None,
        attempts: [].into(),
        retry: None,
        missed: Vec::new(),
        typed: Vec::new(),
        error: None,
        node: None,
        history: Vec::new(),
        created_at: now,
        ended_at: None,
        by: actor.by.clone(),
    };
    if let Some(why) = job.misread() {
        return Err(Refusal::invalid("vars", why.to_string()));
    }
    all.push(match new.kind {
        JobKind::Job => Event::JobCreated(Box::new(job)),
        JobKind::Crew => Event::CrewCreated(Box::new(job)),
    });
    Ok(events(all))
}

/// Gives every variable a value, and refuses variables that the job does not have.
fn values(
    new: &NewJob,
    vars: &std::collections::BTreeMap<String, Option<String>>,
) -> Result<std::collections::BTreeMap<String, String>, Refusal> {
    let mut faults = Vec::new();
    let known = || vars.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    for name in new.vars.keys().filter(|name| !vars.contains_key(*name)) {
        let message = format!("the job has no variable {}; it has: {}", quote(name), known());
        faults.push(crate::FieldError::new("vars", message));
    }
    let mut values = std::collections::BTreeMap::new();
    for (name, default) in vars {
        match new.vars.get(name).or(default.as_ref()) {
            Some(value) => {
                values.insert(name.clone(), value.clone());
            }
            None => faults.push(crate::FieldError::new("vars", format!("{} needs a value", quote(name)))),
        }
    }
    if faults.is_empty() { Ok(values) } else { Err(Refusal::Invalid(faults)) }
}

fn resume(
    state: &State,
    actor: &Actor,
    job: &Job,
    message: Option<&str>,
    restart: bool,
) -> Result<Ruling, Refusal> {
    let message = checked_message(message)?;
    if let Some(next) = &job.next {
        let why = format!("job {} is retried as {next}; resume that one", job.id);
        return Err(Refusal::JobBusy { id: job.id.clone(), why });
    }
    match job.status {
        JobStatus::Done | JobStatus::Cancelled => {
            return Err(ended(job, "and cannot be resumed; start it again"));
        }
        JobStatus::Pending | JobStatus::Running if !restart && message.is_none() => return Ok(nothing()),
        _ => {}
    }
    if let Some(asked) = state.siblings.iter().find(|one| is_open_prompt(one)).filter(|_| !restart)
        && message.is_some()
    {
        return Err(Refusal::JobAsks { job: job.id.clone(), decision: asked.id });
    }
    // An agent that died or was never started cannot be told anything.
    let restart = restart || !can_go_on(state, job, message.as_deref());
    let mut all = dismissed(state, actor, RESUMED);
    let act = act(job, message);
    all.push(match job.kind {
        JobKind::Job => Event::JobResume { act, restart },
        JobKind::Crew => Event::CrewResume { act, restart },
    });
    let effects = vec![Effect::Act { event: all.len() - 1 }];
    Ok(Ruling { events: all, effects, ..Ruling::default() })
}

/// Returns whether the agent shows a prompt that is not answered yet: anything typed would be taken for the answer.
fn is_open_prompt(decision: &Decision) -> bool {
    use crate::Source;
    let is_prompt = matches!(decision.source, Source::Question | Source::Approval | Source::Plan);
    is_prompt && decision.status == Status::Pending
}

/// Returns whether the agent can be told to continue: it waits in a session, and did not die. After an error or a
/// failed gate it gets the message, and is started again for it if it has ended; without a message it begins anew.
fn can_go_on(state: &State, job: &Job, message: Option<&str>) -> bool {
    use crate::Source;
    let gone = |decision: &&Arc<Decision>| {
        Some(decision.id) == job.waiting_for
            && match decision.source {
                Source::Dead => true,
                Source::Error | Source::Gate => message.is_none(),
                _ => false,
            }
    };
    let died = job.error.as_deref().is_some_and(|reason| reason.starts_with("dead"));
    job.status.is_active() && job.agent_id.is_some() && !died && !state.siblings.iter().any(|one| gone(&one))
}

fn cancel(state: &State, actor: &Actor, job: &Job, message: Option<&str>) -> Result<Ruling, Refusal> {
    let message = checked_message(message)?;
    match job.status {
        JobStatus::Cancelled => return Ok(nothing()),
        JobStatus::Done | JobStatus::Failed => return Err(ended(job, "already")),
        // Nothing is running that would have to be ended first.
        JobStatus::Suspended => return Ok(terminal(state, actor, job, "cancelled", message)),
        JobStatus::Pending if job.node.is_none() => {
            return Ok(terminal(state, actor, job, "cancelled", message));
        }
        JobStatus::Pending | JobStatus::Running | JobStatus::Waiting => {}
    }
    let order = match job.kind {
        JobKind::Job => Event::JobCancel(act(job, message)),
        JobKind::Crew => Event::CrewCancel(act(job, message)),
    };
    Ok(Ruling { events: vec![order], ..Ruling::default() })
}

fn suspend(state: &State, actor: &Actor, job: &Job) -> Result<Ruling, Refusal> {
    match job.status {
        JobStatus::Suspended => Ok(nothing()),
        JobStatus::Done | JobStatus::Failed | JobStatus::Cancelled => Err(ended(job, "already")),
        JobStatus::Pending if job.node.is_none() => Ok(terminal(state, actor, job, "suspended", None)),
        // A person was told that it will be cancelled, so that order stands until a server carries it out.
        _ if job.order == Some(Order::Cancel) => {
            let why = format!("job {} is being cancelled", job.id);
            Err(Refusal::JobBusy { id: job.id.clone(), why })
        }
        _ => Ok(events(vec![Event::JobSuspend(Requested::new(job, &actor.by))])),
    }
}

fn delete(state: &State, actor: &Actor, job: &Job) -> Result<Ruling, Refusal> {
    if job.status.is_active() {
        let why = format!("job {} still runs; cancel it first: hold job cancel {}", job.id, job.id);
        return Err(Refusal::JobBusy { id: job.id.clone(), why });
    }
    let mut all = removed(state, actor, |_| true, "its owner was deleted");
    all.push(Event::JobDeleted(Requested::new(job, &actor.by)));
    Ok(events(all))
}

/// Ends a job: its pending decisions are removed, settled ones stay.
pub(super) fn terminal(state: &State, actor: &Actor, job: &Job, to: &str, reason: Option<String>) -> Ruling {
    let mut all = removed(state, actor, |one| one.status == Status::Pending, "its owner ended");
    // That the crew is done was recorded with the person's answer already.
    let is_said = job.order == Some(Order::Advance) && to == "done";
    all.push(match job.kind {
        JobKind::Crew if !is_said => Event::CrewUpdated {
            act: act(job, None),
            status: if to == "done" { "completed" } else { to }.to_owned(),
            reason: reason.unwrap_or_else(|| to.to_owned()),
        },
        JobKind::Job | JobKind::Crew => {
            Event::JobAdvanced { of: OwnerRef::new(job), from: job.step.clone(), to: to.to_owned(), reason }
        }
    });
    events(all)
}

fn removed(state: &State, actor: &Actor, goes: impl Fn(&Decision) -> bool, reason: &str) -> Vec<Event> {
    let event = |decision: &Arc<Decision>| Event::Removed {
        id: decision.id,
        project: decision.project.clone(),
        reason: reason.into(),
        by: actor.by.clone(),
    };
    state.siblings.iter().filter(|decision| goes(decision)).map(event).collect()
}

/// Cancels decisions that no longer need an answer.
pub(super) fn dismissed(state: &State, actor: &Actor, reason: &str) -> Vec<Event> {
    let event = |decision: &Arc<Decision>| Event::Cancelled {
        id: decision.id,
        project: decision.project.clone(),
        reason: Some(reason.to_owned()),
        by: actor.by.clone(),
        via: actor.via.clone(),
    };
    state.siblings.iter().filter(|decision| decision.status == Status::Pending).map(event).collect()
}

pub(super) fn act(job: &Job, message: Option<String>) -> OwnerAction {
    OwnerAction {
        id: job.id.clone(),
        project: job.project.clone(),
        decision_id: None,
        agent_id: job.agent_id.clone(),
        message,
    }
}

fn checked_message(message: Option<&str>) -> Result<Option<String>, Refusal> {
    let message = message.map(str::trim).filter(|text| !text.is_empty());
    check_length(message.unwrap_or_default(), MAX_MESSAGE).map_err(|why| Refusal::invalid("message", why))?;
    Ok(message.map(str::to_owned))
}

fn ended(job: &Job, more: &str) -> Refusal {
    Refusal::JobBusy { id: job.id.clone(), why: format!("job {} is {} {more}", job.id, job.status.name()) }
}

pub(super) fn nothing() -> Ruling {
    Ruling { replayed: true, ..Ruling::default() }
}

pub(super) fn events(events: Vec<Event>) -> Ruling {
    Ruling { events, ..Ruling::default() }
}

/// Refuses an actor that may not give this command to a job.
pub(crate) fn admit(actor: &Actor, projects: &[String], command: &JobCommand) -> Result<(), Refusal> {
    use crate::Role;
    let no = |why: &str| Err(Refusal::Forbidden(why.into()));
    match command {
        JobCommand::Claim { .. } | JobCommand::Report { .. } if actor.auth != Auth::System => {
            no("only the node that supervises a job can report on it")
        }
        JobCommand::Claim { .. } | JobCommand::Report { .. } => Ok(()),
        JobCommand::Start(_) => crate::access::may_start(actor, projects),
        _ if actor.role == Some(Role::Agent) => no("an agent cannot control jobs"),
        _ => Ok(()),
    }
}
