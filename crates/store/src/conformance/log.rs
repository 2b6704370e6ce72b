//! The log: its order, its chain, and what is reported when it was changed.

use holdpoint_core::decision::New;
use holdpoint_core::{Command, DecisionId, Lane, Occasion, Timestamp};

use super::{Scene, StoreHarness, Tampering, question, signer};
use crate::{CheckpointPolicy, EventQuery, Logged, Options, Repair, Route, audit, vouch};

/// Makes six events on three decisions.
async fn busy(bench: &dyn StoreHarness, options: Options) -> Scene {
    let scene = Scene::with(bench, options).await;
    for choice in ["a", "b"] {
        let id = scene.ask(question()).await.id;
        scene.at(5);
        scene.answer(id, choice).await.unwrap();
    }
    let id = scene.ask(New { project: Some("web".into()), ..question() }).await.id;
    scene.submit(Command::Cancel { id, reason: None }).await.unwrap();
    scene
}

fn signed(policy: CheckpointPolicy) -> Options {
    Options { signer: Some(signer(1)), policy, ..Options::default() }
}

async fn faults(scene: &Scene) -> Vec<String> {
    let report = audit::verify(scene.store.as_ref(), &[], None).await.unwrap();
    report.faults.iter().map(ToString::to_string).collect()
}

pub async fn events_in_order(bench: &dyn StoreHarness) {
    let scene = busy(bench, Options::default()).await;
    let all = EventQuery { limit: 100, ..EventQuery::default() };
    let events = scene.store.events(&all).await.unwrap();
    assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(events[1].tag, "decision:resolved");
    assert_eq!((events[1].version, &events[1].stream), (2, &events[0].stream));
    assert_eq!(events[1].at, Timestamp::from_millis(super::T0 + 5_000));
    let tail = scene.store.events(&EventQuery { after: 4, ..all.clone() }).await.unwrap();
    assert_eq!(tail, events[4..]);
    let web = scene.store.events(&EventQuery { project: Some("web".into()), ..all.clone() }).await.unwrap();
    assert_eq!(web, events[4..]);
    let first = events[0].body.as_ref().and_then(|body| body["id"].as_str()).and_then(|id| id.parse().ok());
    let one = scene.store.events(&EventQuery { decision: first, ..all.clone() }).await.unwrap();
    assert_eq!(one, events[..2]);
    assert_eq!(scene.store.events(&EventQuery { limit: 2, ..all }).await.unwrap(), events[..2]);
    let head = scene.store.head().await.unwrap();
    assert_eq!((head.seq, head.at), (6, Some(events[5].at)));
    let traces = scene.store.traces(1, 3).await.unwrap();
    let seen: Vec<_> = traces.iter().map(|trace| (trace.seq, trace.tag.as_str(), trace.decision)).collect();
    let of = |event: &Logged| event.body.as_ref().and_then(|body| body["id"].as_str()?.parse().ok());
    let told: Vec<_> = events[1..4].iter().map(|event| (event.seq, event.tag.as_str(), of(event))).collect();
    assert_eq!(seen, told);
    let ids: Vec<DecisionId> = traces.iter().filter_map(|trace| trace.decision).collect();
    let missing = scene.store.decisions(&["dcn-000000000000".parse().unwrap()]).await.unwrap();
    assert!(missing.is_empty());
    let mut there = scene.store.decisions(&ids[..2]).await.unwrap();
    there.sort_by_key(|decision| decision.created_at);
    assert_eq!(there.iter().map(|decision| decision.id).collect::<Vec<_>>(), ids[..2]);
}

pub async fn chain_holds(bench: &dyn StoreHarness) {
    let scene = busy(bench, Options::default()).await;
    let report = audit::verify(scene.store.as_ref(), &[], None).await.unwrap();
    assert_eq!((report.events, report.head, report.vouched_to, report.tail()), (6, 6, 0, 6));
    assert_eq!(faults(&scene).await, Vec::<String>::new());
    assert!(scene.store.links(3, 2).await.unwrap().iter().map(|link| link.seq).eq([4, 5]));
}

pub async fn erased_is_not_tampered(bench: &dyn StoreHarness) {
    let scene = busy(bench, Options::default()).await;
    let id = scene.ids(crate::Query::default()).await[0];
    scene.submit(Command::Prune { id }).await.unwrap();
    let report = audit::verify(scene.store.as_ref(), &[], None).await.unwrap();
    assert_eq!((report.events, report.erased, report.faults), (7, 2, vec![]));
    // A body that was erased without a removal is reported differently.
    bench.tamper(Tampering::Body { seq: 3, body: None }).await;
    assert_eq!(
        faults(&scene).await,
        ["event 3 was tampered with: its body is gone, but its decision was never removed"]
    );
}

pub async fn tampering_is_named(bench: &dyn StoreHarness) {
    let scene = busy(bench, Options::default()).await;
    bench.tamper(Tampering::At { seq: 5, at: 7 }).await;
    assert_eq!(faults(&scene).await, ["event 5 was tampered with: its hash does not fit what it says"]);
    bench.tamper(Tampering::Body { seq: 4, body: Some("{}".into()) }).await;
    assert_eq!(faults(&scene).await[0], "event 4 was tampered with: its body is not the one recorded");
    bench.tamper(Tampering::Remove { seq: 2 }).await;
    assert_eq!(faults(&scene).await[0], "event 2 is missing");
}

pub async fn checkpoints_vouch(bench: &dyn StoreHarness) {
    let scene = busy(bench, signed(CheckpointPolicy::ByCaller)).await;
    assert_eq!(scene.store.checkpoints().await.unwrap(), []);
    let trusted = [signer(1).public_key()];
    let report = audit::verify(scene.store.as_ref(), &trusted, None).await.unwrap();
    assert_eq!((report.vouched_to, report.tail(), report.untrusted.len()), (0, 6, 0));
    let made = vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap().unwrap();
    assert_eq!((made.seq, &made.public_key), (6, &trusted[0]));
    assert_eq!(vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap(), None);
    scene.ask(question()).await;
    let report = audit::verify(scene.store.as_ref(), &trusted, None).await.unwrap();
    assert_eq!((report.vouched_to, report.tail(), report.checkpoints), (6, 1, 1));
    let stranger = audit::verify(scene.store.as_ref(), &[signer(2).public_key()], None).await.unwrap();
    assert_eq!((stranger.vouched_to, &stranger.untrusted[..]), (0, &trusted[..]));
    // The signatures do not vouch for anything after a change.
    bench.tamper(Tampering::Body { seq: 5, body: Some("{}".into()) }).await;
    assert_eq!(audit::verify(scene.store.as_ref(), &trusted, None).await.unwrap().vouched_to, 4);
}

pub async fn cut_off_logs_are_found(bench: &dyn StoreHarness) {
    let scene = busy(bench, signed(CheckpointPolicy::EveryCommit)).await;
    assert_eq!(scene.store.checkpoints().await.unwrap().len(), 6);
    bench.tamper(Tampering::CutAfter { seq: 4 }).await;
    assert_eq!(faults(&scene).await[0], "event 5 was signed, but the log ends at 4");
}

pub async fn inspection_finds_and_mends(bench: &dyn StoreHarness) {
    let scene = busy(bench, Options::default()).await;
    let before = scene.store.inspect(Repair::No).await.unwrap();
    assert_eq!((before.events, before.decisions, before.findings), (6, 3, vec![]));
    bench.tamper(Tampering::Projection { status: "pending" }).await;
    bench.tamper(Tampering::Counter).await;
    assert!(scene.store.inspect(Repair::No).await.unwrap().findings.len() >= 2);
    let mended = scene.store.inspect(Repair::Rebuild).await.unwrap();
    assert!(mended.rebuilt && !mended.findings.is_empty());
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn what_no_event_explains_is_found(bench: &dyn StoreHarness) {
    let scene = busy(bench, Options::default()).await;
    bench.tamper(Tampering::Unexplained).await;
    let found = scene.store.inspect(Repair::No).await.unwrap().findings;
    assert_eq!(found, ["no event explains 1 of the outbox rows", "no event explains 1 of the sessions"]);
}

pub async fn what_its_event_cannot_have_ordered_is_found(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Mail, "bo"),
        Route::new(Occasion::Create, Lane::Hook, "on_decision_create"),
        Route::new(Occasion::Respond, Lane::Webhook, "https://example.org"),
    ]);
    let id = scene.ask(question()).await.id;
    scene.answer(id, "a").await.unwrap();
    scene.ask(question()).await;
    let findings = async || scene.store.inspect(Repair::No).await.unwrap().findings;
    assert_eq!(findings().await, Vec::<String>::new());
    let rows = [
        // Event 1 asks decision 1, and event 2 answers it.
        (10_100, 1, "session", Some(1)),
        (10_101, 1, "callback", Some(1)),
        (10_102, 1, "follow", Some(1)),
        (10_103, 1, "no such lane", Some(1)),
        (10_104, 1, "mail", Some(2)),
        (10_105, 1, "mail", None),
        (20_100, 2, "session", Some(1)),
        // Ids come from the event too.
        (7, 1, "mail", Some(1)),
    ];
    for (id, seq, lane, decision) in rows {
        bench.tamper(Tampering::Outbox { id, seq, lane, decision }).await;
    }
    assert_eq!(findings().await, ["no event explains 8 of the outbox rows"]);
}
