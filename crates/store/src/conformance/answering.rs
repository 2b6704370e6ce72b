//! What happens to a decision once it is asked.

use holdpoint_core::decision::{AnswerInput, DraftInput, New, Requirements, Revision};
use holdpoint_core::{Command, Decision, DecisionId, Field, Kind, Opt, Refusal, Status, Values};
use serde_json::{Value, json};

use super::scene::refusal;
use super::{Scene, StoreHarness, Tampering, question};
use crate::{Error, EventQuery, Submission};

pub async fn first_answer_wins(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    let first = scene.answer(id, "a").await.unwrap();
    assert_eq!((first.events, first.replayed), (1, false));
    let again = scene.answer(id, "a").await.unwrap();
    assert_eq!((again.events, again.replayed, again.seq), (0, true, first.seq));
    assert_eq!(again.decision, first.decision);
    let Refusal::Settled(outcome) = scene.refused(super::choose(id, "b")).await else { unreachable!() };
    assert_eq!(Some(&*outcome), first.decision.as_deref());
    assert_eq!(scene.decision(id).await.answer.unwrap().values, values("choice", "a"));
}

pub async fn several_are_answered_in_one_transaction(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(scene.ask(question()).await.id);
    }
    scene.answer(ids[1], "b").await.unwrap();
    let before = scene.store.head().await.unwrap().seq;
    let all = ids.iter().map(|id| scene.submission(super::choose(*id, "a"))).collect();
    let outcomes = scene.store.submit_all(all).await.unwrap();
    let refused: Vec<bool> = outcomes.iter().map(Result::is_err).collect();
    assert_eq!(refused, [false, true, false, false]);
    assert!(matches!(&outcomes[1], Err(Error::Refused(Refusal::Settled(_)))));
    // They share a batch: none of them saw less of the log than the others.
    let seqs: Vec<i64> = outcomes.iter().flatten().map(|outcome| outcome.seq).collect();
    assert!(seqs.iter().all(|seq| (before + 1..=before + 3).contains(seq)), "{before}: {seqs:?}");
    assert_eq!(scene.store.head().await.unwrap().seq, before + 3);
    for id in [ids[0], ids[2], ids[3]] {
        assert_eq!(scene.decision(id).await.answer.unwrap().values, values("choice", "a"));
    }
    assert!(scene.store.submit_all(Vec::new()).await.unwrap().is_empty());
}

pub async fn guidance_opens_the_next_round(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    let outcome = scene.submit(guide(id, "smaller, please")).await.unwrap();
    let (closed, next) = (outcome.decision.unwrap(), outcome.next.unwrap());
    assert_eq!((closed.status, closed.next), (Status::Refined, Some(next.id)));
    assert_eq!(
        (next.iteration, next.prior, next.guidance.as_deref()),
        (2, Some(id), Some("smaller, please"))
    );
    assert_eq!(scene.decision(next.id).await, *next);
    scene.answer(next.id, "_accept").await.unwrap();
    let third = scene.ask(New { max_iterations: Some(1), ..question() }).await.id;
    assert_eq!(scene.refused(guide(third, "more")).await, Refusal::LastRound { id: third, round: 1 });
}

pub async fn revising_keeps_the_id(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let made = scene.ask(question()).await;
    let revision = Revision { prompt: Some("Which now?".into()), ..Revision::default() };
    let revised = scene.submit(Command::Revise { id: made.id, revision: Box::new(revision) }).await.unwrap();
    let revised = revised.decision.unwrap();
    assert_eq!((revised.id, revised.prompt.as_deref()), (made.id, Some("Which now?")));
    assert_ne!(revised.digest, made.digest);
    let stale =
        AnswerInput { choice: Some("a".into()), digest: Some(made.digest.clone()), ..AnswerInput::default() };
    let refusal = scene.refused(Command::Answer { id: made.id, input: Box::new(stale) }).await;
    assert_eq!(refusal, Refusal::Stale { id: made.id, digest: revised.digest.clone() });
    // A caller that revises what another has revised meanwhile must read it again.
    let over = |digest: &str| {
        let revision =
            Revision { prompt: Some("Or now?".into()), over: Some(digest.into()), ..Revision::default() };
        Command::Revise { id: made.id, revision: Box::new(revision) }
    };
    assert_eq!(scene.refused(over(&made.digest)).await.code(), "stale");
    scene.submit(over(&revised.digest)).await.unwrap();
}

pub async fn drafts_are_kept(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    let draft = values("choice", "b");
    scene.submit(Command::Draft { id, input: Box::new(draft.clone().into()) }).await.unwrap();
    assert_eq!(scene.decision(id).await.draft, draft);
    assert!(scene.submit(Command::Draft { id, input: Box::new(draft.into()) }).await.unwrap().replayed);
}

pub async fn talk_is_kept_with_the_draft(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    let draft = values("choice", "b");
    let turn = |over: &Values, talk: Option<Value>| {
        let input = DraftInput { values: draft.clone(), over: Some(over.clone()), talk };
        Command::Draft { id, input: Box::new(input) }
    };
    scene.submit(turn(&Values::new(), Some(json!({"turn": 1})))).await.unwrap();
    // The values are the same, but the conversation is not.
    assert!(!scene.submit(turn(&draft, Some(json!({"turn": 2})))).await.unwrap().replayed);
    assert!(scene.submit(turn(&draft, None)).await.unwrap().replayed);
    // A caller that knew another draft must read it again.
    assert_eq!(scene.refused(turn(&Values::new(), Some(json!({"turn": 3})))).await.code(), "stale");
    assert_eq!(scene.decision(id).await.draft, draft);
    let query = EventQuery { decision: Some(id), limit: 10, ..EventQuery::default() };
    let logged = scene.store.events(&query).await.unwrap();
    let talks: Vec<_> = logged.iter().filter_map(|event| event.body.as_ref()?.get("talk").cloned()).collect();
    assert_eq!(talks, [json!({"turn": 1}), json!({"turn": 2})]);
    // An answer is not sent over changes to the draft either.
    let send = |over: &Values| {
        let input = AnswerInput { values: draft.clone(), over: Some(over.clone()), ..AnswerInput::default() };
        Command::Answer { id, input: Box::new(input) }
    };
    assert_eq!(scene.refused(send(&Values::new())).await.code(), "stale");
    scene.submit(send(&draft)).await.unwrap();
}

pub async fn cancelling_settles(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    let cancel = Command::Cancel { id, reason: Some("found it".into()) };
    let done = scene.submit(cancel.clone()).await.unwrap().decision.unwrap();
    assert_eq!((done.status, done.reason.as_deref()), (Status::Cancelled, Some("found it")));
    assert!(scene.submit(cancel).await.unwrap().replayed);
    assert_eq!(scene.refused(super::choose(id, "a")).await.code(), "already_settled");
}

pub async fn approvals_are_used_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
    let subject = json!({ "tool": "deploy", "args": ["prod"] });
    let new = New {
        fields: vec![Field::offering("choice", Kind::Confirm, "Deploy?", options)],
        subject: Some(subject.clone()),
        ..question()
    };
    let made = scene.ask(new).await;
    let id = made.id;
    let consume = |subject| Command::Consume { id, subject, required: Requirements::default() };
    assert_eq!(scene.refused(consume(subject.clone())).await.code(), "not_consumable");
    // A yes must name what was seen.
    assert_eq!(scene.refused(super::choose(id, "yes")).await.code(), "digest_required");
    assert_eq!(scene.refused(super::choose(id, "no")).await.code(), "digest_required");
    let seen = AnswerInput {
        choice: Some("yes".into()),
        digest: Some(made.digest.clone()),
        ..AnswerInput::default()
    };
    scene.submit(Command::Answer { id, input: Box::new(seen) }).await.unwrap();
    assert_eq!(scene.refused(consume(json!("other"))).await.code(), "not_consumable");
    scene.submit(consume(subject.clone())).await.unwrap();
    assert_eq!(scene.decision(id).await.consumed_at, Some(scene.now()));
    assert_eq!(scene.refused(consume(subject)).await.code(), "not_consumable");
}

pub async fn a_consumption_is_repeated_under_its_key(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
    let new = New {
        fields: vec![Field::offering("choice", Kind::Confirm, "Deploy?", options)],
        subject: Some(json!("deploy")),
        ..question()
    };
    let consume = async |id, subject: &str, key: Option<&str>| {
        let command = Command::Consume { id, subject: json!(subject), required: Requirements::default() };
        let submission = Submission { key: key.map(Into::into), ..scene.submission(command) };
        scene.store.submit(submission).await
    };
    let approve = async |made: &Decision| {
        let digest = Some(made.digest.clone());
        let seen = AnswerInput { choice: Some("yes".into()), digest, ..AnswerInput::default() };
        scene.submit(Command::Answer { id: made.id, input: Box::new(seen) }).await.unwrap();
    };
    let made = scene.ask(new.clone()).await;
    let id = made.id;
    // A refused request does not use up its key.
    assert!(consume(id, "deploy", Some("k")).await.is_err());
    approve(&made).await;
    let first = consume(id, "deploy", Some("k")).await.unwrap();
    assert!(!first.replayed);
    scene.at(60);
    // This holds for another process too, because the key is recorded with the consumption.
    let other = bench.open(crate::Options::default()).await;
    let command = Command::Consume { id, subject: json!("deploy"), required: Requirements::default() };
    let submission = Submission { key: Some("k".into()), ..scene.submission(command) };
    let again = other.submit(submission).await.unwrap();
    assert!(again.replayed && again.events == 0);
    assert_eq!(again.decision, first.decision);
    // An entry in the table of keys is not enough to make another request count as the one.
    bench.tamper(Tampering::Keys).await;
    assert_eq!(refusal(consume(id, "deploy", Some("k2")).await).code(), "unproven");
    let reused = consume(id, "other", Some("k")).await.unwrap_err();
    assert!(matches!(reused, Error::Refused(Refusal::KeyReused { .. })), "{reused}");
    for key in [None, Some("l")] {
        let spent = consume(id, "deploy", key).await.unwrap_err();
        assert!(matches!(spent, Error::Refused(Refusal::NotConsumable { .. })), "{spent}");
    }
    // Keys belong to one approval: the key of one means nothing for another.
    let next = scene.ask(new).await;
    approve(&next).await;
    assert!(!consume(next.id, "deploy", Some("k")).await.unwrap().replayed);
}

pub async fn unknown_ids_are_not_found(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.ask(question()).await;
    let id: DecisionId = "dcn-zzzzzzzzzzzz".parse().unwrap();
    let refusal = scene.refused(super::choose(id, "a")).await;
    assert_eq!(refusal, Refusal::NotFound { what: "decision", id: id.to_string() });
    assert_eq!(scene.store.decision(id).await.unwrap(), None);
}

pub(super) fn guide(id: DecisionId, guidance: &str) -> Command {
    let input = AnswerInput { guidance: Some(guidance.into()), ..AnswerInput::default() };
    Command::Answer { id, input: Box::new(input) }
}

fn values(field: &str, value: &str) -> Values {
    Values::from_iter([(field.to_owned(), json!(value))])
}
