//! Concurrency: many commands in one batch, several handles on one store.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::New;
use holdpoint_core::{Command, Status};

use super::{Scene, StoreHarness, choose, question};
use crate::{Error, Options, Outcome, Repair, Store, Submission, audit};

/// Submits all at once, spread over the handles.
async fn all_at_once(stores: &[Arc<dyn Store>], submissions: Vec<Submission>) -> Vec<Result<Outcome, Error>> {
    let tasks: Vec<_> = submissions
        .into_iter()
        .enumerate()
        .map(|(at, submission)| {
            let store = stores[at % stores.len()].clone();
            tokio::spawn(async move { store.submit(submission).await })
        })
        .collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

pub async fn fifty_answerers_one_outcome(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let stores = [scene.store.clone(), bench.open(Options::default()).await];
    let id = scene.ask(question()).await.id;
    let choices = ["a", "b"];
    let answers = (0..50).map(|at| scene.submission(choose(id, choices[at / 2 % 2]))).collect();
    let results = all_at_once(&stores, answers).await;
    let won = results.iter().filter(|result| matches!(result, Ok(outcome) if !outcome.replayed)).count();
    assert_eq!(won, 1);
    let outcome = scene.decision(id).await;
    for result in results {
        match result {
            Ok(told) => assert_eq!(told.decision.as_deref(), Some(&outcome)),
            Err(Error::Refused(refusal)) => assert_eq!(refusal.code(), "already_settled"),
            Err(other) => assert_eq!(other.to_string(), ""),
        }
    }
    assert_eq!(scene.store.head().await.unwrap().seq, 2);
}

pub async fn two_handles_one_store(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let stores = [scene.store.clone(), other.clone()];
    let asks = (0..40).map(|_| scene.submission(Command::Create(Box::new(question())))).collect();
    let mut ids: Vec<_> = all_at_once(&stores, asks)
        .await
        .into_iter()
        .map(|result| result.unwrap().decision.unwrap().id)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 40);
    assert_eq!(other.head().await.unwrap().seq, 40);
    assert_eq!(other.decision(ids[7]).await.unwrap(), scene.store.decision(ids[7]).await.unwrap());
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(audit::verify(other.as_ref(), &[], None).await.unwrap().faults, vec![]);
}

pub async fn handles_in_turn_know_what_the_other_did(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let of_job = || New { owner: "job:build".parse().ok(), ..question() };
    let mut last = scene.ask(of_job()).await.id;
    for _ in 0..3 {
        // The other handle settles what this one has just written, and continues.
        let answer = other.submit(scene.submission(choose(last, "a"))).await.unwrap();
        assert_eq!(answer.decision.unwrap().status, Status::Answered);
        let next = other.submit(scene.submission(Command::Create(Box::new(of_job())))).await.unwrap();
        let late = scene.answer(last, "b").await.unwrap_err();
        assert!(matches!(late, Error::Refused(refusal) if refusal.code() == "already_settled"));
        last = scene.ask(of_job()).await.id;
        let old = scene.decision(next.decision.unwrap().id).await;
        assert_eq!((old.status, old.superseded_by), (Status::Superseded, Some(last)));
        scene.submit(Command::Cancel { id: last, reason: None }).await.unwrap();
        last = scene.ask(of_job()).await.id;
    }
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(audit::verify(other.as_ref(), &[], None).await.unwrap().faults, vec![]);
}

pub async fn a_watcher_sees_others(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let mut seen = other.watch().unwrap();
    for _ in 0..20 {
        let seq = scene.submit(Command::Create(Box::new(question()))).await.unwrap().seq;
        let wait = seen.wait_for(|last| *last >= seq);
        tokio::time::timeout(Duration::from_secs(5), wait).await.unwrap().unwrap();
        assert_eq!(other.head().await.unwrap().seq, seq);
    }
}

pub async fn batches_see_each_other(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let exclusive = || New { owner: "item:bd-1".parse().ok(), exclusive: true, ..question() };
    let asks = (0..30).map(|_| scene.submission(Command::Create(Box::new(exclusive())))).collect();
    let results = all_at_once(std::slice::from_ref(&scene.store), asks).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    let keyed =
        || Submission { key: Some("k".into()), ..scene.submission(Command::Create(Box::new(question()))) };
    let results = all_at_once(std::slice::from_ref(&scene.store), (0..30).map(|_| keyed()).collect()).await;
    let fresh = results.iter().filter(|result| matches!(result, Ok(outcome) if !outcome.replayed)).count();
    assert_eq!((fresh, results.iter().filter(|result| result.is_ok()).count()), (1, 30));
    let jobs = (0..30).map(|_| New { owner: "job:build".parse().ok(), ..question() });
    let asks = jobs.map(|new| scene.submission(Command::Create(Box::new(new)))).collect();
    all_at_once(std::slice::from_ref(&scene.store), asks).await;
    let counts = scene.store.counts(None).await.unwrap();
    assert!(counts.contains(&(Status::Superseded, 29)), "{counts:?}");
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
