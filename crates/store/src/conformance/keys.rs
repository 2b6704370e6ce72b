//! Orders about keys in the log: they count if a trusted key wrote them, whatever an admin accepts later.

use holdpoint_core::decision::New;
use holdpoint_core::{Command, Event, LogCommand, Span};

use super::vouching::{busy, is_seen, log};
use super::{Scene, StoreHarness, Tampering, question, signer};
use crate::chain::{body_hash, event_hash, hex, key_id, unhex};
use crate::vouch::{self, Proof};
use crate::{Checkpoint, CheckpointPolicy, LogRow, Options, Signer, audit, body, history};

const POLICY: CheckpointPolicy = CheckpointPolicy::ByCaller;

/// Gives an event another content, with its hash if it has none of its own to keep.
fn become_another(link: &mut LogRow, event: &Event, rehash: bool) {
    let text = body::encode(event).unwrap();
    event.tag().clone_into(&mut link.tag);
    link.body_hash = hex(&body_hash(&text));
    link.body = Some(text);
    if rehash {
        let LogRow { seq, stream, version, tag, at, body_hash, prev, .. } = &*link;
        link.hash = hex(&event_hash(*seq, stream, *version, tag, *at, body_hash, prev));
    }
}

fn revocation(key: &dyn Signer) -> Event {
    Event::KeyRevoked { id: "log".into(), key: key.key(), reason: "mine".into(), by: "ana".into() }
}

pub async fn an_order_of_a_stranger_counts_for_nothing_when_it_is_accepted(bench: &dyn StoreHarness) {
    let (scene, key) = busy(bench, POLICY).await;
    let stranger = Options { signer: Some(signer(9)), policy: POLICY, ..Options::default() };
    let stranger = Scene::with(bench, stranger).await;
    let revoke = LogCommand::RevokeKey { key: key.key(), reason: "evil".into() };
    stranger.submit(Command::Log(revoke)).await.unwrap();
    let (from, public_key) = (key.key(), signer(9).public_key());
    let rotate = LogCommand::RotateKey { from, to: key_id(&public_key), public_key };
    stranger.submit(Command::Log(rotate)).await.unwrap();
    // The key goes on, and every check agrees.
    is_seen(&scene, key.as_ref(), "which is not trusted here").await;
    let report = audit::verify(scene.store.as_ref(), &[key.public_key()], None).await.unwrap();
    assert_eq!((report.faults, report.vouched_to), (vec![], report.head));
    // The stranger stays one.
    stranger.ask(question()).await;
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    let found = scene.store.vouching().broken().unwrap().to_string();
    assert!(found.contains("which is not trusted here"), "{found}");
}

/// Puts an acceptance and an order in the place of events in the middle of a batch, and cuts the log.
async fn put_inside(bench: &dyn StoreHarness, rehash: bool) {
    let (scene, key) = busy(bench, POLICY).await;
    for _ in 0..3 {
        scene.ask(New { timeout: Some(Span::from_secs(5)), ..question() }).await;
    }
    scene.at(30);
    scene.ask(question()).await;
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    assert_eq!(scene.store.vouching().broken(), None);
    let mut links = log(&scene).await;
    let inner: Vec<usize> = (0..links.len()).filter(|at| links[*at].proof.is_none()).collect();
    let [first, second, ..] = inner.as_slice() else { panic!("{inner:?}") };
    links[*first].at = links.last().unwrap().at + 1_000;
    let accepted = Event::LogAccepted {
        id: "log".into(),
        reason: "mine".into(),
        found: String::new(),
        log: None,
        by: "ana".into(),
    };
    become_another(&mut links[*first], &accepted, rehash);
    become_another(&mut links[*second], &revocation(key.as_ref()), rehash);
    links.pop();
    bench.tamper(Tampering::Log { links }).await;
    // Nobody has accepted it, so it is not signed; and once somebody has, the key still counts.
    is_seen(&scene, key.as_ref(), "").await;
}

pub async fn an_order_that_its_hash_does_not_cover_counts_for_nothing(bench: &dyn StoreHarness) {
    put_inside(bench, false).await;
}

pub async fn an_order_that_the_next_event_does_not_follow_counts_for_nothing(bench: &dyn StoreHarness) {
    put_inside(bench, true).await;
}

pub async fn an_order_in_the_name_of_another_node_counts_for_nothing(bench: &dyn StoreHarness) {
    let keys = [signer(1), signer(2)];
    let options = keys.clone().map(|key| Options { signer: Some(key), policy: POLICY, ..Options::default() });
    let [one, two] = options;
    let scenes = [Scene::with(bench, one).await, Scene::with(bench, two).await];
    let sign = async |scene: &Scene| vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    for scene in &scenes {
        scene.ask(question()).await;
        sign(scene).await;
    }
    let last = log(&scenes[0]).await.remove(0);
    let proof = Proof::read(last.proof.as_deref().unwrap()).unwrap();
    let proof = Proof { first: 3, mac: [0; 32], signature: None, ..proof };
    let head = log(&scenes[0]).await.pop().unwrap();
    let mut link = LogRow {
        seq: 3,
        stream: "log".into(),
        version: 1,
        prev: head.hash,
        proof: Some(proof.bytes()),
        ..last
    };
    become_another(&mut link, &revocation(keys[1].as_ref()), true);
    bench.tamper(Tampering::Append { link }).await;
    for scene in &scenes {
        scene.at(60);
        sign(scene).await;
        assert!(scene.store.vouching().broken().is_some());
    }
    let accept = LogCommand::Accept { reason: "it was touched".into(), found: "it".into(), log: None };
    scenes[0].submit(Command::Log(accept)).await.unwrap();
    for scene in &scenes {
        sign(scene).await;
        assert_eq!(scene.store.vouching().broken(), None);
        scene.ask(question()).await;
        sign(scene).await;
    }
    let trusted = keys.clone().map(|key| key.public_key());
    for (scene, key) in scenes.iter().zip(&keys) {
        sign(scene).await;
        assert_eq!(scene.store.vouching().broken(), None);
        let report = audit::verify(scene.store.as_ref(), &trusted, Some(key.as_ref())).await.unwrap();
        assert_eq!(report.faults.iter().filter(|fault| fault.seq > 3).count(), 0, "{:?}", report.faults);
    }
}

pub async fn a_checkpoint_of_a_revoked_key_covers_nothing_new(bench: &dyn StoreHarness) {
    let (scene, key) = busy(bench, POLICY).await;
    let thief = signer(9);
    key.trust(&thief.public_key()).unwrap();
    let revoke = LogCommand::RevokeKey { key: thief.key(), reason: "stolen".into() };
    scene.submit(Command::Log(revoke)).await.unwrap();
    vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    let options = Options { signer: Some(thief.clone()), policy: POLICY, ..Options::default() };
    Scene::with(bench, options).await.ask(question()).await;
    // Its own program would not sign any more; a thief has another.
    let links = log(&scene).await;
    let mut tree = vouch::Tree::default();
    for link in &links {
        tree.push(&unhex(&link.hash).unwrap().try_into().unwrap());
    }
    let last = links.last().unwrap();
    let mut point = Checkpoint {
        seq: last.seq,
        hash: last.hash.clone(),
        at: scene.now(),
        key: thief.key(),
        public_key: thief.public_key(),
        signature: String::new(),
        root: Some(hex(&tree.root())),
        prior: None,
    };
    point.signature = thief.sign(&vouch::statement(&point));
    scene.store.put_checkpoint(&point).await.unwrap();
    assert_eq!(scene.store.vouching().broken(), None, "nothing was signed since");
    for (link, is_proven) in [(last, false), (&links[0], true)] {
        let doubt = history::doubt(scene.store.as_ref(), key.as_ref(), link).await.unwrap();
        assert_eq!(doubt.is_none(), is_proven, "event {}: {doubt:?}", link.seq);
    }
}
