//! What an event does to a decision. Replaying the log through this gives the projections.

use crate::decision::{Taken, put_vote};
use crate::{Decision, Event, Status, Timestamp};

/// Returns the decision after an event, or none once it is removed. Events of other streams leave it unchanged.
pub fn apply(decision: Option<Decision>, event: &Event, at: Timestamp) -> Option<Decision> {
    match event {
        Event::Created(created) => Some((**created).clone()),
        Event::Removed { .. } => None,
        other => decision.map(|mut decision| {
            change(&mut decision, other, at);
            decision
        }),
    }
}

fn change(decision: &mut Decision, event: &Event, at: Timestamp) {
    let settle = |decision: &mut Decision, status| {
        decision.status = status;
        decision.settled_at = Some(at);
    };
    match event {
        Event::Revised(revised) => {
            decision.title.clone_from(&revised.title);
            decision.prompt.clone_from(&revised.prompt);
            decision.fields.clone_from(&revised.fields);
            decision.subject.clone_from(&revised.subject);
            decision.subject_digest.clone_from(&revised.subject_digest);
            decision.default.clone_from(&revised.default);
            decision.draft.clone_from(&revised.draft);
            decision.digest.clone_from(&revised.digest);
            decision.needs.clone_from(&revised.needs);
            decision.needs_person = revised.needs_person;
            decision.requester.clone_from(&revised.requester);
            decision.votes.clear();
            // It was snoozed before it changed.
            decision.snoozed.clear();
            decision.remarks.clear();
        }
        Event::Voted(voted) => put_vote(&mut decision.votes, voted.vote.clone()),
        Event::VotesCleared { cleared, .. } => {
            decision.votes.retain(|vote| !cleared.contains(&vote.by));
        }
        Event::Escalated(escalated) => {
            decision.assignees.extend(escalated.assigned.iter().cloned());
            if let Some(escalation) = &mut decision.escalation {
                escalation.open |= escalated.open;
                escalation.has_fired(escalated.fired, decision.created_at);
            }
        }
        Event::Remarked(remarked) => decision.remarks.push(remarked.remark.clone()),
        Event::Drafted { draft, .. } => decision.draft.clone_from(draft),
        Event::Taken { by, until, .. } => {
            let before = decision.taken.take().map(|taken| taken.until);
            decision.taken = until.map(|until| Taken { by: by.clone(), until });
            if let Some(escalation) = &mut decision.escalation {
                escalation.pause(before, *until, at, decision.created_at);
            }
        }
        Event::Snoozed { by, until, .. } => {
            decision.snoozed.retain(|who, until| who != by && *until > at);
            decision.snoozed.extend(until.map(|until| (by.clone(), until)));
        }
        Event::Resolved { answer, .. } => {
            settle(decision, Status::Answered);
            decision.answer = Some(answer.clone());
        }
        Event::Refined { answer, next, .. } => {
            settle(decision, Status::Refined);
            decision.answer = Some(answer.clone());
            decision.next = Some(*next);
        }
        Event::Expired { answer, .. } => {
            decision.status = Status::TimedOut;
            decision.settled_at = decision.deadline.or(Some(at));
            decision.answer.clone_from(answer);
        }
        Event::Cancelled { reason, .. } => {
            settle(decision, Status::Cancelled);
            decision.reason.clone_from(reason);
        }
        Event::Superseded { superseded_by, .. } => {
            settle(decision, Status::Superseded);
            decision.superseded_by = Some(*superseded_by);
        }
        Event::Consumed { request_digest, .. } => {
            decision.consumed_at = Some(at);
            decision.consumed_request_digest.clone_from(request_digest);
        }
        Event::Reported { report, .. } => decision.reports.push((**report).clone()),
        _ => {}
    }
}
