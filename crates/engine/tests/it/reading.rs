//! What a caller may not see is not there, by whatever door they look.

use std::time::Duration;

use holdpoint_core::decision::New;
use holdpoint_core::{Command, Decision, Refusal, Role, Values};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::{Client as _, Embedded, Error, ListQuery, Projects as _};

use crate::scene::{Scene, question, refusal};

fn client(scene: &Scene, caller: &Caller) -> Embedded {
    Embedded::of(scene.engine.clone(), caller.clone())
}

fn is_missing<T>(result: &holdpoint_engine::Result<T>) -> bool {
    matches!(result, Err(Error::NotFound(_)))
}

async fn listed(client: &Embedded) -> Vec<holdpoint_core::DecisionId> {
    let page = client.list(&ListQuery { limit: 50, ..ListQuery::default() }).await.unwrap();
    page.items.iter().map(|decision| decision.id).collect()
}

async fn tags(client: &Embedded) -> Vec<String> {
    let page = client.events(0, None, None, Duration::ZERO).await.unwrap();
    page.events.iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_agent_sees_its_own_and_what_it_is_asked() {
    let scene = Scene::new();
    let (one, two) = (scene.holder("a1", Role::Agent, &[]).await, scene.holder("a2", Role::Agent, &[]).await);
    let own = scene.ask(&one, question()).await;
    let asked = scene.ask(&Scene::root(), New { assignees: vec!["agent:a1".into()], ..question() }).await;
    let hidden = scene.ask(&two, question()).await;
    let client = client(&scene, &one);
    assert_eq!(listed(&client).await, [own.id, asked.id]);
    assert_eq!(client.get(&asked.id.to_string()).await.unwrap().id, asked.id);
    for name in [hidden.id.to_string(), hidden.id.suffix()[..6].to_owned()] {
        assert!(is_missing(&client.get(&name).await), "{name}");
    }
    assert!(is_missing(&client.wait(hidden.id, Some(Duration::ZERO)).await));
    let cancel = refusal(client.cancel(hidden.id, None).await);
    assert_eq!(cancel, Refusal::NotFound { what: "decision", id: hidden.id.to_string() });
    assert_eq!(tags(&client).await, ["decision:created", "decision:created"]);
}

#[tokio::test]
async fn prefixes_are_unique_among_what_one_may_see() {
    let scene = Scene::new();
    let person = scene.holder("ana", Role::Person, &["web"]).await;
    let mut seen = Vec::new();
    let mut hidden = Vec::new();
    for n in 0..80 {
        let project = if n % 8 == 0 { "web" } else { "app" };
        let new = New { project: Some(project.into()), ..question() };
        let decision = scene.ask(&Scene::root(), new).await;
        if project == "web" { seen.push(decision) } else { hidden.push(decision) }
    }
    let starts = |decision: &Decision, all: &[Decision]| {
        let first = &decision.id.suffix()[..1];
        all.iter().filter(|other| other.id.suffix().starts_with(first)).count()
    };
    let client = client(&scene, &person);
    let mut alone = 0;
    for decision in &seen {
        let found = client.get(&decision.id.suffix()[..1]).await;
        if starts(decision, &seen) == 1 {
            alone += usize::from(starts(decision, &hidden) > 0);
            assert_eq!(found.unwrap().id, decision.id);
        } else {
            let Err(Error::Ambiguous { candidates, .. }) = found else {
                panic!("{found:?} is not ambiguous")
            };
            assert!(candidates.iter().all(|candidate| candidate.project == "web"));
        }
    }
    assert!(alone > 0, "some were distinguished only because others are hidden");
}

#[tokio::test]
async fn drafts_reach_no_agent_by_any_way() {
    let scene = Scene::new();
    let agent = scene.holder("a1", Role::Agent, &[]).await;
    let person = scene.holder("ana", Role::Person, &[]).await;
    let asked =
        scene.ask(&agent, New { assignees: vec!["agent:a2".into(), "ana".into()], ..question() }).await;
    let helper = scene.holder("a2", Role::Agent, &[]).await;
    let draft = || Values::from_iter([("choice".to_owned(), "yes".into())]);
    let drafted = client(&scene, &person).draft(asked.id, draft()).await.unwrap();
    assert_eq!(drafted.draft.len(), 1);
    for agent in [&agent, &helper] {
        let client = client(&scene, agent);
        assert!(client.get(&asked.id.to_string()).await.unwrap().draft.is_empty());
        assert!(client.wait(asked.id, Some(Duration::ZERO)).await.unwrap().draft.is_empty());
        let page = client.list(&ListQuery { limit: 5, ..ListQuery::default() }).await.unwrap();
        assert!(page.items.iter().all(|decision| decision.draft.is_empty()));
        let events = client.events(0, None, None, Duration::ZERO).await.unwrap().events;
        assert!(
            events.iter().all(|event| !event.contains_key("draft") && event["type"] != "decision:drafted")
        );
    }
    let kept = client(&scene, &helper).draft(asked.id, draft()).await.unwrap();
    assert!(kept.draft.is_empty(), "not even when it writes the same");
    let cancelled = client(&scene, &agent).cancel(asked.id, None).await.unwrap();
    assert!(cancelled.draft.is_empty());
    let Refusal::Settled(outcome) = refusal(client(&scene, &agent).cancel(asked.id, Some("x".into())).await)
    else {
        panic!("it was cancelled");
    };
    assert!(outcome.draft.is_empty() && outcome.asked_with.is_none());
}

#[tokio::test]
async fn nobody_sees_the_credential_that_asked() {
    let scene = Scene::new();
    let agent = scene.holder("a1", Role::Agent, &[]).await;
    let asked = scene.ask(&agent, question()).await;
    assert_eq!(asked.asked_with, None);
    let root = client(&scene, &Scene::root());
    assert_eq!(root.get(&asked.id.to_string()).await.unwrap().asked_with, None);
    let events = root.events(0, None, None, Duration::ZERO).await.unwrap().events;
    assert!(events.iter().all(|event| !event.contains_key("asked_with")));
}

#[tokio::test]
async fn events_stay_in_their_projects() {
    let scene = Scene::new();
    let person = scene.holder("ana", Role::Person, &["web"]).await;
    let everywhere = scene.holder("bo", Role::Person, &[]).await;
    let admin = scene.holder("cy", Role::Admin, &[]).await;
    let bound = scene.holder("di", Role::Admin, &["web"]).await;
    scene.ask(&Scene::root(), New { project: Some("web".into()), ..question() }).await;
    scene.ask(&Scene::root(), New { project: Some("app".into()), ..question() }).await;
    assert_eq!(tags(&client(&scene, &person)).await, ["decision:created"]);
    assert_eq!(tags(&client(&scene, &bound)).await, ["decision:created"]);
    assert_eq!(tags(&client(&scene, &everywhere)).await, ["decision:created"; 2]);
    let all = tags(&client(&scene, &admin)).await;
    assert_eq!(all.iter().filter(|tag| *tag == "token:created").count(), 4);
}

#[tokio::test]
async fn what_was_erased_is_shown_only_to_who_sees_all() {
    let scene = Scene::new();
    let person = scene.holder("ana", Role::Person, &["web"]).await;
    let owner = "item:x".parse().unwrap();
    let new = New { project: Some("app".into()), owner: Some("item:x".parse().unwrap()), ..question() };
    scene.ask(&Scene::root(), new).await;
    let end = Command::EndOwner { project: "app".into(), owner, deleted: true };
    scene.engine.submit_for(&Scene::root(), end, None).await.unwrap();
    assert_eq!(tags(&client(&scene, &person)).await, Vec::<String>::new());
    assert_eq!(tags(&client(&scene, &Scene::root())).await.len(), 5);
    assert_eq!(client(&scene, &person).items(None).await.unwrap(), []);
    assert!(client(&scene, &person).projects().await.unwrap().iter().all(|project| project.name == "web"));
}

#[tokio::test]
async fn a_long_stretch_of_what_one_may_not_see_hides_nothing_behind_it() {
    let scene = Scene::new();
    let person = scene.holder("ana", Role::Person, &["web"]).await;
    for n in 0..600 {
        let item = Command::CreateItem { project: "app".into(), id: n.to_string(), title: None };
        scene.engine.submit_for(&Scene::root(), item, None).await.unwrap();
    }
    let asked = scene.ask(&Scene::root(), New { project: Some("web".into()), ..question() }).await;
    let page = client(&scene, &person).events(0, None, None, Duration::from_secs(30)).await.unwrap();
    assert_eq!(page.events.len(), 1);
    assert_eq!(page.events[0]["id"], asked.id.to_string());
}
