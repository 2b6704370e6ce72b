//! Standing rules: decided in the transaction that asks, on every handle of the store.

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{
    Actor, Auth, Command, Decision, NewRule, PasswordHash, Role, RuleCommand, RuleStatus, SecretHash, Status,
};
use serde_json::{Value, json};

use super::{Scene, StoreHarness};
use crate::{EventQuery, Options, Repair, Store, Submission};

fn ana() -> Actor {
    Actor {
        auth: Auth::Session,
        role: Some(Role::Admin),
        credential: Some("person:ana".into()),
        ..Actor::claimed("ana", "web")
    }
}

fn coder() -> Actor {
    Actor {
        auth: Auth::Token,
        role: Some(Role::Agent),
        credential: Some("tok-coder".into()),
        ..Actor::claimed("coder", "http")
    }
}

async fn person(scene: &Scene, role: Role) {
    let password = Some(PasswordHash::new("x"));
    let put = Command::PutPerson { name: "ana".into(), role, email: None, projects: Vec::new(), password };
    scene.submit(put).await.unwrap();
}

async fn add(scene: &Scene, id: &str, rule: Value) {
    let new: NewRule = serde_json::from_value(rule).unwrap();
    let command = RuleCommand::Create { id: id.into(), new: Box::new(new) };
    let command = Command::Rule { project: "default".into(), command };
    scene.store.submit(Submission { actor: ana(), ..scene.submission(command) }).await.unwrap();
}

fn ls() -> Value {
    json!({"then": "allow", "when": {"asked_by": "coder", "command": {"words": ["ls"]}}})
}

fn command(text: &str) -> New {
    serde_json::from_value(json!({"title": "May I?", "subject": {"command": text}, "fields": [
        {"id": "choice", "kind": "confirm", "options": [{"id": "y", "label": "Yes"},
            {"id": "n", "label": "No", "refuses": true}]}]}))
    .unwrap()
}

async fn ask_at(store: &dyn Store, scene: &Scene, text: &str) -> Decision {
    let create = Command::Create(Box::new(command(text)));
    let submission = Submission { actor: coder(), ..scene.submission(create) };
    store.submit(submission).await.unwrap().decision.unwrap().into_decision()
}

async fn ask(scene: &Scene, text: &str) -> Status {
    ask_at(&*scene.store, scene, text).await.status
}

pub async fn a_rule_settles_what_it_matches_as_it_is_asked(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    person(&scene, Role::Person).await;
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
    add(&scene, "rul-1", ls()).await;
    let decision = ask_at(&*scene.store, &scene, "ls").await;
    assert_eq!(decision.answer.as_ref().unwrap().by, "rule:rul-1");
    assert_eq!(scene.decision(decision.id).await, decision);
    assert_eq!(ask(&scene, "ls; rm x").await, Status::Pending);
    let revoke = RuleCommand::Revoke { id: "rul-1".into() };
    scene.submit(Command::Rule { project: "default".into(), command: revoke }).await.unwrap();
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn rules_count_on_every_handle_at_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    person(&scene, Role::Person).await;
    assert_eq!(ask_at(&*other, &scene, "ls").await.status, Status::Pending);
    add(&scene, "rul-1", ls()).await;
    assert_eq!(ask_at(&*other, &scene, "ls").await.status, Status::Answered);
    let revoke = RuleCommand::Revoke { id: "rul-1".into() };
    scene.submit(Command::Rule { project: "default".into(), command: revoke }).await.unwrap();
    assert_eq!(ask_at(&*other, &scene, "ls").await.status, Status::Pending);
}

pub async fn a_limited_rule_answers_only_so_often(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    person(&scene, Role::Person).await;
    let mut rule = ls();
    rule["uses"] = json!(2);
    add(&scene, "rul-1", rule).await;
    assert_eq!(ask(&scene, "ls").await, Status::Answered);
    assert_eq!(ask_at(&*other, &scene, "ls").await.status, Status::Answered);
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
    let rules = crate::rules(&*scene.store, "default").await.unwrap();
    assert_eq!(rules.status(rules.get("rul-1").unwrap(), scene.now()), RuleStatus::Exhausted);
    assert_eq!(crate::rule_uses(&*scene.store, "rul-1").await.unwrap(), 2);
}

pub async fn a_rule_trips_as_the_settings_say(bench: &dyn StoreHarness) {
    let scene = Scene::with(bench, Options { trip_limit: 2, ..Options::default() }).await;
    person(&scene, Role::Person).await;
    add(&scene, "rul-1", ls()).await;
    for status in [Status::Answered, Status::Answered, Status::Pending] {
        assert_eq!(ask(&scene, "ls").await, status);
    }
    let rules = crate::rules(&*scene.store, "default").await.unwrap();
    assert_eq!(rules.status(rules.get("rul-1").unwrap(), scene.now()), RuleStatus::Tripped);
}

pub async fn who_made_a_rule_that_trips_is_asked_once_and_answers_on_any_handle(bench: &dyn StoreHarness) {
    let options = || Options { trip_limit: 2, ..Options::default() };
    let scene = Scene::with(bench, options()).await;
    let other = bench.open(options()).await;
    person(&scene, Role::Person).await;
    add(&scene, "rul-1", ls()).await;
    let trip = async || {
        for status in [Status::Answered, Status::Answered, Status::Pending] {
            assert_eq!(ask(&scene, "ls").await, status);
        }
        // Neither handle continues, and neither asks again.
        assert_eq!(ask(&scene, "ls").await, Status::Pending);
        assert_eq!(ask_at(&*other, &scene, "ls").await.status, Status::Pending);
        let rules = crate::rules(&*scene.store, "default").await.unwrap();
        scene.decision(rules.asked_whether("rul-1").unwrap()).await
    };
    let answer = async |question: &Decision, choice: &str| {
        let (choice, digest) = (Some(choice.into()), Some(question.digest.clone()));
        let input = Box::new(AnswerInput { choice, digest, ..AnswerInput::default() });
        let submission = scene.submission(Command::Answer { id: question.id, input });
        other.submit(Submission { actor: ana(), ..submission }).await.unwrap();
        let rules = crate::rules(&*scene.store, "default").await.unwrap();
        rules.status(rules.get("rul-1").unwrap(), scene.now())
    };
    let question = trip().await;
    assert_eq!(
        (question.rule.as_deref(), question.assignees.as_slice()),
        (Some("rul-1"), &["ana".to_owned()][..])
    );
    scene.at(120);
    assert_eq!(answer(&question, "resume").await, RuleStatus::Active);
    let again = trip().await;
    assert_ne!(again.id, question.id);
    assert_eq!(answer(&again, "revoke").await, RuleStatus::Revoked);
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn a_rule_whose_time_is_over_is_recorded_with_the_next_ask(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    person(&scene, Role::Person).await;
    let mut rule = ls();
    rule["lasts"] = json!("1h");
    add(&scene, "rul-1", rule.clone()).await;
    rule["lasts"] = json!("2h");
    add(&scene, "rul-2", rule).await;
    let recorded = async || {
        let events = scene.store.events(&EventQuery { limit: 100, ..EventQuery::default() }).await.unwrap();
        let over = events.into_iter().filter(|event| event.tag == "rule:expired");
        over.map(|event| event.body.unwrap()["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    scene.at(3_599);
    assert_eq!(ask(&scene, "ls").await, Status::Answered);
    assert_eq!(recorded().await, [""; 0]);
    scene.at(3_600);
    assert_eq!(ask_at(&*scene.store, &scene, "ls").await.answer.unwrap().by, "rule:rul-2");
    assert_eq!(ask(&scene, "pwd").await, Status::Pending);
    assert_eq!(recorded().await, ["rul-1"], "once");
    scene.at(7_200);
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
    assert_eq!(recorded().await, ["rul-1", "rul-2"]);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn a_person_who_is_gone_takes_their_rules_along(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    person(&scene, Role::Person).await;
    add(&scene, "rul-1", ls()).await;
    assert_eq!(ask(&scene, "ls").await, Status::Answered);
    scene.submit(Command::RemovePerson { name: "ana".into() }).await.unwrap();
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
}

async fn add_by_token(scene: &Scene, owner: Option<&str>) {
    let token = Command::CreateToken {
        id: "tok-ana".into(),
        name: "ana".into(),
        role: Role::Person,
        projects: Vec::new(),
        permissions: Vec::new(),
        expires_at: None,
        owner: owner.map(str::to_owned),
        hash: SecretHash([7; 32]),
    };
    scene.submit(token).await.unwrap();
    let new: NewRule = serde_json::from_value(ls()).unwrap();
    let create = RuleCommand::Create { id: "rul-1".into(), new: Box::new(new) };
    let create = Command::Rule { project: "default".into(), command: create };
    let actor = Actor { auth: Auth::Token, credential: Some("tok-ana".into()), ..ana() };
    scene.store.submit(Submission { actor, ..scene.submission(create) }).await.unwrap();
}

pub async fn a_token_that_is_revoked_takes_its_rules_along(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    add_by_token(&scene, None).await;
    assert_eq!(ask(&scene, "ls").await, Status::Answered);
    scene.submit(Command::RevokeToken { id: "tok-ana".into() }).await.unwrap();
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
}

pub async fn a_person_who_is_gone_takes_the_rules_of_their_tokens_along(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    person(&scene, Role::Person).await;
    add_by_token(&scene, Some("ana")).await;
    assert_eq!(ask(&scene, "ls").await, Status::Answered);
    scene.submit(Command::RemovePerson { name: "ana".into() }).await.unwrap();
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
    // A later person with the same name did not make the rule.
    scene.at(60);
    person(&scene, Role::Person).await;
    assert_eq!(ask(&scene, "ls").await, Status::Pending);
}
