//! Askers that want to be notified.

use holdpoint_core::decision::{AnswerInput, Callback, CallbackBody, New};
use holdpoint_core::{Command, DecisionId, Lane, Span};

use super::{Scene, StoreHarness, question};
use crate::{OutboxState, Repair};

fn asked() -> New {
    let callback = Callback {
        url: "https://example.org:8443/a/secret".into(),
        auth: None,
        body: CallbackBody::default(),
    };
    New { callback: Some(Box::new(callback)), ..question() }
}

async fn called(scene: &Scene) -> Vec<(DecisionId, String)> {
    let rows = scene.store.outbox_entries(OutboxState::Queued, Some(Lane::Callback), 20).await.unwrap();
    rows.into_iter().map(|row| (row.decision.unwrap(), row.target)).collect()
}

pub async fn every_end_of_a_decision_is_told_to_its_asker_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut expected = Vec::new();
    let to = "example.org:8443".to_owned();
    let answered = scene.ask(asked()).await.id;
    let other = scene.ask(question()).await.id;
    assert_eq!(called(&scene).await, [], "nothing has ended");
    assert!(scene.answer(answered, "a").await.unwrap().posted);
    assert!(!scene.answer(answered, "a").await.unwrap().posted, "a replay tells nobody");
    scene.answer(other, "a").await.unwrap();
    expected.push((answered, to.clone()));
    let cancelled = scene.ask(asked()).await.id;
    scene.submit(Command::Cancel { id: cancelled, reason: None }).await.unwrap();
    expected.push((cancelled, to.clone()));
    // A newer decision of a job replaces the older one.
    let of_job = || New { owner: "job:build".parse().ok(), ..asked() };
    let older = scene.ask(of_job()).await.id;
    scene.ask(of_job()).await;
    expected.push((older, to.clone()));
    // After guidance, the next round is the one that ends.
    let first = scene.ask(asked()).await.id;
    let input = AnswerInput { guidance: Some("something cheaper".into()), ..AnswerInput::default() };
    let guided = scene.submit(Command::Answer { id: first, input: Box::new(input) }).await.unwrap();
    assert_eq!(called(&scene).await, expected, "guidance ends nothing");
    let next = guided.next.unwrap().id;
    scene.answer(next, "a").await.unwrap();
    expected.push((next, to.clone()));
    let late = scene.ask(New { timeout: Some(Span::from_secs(10)), ..asked() }).await.id;
    scene.at(20);
    scene.submit(Command::Expire { id: late }).await.unwrap();
    expected.push((late, to));
    assert_eq!(called(&scene).await, expected);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
