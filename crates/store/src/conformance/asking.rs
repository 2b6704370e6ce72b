//! Asking, and asking again under a key.

use holdpoint_core::decision::New;
use holdpoint_core::{Command, Refusal, Span, Status};

use super::scene::refusal;
use super::{Scene, StoreHarness, Tampering, question};
use crate::{EventQuery, Submission};

pub async fn creates_and_reads_back(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let outcome = scene.submit(Command::Create(Box::new(question()))).await.unwrap();
    let made = outcome.decision.unwrap();
    assert_eq!((outcome.events, outcome.replayed, outcome.seq, outcome.now), (1, false, 1, scene.now()));
    assert_eq!((made.status, made.created_at), (Status::Pending, scene.now()));
    assert_eq!(scene.decision(made.id).await, *made);
    let other = scene.ask(question()).await;
    assert_ne!(other.id, made.id);
}

pub async fn refuses_without_a_trace(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let refusal = scene.refused(Command::Create(Box::default())).await;
    assert_eq!(refusal.code(), "invalid");
    assert_eq!(scene.store.head().await.unwrap().seq, 0);
    assert!(scene.store.projects().await.unwrap().is_empty());
    let made = scene.ask(question()).await;
    assert_eq!(scene.store.head().await.unwrap().seq, 1);
    assert_eq!(scene.store.find(made.id.suffix(), 2).await.unwrap(), [made.id]);
}

pub async fn same_key_gives_the_first_again(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let first = scene.ask_with_key(question(), "k").await.unwrap();
    let id = first.decision.unwrap().id;
    assert!(!first.replayed);
    scene.answer(id, "a").await.unwrap();
    let again = scene.ask_with_key(question(), "k").await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.decision.as_deref(), Some(&scene.decision(id).await));
    assert_eq!(again.decision.unwrap().status, Status::Answered);
    let events = scene.store.events(&EventQuery { limit: 10, ..EventQuery::default() }).await.unwrap();
    assert_eq!(events.len(), 2);
}

pub async fn a_key_that_the_table_points_elsewhere_gives_nothing(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    for key in [None, Some("other")] {
        let asked = match key {
            None => scene.ask(question()).await.id,
            Some(key) => scene.ask_with_key(question(), key).await.unwrap().decision.unwrap().id,
        };
        scene.answer(asked, "a").await.unwrap();
        let own = format!("k of {key:?}");
        scene.ask_with_key(question(), &own).await.unwrap();
        bench.tamper(Tampering::Keys).await;
        let scene = Scene::new(bench).await;
        assert_eq!(refusal(scene.ask_with_key(question(), &own).await).code(), "unproven");
    }
}

pub async fn old_keys_are_forgotten_some_at_a_time(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let ask = async |key: &str| scene.ask_with_key(question(), key).await.unwrap().replayed;
    for key in ["a", "b", "c"] {
        assert!(!ask(key).await);
    }
    let before = scene.now().checked_add(Span::from_secs(1)).unwrap();
    scene.at(10);
    assert!(!ask("young").await);
    assert_eq!(scene.store.forget_keys(before, 2).await.unwrap(), 2);
    assert_eq!(scene.store.forget_keys(before, 2).await.unwrap(), 1);
    assert_eq!(scene.store.forget_keys(before, 2).await.unwrap(), 0);
    assert!(ask("young").await);
    assert!(!ask("a").await, "a key that was forgotten is new");
    assert!(ask("a").await);
}

pub async fn key_with_another_body_is_refused(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.ask_with_key(question(), "k").await.unwrap();
    let other = New { prompt: Some("Other?".into()), ..question() };
    let refusal = refusal(scene.ask_with_key(other.clone(), "k").await);
    assert_eq!(refusal, Refusal::KeyReused { key: "k".into() });
    // A refused request does not use up its key.
    assert!(scene.ask_with_key(New::default(), "new").await.is_err());
    assert!(!scene.ask_with_key(other, "new").await.unwrap().replayed);
}

pub async fn keys_count_within_project_and_credential(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let plain = scene.ask_with_key(question(), "k").await.unwrap().decision.unwrap();
    let elsewhere = New { project: Some("web".into()), ..question() };
    let elsewhere = scene.ask_with_key(elsewhere, "k").await.unwrap().decision.unwrap();
    let mut submission =
        Submission { key: Some("k".into()), ..scene.submission(Command::Create(Box::new(question()))) };
    submission.actor.credential = Some("tok-1".into());
    let with_token = scene.store.submit(submission).await.unwrap().decision.unwrap();
    assert!(plain.id != elsewhere.id && plain.id != with_token.id && elsewhere.id != with_token.id);
}

pub async fn key_of_a_removed_one_is_spent(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask_with_key(question(), "k").await.unwrap().decision.unwrap().id;
    scene.answer(id, "a").await.unwrap();
    scene.submit(Command::Prune { id }).await.unwrap();
    let refusal = refusal(scene.ask_with_key(question(), "k").await);
    assert_eq!(refusal, Refusal::KeySpent { key: "k".into(), id });
    // Its number is not reused either.
    assert_ne!(scene.ask(question()).await.id, id);
}
