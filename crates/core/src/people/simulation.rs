//! Simulation: how past decisions would have gone with other rules and policies. Pure, and only for information.

use super::{Escalation, Policy, Roster, Vote, VoteResult, escalation_of, tighten, vote_result};
use crate::actor::Auth;
use crate::decision::{Decision, Status, is_refusal};
use crate::refusal::Refusal;
use crate::rule::{BY, InForce, RuleEffect, Then};
use crate::text::inert_line;
use crate::{Timestamp, decision};

/// How a request would have ended.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulatedOutcome {
    /// A rule would have answered it at once.
    Ruled {
        /// The rule.
        rule: String,
        /// Its action.
        then: Then,
    },
    /// It would have ended as it did, by these people or by its deadline.
    Same {
        /// The people.
        by: Vec<String>,
    },
    /// The votes that were given would not have been enough.
    Waiting {
        /// Its progress.
        progress: String,
    },
    /// The request would have been refused.
    Refused(Refusal),
}

/// A notice that would have been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedNotice {
    /// The time.
    pub at: Timestamp,
    /// A description of what happens.
    pub what: String,
    /// The recipients, by the present groups and stand-ins.
    pub people: Vec<String>,
}

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// How the request would have ended.
    pub would_be: SimulatedOutcome,
    /// The notices that would have been sent, in order of time.
    pub told: Vec<SimulatedNotice>,
    /// Whether anything would have been different.
    pub differs: bool,
}

/// Replays a decision with other rules and policies. `requester` is the person on whose behalf it was asked.
pub fn simulate(
    was: &Decision,
    rules: &InForce,
    policies: &[Policy],
    roster: &Roster,
    requester: Option<&str>,
    now: Timestamp,
) -> Simulated {
    let mut asked = Decision {
        status: Status::Pending,
        answer: None,
        settled_at: None,
        votes: Vec::new(),
        escalation: None,
        taken: None,
        ..was.clone()
    };
    if let Err(refusal) = tighten(policies, &mut asked) {
        return Simulated { would_be: SimulatedOutcome::Refused(refusal), told: Vec::new(), differs: true };
    }
    let before = was.escalation.as_ref().map(|escalation| escalation.steps.as_slice()).unwrap_or_default();
    let steps = escalation_of(policies, &asked, before);
    asked.escalation = Escalation::start(steps, was.created_at);
    let was_ruled = was.answer.as_ref().is_some_and(|answer| answer.by.starts_with(BY));
    if let Some(RuleEffect::Answered { rule, .. }) = rules.rule_on(&asked, now) {
        let is_alike = was_ruled && is_refusal(was) == (rule.then == Then::Refuse);
        let would_be = SimulatedOutcome::Ruled { rule: rule.id.clone(), then: rule.then };
        return Simulated { would_be, told: Vec::new(), differs: !is_alike };
    }
    let would_be = by_people(was, &asked, roster, requester);
    let ends = match &would_be {
        SimulatedOutcome::Same { .. } => was.settled_at,
        _ => None,
    };
    let ends = ends.into_iter().chain(asked.deadline).chain([now]).min().unwrap_or(now);
    let told = simulated_notices(&asked, roster, ends);
    let had = was.escalation.as_ref().map_or(0, |escalation| escalation.fired);
    let differs = !matches!(would_be, SimulatedOutcome::Same { .. }) && was.status != Status::Pending
        || asked.needs != was.needs
        || told.len() != usize::try_from(had).unwrap_or(usize::MAX);
    Simulated { would_be, told, differs }
}

/// Counts again what people answered.
fn by_people(was: &Decision, asked: &Decision, roster: &Roster, requester: Option<&str>) -> SimulatedOutcome {
    let waiting = |progress: String| SimulatedOutcome::Waiting { progress };
    let Some(answer) = was.answer.as_ref().filter(|_| was.status == Status::Answered) else {
        return match was.status {
            Status::Pending => waiting("nobody has answered".into()),
            other => SimulatedOutcome::Same { by: vec![other.to_string()] },
        };
    };
    if answer.by.starts_with(BY) {
        return waiting("a rule answered it, and none would now".into());
    }
    let is_known = |auth: Auth| matches!(auth, Auth::Session | Auth::Token);
    if asked.needs_person && !is_known(answer.auth) {
        return waiting(format!("{} was not signed in", inert_line(&answer.by)));
    }
    let Some(needs) = &asked.needs else {
        return SimulatedOutcome::Same { by: vec![inert_line(&answer.by)] };
    };
    let mut votes = was.votes.clone();
    if votes.is_empty() {
        votes.push(Vote {
            by: answer.by.clone(),
            on_behalf_of: answer.on_behalf_of.clone(),
            values: answer.values.clone(),
            out: answer.out.clone(),
            message: None,
            counts_for: Vec::new(),
            seen: answer.seen,
            token: None,
            via: answer.via.clone(),
            channel: None,
            auth: answer.auth,
            at: answer.at,
        });
    }
    votes.retain(|vote| is_known(vote.auth));
    if needs.not_requester {
        votes.retain(|vote| Some(vote.by.as_str()) != requester && Some(vote.voter()) != requester);
    }
    for vote in &mut votes {
        let named = needs.named().into_iter().filter(|named| roster.is(vote.voter(), named));
        vote.counts_for = named.map(str::to_owned).collect();
    }
    votes.retain(|vote| needs.from.is_empty() || !vote.counts_for.is_empty());
    match vote_result(asked, needs, &votes) {
        VoteResult::Consented(counted) | VoteResult::Refused(counted) => {
            SimulatedOutcome::Same { by: counted.iter().map(|vote| vote.signed()).collect() }
        }
        VoteResult::Open => {
            let open = Decision { votes: votes.clone(), ..asked.clone() };
            waiting(open.progress().map(|progress| progress.to_string()).unwrap_or_default())
        }
    }
}

fn simulated_notices(asked: &Decision, roster: &Roster, ends: Timestamp) -> Vec<SimulatedNotice> {
    let Some(escalation) = &asked.escalation else { return Vec::new() };
    let all = escalation.occurrences(asked.created_at);
    let in_time = all.iter().filter(|occurrence| occurrence.at < ends);
    in_time
        .map(|occurrence| SimulatedNotice {
            at: occurrence.at,
            what: occurrence.happens(),
            people: occurrence.reaches(asked, roster, occurrence.at),
        })
        .collect()
}

/// Describes the outcome of a decision, in a few words.
pub fn outcome(was: &Decision) -> String {
    match &was.answer {
        Some(answer) => format!("{} by {}", answer.brief(), inert_line(&answer.by)),
        None => decision::Status::to_string(&was.status),
    }
}
