//! Remarks of programs on decisions.

use holdpoint_core::decision::{NewRemark, Revision};
use holdpoint_core::{Actor, Command, Decision, DecisionId, Lane, Occasion};

use super::{Scene, StoreHarness, question};
use crate::{Options, OutboxState, Outcome, Repair, Route, Store, Submission};

async fn remark(scene: &Scene, store: &dyn Store, seen: &Decision, by: &str) -> Outcome {
    let remark =
        NewRemark { by: by.into(), text: format!("{by} says \u{1b}[2J"), digest: seen.digest.clone() };
    let command = Command::Remark { id: seen.id, remark: Box::new(remark) };
    let submission = Submission { actor: Actor::system(), ..scene.submission(command) };
    store.submit(submission).await.unwrap()
}

pub async fn a_remark_is_kept_once_over_all_handles(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let asked = scene.ask(question()).await;
    let (one, two) = tokio::join!(
        remark(&scene, &*scene.store, &asked, "guard"),
        remark(&scene, &*other, &asked, "guard")
    );
    assert_eq!([one, two].iter().filter(|outcome| outcome.replayed).count(), 1);
    remark(&scene, &*other, &asked, "second").await;
    let kept = scene.decision(asked.id).await;
    assert_eq!(kept.digest, asked.digest);
    let by: Vec<&str> = kept.remarks.iter().map(|remark| remark.by.as_str()).collect();
    assert_eq!(by, ["guard", "second"]);
    assert_eq!(kept.remarks[0].text, "guard says \u{1b}[2J");
    let inspection = scene.store.inspect(Repair::No).await.unwrap();
    assert!(inspection.findings.is_empty(), "{:?}", inspection.findings);
}

pub async fn what_is_settled_revised_or_gone_gets_no_remark(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let asked = scene.ask(question()).await;
    remark(&scene, &*scene.store, &asked, "guard").await;
    revise(&scene, asked.id).await;
    assert!(scene.decision(asked.id).await.remarks.is_empty());
    assert!(remark(&scene, &*scene.store, &asked, "late").await.replayed);
    let revised = scene.decision(asked.id).await;
    assert!(!remark(&scene, &*scene.store, &revised, "guard").await.replayed);
    let answered = scene.ask(question()).await;
    scene.answer(answered.id, "a").await.unwrap();
    assert!(remark(&scene, &*scene.store, &answered, "late").await.replayed);
    assert!(scene.decision(answered.id).await.remarks.is_empty());
    let unknown: DecisionId = "dcn-7k3fq2xw9mpd".parse().unwrap();
    let remark = NewRemark { by: "late".into(), text: "x".into(), digest: answered.digest };
    let command = Command::Remark { id: unknown, remark: Box::new(remark) };
    let submission = Submission { actor: Actor::system(), ..scene.submission(command) };
    assert!(scene.store.submit(submission).await.is_err());
}

pub async fn programs_look_when_it_is_asked_and_again_when_it_is_revised(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let route = |name: &str| Route::new(Occasion::Create, Lane::Opinion, name);
    scene.route(&[route("guard"), Route { projects: vec!["web".into()], ..route("elsewhere") }]);
    let asked = scene.ask(question()).await;
    let queued = || async {
        let rows = scene.store.outbox_entries(OutboxState::Queued, None, 100).await.unwrap();
        rows.into_iter().map(|row| (row.lane, row.target)).collect::<Vec<_>>()
    };
    let guard = || (Lane::Opinion, "guard".to_owned());
    assert_eq!(queued().await, [guard()]);
    revise(&scene, asked.id).await;
    assert_eq!(queued().await, [guard(), guard()]);
    scene.answer(asked.id, "a").await.unwrap();
    assert_eq!(queued().await, [guard(), guard()], "nobody looks at what is settled");
}

async fn revise(scene: &Scene, id: DecisionId) {
    let revision = Box::new(Revision { prompt: Some("And now?".into()), ..Revision::default() });
    scene.submit(Command::Revise { id, revision }).await.unwrap();
}
