//! Acknowledged commits that disappear from the store: cut off before they were signed, or lost with a restore.

use holdpoint_core::{Command, DecisionId, LogCommand};

use super::vouching::{busy, is_seen, log};
use super::{Scene, StoreHarness, Tampering, question, signer};
use crate::{CheckpointPolicy, Options, vouch};

pub async fn what_was_committed_is_not_cut_before_it_is_signed(bench: &dyn StoreHarness) {
    let (scene, key) = busy(bench, CheckpointPolicy::ByCaller).await;
    let id = scene.ask(question()).await.id;
    scene.answer(id, "b").await.unwrap();
    // The answer is cut off before it is signed.
    let mut links = log(&scene).await;
    links.truncate(7);
    bench.tamper(Tampering::Log { links }).await;
    // The next writer reports it at once.
    scene.ask(question()).await;
    let found = scene.store.vouching().broken().unwrap().to_string();
    assert_eq!(found, "event 8 was committed here, but the log ends at 7");
    // So does the next process.
    let options =
        Options { signer: scene.store.signer(), policy: CheckpointPolicy::ByCaller, ..Options::default() };
    let later = Scene::with(bench, options).await;
    vouch::sign(later.store.as_ref(), later.now()).await.unwrap();
    assert_eq!(later.store.vouching().broken().map(|fault| fault.to_string()), Some(found));
    is_seen(&scene, key.as_ref(), "event 8 was committed here").await;
}

pub async fn what_was_committed_is_missed_by_who_signs(bench: &dyn StoreHarness) {
    let (scene, key) = busy(bench, CheckpointPolicy::ByCaller).await;
    scene.ask(question()).await;
    let mut links = log(&scene).await;
    links.truncate(6);
    bench.tamper(Tampering::Log { links }).await;
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    let found = scene.store.vouching().broken().unwrap().to_string();
    assert_eq!(found, "event 7 was committed here, but the log ends at 6");
    is_seen(&scene, key.as_ref(), "event 7 was committed here").await;
}

pub async fn numbers_are_not_given_again_after_a_restore(bench: &dyn StoreHarness) {
    for policy in [CheckpointPolicy::EveryCommit, CheckpointPolicy::ByCaller] {
        let options = || Options { signer: Some(signer(1)), policy, ..Options::default() };
        let first = options();
        let scene = Scene::with(bench, first.clone()).await;
        let kept = scene.ask(question()).await.id;
        let seq = scene.store.head().await.unwrap().seq;
        let lost = [scene.ask(question()).await.id, scene.ask(question()).await.id];
        vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
        bench.tamper(Tampering::Restore { seq }).await;
        // This holds for the process that gave the ids out, and for one that only has its memory.
        for scene in [scene, Scene::with(bench, first).await] {
            let new = scene.ask(question()).await.id;
            assert!(new != kept && !lost.contains(&new), "{policy:?}: {new} was given before");
            for id in lost {
                assert!(scene.store.decision(id).await.unwrap().is_none());
            }
            assert!(scene.store.decision(kept).await.unwrap().is_some());
        }
        // From there on numbers are consecutive again.
        let scene = Scene::with(bench, options()).await;
        let (one, two) = (scene.ask(question()).await.id, scene.ask(question()).await.id);
        assert_eq!(number(&scene, two).await, number(&scene, one).await + 1);
    }
}

pub async fn what_could_not_be_signed_is_missed_after_a_restore(bench: &dyn StoreHarness) {
    let options =
        Options { signer: Some(signer(1)), policy: CheckpointPolicy::ByCaller, ..Options::default() };
    let key = options.signer.clone().unwrap();
    let scene = Scene::with(bench, options.clone()).await;
    scene.ask(question()).await;
    // The process ends before it has ever signed.
    scene.store.vouching().leave_behind(key.as_ref()).unwrap();
    let known = key.remembered(&scene.store.identity().await.unwrap()).unwrap().unwrap();
    assert_eq!((known.seq, known.unsigned.map(|last| last.seq)), (0, Some(1)));
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    assert_eq!(scene.store.vouching().broken(), None);
    let seq = scene.store.head().await.unwrap().seq;
    // The store was unavailable when it should have been signed, and comes back unchanged.
    let lost = scene.ask(question()).await.id;
    scene.store.vouching().leave_behind(key.as_ref()).unwrap();
    let later = Scene::with(bench, options.clone()).await;
    vouch::sign(later.store.as_ref(), later.now()).await.unwrap();
    assert_eq!(later.store.vouching().broken(), None);
    let known = key.remembered(&later.store.identity().await.unwrap()).unwrap().unwrap();
    assert_eq!(known.unsigned, None);
    // It is unavailable again, and now a backup comes back.
    let also_lost = later.ask(question()).await.id;
    later.store.vouching().leave_behind(key.as_ref()).unwrap();
    bench.tamper(Tampering::Restore { seq: later.store.head().await.unwrap().seq - 1 }).await;
    assert!(later.store.head().await.unwrap().seq > seq);
    let restored = Scene::with(bench, options).await;
    let new = restored.ask(question()).await.id;
    assert!(new != lost && new != also_lost, "{new} was given before");
    is_seen(&restored, key.as_ref(), "event 3 was committed here").await;
}

async fn number(scene: &Scene, id: DecisionId) -> i64 {
    let stream = &scene.store.history(id).await.unwrap()[0].stream;
    stream.trim_start_matches("decision/").parse().unwrap()
}

pub async fn whose_key_was_revoked_does_not_vouch(bench: &dyn StoreHarness) {
    let policy = CheckpointPolicy::ByCaller;
    let [one, two] = [1, 2].map(|seed| Options { signer: Some(signer(seed)), policy, ..Options::default() });
    let revoked = two.signer.as_ref().unwrap().key();
    let scenes = [Scene::with(bench, one).await, Scene::with(bench, two).await];
    let sign = async |scene: &Scene| vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    for scene in &scenes {
        scene.ask(question()).await;
        sign(scene).await;
        assert_eq!(scene.store.vouching().broken(), None);
    }
    let revoke = LogCommand::RevokeKey { key: revoked.clone(), reason: "stolen".into() };
    scenes[0].submit(Command::Log(revoke)).await.unwrap();
    sign(&scenes[0]).await;
    let points = scenes[1].store.checkpoints().await.unwrap().len();
    sign(&scenes[1]).await;
    let found = scenes[1].store.vouching().broken().unwrap().to_string();
    assert!(found.contains("which signs here, was revoked"), "{found}");
    scenes[1].ask(question()).await;
    for scene in &scenes {
        sign(scene).await;
        let found = scene.store.vouching().broken().unwrap().to_string();
        assert!(found.contains(&format!("the proof of {revoked}, which is not trusted here")), "{found}");
    }
    assert_eq!(scenes[1].store.checkpoints().await.unwrap().len(), points);
}
