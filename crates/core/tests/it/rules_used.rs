//! The yes of a standing rule, used up by the request that asks.

use holdpoint_core::decision::{AnswerInput, New, Requirements};
use holdpoint_core::{Command, Decision, Span, Status};
use serde_json::json;

use crate::rules::{add, agent, ana, approval, ask_new, bash, cargo_test};
use crate::world::World;

#[test]
fn the_yes_of_a_rule_is_used_up_by_the_request_that_asks_for_that() {
    let mut world = World::new();
    add(&mut world, cargo_test());
    add(&mut world, json!({"then": "refuse", "when": {"command": {"words": ["cargo", "test", "prod"]}}}));
    let mut asked = |command: &str| {
        world.wait(Span::from_secs(10));
        let new = New { consume: true, ..approval(&bash(command)) };
        ask_new(&mut world, &agent("coder"), new)
    };
    let decision = asked("cargo test");
    assert_eq!(decision.consumed_at, Some(decision.created_at));
    assert!(decision.is_used_by_its_request());
    // There is no yes to use up where a rule refuses, or a person is asked.
    assert_eq!(asked("cargo test prod").consumed_at, None);
    let pending = asked("cargo publish");
    assert_eq!((pending.status, pending.consumed_at), (Status::Pending, None));

    // Once used, it is used; what a person answers is left to be used.
    let consume = |decision: &Decision| Command::Consume {
        id: decision.id,
        subject: decision.subject.clone().unwrap(),
        required: Requirements::default(),
    };
    world.submit(&agent("coder"), &consume(&decision)).unwrap_err();
    let yes = AnswerInput {
        values: json!({"choice": "approve"}).as_object().unwrap().clone(),
        digest: Some(pending.digest.clone()),
        ..AnswerInput::default()
    };
    world.submit(&ana(), &Command::Answer { id: pending.id, input: Box::new(yes) }).unwrap();
    assert!(!world.decisions[&pending.id].is_used_by_its_request());
    world.submit(&agent("coder"), &consume(&pending)).unwrap();
    // Without a subject nothing exact was approved.
    let digest = ask_new(&mut world, &agent("coder"), question()).digest;
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "digest": digest}}));
    let answered = ask_new(&mut world, &agent("coder"), New { consume: true, ..question() });
    assert_eq!((answered.status, answered.consumed_at), (Status::Answered, None));
    world.check_replay();
}

fn question() -> New {
    New { subject: None, ..approval(&bash("")) }
}
