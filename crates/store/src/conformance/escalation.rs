//! Escalation steps are taken once over all handles; changes of stand-ins and removals of people count on every handle
//! at once.

use std::sync::Arc;

use holdpoint_core::decision::{Attention, New};
use holdpoint_core::people::{AbsenceCommand, NewAbsence};
use holdpoint_core::{Actor, Auth, Command, DecisionId, Lane, Occasion, Role, SecretHash, Span, Status};
use serde_json::json;

use super::people::{ask, group, known, needing, peopled, person, vote, vote_at};
use super::scene::refusal;
use super::{Scene, StoreHarness, question};
use crate::{Options, OutboxState, Outcome, Repair, Route, Store, Submission, Target};

fn escalating(steps: &[&str]) -> New {
    New { escalation: steps.iter().map(|step| step.parse().unwrap()).collect(), ..question() }
}

async fn fire(scene: &Scene, store: &dyn Store, id: DecisionId) -> Outcome {
    let submission = Submission { actor: Actor::system(), ..scene.submission(Command::Escalate { id }) };
    store.submit(submission).await.unwrap()
}

async fn away(scene: &Scene, person: &str, stand_in: &str) {
    let until = scene.now().checked_add(Span::from_secs(3_600));
    let new = NewAbsence { stand_in: stand_in.into(), from: None, until, project: None };
    let command = AbsenceCommand::Add(new);
    scene.submit(Command::Absence { person: person.into(), command }).await.unwrap();
}

pub async fn a_step_is_taken_once_over_all_handles(bench: &dyn StoreHarness) {
    let scene = Arc::new(peopled(bench).await);
    let other = bench.open(Options::default()).await;
    group(&scene, "oncall", &["ben", "cem"]).await;
    let route = |lane, target| Route::new(Occasion::Create, lane, target);
    scene.route(&[
        route(Lane::Mail, Target::EachAssignee),
        route(Lane::Ntfy, Target::EachAssigneeOr(vec!["dan".into()])),
        Route::new(Occasion::Escalate, Lane::Hook, "on_decision_escalate"),
        Route::new(Occasion::Respond, Lane::Hook, "on_decision_respond"),
        Route::new(Occasion::Escalate, Lane::Mail, Target::EachAssignee),
    ]);
    let id = ask(&scene, escalating(&["after=10m tell=group:oncall", "after=20m remind"])).await.id;
    let before = scene.store.outbox_entries(OutboxState::Queued, None, 100).await.unwrap().len();
    assert_eq!(before, 1, "dan is told that it is asked");
    scene.at(600);
    let (one, two) = tokio::join!(fire(&scene, &*scene.store, id), fire(&scene, &*other, id));
    assert_eq!([one, two].iter().filter(|outcome| outcome.replayed).count(), 1);
    let rows = scene.store.outbox_entries(OutboxState::Queued, None, 100).await.unwrap();
    let mut rows: Vec<(Lane, String)> =
        rows.into_iter().skip(before).map(|row| (row.lane, row.target)).collect();
    rows.sort_by_key(|(lane, target)| (lane.name(), target.clone()));
    let expected = [
        (Lane::Hook, "on_decision_escalate"),
        (Lane::Mail, "ben"),
        (Lane::Mail, "cem"),
        (Lane::Ntfy, "ben"),
        (Lane::Ntfy, "cem"),
    ];
    assert_eq!(rows, expected.map(|(lane, target)| (lane, target.to_owned())));
    scene.at(1_200);
    fire(&scene, &*other, id).await;
    let rows = scene.store.outbox_entries(OutboxState::Queued, None, 100).await.unwrap();
    let reminded: Vec<String> = rows
        .into_iter()
        .skip(before + 5)
        .filter(|row| row.lane.is_personal())
        .map(|row| row.target)
        .collect();
    assert_eq!(reminded, ["dan"], "where nobody is asked in particular, a reminder goes where the ask went");
    // A person who is reminded, and also gets notices of escalations, is notified once.
    let asked = New { assignees: vec!["ben".into()], ..escalating(&["after=10m remind"]) };
    let asked = ask(&scene, asked).await.id;
    let told = async || {
        let rows = scene.store.outbox_entries(OutboxState::Queued, Some(Lane::Mail), 100).await.unwrap();
        rows.iter().filter(|row| row.decision == Some(asked)).count()
    };
    assert_eq!(told().await, 1);
    scene.at(1_800);
    fire(&scene, &*other, asked).await;
    assert_eq!(told().await, 2);
    assert_eq!(scene.decision(id).await.status, Status::Pending);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn what_is_due_is_found_by_its_time(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    assert_eq!(scene.store.next_escalation().await.unwrap(), None);
    let late = scene.ask(escalating(&["after=30s tell=ana"])).await;
    let soon = scene.ask(escalating(&["after=10s tell=ana every=40s times=1"])).await;
    scene.ask(question()).await;
    assert_eq!(scene.store.next_escalation().await.unwrap(), soon.escalates_at());
    scene.at(9);
    assert_eq!(scene.store.escalating(scene.now(), 10).await.unwrap(), []);
    scene.at(40);
    assert_eq!(scene.store.escalating(scene.now(), 10).await.unwrap(), [soon.id, late.id]);
    assert_eq!(scene.store.escalating(scene.now(), 1).await.unwrap(), [soon.id]);
    fire(&scene, &*scene.store, soon.id).await;
    assert_eq!(scene.store.escalating(scene.now(), 10).await.unwrap(), [late.id]);
    scene.submit(Command::Attend { id: late.id, attention: Attention::Take }).await.unwrap();
    assert_eq!(scene.store.escalating(scene.now(), 10).await.unwrap(), [], "somebody is on it");
    assert_eq!(scene.store.next_escalation().await.unwrap(), scene.decision(soon.id).await.escalates_at());
    for id in [late.id, soon.id] {
        scene.answer(id, "a").await.unwrap();
    }
    assert_eq!(scene.store.next_escalation().await.unwrap(), None);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn steps_go_on_when_the_clock_is_stepped_back(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(escalating(&["after=100s tell=ana", "after=200s tell=ben"])).await.id;
    scene.at(100);
    assert!(!fire(&scene, &*scene.store, id).await.replayed);
    // The clock goes back an hour: time continues from the last event.
    scene.at(-3_500);
    assert!(fire(&scene, &*scene.store, id).await.replayed);
    scene.at(-3_399);
    assert!(!fire(&scene, &*scene.store, id).await.replayed, "the second step comes 100 s after the first");
    assert!(fire(&scene, &*scene.store, id).await.replayed);
    assert_eq!(scene.decision(id).await.escalates_at(), None);
}

pub async fn stand_ins_count_on_every_handle_at_once(bench: &dyn StoreHarness) {
    let scene = peopled(bench).await;
    let other = bench.open(Options::default()).await;
    let needs = json!({"approvals": 2, "from": ["ben", "cem"]});
    let id = ask(&scene, needing(needs)).await.id;
    assert!(refusal(vote_at(&*other, &scene, person("dan"), id, "a").await).to_string().contains("ben"));
    away(&scene, "ben", "dan").await;
    let open = vote_at(&*other, &scene, person("dan"), id, "a").await.unwrap().decision.unwrap();
    assert_eq!(open.votes[0].signed(), "dan for ben");
    let settled = vote(&scene, "cem", id, "a").await.unwrap().decision.unwrap();
    assert_eq!(settled.status, Status::Answered);
    let asked = ask(&scene, New { assignees: vec!["ben".into()], ..question() }).await.id;
    let as_person = |name: &str| Actor { role: Some(Role::Person), ..person(name) };
    assert!(vote_at(&*other, &scene, as_person("eva"), asked, "a").await.is_err());
    let answered = vote_at(&*other, &scene, as_person("dan"), asked, "a").await.unwrap().decision.unwrap();
    assert_eq!(answered.answer.clone().unwrap().on_behalf_of.as_deref(), Some("ben"));
    let end = AbsenceCommand::End { project: None };
    scene.submit(Command::Absence { person: "ben".into(), command: end }).await.unwrap();
    assert_eq!(crate::roster(&*other).await.unwrap().absences().count(), 0);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn who_is_gone_takes_their_vote_along_and_comes_back_as_somebody_else(bench: &dyn StoreHarness) {
    let scene = peopled(bench).await;
    let create = Command::CreateToken {
        id: "tok-laptop".into(),
        name: "laptop".into(),
        role: Role::Person,
        projects: Vec::new(),
        permissions: Vec::new(),
        expires_at: None,
        owner: Some("ben".into()),
        hash: SecretHash([7; 32]),
    };
    scene.submit(create).await.unwrap();
    let laptop = Actor {
        auth: Auth::Token,
        role: Some(Role::Person),
        credential: Some("tok-laptop".into()),
        owner: Some("ben".into()),
        ..Actor::claimed("laptop", "http")
    };
    let id = ask(&scene, needing(json!({"approvals": 2}))).await.id;
    group(&scene, "release", &["ben", "cem"]).await;
    group(&scene, "all", &["dan", "group:release"]).await;
    away(&scene, "ben", "dan").await;
    away(&scene, "cem", "ben").await;
    away(&scene, "eva", "cem").await;
    scene.at(1);
    vote_at(&*scene.store, &scene, laptop.clone(), id, "a").await.unwrap();
    scene.at(2);
    scene.submit(Command::RemovePerson { name: "ben".into() }).await.unwrap();
    let roster = crate::roster(&*bench.open(Options::default()).await).await.unwrap();
    assert_eq!(roster.people("all").into_iter().collect::<Vec<_>>(), ["cem", "dan"], "ben left with it");
    let away: Vec<&str> = roster.absences().map(|absence| absence.person.as_str()).collect();
    assert_eq!(away, ["eva"], "he neither is away nor stands in");
    let open = vote(&scene, "cem", id, "a").await.unwrap().decision.unwrap();
    assert_eq!(open.status, Status::Pending, "ben is gone");
    scene.at(3);
    known(&scene, "ben").await;
    scene.at(4);
    let old = refusal(vote_at(&*scene.store, &scene, laptop, id, "a").await);
    assert!(old.to_string().contains("was made before"), "{old}");
    let open = vote(&scene, "cem", id, "b").await.unwrap().decision.unwrap();
    assert_eq!(open.status, Status::Pending);
    let clear = Command::ClearVotes { id, person: "ben".into() };
    let cleared = Submission { actor: Actor::system(), ..scene.submission(clear) };
    let cleared = scene.store.submit(cleared).await.unwrap().decision.unwrap();
    assert_eq!(cleared.votes.iter().map(|vote| vote.by.as_str()).collect::<Vec<_>>(), ["cem"]);
    let settled = vote(&scene, "ben", id, "b").await.unwrap().decision.unwrap();
    assert_eq!(settled.status, Status::Answered, "the new ben has a vote");
    let other = ask(&scene, needing(json!({"approvals": 1, "from": ["group:release"]}))).await.id;
    let stranger = refusal(vote(&scene, "ben", other, "a").await).to_string();
    assert!(stranger.contains("release"), "the new ben is in no group: {stranger}");
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}

pub async fn whom_a_step_asks_too_takes_it_from_nobody(bench: &dyn StoreHarness) {
    let scene = peopled(bench).await;
    let other = bench.open(Options::default()).await;
    let as_person = |name: &str| Actor { role: Some(Role::Person), ..person(name) };
    let open = ask(&scene, escalating(&["after=10m assign=ben"])).await.id;
    let asked = New { assignees: vec!["cem".into()], ..escalating(&["after=10m assign=ben"]) };
    let asked = ask(&scene, asked).await.id;
    scene.at(600);
    for id in [open, asked] {
        fire(&scene, &*other, id).await;
    }
    // Nobody was assigned: anyone could answer, and still can.
    let answered =
        vote_at(&*scene.store, &scene, as_person("eva"), open, "a").await.unwrap().decision.unwrap();
    assert_eq!((answered.status, answered.assignees.as_slice()), (Status::Answered, &["ben".to_owned()][..]));
    let refused = refusal(vote_at(&*scene.store, &scene, as_person("eva"), asked, "a").await).to_string();
    assert!(refused.contains("only the people who were asked"), "{refused}");
    vote_at(&*scene.store, &scene, as_person("ben"), asked, "a").await.unwrap();
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [""; 0]);
}
