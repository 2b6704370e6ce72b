//! The outbox.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::decision::New;
use holdpoint_core::field::Effect;
use holdpoint_core::{Command, Field, Kind, Lane, Occasion, Opt, Source, Span};

use super::{Scene, StoreHarness, question};
use crate::{Backlog, Claim, ClaimOrder, Delivery, OutboxEntry, OutboxState, Rotation, Route, Target};

fn route(occasion: Occasion, lane: Lane, target: &str) -> Route {
    Route::new(occasion, lane, target)
}

async fn claim(scene: &Scene, lane: Lane, lease: &str) -> Vec<OutboxEntry> {
    claim_at_most(scene, lane, 10, lease, BTreeMap::new(), &mut Rotation::default()).await
}

/// Claims as a server does: in turn, at most four of each target, continuing from the last target.
async fn claim_at_most(
    scene: &Scene,
    lane: Lane,
    limit: usize,
    lease: &str,
    busy: BTreeMap<String, usize>,
    turns: &mut Rotation,
) -> Vec<OutboxEntry> {
    let (now, until) = (scene.now(), scene.now().checked_add(Span::from_secs(30)).unwrap());
    let pick = ClaimOrder::InTurn { each: 4, busy, turns: turns.clone() };
    let entries =
        scene.store.claim(Claim { lane, pick, lease: lease.into(), until, now, limit }).await.unwrap();
    for entry in &entries {
        turns.took(entry);
    }
    entries
}

fn targets(entries: Vec<OutboxEntry>) -> Vec<String> {
    entries.into_iter().map(|entry| entry.target).collect()
}

async fn with_one(bench: &dyn StoreHarness) -> Scene {
    let scene = Scene::new(bench).await;
    scene.route(&[route(Occasion::Create, Lane::Hook, "on_decision_create")]);
    assert!(scene.submit(Command::Create(Box::new(question()))).await.unwrap().posted);
    scene
}

pub async fn routes_make_outbox_rows(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        route(Occasion::Create, Lane::Hook, "run-me"),
        route(Occasion::Create, Lane::Webhook, "https://example.org"),
        route(Occasion::Respond, Lane::Hook, "answered"),
    ]);
    let outcome = scene.submit(Command::Create(Box::new(question()))).await.unwrap();
    let (id, seq) = (outcome.decision.unwrap().id, outcome.seq);
    let hooks = claim(&scene, Lane::Hook, "me").await;
    assert_eq!(hooks.len(), 1);
    assert_eq!((hooks[0].target.as_str(), hooks[0].seq, hooks[0].decision), ("run-me", seq, Some(id)));
    assert_eq!(hooks[0].not_after, scene.now().checked_add(Span::from_secs(3_600)).unwrap());
    let webhooks = claim(&scene, Lane::Webhook, "me").await;
    assert_eq!(webhooks.len(), 1);
    assert_ne!(webhooks[0].id, hooks[0].id);
    assert!(scene.answer(id, "a").await.unwrap().posted);
    assert!(!scene.answer(id, "a").await.unwrap().posted);
    assert_eq!(claim(&scene, Lane::Hook, "me").await[0].target, "answered");
    for entry in scene.store.outbox_entries(OutboxState::Queued, None, 10).await.unwrap() {
        scene.store.deliver("me", vec![(entry.id, Delivery::Done)]).await.unwrap();
    }
    assert!(scene.store.outbox_entries(OutboxState::Queued, None, 10).await.unwrap().is_empty());
}

pub async fn leases_run_out(bench: &dyn StoreHarness) {
    let scene = with_one(bench).await;
    let first = claim(&scene, Lane::Hook, "one").await;
    assert!(claim(&scene, Lane::Hook, "two").await.is_empty());
    scene.at(30);
    let second = claim(&scene, Lane::Hook, "two").await;
    assert_eq!(first[0].id, second[0].id);
    // The first has lost its lease, so its result is ignored.
    scene.store.deliver("one", vec![(first[0].id, Delivery::Dead { error: "?".into() })]).await.unwrap();
    assert_eq!(scene.store.outbox_entries(OutboxState::Queued, None, 10).await.unwrap().len(), 1);
    scene.store.deliver("two", vec![(first[0].id, Delivery::Done)]).await.unwrap();
    assert!(scene.store.outbox_entries(OutboxState::Queued, None, 10).await.unwrap().is_empty());
}

pub async fn retries_wait(bench: &dyn StoreHarness) {
    let scene = with_one(bench).await;
    let entry = claim(&scene, Lane::Hook, "me").await.remove(0);
    let not_before = scene.now().checked_add(Span::from_secs(100)).unwrap();
    scene
        .store
        .deliver("me", vec![(entry.id, Delivery::Retry { not_before, error: "no answer".into() })])
        .await
        .unwrap();
    scene.at(99);
    assert!(claim(&scene, Lane::Hook, "me").await.is_empty());
    scene.at(100);
    let again = claim(&scene, Lane::Hook, "me").await.remove(0);
    assert_eq!((again.attempts, again.last_error.as_deref()), (1, Some("no answer")));
    let too_late = Delivery::Retry {
        not_before: again.not_after.checked_add(Span::from_millis(1)).unwrap(),
        error: "still".into(),
    };
    scene.store.deliver("me", vec![(entry.id, too_late)]).await.unwrap();
    assert_eq!(scene.store.outbox_entries(OutboxState::Dead, None, 10).await.unwrap().len(), 1);
}

pub async fn late_ones_die(bench: &dyn StoreHarness) {
    let scene = with_one(bench).await;
    scene.at(3_601);
    assert!(claim(&scene, Lane::Hook, "me").await.is_empty());
    let dead = scene.store.outbox_entries(OutboxState::Dead, None, 10).await.unwrap();
    assert!(dead[0].last_error.as_deref().unwrap_or_default().contains("in time"));
    assert!(scene.store.outbox_entries(OutboxState::Queued, None, 10).await.unwrap().is_empty());
}

pub async fn dead_ones_are_resent(bench: &dyn StoreHarness) {
    let scene = with_one(bench).await;
    let entry = claim(&scene, Lane::Hook, "me").await.remove(0);
    let not_before = scene.now();
    let retry = Delivery::Retry { not_before, error: "no answer".into() };
    scene.store.deliver("me", vec![(entry.id, retry)]).await.unwrap();
    assert_eq!(claim(&scene, Lane::Hook, "me").await[0].attempts, 1);
    scene.store.deliver("me", vec![(entry.id, Delivery::Dead { error: "gone".into() })]).await.unwrap();
    assert!(claim(&scene, Lane::Hook, "me").await.is_empty());
    scene.at(5_000);
    let not_after = scene.now().checked_add(Span::from_secs(10)).unwrap();
    scene.store.deliver("", vec![(entry.id, Delivery::Resend { not_after })]).await.unwrap();
    let again = claim(&scene, Lane::Hook, "me").await.remove(0);
    assert_eq!(again.id, entry.id);
    // It is tried as if for the first time; the earlier error can still be read.
    assert_eq!((again.attempts, again.last_error.as_deref()), (0, Some("gone")));
    assert!(scene.store.deliver("", vec![(entry.id + 1, Delivery::Resend { not_after })]).await.is_err());
}

pub async fn busy_targets_are_left_alone(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&["slow", "quick", "it's"].map(|name| route(Occasion::Create, Lane::Webhook, name)));
    scene.ask(question()).await;
    let busy = |names: &[&str]| names.iter().map(|name| (name.to_string(), 4)).collect::<BTreeMap<_, _>>();
    let claim = async |names: &[&str]| {
        targets(claim_at_most(&scene, Lane::Webhook, 10, "me", busy(names), &mut Rotation::default()).await)
    };
    assert!(claim(&["slow", "quick", "it's"]).await.is_empty());
    assert_eq!(claim(&["slow", "it's", "nobody"]).await, ["quick"]);
    assert_eq!(claim(&["slow"]).await, ["it's"]);
    assert_eq!(claim(&[]).await, ["slow"]);
}

pub async fn a_target_gets_no_more_than_its_room(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&["slow", "quick"].map(|name| route(Occasion::Create, Lane::Webhook, name)));
    for _ in 0..6 {
        scene.ask(question()).await;
    }
    let (mut turns, busy) = (Rotation::default(), BTreeMap::from([("slow".to_owned(), 3)]));
    let taken = targets(claim_at_most(&scene, Lane::Webhook, 10, "me", busy, &mut turns).await);
    assert_eq!(taken.iter().filter(|target| *target == "slow").count(), 1, "{taken:?}");
    assert_eq!(taken.iter().filter(|target| *target == "quick").count(), 4, "{taken:?}");
}

pub async fn a_burst_of_one_project_delays_no_other(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[Route::new(Occasion::Create, Lane::Mail, Target::EachAssignee)]);
    let ask = async |project: &str, who: &[String]| {
        let (project, assignees) = (Some(project.to_owned()), who.to_vec());
        scene.ask(New { project, assignees, ..question() }).await;
    };
    // One project notifies ever new people; the other two notify one each, last.
    for first in 0..10 {
        ask("burst", &(0..10).map(|at| format!("p{first}{at}")).collect::<Vec<_>>()).await;
    }
    ask("alone", &["zoe".to_owned()]).await;
    ask("quiet", &["ana".to_owned()]).await;
    let mut turns = Rotation::default();
    let taken = claim_at_most(&scene, Lane::Mail, 4, "me", BTreeMap::new(), &mut turns).await;
    let projects: Vec<&str> = taken.iter().map(|entry| entry.project.as_str()).collect();
    assert_eq!(projects, ["alone", "burst", "quiet", "burst"]);
}

pub async fn targets_of_a_project_take_turns(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[Route::new(Occasion::Create, Lane::Mail, Target::EachAssignee)]);
    for who in ["ana", "bo", "ana", "bo", "ana", "bo", "cy"] {
        scene.ask(New { assignees: vec![who.to_owned()], ..question() }).await;
    }
    let mut turns = Rotation::default();
    let mut taken = Vec::new();
    for _ in 0..7 {
        let next = claim_at_most(&scene, Lane::Mail, 1, "me", BTreeMap::new(), &mut turns).await;
        taken.extend(targets(next));
    }
    assert_eq!(taken, ["ana", "bo", "cy", "ana", "bo", "ana", "bo"]);
    assert!(claim_at_most(&scene, Lane::Mail, 1, "me", BTreeMap::new(), &mut turns).await.is_empty());
}

pub async fn many_are_taken_once_and_all(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&["a", "b", "c"].map(|name| route(Occasion::Create, Lane::Webhook, name)));
    for at in 0..30 {
        scene.ask(New { project: Some(format!("p{}", at % 7)), ..question() }).await;
    }
    assert_eq!(scene.store.backlog().await.unwrap(), Backlog { queued: 90, dead: 0 });
    let (mut turns, mut ids) = (Rotation::default(), BTreeSet::new());
    loop {
        let taken = claim_at_most(&scene, Lane::Webhook, 8, "me", BTreeMap::new(), &mut turns).await;
        if taken.is_empty() {
            break;
        }
        assert!(taken.iter().all(|entry| ids.insert(entry.id)));
        let done = taken.iter().map(|entry| (entry.id, Delivery::Done)).collect();
        scene.store.deliver("me", done).await.unwrap();
    }
    assert_eq!(ids.len(), 90);
    assert_eq!(scene.store.backlog().await.unwrap(), Backlog::default());
}

pub async fn lifetimes_are_by_lane_and_occasion(bench: &dyn StoreHarness) {
    const HOUR: i64 = 3_600;
    let scene = Scene::new(bench).await;
    let lanes = [Lane::Hook, Lane::Webhook, Lane::Mail];
    scene.route(
        &[Occasion::Create, Occasion::Respond]
            .map(|occasion| lanes.map(|lane| route(occasion, lane, "t")))
            .concat(),
    );
    let id = scene.ask(question()).await.id;
    let left = async || {
        let mut left = Vec::new();
        for lane in lanes {
            let entry = claim(&scene, lane, "me").await.remove(0);
            left.push(entry.not_after.since(scene.now()).as_millis() / 1_000);
            scene.store.deliver("me", vec![(entry.id, Delivery::Done)]).await.unwrap();
        }
        left
    };
    let asked = left().await;
    assert_eq!(asked[..2], [HOUR, 72 * HOUR]);
    assert!(asked[2] > 1_000 * 24 * HOUR, "a person is told for as long as the decision waits");
    scene.answer(id, "a").await.unwrap();
    assert_eq!(left().await, [HOUR, 72 * HOUR, 72 * HOUR]);
}

pub async fn removal_clears_outbox_rows(bench: &dyn StoreHarness) {
    let scene = with_one(bench).await;
    let id = scene.ids(crate::Query::default()).await[0];
    scene.answer(id, "a").await.unwrap();
    scene.submit(Command::Prune { id }).await.unwrap();
    assert!(scene.store.outbox_entries(OutboxState::Queued, None, 10).await.unwrap().is_empty());
}

pub async fn each_person_who_is_asked_gets_an_outbox_row(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Mail, Target::EachAssignee),
        Route::new(Occasion::Respond, Lane::Mail, Target::EachAssignee),
    ]);
    let assignees = ["ana", "agent:critic", "bo", "ana"].map(String::from).to_vec();
    let id = scene.ask(New { assignees, ..question() }).await.id;
    let told = claim(&scene, Lane::Mail, "me").await;
    let targets: Vec<&str> = told.iter().map(|entry| entry.target.as_str()).collect();
    assert_eq!(targets, ["ana", "bo"]);
    assert!(told[0].id != told[1].id && told.iter().all(|entry| entry.decision == Some(id)));
    assert!(!scene.submit(Command::Create(Box::new(question()))).await.unwrap().posted);
    let agents = New { assignees: vec!["agent:critic".into()], ..question() };
    assert!(!scene.submit(Command::Create(Box::new(agents))).await.unwrap().posted);
    assert!(scene.answer(id, "a").await.unwrap().posted);
    assert_eq!(claim(&scene, Lane::Mail, "me").await.len(), 2);
}

pub async fn a_route_stays_in_its_projects(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let projects = vec!["red".to_owned(), "blue".to_owned()];
    scene.route(&[Route { projects, ..route(Occasion::Create, Lane::Webhook, "w") }]);
    for (project, posted) in
        [(None, false), (Some("red"), true), (Some("green"), false), (Some("blue"), true)]
    {
        let new = New { project: project.map(Into::into), ..question() };
        assert_eq!(scene.submit(Command::Create(Box::new(new))).await.unwrap().posted, posted, "{project:?}");
    }
    assert_eq!(claim(&scene, Lane::Webhook, "me").await.len(), 2);
}

pub async fn sessions_are_told_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let retry = Opt { effect: Some(Effect::Restart), ..Opt::new("retry", "Try again") };
    let new = || New {
        source: Some(Source::Error),
        fields: vec![Field::offering("choice", Kind::Choice, "What now?", vec![retry.clone()])],
        owner: "job:build".parse().ok(),
        ..question()
    };
    let id = scene.ask(new()).await.id;
    assert!(!scene.answer(id, "retry").await.unwrap().posted);
    scene.route(&[
        route(Occasion::Respond, Lane::Session, "host"),
        route(Occasion::Timeout, Lane::Session, "host"),
    ]);
    let id = scene.ask(new()).await.id;
    let outcome = scene.answer(id, "retry").await.unwrap();
    let claim = async || {
        let (now, until) = (scene.now(), scene.now().checked_add(Span::from_secs(30)).unwrap());
        let pick = ClaimOrder::InOrder { project: "default".into(), target: "host".into() };
        let claim = Claim { lane: Lane::Session, pick, lease: "me".into(), until, now, limit: 10 };
        scene.store.claim(claim).await.unwrap()
    };
    let entries = claim().await;
    assert_eq!(
        entries.iter().map(|entry| (entry.seq, entry.decision)).collect::<Vec<_>>(),
        [(outcome.seq, Some(id))]
    );
    scene.at(1_000_000);
    let again = claim().await;
    assert_eq!(again.len(), 1);
    // Later entries wait for the first, and those of another project are not claimed.
    let next = scene.ask(new()).await.id;
    scene.answer(next, "retry").await.unwrap();
    let not_before = scene.now().checked_add(Span::from_secs(5)).unwrap();
    let retry = Delivery::Retry { not_before, error: "not yet".into() };
    scene.store.deliver("me", vec![(again[0].id, retry)]).await.unwrap();
    assert!(claim().await.is_empty());
    let elsewhere = scene.ask(New { project: Some("red".into()), ..new() }).await.id;
    scene.answer(elsewhere, "retry").await.unwrap();
    scene.at(1_000_005);
    let decisions: Vec<_> = claim().await.iter().map(|entry| entry.decision).collect();
    assert_eq!(decisions, [Some(id), Some(next)]);
}
