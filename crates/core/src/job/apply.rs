//! What an event does to a job. Replaying the log through this gives the projection.

use super::state::{Job, JobStatus, Order, REMEMBERED, Retry, TYPED, UndeliveredInput, Visit};
use super::{Action, Trigger};
use crate::event::StepAttempted;
use crate::{Event, OwnerAction, Timestamp};

/// Returns the job after an event of its stream, or none once it is deleted.
pub fn apply(job: Option<Job>, event: &Event, at: Timestamp) -> Option<Job> {
    match event {
        Event::JobCreated(job) | Event::CrewCreated(job) => Some((**job).clone()),
        Event::JobDeleted(_) => None,
        other => job.map(|mut job| {
            change(&mut job, other, at);
            job
        }),
    }
}

fn change(job: &mut Job, event: &Event, at: Timestamp) {
    match event {
        Event::JobClaimed { node, .. } => job.node = Some(node.clone()),
        Event::StepStarted(started) => {
            begin(job, &started.step, started.visit, &started.agent_id, &started.node, at);
            if let Some(begun) = job.history.last_mut() {
                begun.words.clone_from(&started.words);
                begun.own_account = started.own_account;
            }
            job.typed.clear();
            typed(job, started.words.as_ref());
        }
        Event::StepWaiting(waiting) => {
            job.status = JobStatus::Waiting;
            job.waiting_for = Some(waiting.decision_id);
            job.also_waiting_for.clone_from(&waiting.beside);
            (job.order, job.retry) = (None, None);
            job.error = Some(waiting.reason.clone());
            if waiting.tells {
                job.missed.iter_mut().for_each(|missed| missed.told_in = Some(waiting.decision_id));
            }
        }
        Event::StepMissed(missed) => {
            job.missed.retain(|other| other.what != missed.what);
            job.missed.push(UndeliveredInput { what: missed.what.clone(), told_in: None });
        }
        Event::StepAttempted(attempted) => {
            let StepAttempted { trigger, detail, action, attempt, not_before, message, run, .. } =
                &**attempted;
            job.retry = not_before.map(|at| Retry { trigger: *trigger, detail: detail.clone(), at });
            if job.retry.is_none() {
                job.attempts.insert(key(*trigger, detail), *attempt);
                job.order = match action {
                    Action::Resume => Some(Order::Restart { message: message.clone() }),
                    Action::Gate => run.clone().map(|run| Order::Gate { run }),
                    _ => None,
                };
            }
        }
        Event::StepResumed { .. } => {
            go_on(job);
            job.retry = None;
            // This also covers a job that was waiting for its next try, not for a person.
            job.attempts.clear();
        }
        Event::StepFailed { error, .. } => {
            job.error = Some(error.clone());
            end_visit(job, "failed", Some(error), at);
        }
        Event::JobResume { act, restart } | Event::CrewResume { act, restart } => resume(job, act, *restart),
        Event::JobCancel(_) | Event::CrewCancel(_) => ordered(job, Order::Cancel),
        Event::JobSuspend(_) => ordered(job, Order::Suspend),
        Event::JobRetried { next, .. } => job.next = Some(next.clone()),
        // An event with a decision is a person's order; one without reports what followed from an order.
        Event::StepCompleted(OwnerAction { decision_id: Some(_), .. }) => ordered(job, Order::Advance),
        Event::StepCompleted(act) => end_visit(job, "completed", act.message.as_deref(), at),
        Event::CrewUpdated { act: OwnerAction { decision_id: Some(_), .. }, status, .. } => {
            ordered(job, if status == "completed" { Order::Advance } else { Order::Cancel });
        }
        Event::CrewUpdated { status, reason, .. } => advance(job, status, Some(reason), at),
        Event::JobAdvanced { to, reason, .. } => advance(job, to, reason.as_deref(), at),
        Event::SessionInput { act, input, .. } => {
            typed(job, Some(input));
            typed(job, act.message.as_ref());
            answered(job, act);
        }
        Event::SessionRespond { act, .. } => {
            typed(job, act.message.as_ref());
            answered(job, act);
        }
        _ => {}
    }
}

fn begin(job: &mut Job, step: &str, visit: u32, agent_id: &str, node: &str, at: Timestamp) {
    // A visit that has not ended is ended as restarted.
    end_visit(job, "restarted", None, at);
    job.status = JobStatus::Running;
    step.clone_into(&mut job.step);
    job.visit = visit;
    job.agent_id = Some(agent_id.to_owned());
    (job.waiting_for, job.order, job.retry, job.error, job.ended_at) = (None, None, None, None, None);
    job.words = None;
    job.also_waiting_for.clear();
    if job.history.len() >= REMEMBERED {
        job.history.remove(0);
    }
    job.history.push(Visit {
        step: step.to_owned(),
        visit,
        agent_id: agent_id.to_owned(),
        node: node.to_owned(),
        started_at: at,
        ended_at: None,
        outcome: None,
        detail: None,
        words: None,
        own_account: false,
    });
}

fn resume(job: &mut Job, act: &OwnerAction, restart: bool) {
    if job.status.is_active() {
        job.retry = None;
        typed(job, act.message.as_ref());
        if restart || act.decision_id.is_none() {
            job.missed.retain(|missed| missed.told_in.is_none());
        }
        if restart {
            go_on(job);
            job.order = Some(Order::Restart { message: act.message.clone() });
            job.attempts.clear();
        } else if act.decision_id.is_some() {
            answered(job, act);
        } else {
            go_on(job);
            job.attempts.clear();
        }
    } else {
        job.status = JobStatus::Pending;
        job.words.clone_from(&act.message);
        job.attempts.clear();
        (job.order, job.error, job.ended_at) = (None, None, None);
        job.missed.clear();
    }
}

fn typed(job: &mut Job, text: Option<&String>) {
    let Some(text) = text else { return };
    job.typed.retain(|other| other != text);
    job.typed.push(text.clone());
    let old = job.typed.len().saturating_sub(TYPED);
    job.typed.drain(..old);
}

fn ordered(job: &mut Job, order: Order) {
    if job.status.is_active() {
        go_on(job);
        job.retry = None;
        job.order = Some(order);
    }
}

/// Records that one of the decisions it waits for is answered; it continues after the last.
fn answered(job: &mut Job, act: &OwnerAction) {
    let Some(decision) = act.decision_id else { return };
    job.also_waiting_for.retain(|other| *other != decision);
    job.missed.retain(|missed| missed.told_in != Some(decision));
    if job.waiting_for == Some(decision) {
        match job.also_waiting_for.pop() {
            Some(other) => job.waiting_for = Some(other),
            None => go_on(job),
        }
    }
}

/// Lets a waiting job continue. Since a person has dealt with it, all reactions of the runbook get their full number of
/// tries again.
fn go_on(job: &mut Job) {
    job.also_waiting_for.clear();
    if job.status == JobStatus::Waiting {
        job.status = JobStatus::Running;
        (job.waiting_for, job.error) = (None, None);
        job.attempts.clear();
    }
}

fn advance(job: &mut Job, to: &str, reason: Option<&str>, at: Timestamp) {
    let end = match to {
        "done" | "completed" => Some(JobStatus::Done),
        "failed" => Some(JobStatus::Failed),
        "cancelled" => Some(JobStatus::Cancelled),
        "suspended" => Some(JobStatus::Suspended),
        _ => None,
    };
    if job.order == Some(Order::Advance) {
        end_visit(job, "completed", Some("decided by a person"), at);
    }
    let failed = job.history.last().is_some_and(|last| last.outcome.as_deref() == Some("failed"));
    end_visit(job, to, reason, at);
    job.cancelling = end.is_none() && (job.cancelling || job.order == Some(Order::Cancel));
    (job.waiting_for, job.order, job.retry, job.agent_id) = (None, None, None, None);
    job.also_waiting_for.clear();
    if let Some(status) = end {
        job.status = status;
        job.ended_at = (status != JobStatus::Suspended).then_some(at);
        if status == JobStatus::Failed && job.error.is_none() {
            job.error = reason.map(str::to_owned);
        }
    } else {
        job.status = JobStatus::Pending;
        job.missed.clear();
        to.clone_into(&mut job.step);
        if !failed {
            job.attempts.clear();
        }
    }
}

fn end_visit(job: &mut Job, outcome: &str, detail: Option<&str>, at: Timestamp) {
    if let Some(last) = job.history.last_mut().filter(|last| last.ended_at.is_none()) {
        last.ended_at = Some(at);
        last.outcome = Some(outcome.to_owned());
        last.detail = detail.map(str::to_owned);
    }
}

/// Returns the key under which tries are counted: the trigger and, where reactions depend on it, the detail.
pub(super) fn key(trigger: Trigger, detail: &str) -> String {
    match trigger {
        Trigger::Idle => trigger.name().to_owned(),
        _ => format!("{}:{detail}", trigger.name()),
    }
}
