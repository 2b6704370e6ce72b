//! Decisions that take several people: votes, policies, groups and owners of tokens, on every handle of the store.

use std::sync::Arc;

use holdpoint_core::decision::New;
use holdpoint_core::people::{GroupChange, NewPolicy, PolicyCommand};
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, PasswordHash, Refusal, Role, SecretHash, Status,
};
use serde_json::{Value, json};

use super::scene::refusal;
use super::{Scene, StoreHarness, choose, question};
use crate::{Error, Options, Outcome, Repair, Store, Submission};

pub(super) fn person(name: &str) -> Actor {
    Actor {
        auth: Auth::Session,
        role: Some(Role::Admin),
        credential: Some(format!("person:{name}")),
        ..Actor::claimed(name, "web")
    }
}

pub(super) fn agent(owner: Option<&str>) -> Actor {
    Actor {
        auth: Auth::Token,
        role: Some(Role::Agent),
        credential: Some("tok-ci".into()),
        owner: owner.map(str::to_owned),
        ..Actor::claimed("ci", "http")
    }
}

pub(super) fn needing(needs: Value) -> New {
    New { needs: Some(serde_json::from_value(needs).unwrap()), ..question() }
}

pub(super) async fn ask(scene: &Scene, new: New) -> Decision {
    let create = Command::Create(Box::new(new));
    let submission = Submission { actor: agent(Some("ana")), ..scene.submission(create) };
    scene.store.submit(submission).await.unwrap().decision.unwrap().into_decision()
}

pub(super) async fn vote_at(
    store: &dyn Store,
    scene: &Scene,
    actor: Actor,
    id: DecisionId,
    choice: &str,
) -> Result<Outcome, Error> {
    store.submit(Submission { actor, ..scene.submission(choose(id, choice)) }).await
}

pub(super) async fn vote(scene: &Scene, name: &str, id: DecisionId, choice: &str) -> Result<Outcome, Error> {
    vote_at(&*scene.store, scene, person(name), id, choice).await
}

pub(super) async fn group(scene: &Scene, name: &str, members: &[&str]) {
    let add = members.iter().map(ToString::to_string).collect();
    let change = GroupChange { add, ..GroupChange::default() };
    scene.submit(Command::Group { name: name.into(), change }).await.unwrap();
}

pub(super) async fn known(scene: &Scene, name: &str) {
    let password = Some(PasswordHash::new("x"));
    let (name, role) = (name.to_owned(), Role::Person);
    scene
        .submit(Command::PutPerson { name, role, email: None, projects: Vec::new(), password })
        .await
        .unwrap();
}

/// Makes a scene with some known people.
pub(super) async fn peopled(bench: &dyn StoreHarness) -> Scene {
    let scene = Scene::new(bench).await;
    for name in ["ben", "cem", "dan", "eva"] {
        known(&scene, name).await;
    }
    scene
}

pub async fn votes_are_kept_and_the_last_one_settles(bench: &dyn StoreHarness) {
    let scene = peopled(bench).await;
    let other = bench.open(Options::default()).await;
    let id = ask(&scene, needing(json!({"approvals": 2}))).await.id;
    let first = vote(&scene, "ben", id, "a").await.unwrap();
    assert_eq!((first.events, first.decision.unwrap().status), (1, Status::Pending));
    assert!(vote(&scene, "ben", id, "a").await.unwrap().replayed);
    let last = vote_at(&*other, &scene, person("cem"), id, "a").await.unwrap();
    let settled = last.decision.unwrap();
    assert_eq!((last.events, settled.status, settled.votes.len()), (2, Status::Answered, 2));
    assert_eq!(scene.decision(id).await, *settled);
    assert!(matches!(refusal(vote(&scene, "dan", id, "b").await), Refusal::Settled(_)));
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn of_two_last_votes_at_once_one_settles(bench: &dyn StoreHarness) {
    let scene = Arc::new(peopled(bench).await);
    let other = bench.open(Options::default()).await;
    for _ in 0..10 {
        let id = ask(&scene, needing(json!({"approvals": 2}))).await.id;
        vote(&scene, "ben", id, "a").await.unwrap();
        let (one, two) = tokio::join!(
            vote_at(&*scene.store, &scene, person("cem"), id, "a"),
            vote_at(&*other, &scene, person("dan"), id, "a"),
        );
        let settling = [one, two].into_iter().filter(|outcome| match outcome {
            Ok(outcome) => outcome.events == 2,
            Err(Error::Refused(Refusal::Settled(_))) => false,
            Err(error) => panic!("{error}"),
        });
        assert_eq!(settling.count(), 1);
        assert_eq!(scene.decision(id).await.votes.len(), 2);
    }
}

pub async fn groups_count_on_every_handle_at_once(bench: &dyn StoreHarness) {
    let scene = peopled(bench).await;
    let other = bench.open(Options::default()).await;
    group(&scene, "release", &["ben", "eva"]).await;
    let id = ask(&scene, needing(json!({"approvals": 2, "from": ["group:release"]}))).await.id;
    let outside = refusal(vote_at(&*other, &scene, person("cem"), id, "a").await);
    assert!(outside.to_string().contains("group:release"), "{outside}");
    vote_at(&*other, &scene, person("ben"), id, "a").await.unwrap();
    group(&scene, "release", &["cem"]).await;
    let settled = vote_at(&*other, &scene, person("cem"), id, "a").await.unwrap();
    assert_eq!(settled.decision.unwrap().status, Status::Answered);
    assert_eq!(crate::roster(&*other).await.unwrap().people("release").len(), 3);
    let gone = GroupChange { delete: true, ..GroupChange::default() };
    scene.submit(Command::Group { name: "release".into(), change: gone }).await.unwrap();
    assert_eq!(crate::roster(&*other).await.unwrap().groups().count(), 0);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn policies_count_on_every_handle_at_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let new: NewPolicy =
        serde_json::from_value(json!({"when": {"asked_by": "ci"}, "needs": {"approvals": 2}})).unwrap();
    let add = PolicyCommand::Add { id: "pol-1".into(), new: Box::new(new) };
    let add = Command::Policy { project: "default".into(), command: add };
    let before = ask(&scene, question()).await;
    assert_eq!(before.needs, None);
    scene.store.submit(Submission { actor: person("ana"), ..scene.submission(add) }).await.unwrap();
    let create =
        || Submission { actor: agent(None), ..scene.submission(Command::Create(Box::new(question()))) };
    let asked = other.submit(create()).await.unwrap().decision.unwrap();
    assert_eq!(asked.needs.clone().unwrap().approvals, 2);
    let revision = serde_json::from_value(json!({"prompt": "Which one?"})).unwrap();
    let revise = Command::Revise { id: before.id, revision: Box::new(revision) };
    let revised = Submission { actor: agent(None), ..scene.submission(revise) };
    assert_eq!(other.submit(revised).await.unwrap().decision.unwrap().needs.clone().unwrap().approvals, 2);
    let remove = PolicyCommand::Remove { id: "pol-1".into() };
    scene.submit(Command::Policy { project: "default".into(), command: remove }).await.unwrap();
    assert_eq!(other.submit(create()).await.unwrap().decision.unwrap().needs, None);
}

pub async fn a_token_votes_for_the_person_who_owns_it(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let create = |owner: &str| Command::CreateToken {
        id: "tok-laptop".into(),
        name: "laptop".into(),
        role: Role::Person,
        projects: Vec::new(),
        permissions: Vec::new(),
        expires_at: None,
        owner: Some(owner.into()),
        hash: SecretHash([7; 32]),
    };
    let unknown = scene.refused(create("ben")).await;
    assert!(unknown.to_string().contains("unknown person"), "{unknown}");
    known(&scene, "ben").await;
    scene.submit(create("ben")).await.unwrap();
    let token = scene.store.token_by_hash(&SecretHash([7; 32])).await.unwrap().unwrap();
    assert_eq!(token.owner.as_deref(), Some("ben"));
    let laptop = Actor {
        auth: Auth::Token,
        role: Some(Role::Person),
        credential: Some("tok-laptop".into()),
        owner: token.owner,
        ..Actor::claimed("laptop", "http")
    };
    let id = ask(&scene, needing(json!({"approvals": 2}))).await.id;
    vote(&scene, "ben", id, "a").await.unwrap();
    let again = vote_at(&*scene.store, &scene, laptop.clone(), id, "a").await.unwrap();
    assert!(again.replayed, "it is the same person");
    scene.submit(Command::RemovePerson { name: "ben".into() }).await.unwrap();
    let gone = refusal(vote_at(&*scene.store, &scene, laptop, id, "b").await);
    assert!(gone.to_string().contains("no known person"), "{gone}");
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn a_revision_clears_the_votes(bench: &dyn StoreHarness) {
    let scene = peopled(bench).await;
    let id = ask(&scene, needing(json!({"approvals": 2}))).await.id;
    vote(&scene, "ben", id, "a").await.unwrap();
    let revision = serde_json::from_value(json!({"prompt": "Which one?"})).unwrap();
    let revise = Command::Revise { id, revision: Box::new(revision) };
    let revised = Submission { actor: agent(Some("ana")), ..scene.submission(revise) };
    assert!(scene.store.submit(revised).await.unwrap().decision.unwrap().votes.is_empty());
    let query = crate::EventQuery { decision: Some(id), limit: 10, ..crate::EventQuery::default() };
    let last = scene.store.events(&query).await.unwrap().pop().unwrap();
    assert_eq!(last.body.unwrap()["cleared"], json!(["ben"]));
    assert_eq!(vote(&scene, "cem", id, "a").await.unwrap().decision.unwrap().status, Status::Pending);
}
