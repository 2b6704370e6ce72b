//! Turns a ruling into rows, and keeps the snapshot true.

use std::sync::Arc;

use holdpoint_core::{
    Decision, DecisionId, Effect, Event, Item, ItemStatus, Job, Lane, Occasion, Project, Refusal, Ruling,
    Span, Status, Timestamp, apply, job, json, run,
};

use super::stream;
use super::{DecisionWrite, EventRow, ItemWrite, JobWrite, OutboxRow, Snapshot, Stored, Usage, Writes};
use crate::chain::{self, hex};
use crate::jobs::StoredJob;
use crate::{Route, Target, body};

/// How long a hook is worth running: it is for those who work now.
const HOOK_LIFETIME: Span = Span::from_secs(60 * 60);
/// How long programs are told, and people are told that something was settled.
const NOTICE_LIFETIME: Span = Span::from_secs(3 * 24 * 60 * 60);
/// How many outbox rows one event can make: their ids are built from its place in the log.
const MOST_PARCELS: i64 = 10_000;

/// A ruling and the bodies of its events. All bodies are there before the first is recorded: a ruling is recorded
/// whole or not at all.
pub(super) struct Recordable {
    pub(super) ruling: Ruling,
    bodies: Vec<String>,
}

impl Recordable {
    pub(super) fn new(ruling: Ruling) -> Result<Self, Refusal> {
        let bodies: Result<_, _> = ruling.events.iter().map(body::encode).collect();
        let bodies = bodies.map_err(|why| Refusal::invalid("body", why.to_string()))?;
        Ok(Self { ruling, bodies })
    }

    /// Returns the events with their bodies.
    pub(super) fn events(&self) -> impl Iterator<Item = (&Event, &str)> {
        self.ruling.events.iter().zip(self.bodies.iter().map(String::as_str))
    }

    /// Adds the events and effects to the writes.
    pub(super) fn record(
        self,
        snapshot: &mut Snapshot,
        writes: &mut Writes,
        now: Timestamp,
        routes: &[Route],
    ) {
        let first = snapshot.seq() + 1;
        let about: Vec<_> = self.ruling.events.iter().map(About::of).collect();
        for (event, body) in self.ruling.events.into_iter().zip(self.bodies) {
            let (tag, stream) = (event.tag(), stream::of(&event, snapshot.numbering()));
            let version = change(snapshot, writes, event, &stream, &body, now);
            append(snapshot, writes, tag, stream, version, now, body);
        }
        post(snapshot, writes, &self.ruling.effects, &about, first, now, routes);
    }
}

fn append(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    tag: &'static str,
    stream: String,
    version: i64,
    at: Timestamp,
    body: String,
) {
    let seq = snapshot.seq() + 1;
    let prev = *snapshot.hash();
    let body_hash = chain::body_hash(&body);
    let hash = chain::event_hash(seq, &stream, version, tag, at.as_millis(), &hex(&body_hash), &hex(&prev));
    snapshot.advance(hash, at);
    writes.events.push(EventRow { seq, stream, version, tag, at, body, body_hash, prev, hash, proof: None });
}

/// Carries an event over to the projections; returns its place in its stream.
fn change(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    event: Event,
    stream: &str,
    body: &str,
    at: Timestamp,
) -> i64 {
    if let Some(id) = event.decision() {
        return change_decision(snapshot, writes, event, id, stream, body, at);
    }
    let version = snapshot.next_version(stream);
    if event.job().is_some() {
        change_job(snapshot, writes, &event, stream, version, at);
        return version;
    }
    if let Some((id, _)) = event.run() {
        let before = snapshot.run(id).map(|run| (**run).clone());
        snapshot.put_run(id, run::apply(before, &event, at).map(Arc::new));
        writes.runs.insert(id);
        return version;
    }
    if let Some((_, project)) = event.rule() {
        let project = project.to_owned();
        snapshot.change_rules(&project, &event);
        return version;
    }
    match event {
        Event::ItemCreated { id, project, title, .. } => {
            let item = Item { id, project, title, status: ItemStatus::Open, pending: 0, created_at: at };
            snapshot.put_item(&item.project, &item.id, Some(item.clone()));
            writes.items.push(ItemWrite::Create(item));
        }
        Event::ItemDeleted { id, project, .. } => {
            snapshot.put_item(&project, &id, None);
            writes.items.push(ItemWrite::Delete { project, id });
        }
        Event::ThreadCreated(thread) => {
            snapshot.put_thread(thread.id.clone(), Some((*thread).clone()));
            writes.threads.insert(thread.id.clone(), Some(*thread));
        }
        Event::ThreadRemoved { id, .. } => {
            snapshot.put_thread(id.clone(), None);
            writes.threads.insert(id, None);
            writes.erased.push((stream.to_owned(), version));
        }
        Event::ProjectUpdated { project: name, min_timeout, verdicts, .. } => {
            let project = Project { name: name.clone(), min_timeout, verdicts };
            snapshot.put_project(project.clone());
            writes.projects.insert(name, project);
        }
        // Where mail went is nobody's business any more.
        Event::PersonRemoved { .. } => writes.erased.push((stream.to_owned(), version)),
        _ => {}
    }
    version
}

/// Carries an event over to the job or crew it happened to, if that is one of ours.
fn change_job(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    event: &Event,
    stream: &str,
    version: i64,
    at: Timestamp,
) {
    let before = snapshot.job(stream).map(|stored| Job::clone(&stored.job));
    let known = before.is_some();
    let after = job::apply(before, event, at);
    let write = match &after {
        Some(_) => JobWrite::Put,
        None if known => {
            writes.erased.push((stream.to_owned(), version));
            JobWrite::Delete
        }
        None => return,
    };
    snapshot.put_job(stream.to_owned(), after.map(|job| StoredJob { job: Arc::new(job), version }));
    writes.jobs.insert(stream.to_owned(), write);
}

fn change_decision(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    event: Event,
    id: DecisionId,
    stream: &str,
    body: &str,
    at: Timestamp,
) -> i64 {
    let number = snapshot.numbering().number(id);
    let before = snapshot.take_decision(number);
    let version = before.as_ref().map_or(0, |stored| stored.version) + 1;
    let is_new =
        before.is_none() || matches!(writes.decisions.get(&number), Some(DecisionWrite::Insert { .. }));
    match &before {
        Some(stored) => tally(writes, stored, -1),
        None => writes.last_number = writes.last_number.max(Some(number)),
    }
    let after = match event {
        // What was asked is moved, not copied.
        Event::Created(decision) => Some(*decision),
        event => apply(before.map(|stored| Arc::unwrap_or_clone(stored.decision)), &event, at),
    };
    let after = after.map(|decision| {
        let bytes = if version == 1 { body.len() } else { pending_bytes(&decision) };
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Stored { decision: Arc::new(decision), version, bytes }
    });
    let write = match &after {
        // The body of the event that opens a decision is the decision.
        Some(_) if is_new => DecisionWrite::Insert { doc: (version == 1).then(|| body.to_owned()) },
        Some(_) => DecisionWrite::Update,
        None => DecisionWrite::Delete,
    };
    if let Some(stored) = &after {
        tally(writes, stored, 1);
    } else {
        writes.erased.push((stream.to_owned(), version));
        writes.cleared.push(number);
    }
    writes.decisions.insert(number, write);
    snapshot.put_decision(number, after);
    version
}

/// Returns how many bytes the document of a changed decision has; nobody asks once it is settled.
fn pending_bytes(decision: &Decision) -> usize {
    if decision.status == Status::Pending { json::size(decision).unwrap_or_default() } else { 0 }
}

/// Keeps the counters: how many of each status, how many an item waits for, and what credentials have pending.
fn tally(writes: &mut Writes, stored: &Stored, by: i64) {
    let decision = &stored.decision;
    if let Some((credential, usage)) = stored.usage() {
        writes.use_up(credential, Usage { decisions: by, bytes: by * usage.bytes });
    }
    writes.count(&decision.project, decision.status, by);
    if decision.status == Status::Pending {
        for item in decision.blocked_items() {
            let (project, id) = (decision.project.clone(), item.to_owned());
            writes.items.push(ItemWrite::Pending { project, id, by });
        }
    }
}

/// Adds the outbox rows that effects make, each with the event that ordered it: which decision each is about, and
/// which was the first.
fn post(
    snapshot: &Snapshot,
    writes: &mut Writes,
    effects: &[Effect],
    events: &[About],
    first: i64,
    now: Timestamp,
    routes: &[Route],
) {
    let mut posted = vec![0; events.len()];
    for effect in effects {
        let (at, decision) = match effect {
            Effect::Tell { id, .. } => {
                let Some(at) = events.iter().rposition(|about| about.decision == Some(*id)) else {
                    continue;
                };
                (at, Some(*id))
            }
            Effect::CarryOut { id } => match events.iter().position(|about| about.decision == Some(*id)) {
                Some(at) => (at, Some(*id)),
                None => continue,
            },
            Effect::Act { event } => (*event, events.iter().find_map(|about| about.decision)),
        };
        if let Effect::Act { event } = effect
            && let Some((project, target)) = events.get(*event).and_then(|about| about.owner(snapshot))
        {
            let decision = decision.map(|id| snapshot.numbering().number(id));
            writes.outbox.push(for_session(*event, first, project, target, decision, now));
            continue;
        }
        let Some(count) = posted.get_mut(at) else { continue };
        let about = decision.and_then(|id| snapshot.decision(snapshot.numbering().number(id)));
        let about = about.map(|stored| &*stored.decision);
        // An action is done once, by the host of the session, however many routes lead there.
        let most = if matches!(effect, Effect::Act { .. }) { 1 } else { routes.len() };
        let routes = routes.iter().filter(|route| fits(effect, route, about)).take(most);
        let mut told: Vec<_> = routes.flat_map(|route| targets(route, about)).collect();
        if matches!(effect, Effect::CarryOut { .. }) {
            // No route leads to a repository: the process that commits, or a server, works on it.
            let owner = about.and_then(|decision| decision.owner.as_ref());
            told = owner.map(|owner| (Lane::Git, owner.to_string())).into_iter().collect();
        }
        for (lane, target) in told {
            if *count >= MOST_PARCELS {
                break;
            }
            let seq = first + i64::try_from(at).unwrap_or_default();
            writes.outbox.push(OutboxRow {
                id: seq * MOST_PARCELS + *count,
                seq,
                lane,
                project: about.map(|decision| decision.project.clone()).unwrap_or_default(),
                target,
                decision: decision.map(|id| snapshot.numbering().number(id)),
                not_before: now,
                not_after: worth_until(lane, effect, now),
            });
            *count += 1;
        }
    }
}

/// What an event is about: a decision, or a job or crew.
struct About {
    decision: Option<DecisionId>,
    job: Option<JobName>,
}

struct JobName {
    stream: String,
    project: String,
    owner: String,
}

impl About {
    fn of(event: &Event) -> Self {
        let job = event.job().map(|(project, owner)| JobName {
            stream: stream::of_owner(project, &owner),
            project: project.to_owned(),
            owner: owner.to_string(),
        });
        Self { decision: event.decision(), job }
    }

    /// Returns project and name of the job or crew, if it is one that is supervised here.
    fn owner(&self, snapshot: &Snapshot) -> Option<(String, String)> {
        let JobName { stream, project, owner } = self.job.as_ref()?;
        let active = snapshot.job(stream).filter(|stored| stored.job.status.is_active());
        active.map(|_| (project.clone(), owner.clone()))
    }
}

/// An action is done once, by the node that supervises the job; until then it does not expire.
fn for_session(
    event: usize,
    first: i64,
    project: String,
    target: String,
    decision: Option<i64>,
    now: Timestamp,
) -> OutboxRow {
    let seq = first + i64::try_from(event).unwrap_or_default();
    let (id, lane) = (seq * MOST_PARCELS, Lane::Session);
    OutboxRow { id, seq, lane, project, target, decision, not_before: now, not_after: ever() }
}

/// Returns to whom a route leads for one decision.
fn targets(route: &Route, about: Option<&Decision>) -> Vec<(Lane, String)> {
    match &route.target {
        Target::Named(name) => vec![(route.lane, name.clone())],
        Target::EachAssignee => {
            let assignees = about.map(|decision| decision.assignees.as_slice()).unwrap_or_default();
            let people = assignees.iter().filter(|who| !who.starts_with("agent:"));
            people.map(|who| (route.lane, who.clone())).collect()
        }
    }
}

fn fits(effect: &Effect, route: &Route, about: Option<&Decision>) -> bool {
    let here = about.is_some_and(|decision| route.projects.contains(&decision.project));
    if !route.projects.is_empty() && !here {
        return false;
    }
    match effect {
        Effect::Tell { occasion, .. } => route.occasion == *occasion && route.lane != Lane::Session,
        Effect::Act { .. } => route.lane == Lane::Session,
        Effect::CarryOut { .. } => false,
    }
}

/// Returns when it is too late. Telling a person that they are asked ends when the decision is settled, whenever that
/// is; the sender checks.
fn worth_until(lane: Lane, effect: &Effect, now: Timestamp) -> Timestamp {
    let asks = matches!(effect, Effect::Tell { occasion: Occasion::Create, .. });
    let lifetime = match lane {
        Lane::Session | Lane::Git => return ever(),
        Lane::Mail if asks => return ever(),
        Lane::Hook => HOOK_LIFETIME,
        Lane::Webhook | Lane::Mail => NOTICE_LIFETIME,
    };
    now.checked_add(lifetime).unwrap_or_else(ever)
}

fn ever() -> Timestamp {
    Timestamp::from_millis(i64::MAX)
}
