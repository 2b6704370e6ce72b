//! Creates the outbox rows of a ruling: who is notified of what, and until when.

use std::collections::BTreeSet;

use holdpoint_core::{
    Decision, DecisionId, Effect, Event, Lane, Occasion, Priority, Span, Status, Timestamp,
};

use super::{OutboxRow, Snapshot, Withdrawals, Writes, stream};
use crate::{Route, Target};

/// How long running a hook is useful: hooks serve the work of the moment.
const HOOK_LIFETIME: Span = Span::from_secs(60 * 60);
/// How long programs are notified, and people of something that was settled.
const NOTICE_LIFETIME: Span = Span::from_secs(3 * 24 * 60 * 60);
/// How long a second opinion is useful: a person is about to answer.
const OPINION_LIFETIME: Span = Span::from_secs(10 * 60);
/// A time in milliseconds that is past for any clock, and larger than any sequence number of the log.
const LONG_PAST: i64 = 1 << 40;
/// The maximum number of outbox rows per event: their ids are derived from its sequence number.
const MOST_PARCELS: i64 = 10_000;

/// The events that act on a session.
const ACTS: [&str; 8] = [
    "job:resume",
    "job:cancel",
    "step:completed",
    "crew:resume",
    "crew:cancel",
    "crew:updated",
    "session:input",
    "session:respond",
];

/// Returns whether an event of this type can order an outbox row in a lane.
pub(crate) fn may_order(tag: &str, lane: Lane) -> bool {
    let is = |types: &[&str]| tag.strip_prefix("decision:").is_some_and(|tag| types.contains(&tag));
    let settles = || is(&["resolved", "expired", "cancelled", "superseded"]);
    let changes =
        || settles() || is(&["refined", "revised", "voted", "votes_cleared", "escalated", "remarked"]);
    match lane {
        Lane::Session => ACTS.contains(&tag),
        Lane::Git => is(&["resolved", "expired"]),
        Lane::Callback => settles(),
        Lane::Follow => changes() || is(&["removed"]),
        Lane::Hook
        | Lane::Webhook
        | Lane::Mail
        | Lane::Digest
        | Lane::Ntfy
        | Lane::Telegram
        | Lane::Slack
        | Lane::Webpush
        | Lane::Opinion => changes() || is(&["created"]),
    }
}

/// The outbox rows of one ruling.
struct RulingEntries<'a> {
    writes: &'a mut Writes,
    /// How many rows there were before this ruling.
    before: usize,
    /// How many rows each event has made.
    posted: Vec<i64>,
    /// The sequence number of the first event.
    first: i64,
    now: Timestamp,
}

impl RulingEntries<'_> {
    /// Adds a row that an event makes, by its place in the ruling. What is beyond the most is left out.
    fn add(
        &mut self,
        at: usize,
        lane: Lane,
        project: String,
        target: String,
        decision: Option<i64>,
        not_after: Timestamp,
    ) {
        let Some(count) = self.posted.get_mut(at).filter(|count| **count < MOST_PARCELS) else { return };
        let seq = self.first + i64::try_from(at).unwrap_or_default();
        let id = seq * MOST_PARCELS + *count;
        let not_before = if lane == Lane::Follow { due_newest_first(seq) } else { self.now };
        self.writes.outbox.push(OutboxRow {
            id,
            seq,
            lane,
            project,
            target,
            decision,
            not_before,
            not_after,
        });
        *count += 1;
    }

    /// Returns whether an event already has a row with this lane and target.
    fn has(&self, at: usize, lane: Lane, target: &str) -> bool {
        let seq = self.first + i64::try_from(at).unwrap_or_default();
        let is_same = |row: &OutboxRow| row.seq == seq && row.lane == lane && row.target == target;
        self.writes.outbox[self.before..].iter().any(is_same)
    }
}

/// Adds the outbox rows of effects. `events` tells which decision each event is about, and which event was the first.
pub(super) fn post(
    snapshot: &Snapshot,
    writes: &mut Writes,
    effects: &[Effect],
    events: &[About],
    first: i64,
    now: Timestamp,
    routes: &[Route],
) {
    let before = writes.outbox.len();
    let mut parcels = RulingEntries { writes, before, posted: vec![0; events.len()], first, now };
    for effect in effects {
        let (at, decision) = match effect {
            Effect::Tell { id, .. } | Effect::TellPeople { id, .. } | Effect::CarryOut { id } => {
                let Some(at) = events.iter().rposition(|about| about.decision == Some(*id)) else {
                    continue;
                };
                (at, Some(*id))
            }
            Effect::Act { event } => (*event, events.iter().find_map(|about| about.decision)),
        };
        let number = decision.map(|id| snapshot.numbering().number(id));
        if let Effect::Act { .. } = effect
            && let Some((project, target)) = events.get(at).and_then(|about| about.owner(snapshot))
        {
            parcels.add(at, Lane::Session, project, target, number, ever());
            continue;
        }
        let about = number.and_then(|number| snapshot.decision(number)).map(|stored| &*stored.decision);
        // An action is done once, by the host of the session, even if several routes match.
        let most = if matches!(effect, Effect::Act { .. }) { 1 } else { routes.len() };
        let routes = routes.iter().filter(|route| fits(effect, route, about)).take(most);
        let mut told: Vec<_> = routes.flat_map(|route| targets(effect, route, about)).collect();
        if matches!(effect, Effect::CarryOut { .. }) {
            // Verdicts have no route: the committing process, or a server, works on the repository.
            let owner = about.and_then(|decision| decision.owner.as_ref());
            told = owner.map(|owner| (Lane::Git, owner.to_string())).into_iter().collect();
        }
        let project = about.map(|decision| decision.project.clone()).unwrap_or_default();
        for (lane, target) in told {
            // A person who gets a reminder and a notice of the escalation gets only one of them.
            if !(lane.is_personal() && parcels.has(at, lane, &target)) {
                parcels.add(at, lane, project.clone(), target, number, worth_until(lane, effect, now));
            }
        }
    }
    urgent_first(snapshot, &mut parcels.writes.outbox[before..]);
    follow(snapshot, &mut parcels, events, routes);
    look_again(snapshot, &mut parcels, events, routes);
    call_back(snapshot, &mut parcels, events);
    let tag = |row: &OutboxRow| {
        usize::try_from(row.seq - first).ok().and_then(|at| events.get(at)).map(|event| event.tag)
    };
    let is_known = |row: &OutboxRow| tag(row).is_some_and(|tag| may_order(tag, row.lane));
    debug_assert!(
        parcels.writes.outbox[before..].iter().all(is_known),
        "an inspection would not explain a row"
    );
}

/// Puts messages to people about urgent decisions before all others that are due.
fn urgent_first(snapshot: &Snapshot, rows: &mut [OutboxRow]) {
    for row in rows.iter_mut().filter(|row| row.lane.is_personal()) {
        let about = row.decision.and_then(|number| snapshot.decision(number));
        if about.is_some_and(|stored| stored.decision.priority == Priority::Urgent) {
            // Long past, like that of changes, and in the order of the log.
            row.not_before = Timestamp::from_millis(row.seq);
        }
    }
}

/// Orders that the messages to a person be looked at again, after an event that changes what they may see or where they
/// are reached.
pub(super) fn withdraw(writes: &mut Writes, person: &str, seq: i64, now: Timestamp, routes: &[Route]) {
    let followed = routes.iter().filter(|route| route.target == Target::Messages);
    let channels: Vec<_> = followed.map(|route| route.lane.name()).collect();
    if channels.is_empty() {
        return;
    }
    writes.withdrawals.push(Withdrawals {
        person: person.to_owned(),
        channels,
        seq,
        first: seq * MOST_PARCELS,
        most: MOST_PARCELS,
        not_before: due_newest_first(seq),
        not_after: notice_until(now),
    });
}

/// Adds the outbox rows that notify askers that their decision is settled. There is no route: the decision contains the
/// address. After guidance, this happens when the last round ends.
fn call_back(snapshot: &Snapshot, parcels: &mut RulingEntries<'_>, events: &[About]) {
    for (at, event) in events.iter().enumerate() {
        let Some(id) = event.decision.filter(|_| event.settles) else { continue };
        let number = snapshot.numbering().number(id);
        let Some(stored) = snapshot.decision(number) else { continue };
        let Some(callback) = &stored.decision.callback else { continue };
        let (project, host) = (stored.decision.project.clone(), callback.host().to_owned());
        parcels.add(at, Lane::Callback, project, host, Some(number), notice_until(parcels.now));
    }
}

/// Adds the outbox rows by which messages that were sent about a decision are brought up to date: once, whatever else happened to
/// it in the same ruling.
fn follow(snapshot: &Snapshot, parcels: &mut RulingEntries<'_>, events: &[About], routes: &[Route]) {
    for (at, event) in events.iter().enumerate() {
        let (Some(id), Some(project)) = (event.decision, &event.changed_in) else { continue };
        let changes_it = |later: &About| later.decision == Some(id) && later.changed_in.is_some();
        if events.iter().skip(at + 1).any(changes_it) {
            continue;
        }
        let number = snapshot.numbering().number(id);
        // The rows about a removed decision are deleted with it, but its messages must still be updated.
        let number = snapshot.decision(number).map(|_| number);
        let fits = |route: &&Route| {
            route.target == Target::Messages
                && (route.projects.is_empty() || route.projects.contains(project))
        };
        for route in routes.iter().filter(fits) {
            let channel = route.lane.name();
            let target = if number.is_some() { channel.to_owned() } else { format!("{channel} {id}") };
            let until = notice_until(parcels.now);
            parcels.add(at, Lane::Follow, project.clone(), target, number, until);
        }
    }
}

/// Adds the outbox rows by which programs look again at what was revised: what they remarked was about something else.
fn look_again(snapshot: &Snapshot, parcels: &mut RulingEntries<'_>, events: &[About], routes: &[Route]) {
    for (at, event) in events.iter().enumerate() {
        let Some(id) = event.decision.filter(|_| event.revises) else { continue };
        let number = snapshot.numbering().number(id);
        let about = snapshot.decision(number).map(|stored| &*stored.decision);
        let Some(about) = about.filter(|decision| decision.status == Status::Pending) else { continue };
        let tell = Effect::Tell { occasion: Occasion::Create, id };
        let fits = |route: &&Route| route.lane == Lane::Opinion && fits(&tell, route, Some(about));
        for (lane, target) in routes.iter().filter(fits).flat_map(|route| targets(&tell, route, Some(about)))
        {
            let until = worth_until(lane, &tell, parcels.now);
            parcels.add(at, lane, about.project.clone(), target, Some(number), until);
        }
    }
}

/// The subject of an event: a decision, or a job or crew.
pub(super) struct About {
    tag: &'static str,
    decision: Option<DecisionId>,
    job: Option<JobName>,
    /// The project of the decision, if the event changes how it is shown.
    changed_in: Option<String>,
    /// Whether it settles the decision for its asker.
    settles: bool,
    /// Whether it revises the question.
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
            | Event::VotesCleared { project, .. }
            | Event::Removed { project, .. } => Some(project.clone()),
            Event::Revised(revised) => Some(revised.project.clone()),
            Event::Voted(voted) => Some(voted.project.clone()),
            Event::Escalated(escalated) => Some(escalated.project.clone()),
            Event::Remarked(remarked) => Some(remarked.project.clone()),
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
        Self { tag: event.tag(), decision: event.decision(), job, changed_in, settles, revises }
    }

    /// Returns project and name of the job or crew, if it is one that this store supervises.
    fn owner(&self, snapshot: &Snapshot) -> Option<(String, String)> {
        let JobName { stream, project, owner } = self.job.as_ref()?;
        let active = snapshot.job(stream).filter(|stored| stored.job.status.is_active());
        active.map(|_| (project.clone(), owner.clone()))
    }
}

/// Returns the lanes and targets of a route for one decision.
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
        // Those who are notified when they are asked are also notified that it is still pending.
        Effect::TellPeople { .. } => {
            route.occasion == Occasion::Create
                && matches!(route.target, Target::EachAssignee | Target::EachAssigneeOr(_))
        }
        Effect::Act { .. } => route.lane == Lane::Session,
        Effect::CarryOut { .. } => false,
    }
}

/// Returns when a delivery is too late. A request to answer is useful until the decision is settled, which the sender
/// checks.
fn worth_until(lane: Lane, effect: &Effect, now: Timestamp) -> Timestamp {
    let asks = matches!(
        effect,
        Effect::Tell { occasion: Occasion::Create | Occasion::Escalate, .. } | Effect::TellPeople { .. }
    );
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
        | Lane::Webpush
        | Lane::Follow => NOTICE_LIFETIME,
    };
    now.checked_add(lifetime).unwrap_or_else(ever)
}

/// Returns when an update is due. Rows of a target are claimed in the order they are due; for updates the newest comes
/// first, so these are due at times in the distant past.
fn due_newest_first(seq: i64) -> Timestamp {
    Timestamp::from_millis(LONG_PAST - seq)
}

/// Returns when it is too late to report a change.
fn notice_until(now: Timestamp) -> Timestamp {
    now.checked_add(NOTICE_LIFETIME).unwrap_or_else(ever)
}

fn ever() -> Timestamp {
    Timestamp::from_millis(i64::MAX)
}
