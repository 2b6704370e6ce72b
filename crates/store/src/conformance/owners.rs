//! Owners: jobs and crews, work items, projects.

use holdpoint_core::decision::New;
use holdpoint_core::field::Effect;
use holdpoint_core::{Command, Field, ItemStatus, Kind, Opt, ProjectChange, Refusal, Source, Span, Status};

use super::{Scene, StoreHarness, question};
use crate::{EventQuery, Query};

fn owned(owner: &str) -> New {
    New { owner: owner.parse().ok(), ..question() }
}

fn end(owner: &str, deleted: bool) -> Command {
    Command::EndOwner { project: "default".into(), owner: owner.parse().unwrap(), deleted }
}

pub async fn newer_supersedes(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let first = scene.ask(owned("job:build")).await.id;
    let other = scene.ask(New { requested_by: Some("agent-2".into()), ..owned("job:build") }).await.id;
    let elsewhere = scene.ask(New { project: Some("web".into()), ..owned("job:build") }).await.id;
    let second = scene.ask(owned("job:build")).await.id;
    let old = scene.decision(first).await;
    assert_eq!((old.status, old.superseded_by), (Status::Superseded, Some(second)));
    for id in [other, elsewhere, second] {
        assert_eq!(scene.decision(id).await.status, Status::Pending);
    }
}

pub async fn items_wait_while_asked(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let known =
        Command::CreateItem { project: "default".into(), id: "bd-2".into(), title: Some("Two".into()) };
    scene.submit(known.clone()).await.unwrap();
    assert!(scene.submit(known).await.unwrap().replayed);
    let first = scene.ask(owned("item:bd-1")).await.id;
    let second = scene.ask(owned("item:bd-1")).await.id;
    let items = scene.store.items(None).await.unwrap();
    let states: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.pending, item.status)).collect();
    assert_eq!(states, [("bd-1", 2, ItemStatus::Blocked), ("bd-2", 0, ItemStatus::Open)]);
    assert_eq!(items[1].title.as_deref(), Some("Two"));
    scene.answer(first, "a").await.unwrap();
    scene.answer(second, "b").await.unwrap();
    assert_eq!(scene.store.items(Some("default")).await.unwrap()[0].status, ItemStatus::Open);
    assert!(scene.store.items(Some("web")).await.unwrap().is_empty());
}

pub async fn decisions_block_other_items(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let states = async || -> Vec<(String, u32)> {
        let items = scene.store.items(None).await.unwrap();
        items.into_iter().map(|item| (item.id, item.pending)).collect()
    };
    let blocks = vec!["bd-1".to_owned(), "bd-2".to_owned(), "bd-2".to_owned()];
    let asked = scene.ask(New { blocks, ..owned("item:bd-1") }).await;
    assert_eq!(asked.blocks, ["bd-1", "bd-2"]);
    // The item that owns it counts once.
    assert_eq!(states().await, [("bd-1".into(), 1), ("bd-2".into(), 1)]);
    assert_eq!(scene.store.inspect(crate::Repair::No).await.unwrap().findings, [""; 0]);
    scene.answer(asked.id, "a").await.unwrap();
    assert_eq!(states().await, [("bd-1".into(), 0), ("bd-2".into(), 0)]);
}

pub async fn exclusive_asks_stand_alone(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let new = || New { exclusive: true, ..owned("item:bd-1") };
    let first = scene.ask(new()).await.id;
    let refusal = scene.refused(Command::Create(Box::new(new()))).await;
    assert_eq!(refusal, Refusal::ItemBusy { item: "bd-1".into(), id: first });
    scene.answer(first, "a").await.unwrap();
    scene.ask(new()).await;
}

pub async fn ending_removes_the_pending(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let done = scene.ask(owned("job:build")).await.id;
    scene.answer(done, "a").await.unwrap();
    let open = scene.ask(owned("job:build")).await.id;
    let outcome = scene.submit(end("job:build", false)).await.unwrap();
    assert_eq!((outcome.events, outcome.decision), (1, None));
    assert_eq!(scene.store.decision(open).await.unwrap(), None);
    assert_eq!(scene.decision(done).await.status, Status::Answered);
    assert!(scene.submit(end("job:build", false)).await.unwrap().replayed);
    assert_eq!(scene.store.find(open.suffix(), 2).await.unwrap(), []);
}

pub async fn deleting_removes_all(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let done = scene.ask(owned("item:bd-1")).await.id;
    scene.answer(done, "a").await.unwrap();
    let open = scene.ask(owned("item:bd-1")).await.id;
    let kept = scene.ask(question()).await.id;
    scene.submit(end("item:bd-1", true)).await.unwrap();
    assert_eq!(scene.ids(Query::default()).await, [kept]);
    assert!(scene.store.items(None).await.unwrap().is_empty());
    assert_eq!(scene.refused(end("item:bd-1", true)).await.code(), "not_found");
    let events = scene
        .store
        .events(&EventQuery { decision: Some(open), limit: 9, ..EventQuery::default() })
        .await
        .unwrap();
    assert_eq!(events.iter().map(|event| event.body.is_some()).collect::<Vec<_>>(), [false, true]);
    // The same name can be used again.
    scene.ask(owned("item:bd-1")).await;
    assert_eq!(scene.store.items(None).await.unwrap()[0].pending, 1);
}

pub async fn projects_keep_settings(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let update = |secs| Command::UpdateProject {
        name: "web".into(),
        change: ProjectChange { min_timeout: Some(Span::from_secs(secs)), verdicts: None },
    };
    scene.submit(update(5)).await.unwrap();
    assert!(scene.submit(update(5)).await.unwrap().replayed);
    scene.submit(update(7)).await.unwrap();
    scene.ask(question()).await;
    let projects = scene.store.projects().await.unwrap();
    let known: Vec<_> =
        projects.iter().map(|project| (project.name.as_str(), project.min_timeout.as_millis())).collect();
    assert_eq!(known, [("default", 60_000), ("web", 7_000)]);
}

pub async fn actions_are_events(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let retry = Opt { effect: Some(Effect::Restart), ..Opt::new("retry", "Try again") };
    let new = || New {
        source: Some(Source::Error),
        fields: vec![Field::offering("choice", Kind::Choice, "What now?", vec![retry.clone()])],
        ..owned("job:build")
    };
    for round in 1..=2 {
        let id = scene.ask(new()).await.id;
        let outcome = scene.answer(id, "retry").await.unwrap();
        assert_eq!(outcome.events, 2);
        let events = scene
            .store
            .events(&EventQuery { after: outcome.seq - 1, limit: 9, ..EventQuery::default() })
            .await
            .unwrap();
        let action = (events[0].stream.as_str(), events[0].version, events[0].tag.as_str());
        assert_eq!(action, ("job/default/build", round, "job:resume"));
    }
}

pub async fn pruning_removes_old_ones(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    assert!(scene.submit(Command::Prune { id }).await.unwrap().replayed);
    scene.answer(id, "a").await.unwrap();
    let outcome = scene.submit(Command::Prune { id }).await.unwrap();
    assert_eq!((outcome.events, outcome.decision), (1, None));
    assert_eq!(scene.store.decision(id).await.unwrap(), None);
    assert_eq!(scene.refused(Command::Prune { id }).await.code(), "not_found");
}
