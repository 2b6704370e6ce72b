//! Quotas: what one credential may have pending, over all handles of a store.

use holdpoint_core::decision::{New, Revision};
use holdpoint_core::{Actor, Auth, Command, Refusal, Role};

use super::scene::refusal;
use super::{Scene, StoreHarness, choose, question};
use crate::{Options, Outcome, Quota, Repair, Result, Store, Submission};

const QUOTA: Quota = Quota { decisions: 3, bytes: 100_000 };

fn agent(credential: &str) -> Actor {
    let (auth, role, credential) = (Auth::Token, Some(Role::Agent), Some(credential.to_owned()));
    Actor { auth, role, credential, ..Actor::claimed("bot", "http") }
}

async fn send(scene: &Scene, store: &dyn Store, actor: Actor, command: Command) -> Result<Outcome> {
    let submission = Submission { actor, quota: Some(QUOTA), ..scene.submission(command) };
    store.submit(submission).await
}

async fn ask(scene: &Scene, credential: &str, new: New) -> Result<Outcome> {
    send(scene, scene.store.as_ref(), agent(credential), Command::Create(Box::new(new))).await
}

async fn is_well(scene: &Scene) {
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn a_credential_has_only_so_many_pending(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(ask(&scene, "tok-1", question()).await.unwrap().decision.unwrap().id);
    }
    let full = Refusal::Quota { what: "decisions", most: 3 };
    assert_eq!(refusal(ask(&scene, "tok-1", question()).await), full);
    // Another handle has the same count, and other credentials are not affected.
    let create = || Command::Create(Box::new(question()));
    assert_eq!(refusal(send(&scene, other.as_ref(), agent("tok-1"), create()).await), full);
    ask(&scene, "tok-2", question()).await.unwrap();
    scene.ask(question()).await;
    // Settling a decision makes room, but only once.
    scene.answer(asked[0], "a").await.unwrap();
    scene.answer(asked[0], "a").await.unwrap();
    send(&scene, other.as_ref(), agent("tok-1"), create()).await.unwrap();
    assert_eq!(refusal(ask(&scene, "tok-1", question()).await), full);
    let cancel = Command::Cancel { id: asked[1], reason: None };
    send(&scene, scene.store.as_ref(), agent("tok-1"), cancel).await.unwrap();
    ask(&scene, "tok-1", question()).await.unwrap();
    is_well(&scene).await;
}

pub async fn bytes_count_too(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let long = |bytes: usize| New { prompt: Some("x".repeat(bytes)), ..question() };
    let first = ask(&scene, "tok-1", long(60_000)).await.unwrap().decision.unwrap().id;
    let full = Refusal::Quota { what: "bytes", most: 100_000 };
    assert_eq!(refusal(ask(&scene, "tok-1", long(60_000)).await), full);
    let second = ask(&scene, "tok-1", long(10_000)).await.unwrap().decision.unwrap().id;
    // A revised question counts with its new size.
    let revise = |id, bytes| {
        let revision = Revision { prompt: Some("y".repeat(bytes)), ..Revision::default() };
        send(
            &scene,
            scene.store.as_ref(),
            agent("tok-1"),
            Command::Revise { id, revision: Box::new(revision) },
        )
    };
    assert_eq!(refusal(revise(second, 50_000).await), full);
    revise(second, 20_000).await.unwrap();
    assert_eq!(refusal(ask(&scene, "tok-1", long(25_000)).await), full);
    scene.submit(choose(first, "a")).await.unwrap();
    ask(&scene, "tok-1", long(60_000)).await.unwrap();
    is_well(&scene).await;
}

pub async fn usage_is_inspected(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    ask(&scene, "tok-1", question()).await.unwrap();
    bench.tamper(super::Tampering::Usage).await;
    let findings = scene.store.inspect(Repair::No).await.unwrap().findings;
    assert!(findings.iter().any(|finding| finding.contains("usages")), "{findings:?}");
    scene.store.inspect(Repair::Rebuild).await.unwrap();
    is_well(&scene).await;
    for _ in 0..2 {
        ask(&scene, "tok-1", question()).await.unwrap();
    }
    assert!(ask(&scene, "tok-1", question()).await.is_err());
}
