//! Which outbox rows a ruling makes: to whom each is told, and until when that is worth doing.

use std::collections::BTreeSet;

use holdpoint_core::{Decision, DecisionId, Effect, Event, Lane, Occasion, Span, Status, Timestamp};

use super::{OutboxRow, Snapshot, Writes, stream};
use crate::{Route, Target};

/// How long a hook is worth running: it is for those who work now.
const HOOK_LIFETIME: Span = Span::from_secs(60 * 60);
/// How long programs are told, and people are told that something was settled.
const NOTICE_LIFETIME: Span = Span::from_secs(3 * 24 * 60 * 60);
/// How long a second opinion is worth asking for: somebody is about to answer.
const OPINION_LIFETIME: Span = Span::from_secs(10 * 60);
/// How many outbox rows one event can make: their ids are built from its place in the log.
const MOST_PARCELS: i64 = 10_000;

/// Adds the outbox rows that effects make, each with the event that ordered it: which decision each is about, and
/// which was the first.
pub(super) fn post(
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
            Effect::Tell { id, .. } | Effect::TellPeople { id, .. } => {
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
        let mut told: Vec<_> = routes.flat_map(|route| targets(effect, route, about)).collect();
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
    follow(snapshot, writes, events, &mut posted, first, now, routes);
    look_again(snapshot, writes, events, &mut posted, first, now, routes);
    call_back(snapshot, writes, events, &mut posted, first, now);
}

/// Adds the outbox rows by which askers are told that what they asked is settled. No route leads there: the decision itself
/// says where. After guidance the next round says so when it ends.
fn call_back(
    snapshot: &Snapshot,
    writes: &mut Writes,
    events: &[About],
    posted: &mut [i64],
    first: i64,
    now: Timestamp,
) {
    for (at, (event, count)) in events.iter().zip(posted).enumerate() {
        let Some(id) = event.decision.filter(|_| event.settles) else { continue };
        let number = snapshot.numbering().number(id);
        let Some(stored) = snapshot.decision(number) else { continue };
        let Some(callback) = &stored.decision.callback else { continue };
        let seq = first + i64::try_from(at).unwrap_or_default();
        writes.outbox.push(OutboxRow {
            id: seq * MOST_PARCELS + *count,
            seq,
            lane: Lane::Callback,
            project: stored.decision.project.clone(),
            target: callback.host().to_owned(),
            decision: Some(number),
            not_before: now,
            not_after: now.checked_add(NOTICE_LIFETIME).unwrap_or_else(ever),
        });
        *count += 1;
    }
}

/// Adds the outbox rows by which messages that were sent about a decision are brought up to date.
fn follow(
    snapshot: &Snapshot,
    writes: &mut Writes,
    events: &[About],
    posted: &mut [i64],
    first: i64,
    now: Timestamp,
    routes: &[Route],
) {
    for (at, (event, count)) in events.iter().zip(posted).enumerate() {
        let (Some(id), Some(project)) = (event.decision, &event.changed_in) else { continue };
        let number = snapshot.numbering().number(id);
        let fits = |route: &&Route| {
            route.target == Target::Messages
                && (route.projects.is_empty() || route.projects.contains(project))
        };
        for route in routes.iter().filter(fits) {
            let seq = first + i64::try_from(at).unwrap_or_default();
            writes.outbox.push(OutboxRow {
                id: seq * MOST_PARCELS + *count,
                seq,
                lane: route.lane,
                project: project.clone(),
                target: id.to_string(),
                // The rows about a decision that is gone go with it; its messages are still to be told.
                decision: snapshot.decision(number).map(|_| number),
                not_before: now,
                not_after: now.checked_add(NOTICE_LIFETIME).unwrap_or_else(ever),
            });
            *count += 1;
        }
    }
}

/// Adds the outbox rows by which programs look again at what was revised: what they remarked was about something else.
fn look_again(
    snapshot: &Snapshot,
    writes: &mut Writes,
    events: &[About],
    posted: &mut [i64],
    first: i64,
    now: Timestamp,
    routes: &[Route],
) {
    for (at, (event, count)) in events.iter().zip(posted).enumerate() {
        let Some(id) = event.decision.filter(|_| event.revises) else { continue };
        let number = snapshot.numbering().number(id);
        let Some(stored) = snapshot.decision(number) else { continue };
        let tell = Effect::Tell { occasion: Occasion::Create, id };
        let fits = |route: &&Route| {
            route.lane == Lane::Opinion
                && stored.decision.status == Status::Pending
                && fits(&tell, route, Some(&stored.decision))
        };
        for route in routes.iter().filter(fits) {
            for (lane, target) in targets(&tell, route, Some(&stored.decision)) {
                let seq = first + i64::try_from(at).unwrap_or_default();
                writes.outbox.push(OutboxRow {
                    id: seq * MOST_PARCELS + *count,
                    seq,
                    lane,
                    project: stored.decision.project.clone(),
                    target,
                    decision: Some(number),
                    not_before: now,
                    not_after: worth_until(lane, &tell, now),
                });
                *count += 1;
            }
        }
    }
}

/// What an event is about: a decision, or a job or crew.
pub(super) struct About {
    decision: Option<DecisionId>,
    job: Option<JobName>,
    /// The project of a decision that looks different after it.
    changed_in: Option<String>,
    /// Whether it ends the decision for its asker.
    settles: bool,
    /// Whether something else is asked after it.
    revises: bool,
}

struct JobName {
    stream: String,
    project: String,
    owner: String,
}

impl About {
    pub(super) fn of(event: &Event) -> Self {
        let job = event.job().map(|(project, owner)| JobName {
            stream: stream::of_owner(project, &owner),
            project: project.to_owned(),
            owner: owner.to_string(),
        });
        let changed_in = match event {
            Event::Resolved { project, .. }
            | Event::Refined { project, .. }
            | Event::Expired { project, .. }
            | Event::Cancelled { project, .. }
            | Event::Superseded { project, .. }
            | Event::Removed { project, .. } => Some(project.clone()),
            Event::Revised(revised) => Some(revised.project.clone()),
            _ => None,
        };
        let settles = matches!(
            event,
            Event::Resolved { .. }
                | Event::Expired { .. }
                | Event::Cancelled { .. }
                | Event::Superseded { .. }
        );
        let revises = matches!(event, Event::Revised(_));
        Self { decision: event.decision(), job, changed_in, settles, revises }
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
fn targets(effect: &Effect, route: &Route, about: Option<&Decision>) -> Vec<(Lane, String)> {
    if let Effect::TellPeople { people, others, .. } = effect {
        let fallback = match &route.target {
            Target::EachAssigneeOr(told) if *others => told.as_slice(),
            _ => &[],
        };
        let people: BTreeSet<&String> = people.iter().chain(fallback).collect();
        return people.into_iter().map(|who| (route.lane, who.clone())).collect();
    }
    match &route.target {
        Target::Named(name) => vec![(route.lane, name.clone())],
        Target::EachAssignee | Target::EachAssigneeOr(_) => {
            let assignees = about.map(|decision| decision.assignees.as_slice()).unwrap_or_default();
            let others = match &route.target {
                Target::EachAssigneeOr(others) if assignees.is_empty() => others.as_slice(),
                _ => assignees,
            };
            let people = others.iter().filter(|who| !who.starts_with("agent:"));
            people.map(|who| (route.lane, who.clone())).collect()
        }
        Target::Messages => Vec::new(),
    }
}

fn fits(effect: &Effect, route: &Route, about: Option<&Decision>) -> bool {
    let here = about.is_some_and(|decision| route.projects.contains(&decision.project));
    if !route.projects.is_empty() && !here {
        return false;
    }
    match effect {
        Effect::Tell { occasion, .. } => route.occasion == *occasion && route.lane != Lane::Session,
        // Who is reached by being asked is reached by being told that it still waits.
        Effect::TellPeople { .. } => {
            route.occasion == Occasion::Create
                && matches!(route.target, Target::EachAssignee | Target::EachAssigneeOr(_))
        }
        Effect::Act { .. } => route.lane == Lane::Session,
        Effect::CarryOut { .. } => false,
    }
}

/// Returns when it is too late. Telling a person that they are asked ends when the decision is settled, whenever that
/// is; the sender checks.
fn worth_until(lane: Lane, effect: &Effect, now: Timestamp) -> Timestamp {
    let asks = matches!(effect, Effect::Tell { occasion: Occasion::Create, .. } | Effect::TellPeople { .. });
    let lifetime = match lane {
        Lane::Session | Lane::Git => return ever(),
        _ if asks && lane.is_personal() => return ever(),
        Lane::Hook => HOOK_LIFETIME,
        Lane::Opinion => OPINION_LIFETIME,
        Lane::Webhook
        | Lane::Callback
        | Lane::Mail
        | Lane::Digest
        | Lane::Ntfy
        | Lane::Telegram
        | Lane::Slack
        | Lane::Webpush => NOTICE_LIFETIME,
    };
    now.checked_add(lifetime).unwrap_or_else(ever)
}

fn ever() -> Timestamp {
    Timestamp::from_millis(i64::MAX)
}
