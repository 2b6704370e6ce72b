//! Holding at a server: who is woken, by what, and what each is shown.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::{AnswerInput, DraftInput};
use holdpoint_core::{Command, Decision, DecisionId, Role, Status, Values};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::{Embedded, Engine, Error, Settings, WaitOutcome};
use holdpoint_store::{Options, sqlite};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::scene::{Scene, question};

const LONG: Duration = Duration::from_secs(60);

/// Holds in a task of its own; returns once it is parked.
async fn hold(engine: &Engine, caller: &Caller, id: DecisionId) -> JoinHandle<WaitOutcome> {
    let (before, task, caller) = (engine.parked(), engine.clone(), caller.clone());
    let held = tokio::spawn(async move { task.hold_for(&caller, id, Some(LONG)).await.unwrap() });
    while engine.parked() == before {
        tokio::task::yield_now().await;
    }
    held
}

fn answer(id: DecisionId) -> Command {
    let mut values = Values::new();
    values.insert("choice".into(), json!("yes"));
    Command::Answer { id, input: Box::new(AnswerInput { values, ..AnswerInput::default() }) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_waiter_is_shown_what_it_may_see() {
    let mut scene = Scene::new();
    scene.engine = scene.engine.serving().await.unwrap();
    let agent = scene.holder("codex", Role::Agent, &[]).await;
    let ana = scene.holder("ana", Role::Person, &[]).await;
    let id = scene.ask(&agent, question()).await.id;
    let mut values = Values::new();
    values.insert("choice".into(), json!("no"));
    let draft = Command::Draft { id, input: Box::new(DraftInput::from(values.clone())) };
    scene.engine.submit_for(&ana, draft, None).await.unwrap();
    let (agents, people) = (hold(&scene.engine, &agent, id).await, hold(&scene.engine, &ana, id).await);
    scene.engine.submit_for(&ana, answer(id), None).await.unwrap();
    let (agents, people) = (agents.await.unwrap(), people.await.unwrap());
    let seen = [agents, people].map(|held| {
        assert!(held.woken_after.is_some(), "this process settled it");
        let json: Decision = serde_json::from_slice(&held.decision.json().unwrap()).unwrap();
        let decision = held.decision.into_decision();
        assert_eq!(json, decision, "its JSON says the same");
        assert_eq!(decision.status, Status::Answered);
        assert_eq!(decision.asked_with, None, "no door shows the credential");
        decision.draft
    });
    assert_eq!(seen, [Values::new(), values]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_share_bytes_only_if_they_see_the_same() {
    let mut scene = Scene::new();
    scene.engine = scene.engine.serving().await.unwrap();
    let agent = scene.holder("codex", Role::Agent, &[]).await;
    let (ana, bo) =
        (scene.holder("ana", Role::Person, &[]).await, scene.holder("bo", Role::Person, &[]).await);
    let (agents, persons) =
        (Embedded::of(scene.engine.clone(), agent.clone()), Embedded::of(scene.engine.clone(), ana.clone()));
    let given = || AnswerInput { choice: Some("yes".into()), ..AnswerInput::default() };
    for has_draft in [false, true] {
        let id = agents.create_shown(question(), None).await.unwrap().decision.id();
        if has_draft {
            let values = Values::from_iter([("choice".to_owned(), json!("no"))]);
            let draft = Command::Draft { id, input: Box::new(DraftInput::from(values)) };
            scene.engine.submit_for(&ana, draft, None).await.unwrap();
        }
        let mut held = Vec::new();
        for caller in [&agent, &agent, &bo] {
            held.push(hold(&scene.engine, caller, id).await);
        }
        let mut all = vec![persons.answer_shown(id, given()).await.unwrap().0.decision.json().unwrap()];
        for held in held {
            all.push(held.await.unwrap().decision.json().unwrap());
        }
        let [answerer, one, two, person] = &*all else { panic!() };
        assert_eq!(one.as_ptr(), two.as_ptr(), "agents are sent the same bytes");
        for (who, json) in [("the answerer", answerer), ("a person", person)] {
            assert_eq!(json.as_ptr() == one.as_ptr(), !has_draft, "{who}");
            assert_eq!(json == one, !has_draft, "{who} sees the draft, if there is one");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_server_keeps_in_mind_is_shown_to_nobody_else() {
    let mut scene = Scene::new();
    scene.engine = scene.engine.serving().await.unwrap();
    let agent = scene.holder("codex", Role::Agent, &[]).await;
    let other = scene.holder("gemini", Role::Agent, &[]).await;
    let id = scene.ask(&agent, question()).await.id;
    let refused = scene.engine.hold_for(&other, id, Some(LONG)).await;
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
    assert_eq!(scene.engine.parked(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_another_process_wakes() {
    let mut scene = Scene::new();
    scene.engine = scene.engine.serving().await.unwrap();
    let agent = scene.holder("codex", Role::Agent, &[]).await;
    let id = scene.ask(&agent, question()).await.id;
    let held = hold(&scene.engine, &agent, id).await;
    // A handle of its own knows nothing of the server's memory, as another process would.
    let store = sqlite::open(&scene.home.store(), Options::default()).unwrap();
    let elsewhere = Engine::new(Arc::new(store), scene.clock.clone(), Settings::default());
    elsewhere.submit_for(&Scene::root(), answer(id), None).await.unwrap();
    let held = held.await.unwrap();
    assert_eq!((held.decision.status(), held.woken_after), (Status::Answered, None));
    // What came to be known is not forgotten: who comes later is told at once.
    let late = scene.engine.hold_for(&agent, id, Some(LONG)).await.unwrap();
    assert_eq!(late.decision.status(), Status::Answered);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_one_at_a_time_and_many_at_once_come_to_the_same() {
    let mut scene = Scene::new();
    scene.engine = scene.engine.serving().await.unwrap();
    let agent = scene.holder("codex", Role::Agent, &[]).await;
    let ana = scene.holder("ana", Role::Person, &[]).await;
    // One at a time: each is committed where it arrives.
    for _ in 0..5 {
        let id = scene.ask(&agent, question()).await.id;
        scene.engine.submit_for(&ana, answer(id), None).await.unwrap();
    }
    let cycles = (0..40).map(|_| {
        let (engine, agent, ana) = (scene.engine.clone(), agent.clone(), ana.clone());
        tokio::spawn(async move {
            let asked = engine.submit_for(&agent, Command::Create(Box::new(question())), None).await;
            let id = asked.unwrap().decision.unwrap().id;
            let held = tokio::spawn({
                let (engine, agent) = (engine.clone(), agent.clone());
                async move { engine.hold_for(&agent, id, Some(LONG)).await.unwrap() }
            });
            engine.submit_for(&ana, answer(id), None).await.unwrap();
            assert_eq!(held.await.unwrap().decision.status(), Status::Answered);
        })
    });
    for cycle in cycles.collect::<Vec<_>>() {
        cycle.await.unwrap();
    }
    let counts = scene.engine.store().counts(None).await.unwrap();
    assert!(counts.contains(&(Status::Answered, 45)) && counts.contains(&(Status::Pending, 0)), "{counts:?}");
    assert_eq!(scene.engine.parked(), 0);
}
