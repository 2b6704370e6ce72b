//! Rules on a card: shown, picked, created, and matching pending decisions offered.

use holdpoint_engine::rules::{CreatedRule, TriedProposal};
use serde_json::{Value, json};

use super::update;
use crate::inbox::events::{InboxEffect, InboxEvent};
use crate::inbox::model::{Model, Screen};
use crate::inbox::scene::{approval, card, draw, inbox, open, press, settle};

fn step(title: &str, refused: usize) -> TriedProposal {
    serde_json::from_value(json!({
        "title": title, "code": "abc", "rule": {"when": {"asked_by": "coder", "digest": "sha256:1"}, "then": "allow"},
        "test": {"tried": 9, "matched": 3, "consented": 3 - refused, "refused": refused, "examples": [], "near": []},
        "warnings": ["it reaches far"],
    }))
    .unwrap()
}

fn made(waiting: &Value) -> InboxEvent {
    let rule: CreatedRule = serde_json::from_value(json!({
        "id": "rul-1", "project": "default", "by": "bo", "auth": "session", "when": {"asked_by": "coder"}, "then": "allow",
        "until": "2026-11-15T20:00:00Z", "created_at": "2026-11-15T12:00:00Z", "status": "active", "waiting": waiting,
    }))
    .unwrap();
    InboxEvent::RuleMade(Box::new(rule))
}

/// Opens a card and the rules that it proposes.
fn proposing(steps: Vec<TriedProposal>) -> Model {
    let asked = approval(1);
    let mut model = inbox((80, 24), std::slice::from_ref(&asked));
    open(&mut model, &asked, None);
    assert_eq!(press(&mut model, "a"), [InboxEffect::Propose(asked.id)]);
    update(&mut model, InboxEvent::Proposed(asked.id, steps));
    settle(&mut model);
    model
}

#[test]
fn a_rule_is_picked_and_made_with_two_keys() {
    let mut model = proposing(vec![step("this exact request", 0), step("`ls` here", 0)]);
    let shown = draw(&model);
    assert!(shown.contains("2  `ls` here") && shown.contains("3 allowed, 0 denied"), "{shown}");
    assert!(shown.contains("Warning: it reaches far"), "{shown}");
    assert_eq!(press(&mut model, "<enter>"), [], "nothing is picked beforehand");
    assert_eq!(press(&mut model, "2"), []);
    assert!(draw(&model).contains("> 2  `ls` here"));
    let effects = press(&mut model, "<enter>");
    assert!(
        matches!(effects.as_slice(), [InboxEffect::MakeRule(rule)] if !rule.despite_refusals),
        "{effects:?}"
    );
    assert!(card(&model).pager.is_none() && card(&model).proposed.is_none());
}

#[test]
fn what_a_person_refused_before_is_said_before_it_is_allowed() {
    let mut model = proposing(vec![step("`rm`", 1)]);
    press(&mut model, "1");
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(draw(&model).contains("1 of its matches were denied"), "{}", draw(&model));
    let effects = press(&mut model, "<enter>");
    assert!(
        matches!(effects.as_slice(), [InboxEffect::MakeRule(rule)] if rule.despite_refusals),
        "{effects:?}"
    );
}

#[test]
fn leaving_makes_nothing() {
    for key in ["u", "<esc>", "a"] {
        let mut model = proposing(vec![step("`ls`", 0)]);
        press(&mut model, "1");
        assert_eq!(press(&mut model, key), []);
        assert!(card(&model).proposed.is_none(), "{key}");
        assert!(matches!(model.screen, Screen::Card(_)), "{key}");
    }
    let mut model = proposing(Vec::new());
    assert!(card(&model).pager.is_none());
    assert!(draw(&model).contains("No rule possible"));
    assert_eq!(press(&mut model, "9"), []);
}

#[test]
fn what_waits_and_is_of_its_kind_is_shown_next() {
    let ask = |number: u32| json!({"id": format!("dcn-{number:0>12}"), "summary": "ls", "values": {}, "digest": "sha256:1"});
    let mut model = proposing(vec![step("`ls`", 0)]);
    assert_eq!(update(&mut model, made(&json!([ask(1)]))), [], "the card itself is answered where it stands");
    let effects = update(&mut model, made(&json!([ask(1), ask(2)])));
    assert!(matches!(effects.as_slice(), [InboxEffect::Gather(ids)] if ids.len() == 2), "{effects:?}");
    assert!(matches!(model.screen, Screen::Gathering));
}
