//! What waits to be sent.

use holdpoint_core::decision::New;
use holdpoint_core::field::Effect;
use holdpoint_core::{Command, Field, Kind, Lane, Occasion, Opt, Source, Span};

use super::{Bench, Scene, question};
use crate::{Claim, Delivery, Parcel, ParcelState, Route, Target};

fn route(occasion: Occasion, lane: Lane, target: &str) -> Route {
    Route::new(occasion, lane, target)
}

async fn claim(scene: &Scene, lanes: &[Lane], lease: &str) -> Vec<Parcel> {
    claim_but(scene, lanes, &[], lease).await
}

async fn claim_but(scene: &Scene, lanes: &[Lane], but: &[&str], lease: &str) -> Vec<Parcel> {
    let (now, until) = (scene.now(), scene.now().checked_add(Span::from_secs(30)).unwrap());
    let but = but.iter().map(ToString::to_string).collect();
    let claim =
        Claim { lanes: lanes.to_vec(), but, only: Vec::new(), lease: lease.into(), until, now, limit: 10 };
    scene.store.claim(claim).await.unwrap()
}

async fn with_one(bench: &dyn Bench) -> Scene {
    let scene = Scene::new(bench).await;
    scene.route(&[route(Occasion::Create, Lane::Hook, "on_decision_create")]);
    assert!(scene.submit(Command::Create(Box::new(question()))).await.unwrap().posted);
    scene
}

pub async fn routes_make_parcels(bench: &dyn Bench) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        route(Occasion::Create, Lane::Hook, "run-me"),
        route(Occasion::Create, Lane::Webhook, "https://example.org"),
        route(Occasion::Respond, Lane::Hook, "answered"),
    ]);
    let outcome = scene.submit(Command::Create(Box::new(question()))).await.unwrap();
    let (id, seq) = (outcome.decision.unwrap().id, outcome.seq);
    let hooks = claim(&scene, &[Lane::Hook], "me").await;
    assert_eq!(hooks.len(), 1);
    assert_eq!((hooks[0].target.as_str(), hooks[0].seq, hooks[0].decision), ("run-me", seq, Some(id)));
    assert_eq!(hooks[0].not_after, scene.now().checked_add(Span::from_secs(3_600)).unwrap());
    let webhooks = claim(&scene, &[Lane::Webhook, Lane::Mail], "me").await;
    assert_eq!(webhooks.len(), 1);
    assert_ne!(webhooks[0].id, hooks[0].id);
    assert!(scene.answer(id, "a").await.unwrap().posted);
    assert!(!scene.answer(id, "a").await.unwrap().posted);
    assert_eq!(claim(&scene, &[Lane::Hook], "me").await[0].target, "answered");
    for parcel in scene.store.parcels(ParcelState::Queued, 10).await.unwrap() {
        scene.store.deliver(parcel.id, "me", Delivery::Done).await.unwrap();
    }
    assert!(scene.store.parcels(ParcelState::Queued, 10).await.unwrap().is_empty());
}

pub async fn leases_run_out(bench: &dyn Bench) {
    let scene = with_one(bench).await;
    let first = claim(&scene, &[Lane::Hook], "one").await;
    assert!(claim(&scene, &[Lane::Hook], "two").await.is_empty());
    scene.at(30);
    let second = claim(&scene, &[Lane::Hook], "two").await;
    assert_eq!(first[0].id, second[0].id);
    // The first has lost its lease, and with it its say.
    scene.store.deliver(first[0].id, "one", Delivery::Dead { error: "?".into() }).await.unwrap();
    assert_eq!(scene.store.parcels(ParcelState::Queued, 10).await.unwrap().len(), 1);
    scene.store.deliver(first[0].id, "two", Delivery::Done).await.unwrap();
    assert!(scene.store.parcels(ParcelState::Queued, 10).await.unwrap().is_empty());
}

pub async fn retries_wait(bench: &dyn Bench) {
    let scene = with_one(bench).await;
    let parcel = claim(&scene, &[Lane::Hook], "me").await.remove(0);
    let not_before = scene.now().checked_add(Span::from_secs(100)).unwrap();
    scene
        .store
        .deliver(parcel.id, "me", Delivery::Retry { not_before, error: "no answer".into() })
        .await
        .unwrap();
    scene.at(99);
    assert!(claim(&scene, &[Lane::Hook], "me").await.is_empty());
    scene.at(100);
    let again = claim(&scene, &[Lane::Hook], "me").await.remove(0);
    assert_eq!((again.attempts, again.last_error.as_deref()), (1, Some("no answer")));
    let too_late = Delivery::Retry {
        not_before: again.not_after.checked_add(Span::from_millis(1)).unwrap(),
        error: "still".into(),
    };
    scene.store.deliver(parcel.id, "me", too_late).await.unwrap();
    assert_eq!(scene.store.parcels(ParcelState::Dead, 10).await.unwrap().len(), 1);
}

pub async fn late_ones_die(bench: &dyn Bench) {
    let scene = with_one(bench).await;
    scene.at(3_601);
    assert!(claim(&scene, &[Lane::Hook], "me").await.is_empty());
    let dead = scene.store.parcels(ParcelState::Dead, 10).await.unwrap();
    assert!(dead[0].last_error.as_deref().unwrap_or_default().contains("in time"));
    assert!(scene.store.parcels(ParcelState::Queued, 10).await.unwrap().is_empty());
}

pub async fn dead_ones_are_resent(bench: &dyn Bench) {
    let scene = with_one(bench).await;
    let parcel = claim(&scene, &[Lane::Hook], "me").await.remove(0);
    let not_before = scene.now();
    let retry = Delivery::Retry { not_before, error: "no answer".into() };
    scene.store.deliver(parcel.id, "me", retry).await.unwrap();
    assert_eq!(claim(&scene, &[Lane::Hook], "me").await[0].attempts, 1);
    scene.store.deliver(parcel.id, "me", Delivery::Dead { error: "gone".into() }).await.unwrap();
    assert!(claim(&scene, &[Lane::Hook], "me").await.is_empty());
    scene.at(5_000);
    let not_after = scene.now().checked_add(Span::from_secs(10)).unwrap();
    scene.store.deliver(parcel.id, "", Delivery::Resend { not_after }).await.unwrap();
    let again = claim(&scene, &[Lane::Hook], "me").await.remove(0);
    assert_eq!(again.id, parcel.id);
    // It is tried as if for the first time; what went wrong before can still be read.
    assert_eq!((again.attempts, again.last_error.as_deref()), (0, Some("gone")));
    assert!(scene.store.deliver(parcel.id + 1, "", Delivery::Resend { not_after }).await.is_err());
}

pub async fn targets_are_left_alone(bench: &dyn Bench) {
    let scene = Scene::new(bench).await;
    scene.route(&["slow", "quick", "it's"].map(|name| route(Occasion::Create, Lane::Webhook, name)));
    scene.ask(question()).await;
    let targets = |parcels: Vec<Parcel>| parcels.into_iter().map(|parcel| parcel.target).collect::<Vec<_>>();
    let lanes = [Lane::Webhook];
    assert!(claim_but(&scene, &lanes, &["slow", "quick", "it's"], "me").await.is_empty());
    assert_eq!(targets(claim_but(&scene, &lanes, &["slow", "it's", "nobody"], "me").await), ["quick"]);
    assert_eq!(targets(claim_but(&scene, &lanes, &["slow"], "me").await), ["it's"]);
    assert_eq!(targets(claim(&scene, &lanes, "me").await), ["slow"]);
}

pub async fn removal_clears_parcels(bench: &dyn Bench) {
    let scene = with_one(bench).await;
    let id = scene.ids(crate::Query::default()).await[0];
    scene.answer(id, "a").await.unwrap();
    scene.submit(Command::Prune { id }).await.unwrap();
    assert!(scene.store.parcels(ParcelState::Queued, 10).await.unwrap().is_empty());
}

pub async fn each_person_who_is_asked_gets_a_parcel(bench: &dyn Bench) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Mail, Target::EachAssignee),
        Route::new(Occasion::Respond, Lane::Mail, Target::EachAssignee),
    ]);
    let assignees = ["ana", "agent:critic", "bo", "ana"].map(String::from).to_vec();
    let id = scene.ask(New { assignees, ..question() }).await.id;
    let told = claim(&scene, &[Lane::Mail], "me").await;
    let targets: Vec<&str> = told.iter().map(|parcel| parcel.target.as_str()).collect();
    assert_eq!(targets, ["ana", "bo"]);
    assert!(told[0].id != told[1].id && told.iter().all(|parcel| parcel.decision == Some(id)));
    assert!(!scene.submit(Command::Create(Box::new(question()))).await.unwrap().posted);
    let agents = New { assignees: vec!["agent:critic".into()], ..question() };
    assert!(!scene.submit(Command::Create(Box::new(agents))).await.unwrap().posted);
    assert!(scene.answer(id, "a").await.unwrap().posted);
    assert_eq!(claim(&scene, &[Lane::Mail], "me").await.len(), 2);
}

pub async fn a_route_stays_in_its_projects(bench: &dyn Bench) {
    let scene = Scene::new(bench).await;
    let projects = vec!["red".to_owned(), "blue".to_owned()];
    scene.route(&[Route { projects, ..route(Occasion::Create, Lane::Webhook, "w") }]);
    for (project, posted) in
        [(None, false), (Some("red"), true), (Some("green"), false), (Some("blue"), true)]
    {
        let new = New { project: project.map(Into::into), ..question() };
        assert_eq!(scene.submit(Command::Create(Box::new(new))).await.unwrap().posted, posted, "{project:?}");
    }
    assert_eq!(claim(&scene, &[Lane::Webhook], "me").await.len(), 2);
}

pub async fn sessions_are_told_once(bench: &dyn Bench) {
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
    let parcels = claim(&scene, &[Lane::Session], "me").await;
    assert_eq!(
        parcels.iter().map(|parcel| (parcel.seq, parcel.decision)).collect::<Vec<_>>(),
        [(outcome.seq, Some(id))]
    );
    scene.at(1_000_000);
    assert_eq!(claim(&scene, &[Lane::Session], "me").await.len(), 1);
}
