//! Decides a batch of commands in memory: what to load for them, and what to write after them.
//!
//! Shared by all drivers; without SQL, and without anything that waits. A driver opens its transaction, loads what
//! [`needs`] lists into a [`Snapshot`], calls [`plan`] for each command, and carries out the [`Writes`].

mod bind;
mod credential;
mod known;
mod needs;
mod post;
mod quota;
mod record;
mod rules;
mod snapshot;
mod stored;
pub(crate) mod stream;
mod writes;

use std::sync::Arc;

use holdpoint_core::decision::New;
use holdpoint_core::rule::InForce;
use holdpoint_core::{
    Actor, Command, Decision, DecisionId, Event, Job, Project, Refusal, Span, State, Status, Thread,
    Timestamp, access, decide, json, text,
};

pub(crate) use credential::{CredentialWrite, Loaded, NamedCredential, may_write};
#[cfg(feature = "postgres")]
pub(crate) use known::KnownRules;
pub(crate) use known::{BatchCache, KnownJobs};
#[cfg(feature = "postgres")]
pub(crate) use needs::RulesOf;
pub(crate) use needs::{KeyScope, Needs, OwnerScope, is_told, needs};
pub(crate) use post::may_order;
pub(crate) use rules::RuleNeeds;
#[cfg(feature = "postgres")]
pub(crate) use rules::VotedOn;
pub(crate) use snapshot::{KeyUse, Snapshot};
pub(crate) use stored::{Stored, Usage};
pub(crate) use stream::{ROSTER, number_of, of_decision, of_messages, of_owner, of_rule, of_rules};
pub(crate) use writes::{DecisionWrite, EventRow, ItemWrite, JobWrite, OutboxRow, Withdrawals, Writes};

use record::Recordable;

use crate::clock_step::{STEP, skewed};
use crate::shared_decision::SharedDecision;
use crate::{Basis, Outcome, Route, Submission};

/// How many overdue decisions that no command names are recorded with a batch.
pub(crate) const OVERDUE: usize = 64;

/// Returns the time for a command: never before the last event.
pub(crate) fn now(snapshot: &Snapshot, submission: &Submission) -> Timestamp {
    let clock = skewed(snapshot.at(), submission.now, snapshot.skew);
    snapshot.at().map_or(clock, |at| at.max(clock))
}

/// Records that the clock was stepped back: from now on time continues from the last event at the clock's pace, until
/// the clock has passed it.
pub(crate) fn note_step(snapshot: &mut Snapshot, writes: &mut Writes, clock: Timestamp) {
    let Some(at) = snapshot.at() else { return };
    let skew = if at.since(skewed(Some(at), clock, snapshot.skew)) > STEP {
        let skew = at.since(clock);
        tracing::warn!("The clock was stepped back; the log is ahead of it by {skew} from now on");
        skew
    } else if snapshot.skew > Span::from_millis(0) && clock >= at {
        tracing::info!("The clock has caught up with the log");
        Span::from_millis(0)
    } else {
        return;
    };
    snapshot.skew = skew;
    writes.skew = Some(skew);
}

/// Records that deadlines have passed; returns whether there is anyone to notify. No caller asked about these
/// decisions, so a failure to record one must not stop the others.
pub(crate) fn expire_overdue(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    numbers: &[i64],
    now: Timestamp,
    routes: &[Route],
) -> bool {
    let before = writes.outbox.len();
    for number in numbers {
        if let Err(refusal) = expire(snapshot, writes, *number, now, routes) {
            tracing::warn!("A deadline that has passed could not be recorded: {refusal}");
        }
    }
    writes.outbox.len() > before
}

/// The outcome of a command, with decisions still shared by all that use them.
#[derive(Debug)]
pub(crate) struct CommandOutcome {
    decision: Option<SharedDecision>,
    next: Option<SharedDecision>,
    job: Option<Arc<Job>>,
    events: usize,
    replayed: bool,
    seq: i64,
    now: Timestamp,
    place: Option<i64>,
    pub(crate) posted: bool,
}

impl From<CommandOutcome> for Outcome {
    fn from(decided: CommandOutcome) -> Self {
        let CommandOutcome { decision, next, job, events, replayed, seq, now, place, posted } = decided;
        Self { decision, next, job, events, replayed, seq, now, place, posted }
    }
}

/// Decides one command and adds its outcome to the writes. A refused command leaves no trace, except that overdue
/// decisions it concerns are recorded as such.
pub(crate) fn plan(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    submission: &Submission,
) -> Result<CommandOutcome, Refusal> {
    let now = now(snapshot, submission);
    let entries = writes.outbox.len();
    credential::admit(snapshot, submission, now)?;
    let needs = needs(submission);
    let scope = needs.key.as_ref();
    let used = scope.and_then(|scope| snapshot.key(scope));
    let named = match (needs.decision, used.as_ref()) {
        (Some(id), _) => Some(snapshot.numbering().number(id)),
        (None, Some(used)) if matches!(*submission.command, Command::Create(_)) => Some(used.number),
        (None, _) => None,
    };
    let siblings = needs.siblings.as_ref().map(|(project, owner, _)| snapshot.siblings(project, owner));
    let mut siblings = siblings.unwrap_or_default();
    let also = needs.also.iter().map(|id| snapshot.numbering().number(*id));
    siblings.extend(also.filter(|number| !siblings.contains(number)).collect::<Vec<_>>());
    snapshot.check_bound(&needs, named)?;
    siblings.retain(|number| snapshot.is_bound(*number));
    for number in named.iter().chain(&siblings) {
        expire(snapshot, writes, *number, now, &submission.routes)?;
    }
    let target = needs.decision.and(named).and_then(|number| snapshot.decision(number));
    let target = target.map(|stored| &*stored.decision);
    let stands_in = |decision: &Decision| snapshot.stands_in(decision, &submission.actor, now);
    access::admit_acting(&submission.actor, &submission.projects, &submission.command, target, stands_in)?;
    let thread = thread(snapshot, &needs, target);
    access::admit_to_thread(&submission.actor, &submission.projects, &submission.command, thread)?;
    check_basis(target, &submission.basis)?;
    if let Some(used) = &used {
        return replay(snapshot, writes, submission, used, now, entries);
    }
    if let (true, Basis::Log(_), Some(id)) = (snapshot.unvouched, &submission.basis, needs.decision) {
        // The event that used it may have been cut off.
        return Err(Refusal::unproven(id, "the log cannot be verified; hold audit verify says why"));
    }
    let fresh = snapshot.numbering().id(snapshot.last_number() + 1);
    let mut state = state(snapshot, &needs, named, &siblings, fresh);
    let place = match &*submission.command {
        Command::Post(post) => {
            let spare = (1..).zip(&post.actions).map(|(at, _)| snapshot.last_number() + at);
            state.spare = spare.map(|number| snapshot.numbering().id(number)).collect();
            // The events that opened a thread come before its messages.
            needs.streams.first().map(|stream| snapshot.version(stream))
        }
        _ => None,
    };
    // In a log that is not vouched for, the event that ended a rule may be missing.
    let is_about_rules = matches!(*submission.command, Command::Rule { .. } | Command::Answer { .. });
    if let Some(project) = needs.rules_with(state.decision.as_deref()).map(str::to_owned) {
        state.policies = snapshot.policies(&project);
        if (!snapshot.unvouched || is_about_rules) && !needs.policies_alone {
            state.rules = snapshot.in_force(&project, now);
        }
    }
    if matches!(*submission.command, Command::Create(_)) && !state.rules.rules.is_empty() {
        // A rule may trip, and then its author is asked.
        state.spare = vec![snapshot.numbering().id(snapshot.last_number() + 2)];
    }
    let mut ruling = decide(&state, &submission.actor, &submission.command, now)?;
    // Dropped, so that the snapshot's decisions are not shared and can be changed in place.
    drop(state);
    let job = needs.job.clone();
    let (events, replayed) = (ruling.events.len(), ruling.replayed);
    let target =
        needs.decision.or_else(|| matches!(*submission.command, Command::Create(_)).then_some(fresh));
    let digest = scope.map(|_| digest(submission)).transpose()?;
    if let (Some(scope), Some(digest), Some(event)) = (scope, &digest, ruling.events.first_mut()) {
        match event {
            Event::Created(asked) => asked.request_digest = scope.request_digest(digest),
            Event::Consumed { request_digest, .. } => *request_digest = scope.request_digest(digest),
            _ => {}
        }
    }
    let recordable = Recordable::new(ruling)?;
    quota::check(snapshot, writes, submission, &recordable)?;
    snapshot.note_rules(&recordable.ruling.events, now);
    credential::write(snapshot, writes, submission, &recordable.ruling.events, now);
    recordable.record(snapshot, writes, now, &submission.routes);
    if let (Some(scope), Some(digest)) = (needs.key, digest) {
        let number = place.unwrap_or_else(|| snapshot.numbering().number(needs.decision.unwrap_or(fresh)));
        let used = KeyUse { digest, number };
        writes.keys.push((scope.clone(), used.clone(), now));
        snapshot.put_key(scope, Some(used));
    }
    let decision = target.and_then(|id| snapshot.decision(snapshot.numbering().number(id))).cloned();
    let opened = (events > 0).then(|| decision.as_ref().and_then(|stored| stored.decision.next)).flatten();
    let opened = opened.filter(|_| matches!(*submission.command, Command::Answer { .. }));
    Ok(CommandOutcome {
        next: opened.and_then(|id| snapshot.decision(snapshot.numbering().number(id))).map(Stored::shared),
        decision: decision.as_ref().map(Stored::shared),
        job: job.and_then(|stream| snapshot.job(&stream)).map(|stored| Arc::clone(&stored.job)),
        events,
        replayed,
        seq: snapshot.seq(),
        now,
        place,
        posted: writes.outbox.len() > entries,
    })
}

/// Refuses an answered decision whose row does not match the log, if the caller relies on the log.
fn check_basis(target: Option<&Decision>, basis: &Basis) -> Result<(), Refusal> {
    let (Some(row), Basis::Log(recorded)) = (target, basis) else { return Ok(()) };
    if row.status != Status::Answered || recorded.as_deref() == Some(row) {
        return Ok(());
    }
    Err(Refusal::unproven(row.id, "its row does not match the log"))
}

/// Returns the thread that a command is about: the one it names, or the one of its decision.
fn thread<'a>(snapshot: &'a Snapshot, needs: &Needs, decision: Option<&Decision>) -> Option<&'a Thread> {
    match (&needs.thread, decision) {
        (Some(id), _) => snapshot.thread(id),
        (None, Some(decision)) => snapshot.thread_of(&decision.project, decision.owner.as_ref()),
        (None, None) => None,
    }
}

fn state(
    snapshot: &Snapshot,
    needs: &Needs,
    named: Option<i64>,
    siblings: &[i64],
    fresh: DecisionId,
) -> State {
    let decision =
        named.and_then(|number| snapshot.decision(number)).map(|stored| Arc::clone(&stored.decision));
    let siblings = siblings.iter().filter_map(|number| snapshot.decision(*number));
    let siblings = match needs.siblings {
        Some((_, _, reach)) if reach == OwnerScope::All || !needs.also.is_empty() => {
            siblings.map(|stored| Arc::clone(&stored.decision)).collect()
        }
        _ => siblings
            .filter(|stored| stored.decision.status == Status::Pending)
            .map(|stored| Arc::clone(&stored.decision))
            .collect(),
    };
    let project = needs.project.as_deref().unwrap_or(Project::DEFAULT);
    let thread = thread(snapshot, needs, decision.as_deref()).cloned();
    let people = snapshot.voters(decision.iter().chain(&siblings).filter(|_| needs.votes));
    State {
        decision,
        named: needs.decision.map(|id| id.to_string()).unwrap_or_default(),
        siblings,
        items: needs.items.iter().filter_map(|(project, id)| snapshot.item(project, id)).cloned().collect(),
        job: needs.job.as_ref().and_then(|stream| snapshot.job(stream)).map(|stored| Arc::clone(&stored.job)),
        runs: needs.runs.iter().copied().filter(|id| snapshot.run(*id).is_some()).collect(),
        run: needs.runs.first().and_then(|id| snapshot.run(*id)).map(Arc::clone),
        task: needs.task.and_then(|id| snapshot.task(id)).cloned(),
        project: snapshot.project(project),
        rules: InForce::default(),
        policies: Vec::new(),
        people,
        roster: snapshot.roster.clone().unwrap_or_default(),
        fresh: Some(fresh),
        spare: Vec::new(),
        thread,
        known: snapshot.credentials.known(needs.credential.as_ref()),
    }
}

/// Answers a request whose key is known: the same request gets the first decision, whatever its status. An approval
/// consumed under the key stays consumed, and counts as consumed by this caller.
fn replay(
    snapshot: &Snapshot,
    writes: &Writes,
    submission: &Submission,
    used: &KeyUse,
    now: Timestamp,
    entries: usize,
) -> Result<CommandOutcome, Refusal> {
    // The message shows the key as the caller sent it, not as it is stored.
    let key = || submission.key.clone().unwrap_or_default();
    if digest(submission)? != used.digest {
        return Err(Refusal::KeyReused { key: key() });
    }
    if matches!(*submission.command, Command::Post(_)) {
        let (seq, posted) = (snapshot.seq(), writes.outbox.len() > entries);
        let place = Some(used.number);
        return Ok(CommandOutcome {
            decision: None,
            next: None,
            job: None,
            events: 0,
            replayed: true,
            seq,
            now,
            place,
            posted,
        });
    }
    let Some(stored) = snapshot.decision(used.number) else {
        return Err(Refusal::KeySpent { key: key(), id: snapshot.numbering().id(used.number) });
    };
    let scope = needs(submission).key;
    let expected = scope.and_then(|scope| scope.request_digest(&used.digest));
    let recorded = match *submission.command {
        Command::Create(_) => &stored.decision.request_digest,
        Command::Consume { .. } => &stored.decision.consumed_request_digest,
        _ => &expected,
    };
    if *recorded != expected {
        let why = format!("key {} was used for something else", text::quote(&key()));
        return Err(Refusal::unproven(stored.decision.id, why));
    }
    Ok(CommandOutcome {
        decision: Some(stored.shared()),
        next: None,
        job: None,
        events: 0,
        replayed: true,
        seq: snapshot.seq(),
        now,
        place: None,
        posted: writes.outbox.len() > entries,
    })
}

/// Records that a deadline has passed, if it has.
fn expire(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    number: i64,
    now: Timestamp,
    routes: &[Route],
) -> Result<(), Refusal> {
    let due = snapshot.decision(number).filter(|stored| stored.decision.is_due(now));
    let Some(due) = due.filter(|_| snapshot.is_bound(number)) else {
        return Ok(());
    };
    let id = due.decision.id;
    let state = State {
        decision: Some(Arc::clone(&due.decision)),
        named: id.to_string(),
        project: Project::new(due.decision.project.clone()),
        thread: snapshot.thread_of(&due.decision.project, due.decision.owner.as_ref()).cloned(),
        ..State::default()
    };
    let ruling = decide(&state, &Actor::system(), &Command::Expire { id }, now)?;
    drop(state);
    Recordable::new(ruling)?.record(snapshot, writes, now, routes);
    Ok(())
}

/// Returns the digest of a request, by which a repeated request is recognized.
fn digest(submission: &Submission) -> Result<String, Refusal> {
    match &*submission.command {
        Command::Create(new) => {
            // The origin may differ in a repeated request, as when a resumed agent asks within another prompt. Whether
            // the yes is used at once is not part of what is asked.
            let asked = New { origin: None, consume: false, ..(**new).clone() };
            json::digest(&asked).map_err(|why| Refusal::invalid("decision", why.to_string()))
        }
        Command::Post(post) => json::digest(post).map_err(|why| Refusal::invalid("content", why.to_string())),
        Command::Consume { subject, required, .. } => json::digest(&(subject, required.min, required.seen))
            .map_err(|why| Refusal::invalid("subject", why.to_string())),
        _ => Ok(String::new()),
    }
}

#[cfg(test)]
mod tests;
