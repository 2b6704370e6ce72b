//! Turns a ruling into rows, and keeps the snapshot true.

use std::sync::Arc;

use holdpoint_core::{
    DecisionId, Effect, Event, Item, ItemStatus, Lane, OwnerKind, Project, Refusal, Ruling, Span, Status,
    Timestamp, apply,
};

use super::stream;
use super::{DecisionRow, EventRow, ItemWrite, ParcelRow, Snapshot, Stored, Writes};
use crate::chain::{self, hex};
use crate::{Route, body};

/// How long hooks, webhooks and mail are worth sending.
const WORTH_SENDING: Span = Span::from_secs(60 * 60);
/// How many outbox rows one event can make: their ids are built from its place in the log.
const MOST_PARCELS: i64 = 10_000;

/// Adds a ruling's events and effects to the writes.
pub(super) fn record(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    ruling: Ruling,
    now: Timestamp,
    routes: &[Route],
) -> Result<(), Refusal> {
    // All bodies first: a ruling is recorded whole or not at all.
    let bodies: Result<Vec<String>, _> = ruling.events.iter().map(body::encode).collect();
    let bodies = bodies.map_err(|why| Refusal::invalid("body", why.to_string()))?;
    post(snapshot, writes, &ruling, now, routes);
    for (event, body) in ruling.events.into_iter().zip(bodies) {
        let (tag, stream) = (event.tag(), stream::of(&event, snapshot.numbering()));
        let version = change(snapshot, writes, event, &stream, now);
        append(snapshot, writes, tag, stream, version, now, body);
    }
    Ok(())
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
    writes.events.push(EventRow { seq, stream, version, tag, at, body, body_hash, prev, hash });
}

/// Carries an event over to the projections; returns its place in its stream.
fn change(snapshot: &mut Snapshot, writes: &mut Writes, event: Event, stream: &str, at: Timestamp) -> i64 {
    if let Some(id) = event.decision() {
        return change_decision(snapshot, writes, event, id, stream, at);
    }
    match event {
        Event::ItemCreated { id, project, title } => {
            let item = Item { id, project, title, status: ItemStatus::Open, pending: 0, created_at: at };
            snapshot.put_item(&item.project, &item.id, Some(item.clone()));
            writes.items.push(ItemWrite::Create(item));
        }
        Event::ItemDeleted { id, project } => {
            snapshot.put_item(&project, &id, None);
            writes.items.push(ItemWrite::Delete { project, id });
        }
        Event::ProjectUpdated { project: name, min_timeout, .. } => {
            let project = Project { name: name.clone(), min_timeout };
            snapshot.put_project(project.clone());
            writes.projects.insert(name, project);
        }
        _ => {}
    }
    snapshot.next_version(stream)
}

fn change_decision(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    event: Event,
    id: DecisionId,
    stream: &str,
    at: Timestamp,
) -> i64 {
    let number = snapshot.numbering().number(id);
    let before = snapshot.take_decision(number);
    let version = before.as_ref().map_or(0, |stored| stored.version) + 1;
    let fresh = before.is_none()
        || writes.decisions.get(&number).is_some_and(|row| row.as_ref().is_some_and(|row| row.fresh));
    match &before {
        Some(stored) => tally(writes, stored, -1),
        None => writes.last_number = writes.last_number.max(Some(number)),
    }
    let body = matches!(event, Event::Created(_)).then_some(writes.events.len());
    let after = match event {
        // What was asked is moved, not copied.
        Event::Created(decision) => Some(*decision),
        event => apply(before.map(|stored| Arc::unwrap_or_clone(stored.decision)), &event, at),
    };
    let after = after.map(|decision| Stored { decision: Arc::new(decision), version });
    if let Some(stored) = &after {
        tally(writes, stored, 1);
    } else {
        writes.erased.push((stream.to_owned(), version));
        writes.cleared.push(number);
    }
    writes.decisions.insert(number, after.clone().map(|stored| DecisionRow { fresh, stored, body }));
    snapshot.put_decision(number, after);
    version
}

/// Keeps the counters: how many of each status, and how many an item waits for.
fn tally(writes: &mut Writes, stored: &Stored, by: i64) {
    let decision = &stored.decision;
    writes.count(&decision.project, decision.status, by);
    if decision.status == Status::Pending
        && let Some(owner) = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Item)
    {
        let (project, id) = (decision.project.clone(), owner.id.clone());
        writes.items.push(ItemWrite::Pending { project, id, by });
    }
}

/// Adds the outbox rows that effects make, each with the event that ordered it.
fn post(snapshot: &Snapshot, writes: &mut Writes, ruling: &Ruling, now: Timestamp, routes: &[Route]) {
    let first = snapshot.seq() + 1;
    let mut posted = vec![0; ruling.events.len()];
    for effect in &ruling.effects {
        let (at, decision) = match effect {
            Effect::Tell { id, .. } => {
                let Some(at) = ruling.events.iter().rposition(|event| event.decision() == Some(*id)) else {
                    continue;
                };
                (at, Some(*id))
            }
            Effect::Act { event } => (*event, ruling.events.iter().find_map(Event::decision)),
        };
        let Some(count) = posted.get_mut(at) else { continue };
        // An action is done once, by whoever hosts the session, however many routes lead there.
        let most = if matches!(effect, Effect::Act { .. }) { 1 } else { routes.len() };
        for route in routes.iter().filter(|route| fits(effect, route)).take(most) {
            if *count >= MOST_PARCELS {
                break;
            }
            let seq = first + i64::try_from(at).unwrap_or_default();
            writes.parcels.push(ParcelRow {
                id: seq * MOST_PARCELS + *count,
                seq,
                lane: route.lane,
                target: route.target.clone(),
                decision: decision.map(|id| snapshot.numbering().number(id)),
                not_before: now,
                not_after: worth_until(route.lane, now),
            });
            *count += 1;
        }
    }
}

fn fits(effect: &Effect, route: &Route) -> bool {
    match effect {
        Effect::Tell { occasion, .. } => route.occasion == *occasion && route.lane != Lane::Session,
        Effect::Act { .. } => route.lane == Lane::Session,
    }
}

fn worth_until(lane: Lane, now: Timestamp) -> Timestamp {
    let ever = Timestamp::from_millis(i64::MAX);
    match lane {
        Lane::Hook | Lane::Webhook | Lane::Mail => now.checked_add(WORTH_SENDING).unwrap_or(ever),
        Lane::Session | Lane::Git => ever,
    }
}
