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
/// A time in milliseconds that leaves room before it for every place in the log, and has passed by every clock.
const LONG_PAST: i64 = 1 << 40;
/// How many outbox rows one event can make: their ids are built from its place in the log.
const MOST_PARCELS: i64 = 10_000;

/// The outbox rows of one ruling.
struct Parcels<'a> {
    writes: &'a mut Writes,
    /// How many rows there were before.
    before: usize,
    /// How many each event has made.
    posted: Vec<i64>,
    /// The place of the first event in the log.
    first: i64,
    now: Timestamp,
}

impl Parcels<'_> {
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
        // Rows of a target are taken by when they are due: of changes, the newest was due first, at a time long past.
        let not_before =
            if lane == Lane::Follow { Timestamp::from_millis(LONG_PAST - seq) } else { self.now };
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

    /// Returns whether an event has made a row for the same already.
    fn has(&self, at: usize, lane: Lane, target: &str) -> bool {
        let seq = self.first + i64::try_from(at).unwrap_or_default();
        let is_same = |row: &OutboxRow| row.seq == seq && row.lane == lane && row.target == target;
        self.writes.outbox[self.before..].iter().any(is_same)
    }
}

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
    let before = writes.outbox.len();
    let mut parcels = Parcels { writes, before, posted: vec![0; events.len()], first, now };
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
        let number = decision.map(|id| snapshot.numbering().number(id));
        if let Effect::Act { .. } = effect
            && let Some((project, target)) = events.get(at).and_then(|about| about.owner(snapshot))
        {
            parcels.add(at, Lane::Session, project, target, number, ever());
            continue;
        }
        let about = number.and_then(|number| snapshot.decision(number)).map(|stored| &*stored.decision);
        // An action is done once, by the host of the session, however many routes lead there.
        let most = if matches!(effect, Effect::Act { .. }) { 1 } else { routes.len() };
        let routes = routes.iter().filter(|route| fits(effect, route, about)).take(most);
        let mut told: Vec<_> = routes.flat_map(|route| targets(effect, route, about)).collect();
        if matches!(effect, Effect::CarryOut { .. }) {
            // No route leads to a repository: the process that commits, or a server, works on it.
            let owner = about.and_then(|decision| decision.owner.as_ref());
            told = owner.map(|owner| (Lane::Git, owner.to_string())).into_iter().collect();
        }
        let project = about.map(|decision| decision.project.clone()).unwrap_or_default();
        for (lane, target) in told {
            // Who is told that it still waits, and also wants to hear of escalations, hears of it once.
            if !(lane.is_personal() && parcels.has(at, lane, &target)) {
                parcels.add(at, lane, project.clone(), target, number, worth_until(lane, effect, now));
            }
        }
    }
    follow(snapshot, &mut parcels, events, routes);
    look_again(snapshot, &mut parcels, events, routes);
    call_back(snapshot, &mut parcels, events);
}

/// Adds the outbox rows by which askers are told that what they asked is settled. No route leads there: the decision itself
/// says where. After guidance the next round says so when it ends.
fn call_back(snapshot: &Snapshot, parcels: &mut Parcels<'_>, events: &[About]) {
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
fn follow(snapshot: &Snapshot, parcels: &mut Parcels<'_>, events: &[About], routes: &[Route]) {
    for (at, event) in events.iter().enumerate() {
        let (Some(id), Some(project)) = (event.decision, &event.changed_in) else { continue };
        let changes_it = |later: &About| later.decision == Some(id) && later.changed_in.is_some();
        if events.iter().skip(at + 1).any(changes_it) {
            continue;
        }
        let number = snapshot.numbering().number(id);
        // The rows about a decision that is gone go with it; its messages are still to be told.
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
fn look_again(snapshot: &Snapshot, parcels: &mut Parcels<'_>, events: &[About], routes: &[Route]) {
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
        Self { decision: event.decision(), job, changed_in, settles, revises }
    }

    /// Returns project and name of the job or crew, if it is one that is supervised here.
    fn owner(&self, snapshot: &Snapshot) -> Option<(String, String)> {
        let JobName { stream, project, owner } = self.job.as_ref()?;
        let active = snapshot.job(stream).filter(|stored| stored.job.status.is_active());
        active.map(|_| (project.clone(), owner.clone()))
    }
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

/// Returns when it is too late to tell that something changed.
fn notice_until(now: Timestamp) -> Timestamp {
    now.checked_add(NOTICE_LIFETIME).unwrap_or_else(ever)
}

fn ever() -> Timestamp {
    Timestamp::from_millis(i64::MAX)
}
