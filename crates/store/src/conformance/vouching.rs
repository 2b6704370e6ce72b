//! Vouching: what an attacker who can write to the store, but has no key, cannot do unnoticed.

use holdpoint_core::{Command, LogCommand};

use super::{Scene, StoreHarness, Tampering, question, signer};
use crate::audit::{self, Report};
use crate::chain::{body_hash, event_hash, hex};
use crate::vouch::{self, Checked, Proof};
use crate::{CheckpointPolicy, LogRow, Options, Signer, history};

/// Makes six events by key 1.
pub(super) async fn busy(
    bench: &dyn StoreHarness,
    policy: CheckpointPolicy,
) -> (Scene, std::sync::Arc<dyn Signer>) {
    let signer = signer(1);
    let scene = Scene::with(
        bench,
        Options { signer: Some(std::sync::Arc::clone(&signer)), policy, ..Options::default() },
    )
    .await;
    for choice in ["a", "b", "a"] {
        let id = scene.ask(question()).await.id;
        scene.answer(id, choice).await.unwrap();
    }
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    (scene, signer)
}

pub(super) async fn log(scene: &Scene) -> Vec<LogRow> {
    scene.store.links(0, 1_000).await.unwrap()
}

/// Returns a log with a correct chain.
pub(super) fn chained(mut links: Vec<LogRow>) -> Vec<LogRow> {
    let mut prev = hex(&crate::chain::GENESIS);
    for link in &mut links {
        link.prev.clone_from(&prev);
        if let Some(body) = &link.body {
            link.body_hash = hex(&body_hash(body));
        }
        let LogRow { seq, stream, version, tag, at, body_hash, prev: before, .. } = &*link;
        link.hash = hex(&event_hash(*seq, stream, *version, tag, *at, body_hash, before));
        prev.clone_from(&link.hash);
    }
    links
}

/// Reverses the first answer, and corrects the chain.
fn rewritten(mut links: Vec<LogRow>) -> Vec<LogRow> {
    let body = links[1].body.as_ref().unwrap().replace(r#""choice":"a""#, r#""choice":"b""#);
    assert_ne!(links[1].body.as_ref(), Some(&body));
    links[1].body = Some(body);
    chained(links)
}

async fn report(scene: &Scene, signer: &dyn Signer) -> Report {
    audit::verify(scene.store.as_ref(), &[signer.public_key()], Some(signer)).await.unwrap()
}

/// Checks that the log is not signed until an admin accepts it, and that the acceptance stays visible afterwards.
pub(super) async fn is_seen(scene: &Scene, signer: &dyn Signer, words: &str) {
    scene.at(60);
    let before = scene.store.checkpoints().await.unwrap().len();
    scene.ask(question()).await;
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    let found = scene.store.vouching().broken().unwrap().to_string();
    assert!(found.contains(words), "{found}");
    assert_eq!(scene.store.checkpoints().await.unwrap().len(), before);
    let Report { faults, log, .. } = report(scene, signer).await;
    assert!(faults.iter().any(|fault| fault.to_string().contains(words)), "{faults:?}");
    let accept = LogCommand::Accept { reason: "restored".into(), found: found.clone(), log: Some(log) };
    scene.submit(Command::Log(accept)).await.unwrap();
    scene.ask(question()).await;
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    assert_eq!(scene.store.vouching().broken(), None);
    let report = report(scene, signer).await;
    assert_eq!((report.faults, report.vouched_to), (vec![], report.head));
    let [accepted] = report.accepted.as_slice() else { panic!("{:?}", report.accepted) };
    assert_eq!(
        (accepted.reason.as_str(), accepted.by.as_str(), &accepted.found),
        ("restored", "ana", &found)
    );
}

pub async fn a_log_is_checked_while_it_is_signed(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::ByCaller).await;
    let grow = async {
        for _ in 0..200 {
            scene.ask(question()).await;
            vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
        }
    };
    let mut grow = std::pin::pin!(grow);
    loop {
        tokio::select! {
            () = &mut grow => break,
            report = report(&scene, signer.as_ref()) => assert_eq!(report.faults, []),
        }
    }
}

const POLICIES: [CheckpointPolicy; 2] = [CheckpointPolicy::EveryCommit, CheckpointPolicy::ByCaller];

pub async fn a_rewritten_log_is_not_signed(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::EveryCommit).await;
    bench.tamper(Tampering::Log { links: rewritten(log(&scene).await) }).await;
    is_seen(&scene, signer.as_ref(), "event 6 or one before it was rewritten").await;
}

pub async fn a_log_rewritten_under_a_server_is_not_signed(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::ByCaller).await;
    // This includes what is committed but not signed yet.
    scene.ask(question()).await;
    bench.tamper(Tampering::Log { links: rewritten(log(&scene).await) }).await;
    is_seen(&scene, signer.as_ref(), "event 6 or one before it was rewritten").await;
}

pub async fn what_is_not_signed_yet_is_not_forged_either(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::ByCaller).await;
    scene.ask(question()).await;
    scene.ask(question()).await;
    let mut links = log(&scene).await;
    links[6].body = Some(links[6].body.as_ref().unwrap().replace("Which?", "Which!"));
    bench.tamper(Tampering::Log { links: chained(links) }).await;
    is_seen(&scene, signer.as_ref(), "event 7 was forged").await;
}

pub async fn a_log_that_was_cut_is_not_signed(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::EveryCommit).await;
    let mut links = log(&scene).await;
    links.truncate(3);
    bench.tamper(Tampering::Log { links }).await;
    scene.at(60);
    match vouch::check(scene.store.as_ref(), signer.as_ref()).await.unwrap() {
        Checked::Broken(fault) => assert_eq!(fault.to_string(), "event 6 was signed, but the log ends at 3"),
        sound @ Checked::Sound { .. } => panic!("{sound:?}"),
    }
    is_seen(&scene, signer.as_ref(), "event 6 was signed").await;
}

pub async fn an_event_that_nobody_wrote_is_not_signed(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::EveryCommit).await;
    let mut links = log(&scene).await;
    let last = links[5].clone();
    links.push(LogRow { seq: 7, version: 3, proof: None, ..last });
    bench.tamper(Tampering::Append { link: chained(links).pop().unwrap() }).await;
    is_seen(&scene, signer.as_ref(), "event 7 carries no proof").await;
}

pub async fn a_key_that_nobody_knows_does_not_count(bench: &dyn StoreHarness) {
    let (scene, first) = busy(bench, CheckpointPolicy::EveryCommit).await;
    let stranger =
        Options { signer: Some(signer(9)), policy: CheckpointPolicy::EveryCommit, ..Options::default() };
    let other = Scene::with(bench, stranger).await;
    other.ask(question()).await;
    is_seen(&scene, first.as_ref(), "which is not trusted here").await;
}

pub async fn each_key_answers_for_its_own(bench: &dyn StoreHarness) {
    for policy in POLICIES {
        let keys = [signer(1), signer(2)];
        let [one, two] =
            keys.clone().map(|signer| Options { signer: Some(signer), policy, ..Options::default() });
        let scenes = [Scene::with(bench, one).await, Scene::with(bench, two).await];
        for _ in 0..2 {
            for scene in &scenes {
                scene.ask(question()).await;
            }
        }
        let trusted = keys.clone().map(|key| key.public_key());
        vouch::sign(scenes[0].store.as_ref(), scenes[0].now()).await.unwrap();
        let store = scenes[0].store.as_ref();
        let report = audit::verify(store, &trusted, None).await.unwrap();
        if policy == CheckpointPolicy::ByCaller {
            assert_eq!(report.vouched_to, report.head - 3, "{policy:?}: the other has not answered yet");
        }
        vouch::sign(scenes[1].store.as_ref(), scenes[1].now()).await.unwrap();
        let report = audit::verify(store, &trusted, None).await.unwrap();
        assert_eq!((report.faults, report.vouched_to), (vec![], report.head), "{policy:?}");
        for scene in &scenes {
            assert_eq!(scene.store.vouching().broken(), None);
        }
    }
}

pub async fn a_batch_in_the_name_of_another_node_does_not_count(bench: &dyn StoreHarness) {
    let policy = CheckpointPolicy::ByCaller;
    let [one, two] = [1, 2].map(|seed| Options { signer: Some(signer(seed)), policy, ..Options::default() });
    let scenes = [Scene::with(bench, one).await, Scene::with(bench, two).await];
    let sign = async |scene: &Scene| vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    scenes[0].ask(question()).await;
    scenes[1].ask(question()).await;
    sign(&scenes[0]).await;
    assert_eq!(scenes[0].store.vouching().broken(), None, "a signature is enough");
    let mut links = log(&scenes[0]).await;
    let last = links.last().unwrap().clone();
    let proof = Proof::read(last.proof.as_deref().unwrap()).unwrap();
    let (store, own) = (scenes[0].store.as_ref(), signer(1));
    assert_eq!(history::doubt(store, own.as_ref(), &last).await.unwrap(), None);
    let forged = |proof: Proof| Proof { first: 3, mac: [0; 32], ..proof };
    let unsigned = Proof { signature: None, ..forged(proof) };
    for (proof, words) in [(unsigned, "carries no proof"), (forged(proof), "was forged")] {
        let proof = Some(proof.bytes());
        links.truncate(2);
        links.push(LogRow { seq: 3, stream: "decision/9".into(), version: 1, proof, ..last.clone() });
        links = chained(links);
        bench.tamper(Tampering::Restore { seq: 2 }).await;
        bench.tamper(Tampering::Append { link: links[2].clone() }).await;
        assert!(history::doubt(store, own.as_ref(), &links[2]).await.unwrap().is_some());
        sign(&scenes[0]).await;
        let found = store.vouching().broken().unwrap().to_string();
        assert!(found.contains(words), "{found}");
    }
}

pub async fn one_node_accepts_for_all(bench: &dyn StoreHarness) {
    let policy = CheckpointPolicy::ByCaller;
    let options = [1, 2].map(|seed| Options { signer: Some(signer(seed)), policy, ..Options::default() });
    let [one, two] = options;
    let scenes = [Scene::with(bench, one).await, Scene::with(bench, two).await];
    let sign = async |scene: &Scene| vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    for scene in &scenes {
        scene.ask(question()).await;
        scene.ask(question()).await;
        sign(scene).await;
        scene.at(60);
    }
    // A standby that lacked the last commits took over.
    let mut links = log(&scenes[0]).await;
    links.truncate(1);
    bench.tamper(Tampering::Log { links }).await;
    for scene in &scenes {
        scene.ask(question()).await;
        sign(scene).await;
        assert!(scene.store.vouching().broken().is_some());
    }
    let accept = LogCommand::Accept { reason: "failover".into(), found: "less".into(), log: None };
    scenes[0].submit(Command::Log(accept)).await.unwrap();
    for scene in &scenes {
        sign(scene).await;
        assert_eq!(scene.store.vouching().broken(), None);
    }
    // The statement covers what was lost before it, not what is lost after it.
    scenes[1].at(120);
    scenes[1].ask(question()).await;
    sign(&scenes[1]).await;
    let mut links = log(&scenes[0]).await;
    links.pop();
    bench.tamper(Tampering::Log { links }).await;
    sign(&scenes[1]).await;
    assert!(scenes[1].store.vouching().broken().is_some());
}

pub async fn removed_checkpoints_are_found(bench: &dyn StoreHarness) {
    let (scene, signer) = busy(bench, CheckpointPolicy::EveryCommit).await;
    bench.tamper(Tampering::Checkpoint { seq: 3 }).await;
    let words = |report: &Report| report.faults.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(words(&report(&scene, signer.as_ref()).await), ["the checkpoint at event 3 was removed"]);
    bench.tamper(Tampering::Checkpoint { seq: 6 }).await;
    let found = words(&report(&scene, signer.as_ref()).await);
    assert!(found.contains(&"the checkpoint at event 6 was removed".to_owned()), "{found:?}");
}

pub async fn a_log_without_proofs_goes_on(bench: &dyn StoreHarness) {
    let before = Scene::with(bench, Options::default()).await;
    before.ask(question()).await;
    let signer = signer(1);
    let options = Options {
        signer: Some(std::sync::Arc::clone(&signer)),
        policy: CheckpointPolicy::EveryCommit,
        ..Options::default()
    };
    let scene = Scene::with(bench, options).await;
    scene.ask(question()).await;
    scene.ask(question()).await;
    let report = report(&scene, signer.as_ref()).await;
    assert_eq!((report.faults, report.vouched_to, report.head), (vec![], 3, 3));
    assert_eq!(scene.store.vouching().broken(), None);
}
