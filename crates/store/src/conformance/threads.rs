//! Threads: opened once, posted to, notified of outcomes, and deleted without a trace of their messages.

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::thread::{NewThread, Participant, Post, SELF, ThreadAction};
use holdpoint_core::{Actor, Auth, Command, DecisionId, Role, Span, Status};
use serde_json::{Map, Value, json};

use super::scene::refusal;
use super::{Scene, StoreHarness, Tampering, choose, question};
use crate::{Logged, MessageQuery, Order, Outcome, Query, Repair, Submission};

const ID: &str = "thr-0123456789ab";

fn opened(project: &str) -> NewThread {
    let actors = vec![Participant { id: "shop".into(), ..Participant::default() }];
    NewThread { id: ID.into(), project: Some(project.into()), actors, ..NewThread::default() }
}

fn open(project: &str) -> Command {
    Command::CreateThread(Box::new(opened(project)))
}

fn say(words: &str, actions: Vec<ThreadAction>) -> Command {
    Command::Post(Box::new(Post {
        thread: ID.into(),
        project: "default".into(),
        actor: Some("shop".into()),
        role: None,
        content: vec![words.into()],
        attachments: Vec::new(),
        metadata: Map::new(),
        actions,
    }))
}

fn ask(id: &str) -> ThreadAction {
    let origin = Origin {
        protocol: "aitp".into(),
        id: Some(id.into()),
        schema: None,
        thread: None,
        extra: Map::new(),
    };
    ThreadAction::Ask(Box::new(New { origin: Some(origin), ..question() }))
}

fn answer(id: DecisionId, choice: &str) -> ThreadAction {
    let Command::Answer { id, input } = choose(id, choice) else { unreachable!("it answers") };
    ThreadAction::Answer { id, input }
}

async fn messages(scene: &Scene, query: MessageQuery) -> Vec<Logged> {
    let thread = scene.store.thread(ID).await.unwrap().unwrap();
    scene.store.messages(&thread, &MessageQuery { limit: 100, ..query }).await.unwrap()
}

async fn tags(scene: &Scene) -> Vec<String> {
    messages(scene, MessageQuery::default()).await.into_iter().map(|logged| logged.tag).collect()
}

fn body(logged: &Logged) -> &Value {
    logged.body.as_ref().unwrap()
}

fn touched(logged: &Logged) -> Vec<DecisionId> {
    let ids = body(logged)["decisions"].as_array().unwrap();
    ids.iter().map(|id| id.as_str().unwrap().parse().unwrap()).collect()
}

async fn sound(scene: &Scene) {
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn opened_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    assert!(scene.submit(open("default")).await.unwrap().replayed);
    assert_eq!(scene.refused(open("web")).await.code(), "key_reused");
    let thread = scene.store.thread(ID).await.unwrap().unwrap();
    assert_eq!((thread.created_by.as_str(), thread.created_at), ("ana", scene.now()));
    assert_eq!(scene.store.threads(None, 5).await.unwrap(), [thread]);
    assert_eq!(scene.store.threads(Some("web"), 5).await.unwrap(), []);
    assert_eq!(scene.store.thread("thr-none").await.unwrap(), None);
    sound(&scene).await;
}

pub async fn a_message_asks_and_is_answered(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    assert_eq!(scene.refused(say("hello", vec![])).await.code(), "not_found");
    scene.submit(open("default")).await.unwrap();
    let outcome = scene.submit(say("Which?", vec![ask("r1"), ask("r2"), ask("r2")])).await.unwrap();
    // The message, two decisions, and the reply that the third has a used id.
    assert_eq!((outcome.place, outcome.events), (Some(1), 4));
    let said = messages(&scene, MessageQuery::default()).await;
    let [first, second] = touched(&said[0])[..] else { panic!("two were asked") };
    assert_eq!(body(&said[1])["actor"], SELF);
    let asked = scene.decision(first).await;
    assert_eq!(asked.owner.unwrap().to_string(), format!("thread:{ID}"));
    assert_eq!(asked.origin.unwrap().thread.as_deref(), Some(ID));
    assert_eq!(asked.requested_by.as_deref(), Some("shop"));
    scene.answer(first, "a").await.unwrap();
    scene.submit(Command::Cancel { id: second, reason: None }).await.unwrap();
    assert_eq!(tags(&scene).await, ["thread:posted", "thread:posted", "thread:replied", "thread:replied"]);
    let last = messages(&scene, MessageQuery { order: Order::NewestFirst, ..MessageQuery::default() }).await;
    assert_eq!(body(&last[0])["decision_id"], json!(second));
    assert_eq!(
        messages(&scene, MessageQuery { after: 2, before: Some(4), ..MessageQuery::default() }).await.len(),
        1
    );
    sound(&scene).await;
}

pub async fn first_decision_in_a_thread_wins(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    scene.submit(say("Which?", vec![ask("r1")])).await.unwrap();
    let id = touched(&messages(&scene, MessageQuery::default()).await[0])[0];
    // Two answers in one message: the second is decided on top of the first.
    scene.submit(say("a, no b", vec![answer(id, "a"), answer(id, "b")])).await.unwrap();
    assert_eq!(scene.decision(id).await.answer.unwrap().values["choice"], "a");
    scene.submit(say("b", vec![answer(id, "b")])).await.unwrap();
    let said = messages(&scene, MessageQuery::default()).await;
    let who: Vec<&Value> = said.iter().map(|logged| &body(logged)["actor"]).collect();
    assert_eq!(who, ["shop", "shop", SELF, "shop", SELF]);
    assert!(body(&said[4])["content"][0].as_str().unwrap().contains("already answered: a by shop"));
    // The same answer again is not a second answer.
    let again = scene.submit(say("a", vec![answer(id, "a")])).await.unwrap();
    assert_eq!(again.events, 1);
    sound(&scene).await;
}

pub async fn a_message_is_posted_once_under_a_key(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    let keyed = |command| Submission { key: Some("k".into()), ..scene.submission(command) };
    let first: Outcome = scene.store.submit(keyed(say("one", vec![ask("r1")]))).await.unwrap();
    scene.submit(say("between", vec![])).await.unwrap();
    let again = scene.store.submit(keyed(say("one", vec![ask("r1")]))).await.unwrap();
    assert_eq!((again.place, again.replayed, again.events), (first.place, true, 0));
    let other = refusal(scene.store.submit(keyed(say("two", vec![]))).await);
    assert_eq!(other.code(), "key_reused");
    // The key counts only in this thread, and not for asking.
    scene.ask_with_key(question(), "k").await.unwrap();
    assert_eq!(tags(&scene).await.len(), 2);
}

pub async fn silence_is_told_and_so_is_what_is_asked(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    let owned = New { owner: format!("thread:{ID}").parse().ok(), ..question() };
    let id = scene.ask(New { timeout: Some(Span::from_secs(60)), ..owned.clone() }).await.id;
    assert_eq!(tags(&scene).await, ["thread:asked"]);
    scene.at(61);
    // Any write records the timeout.
    scene.ask(question()).await;
    assert_eq!(scene.decision(id).await.status, Status::TimedOut);
    assert_eq!(tags(&scene).await, ["thread:asked", "thread:replied"]);
    // In another project, or for an unknown thread, nothing is recorded in a thread.
    let elsewhere = scene.ask(New { project: Some("web".into()), ..owned }).await.id;
    scene.answer(elsewhere, "a").await.unwrap();
    let unknown = scene.ask(New { owner: "thread:other".parse().ok(), ..question() }).await.id;
    scene.answer(unknown, "a").await.unwrap();
    assert_eq!(tags(&scene).await.len(), 2);
    sound(&scene).await;
}

pub async fn reports_stay_with_the_decision(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    scene.submit(say("Pay?", vec![ask("q1")])).await.unwrap();
    let id = touched(&messages(&scene, MessageQuery::default()).await[0])[0];
    let report =
        |n: i64| ThreadAction::Report { id, message: "payment_result".into(), content: json!({ "n": n }) };
    scene.submit(say("Paid.", vec![report(1), report(2)])).await.unwrap();
    let decision = scene.decision(id).await;
    assert_eq!(decision.status, Status::Pending);
    assert_eq!(
        decision.reports.iter().map(|report| report.content["n"].as_i64()).collect::<Vec<_>>(),
        [Some(1), Some(2)]
    );
    let (by, actor) = (decision.reports[0].by.as_str(), decision.reports[0].actor.as_deref());
    assert_eq!((by, actor), ("ana", Some("shop")), "who sent it, and as whom");
    sound(&scene).await;
}

pub async fn agents_join_what_they_are_named_in(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let agent = |by: &str, credential: &str| Actor {
        auth: Auth::Token,
        role: Some(Role::Agent),
        credential: Some(credential.into()),
        ..Actor::claimed(by, "http")
    };
    let submit = |actor: Actor, projects: &[&str], command| {
        let projects = projects.iter().map(ToString::to_string).collect();
        scene.store.submit(Submission { actor, projects, ..scene.submission(command) })
    };
    submit(agent("opener", "t1"), &[], open("default")).await.unwrap();
    submit(agent("shop", "t2"), &[], say("I am named", vec![ask("r1")])).await.unwrap();
    let hidden = refusal(submit(agent("other", "t3"), &[], say("I am not", vec![])).await);
    assert_eq!(hidden.code(), "not_found");
    let elsewhere = refusal(submit(agent("shop", "t2"), &["web"], say("not here", vec![])).await);
    assert_eq!(elsewhere.code(), "forbidden");
    let owned = New { owner: format!("thread:{ID}").parse().ok(), ..question() };
    let forged = refusal(submit(agent("other", "t3"), &[], Command::Create(Box::new(owned))).await);
    assert_eq!(forged.code(), "not_found");
    // The asker may not answer, nor may anyone who is not assigned.
    let id = touched(&messages(&scene, MessageQuery::default()).await[0])[0];
    submit(agent("shop", "t2"), &[], say("b", vec![answer(id, "b")])).await.unwrap();
    submit(agent("opener", "t1"), &[], say("b", vec![answer(id, "b")])).await.unwrap();
    assert_eq!(scene.decision(id).await.status, Status::Pending);
    assert_eq!(tags(&scene).await.len(), 5);
}

pub async fn a_thread_goes_with_all_that_was_said(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    scene.submit(say("a secret", vec![ask("r1")])).await.unwrap();
    let owner = || format!("thread:{ID}").parse().unwrap();
    let end = || Command::EndOwner { project: "default".into(), owner: owner(), deleted: true };
    let thread = scene.store.thread(ID).await.unwrap().unwrap();
    scene.submit(end()).await.unwrap();
    assert_eq!(scene.store.thread(ID).await.unwrap(), None);
    assert!(scene.ids(Query::default()).await.is_empty());
    let left =
        scene.store.messages(&thread, &MessageQuery { limit: 9, ..MessageQuery::default() }).await.unwrap();
    let left: Vec<_> = left.iter().map(|logged| (logged.tag.as_str(), logged.body.is_some())).collect();
    assert_eq!(left, [("thread:posted", false), ("thread:removed", true)]);
    assert_eq!(scene.refused(end()).await.code(), "not_found");
    assert_eq!(scene.refused(say("again", vec![])).await.code(), "not_found");
    sound(&scene).await;
}

pub async fn the_log_brings_threads_back(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(open("default")).await.unwrap();
    scene.submit(say("hello", vec![])).await.unwrap();
    bench.tamper(Tampering::Threads).await;
    let found = scene.store.inspect(Repair::No).await.unwrap().findings;
    assert_eq!(found, ["the threads are not those of the log"]);
    scene.store.inspect(Repair::Rebuild).await.unwrap();
    sound(&scene).await;
    assert_eq!(tags(&scene).await, ["thread:posted"]);
}

pub async fn speakers_take_turns(bench: &dyn StoreHarness) {
    let scene = std::sync::Arc::new(Scene::new(bench).await);
    scene.submit(open("default")).await.unwrap();
    scene.submit(say("Which?", vec![ask("r1")])).await.unwrap();
    let id = touched(&messages(&scene, MessageQuery::default()).await[0])[0];
    let other = bench.open(crate::Options::default()).await;
    let mut tasks = Vec::new();
    for at in 0..40 {
        let store = if at % 2 == 0 { scene.store.clone() } else { other.clone() };
        let action = answer(id, if at % 4 < 2 { "a" } else { "b" });
        let submission = scene.submission(say("me first", vec![action]));
        tasks.push(tokio::spawn(async move { store.submit(submission).await.unwrap() }));
    }
    let mut places = Vec::new();
    for task in tasks {
        places.push(task.await.unwrap().place.unwrap());
    }
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 40, "no two have the same place");
    let chosen = scene.decision(id).await.answer.unwrap().values["choice"].clone();
    let said = messages(&scene, MessageQuery::default()).await;
    let refused = said.iter().filter(|logged| body(logged)["actor"] == SELF).count();
    assert_eq!(refused, 20, "everyone who did not say {chosen} is told so");
    sound(&scene).await;
}
