//! Deadlines: recorded by the next writer, shown before that.

use holdpoint_core::decision::New;
use holdpoint_core::{Command, OnTimeout, Refusal, Span, Status};
use serde_json::json;

use super::{Scene, StoreHarness, question};
use crate::{EventQuery, Query};

fn within(seconds: i64) -> New {
    New { timeout: Some(Span::from_secs(seconds)), ..question() }
}

pub async fn touching_expires_first(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let default = Some(serde_json::Map::from_iter([("choice".to_owned(), json!("b"))]));
    let id = scene.ask(New { default, on_timeout: Some(OnTimeout::Default), ..within(60) }).await.id;
    scene.at(60);
    let Refusal::Settled(outcome) = scene.refused(super::choose(id, "a")).await else { unreachable!() };
    assert_eq!(outcome.status, Status::TimedOut);
    let answer = outcome.answer.unwrap();
    assert_eq!((answer.by.as_str(), answer.values["choice"].as_str()), ("system:timeout", Some("b")));
    // The refused command has still recorded the deadline.
    let recorded = scene.decision(id).await;
    assert_eq!((recorded.status, recorded.settled_at), (Status::TimedOut, recorded.deadline));
    assert!(scene.submit(Command::Expire { id }).await.unwrap().replayed);
}

pub async fn next_commit_records_what_is_overdue(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let (first, second) = (scene.ask(within(10)).await.id, scene.ask(within(20)).await.id);
    let third = scene.ask(within(90)).await.id;
    scene.at(30);
    scene.ask(question()).await;
    for (id, status) in [(first, Status::TimedOut), (second, Status::TimedOut), (third, Status::Pending)] {
        assert_eq!(scene.decision(id).await.status, status);
    }
    let events =
        scene.store.events(&EventQuery { after: 3, limit: 10, ..EventQuery::default() }).await.unwrap();
    let tags: Vec<&str> = events.iter().map(|event| event.tag.as_str()).collect();
    assert_eq!(tags, ["decision:expired", "decision:expired", "decision:created"]);
}

pub async fn time_never_goes_back(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.at(100);
    scene.ask(question()).await;
    let then = scene.now();
    scene.at(40);
    let made = scene.ask(within(10)).await;
    assert_eq!(made.created_at, then);
    assert_eq!(made.deadline, then.checked_add(Span::from_secs(10)));
}

pub async fn time_goes_on_when_the_clock_is_stepped_back(bench: &dyn StoreHarness) {
    const DAYS: i64 = 400 * 24 * 60 * 60;
    let scene = Scene::new(bench).await;
    scene.at(DAYS);
    scene.ask(question()).await;
    let ahead = scene.now();
    // The clock is set right. Until that is recorded, readers only know that the time is not before the last event.
    scene.at(0);
    let head = scene.store.head().await.unwrap();
    assert!(head.is_behind(scene.now()));
    assert_eq!(head.now(scene.now()), ahead);
    let made = scene.ask(within(2)).await;
    assert_eq!((made.created_at, made.deadline), (ahead, ahead.checked_add(Span::from_secs(2))));
    for (seconds, status) in [(1, Status::Pending), (2, Status::TimedOut)] {
        scene.at(seconds);
        scene.submit(Command::Expire { id: made.id }).await.unwrap();
        assert_eq!(scene.decision(made.id).await.status, status, "after {seconds} s");
        let head = scene.store.head().await.unwrap();
        assert!(!head.is_behind(scene.now()));
        assert_eq!(head.now(scene.now()), ahead.checked_add(Span::from_secs(seconds)).unwrap());
    }
    // A process that reopens the store uses it too.
    let again = bench.open(crate::Options::default()).await;
    let now = again.head().await.unwrap().now(scene.now());
    assert_eq!(now, ahead.checked_add(Span::from_secs(2)).unwrap());
    // Being a little behind is not a step.
    scene.at(-20);
    let skew = scene.store.head().await.unwrap().skew;
    assert_eq!(scene.ask(question()).await.created_at, now);
    assert_eq!(scene.store.head().await.unwrap().skew, skew);
}

pub async fn a_clock_that_was_back_for_a_moment_fires_nothing(bench: &dyn StoreHarness) {
    const DAYS: i64 = 400 * 24 * 60 * 60;
    let scene = Scene::new(bench).await;
    scene.at(DAYS);
    let waits = scene.ask(within(3600)).await;
    // A machine starts before it has synchronized its clock.
    scene.at(0);
    scene.ask(question()).await;
    assert_eq!(scene.store.head().await.unwrap().skew, Span::from_secs(DAYS));
    // The clock is synchronized, and time continues from there for readers and writers.
    scene.at(DAYS + 2);
    let now = scene.now();
    assert_eq!(scene.store.head().await.unwrap().now(now), now);
    assert_eq!(scene.ask(question()).await.created_at, now);
    assert_eq!(scene.store.head().await.unwrap().skew, Span::from_millis(0));
    scene.submit(Command::Expire { id: waits.id }).await.unwrap();
    assert_eq!(scene.decision(waits.id).await.status, Status::Pending);
    // Another step is counted from the clock, not from the previous step.
    scene.at(DAYS + 2 - 1800);
    assert_eq!(scene.ask(question()).await.created_at, now);
    assert_eq!(scene.store.head().await.unwrap().skew, Span::from_secs(1800));
}

pub async fn clocks_that_are_ahead_in_turn_do_not_add_up(bench: &dyn StoreHarness) {
    const DAYS: i64 = 400 * 24 * 60 * 60;
    let scene = Scene::new(bench).await;
    let mut latest = None;
    for turn in 0..3 {
        // One machine is 400 days ahead, a little less each time; the other one is right.
        scene.at(DAYS - turn * 20);
        scene.ask(question()).await;
        scene.at(turn);
        latest = Some(scene.ask(question()).await.created_at);
    }
    scene.at(DAYS + 10);
    assert!(latest.unwrap() <= scene.now(), "{latest:?}");
    assert_eq!(scene.ask(question()).await.created_at, scene.now());
}

pub async fn a_step_is_recorded_by_a_command_that_does_nothing(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.at(3600);
    let id = scene.ask(within(30)).await.id;
    scene.at(0);
    assert!(scene.submit(Command::Expire { id }).await.unwrap().replayed);
    let head = scene.store.head().await.unwrap();
    assert_eq!((head.seq, head.skew), (1, Span::from_secs(3600)));
    scene.at(30);
    scene.submit(Command::Expire { id }).await.unwrap();
    assert_eq!(scene.decision(id).await.status, Status::TimedOut);
}

pub async fn readers_see_it_before_it_is_recorded(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(within(10)).await.id;
    scene.at(10);
    let query = Query { now: Some(scene.now()), limit: 10, ..Query::default() };
    let page = scene.store.list(&query).await.unwrap();
    assert_eq!(page.items[0].status, Status::TimedOut);
    // Reading wrote nothing.
    assert_eq!(scene.decision(id).await.status, Status::Pending);
    assert_eq!(scene.store.head().await.unwrap().seq, 1);
}

pub async fn next_deadline_and_due(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    assert_eq!(scene.store.next_deadline().await.unwrap(), None);
    assert_eq!(scene.store.oldest_pending(scene.now()).await.unwrap(), None);
    let late = scene.ask(within(30)).await;
    scene.at(1);
    let soon = scene.ask(within(10)).await;
    scene.at(2);
    let ever = scene.ask(question()).await;
    assert_eq!(scene.store.next_deadline().await.unwrap(), soon.deadline);
    assert_eq!(scene.store.oldest_pending(scene.now()).await.unwrap(), Some(late.created_at));
    scene.at(11);
    assert_eq!(scene.store.due(scene.now(), 10).await.unwrap(), [soon.id]);
    scene.at(40);
    assert_eq!(scene.store.due(scene.now(), 10).await.unwrap(), [soon.id, late.id]);
    // Timed-out decisions are not pending, recorded or not.
    assert_eq!(scene.store.oldest_pending(scene.now()).await.unwrap(), Some(ever.created_at));
    assert_eq!(scene.store.due(scene.now(), 1).await.unwrap(), [soon.id]);
    scene.submit(Command::Expire { id: soon.id }).await.unwrap();
    // The same commit has recorded the other one as well.
    assert_eq!(scene.store.next_deadline().await.unwrap(), None);
    assert_eq!(scene.store.due(scene.now(), 10).await.unwrap(), []);
}

pub async fn an_overdue_sibling_does_not_block(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let owner = "item:bd-1".parse().ok();
    let first = scene.ask(New { owner, exclusive: true, ..within(10) }).await;
    scene.at(10);
    let second = scene.ask(New { owner: first.owner.clone(), exclusive: true, ..within(10) }).await;
    assert_eq!(scene.decision(first.id).await.status, Status::TimedOut);
    assert_eq!(second.status, Status::Pending);
}
