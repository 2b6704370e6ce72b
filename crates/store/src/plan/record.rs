//! Turns a ruling into rows, and updates the snapshot.

use std::sync::Arc;

use holdpoint_core::{
    Decision, DecisionId, Event, Item, ItemStatus, Job, Project, Refusal, Ruling, Status, Timestamp, apply,
    job, json, run,
};

use super::post::{About, post};
use super::stream;
use super::{DecisionWrite, EventRow, ItemWrite, JobWrite, Snapshot, Stored, Usage, Writes};
use crate::chain::{self, hex};
use crate::jobs::StoredJob;
use crate::{Route, body};

/// A ruling and the bodies of its events. All bodies are encoded before the first event is recorded, so that a ruling
/// is recorded whole or not at all.
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

/// Applies an event to the projections; returns its version in its stream.
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
        Event::GroupUpdated { .. }
        | Event::GroupRemoved { .. }
        | Event::AbsenceAdded(_)
        | Event::AbsenceEnded { .. } => snapshot.change_roster(&event),
        // The person's address must not stay in the log.
        Event::PersonRemoved { .. } => writes.erased.push((stream.to_owned(), version)),
        _ => {}
    }
    version
}

/// Applies an event to its job or crew, if this store supervises that.
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
        // The created decision is moved, not copied.
        Event::Created(decision) => Some(*decision),
        event => apply(before.map(|stored| Arc::unwrap_or_clone(stored.decision)), &event, at),
    };
    let after = after.map(|decision| {
        let bytes = if version == 1 { body.len() } else { pending_bytes(&decision) };
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Stored::new(decision, version, bytes)
    });
    let write = match &after {
        // The body of the event that creates a decision is the decision's document.
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

/// Returns the size of a changed decision's document, which matters only while it is pending.
fn pending_bytes(decision: &Decision) -> usize {
    if decision.status == Status::Pending { json::size(decision).unwrap_or_default() } else { 0 }
}

/// Updates the counters: decisions by status, pending decisions of items, and usage of credentials.
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
