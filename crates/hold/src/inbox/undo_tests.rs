//! Answers that are held back: undone, sent, refused.

use holdpoint_core::{Decision, Span};
use serde_json::json;

use super::events::{AnswerOutcome, AnswerRefusal, InboxEffect, InboxEvent};
use super::model::{Model, Screen};
use super::scene::{approval, card, decision, draw, inbox_holding, later, open, press, settle};
use super::update::update;
use crate::view_model::bulk_answer::MarkedDecision;

const SIZE: (u16, u16) = (80, 24);

fn question(number: u32) -> Decision {
    decision(number, &json!({"prompt": format!("Question {number}?")}))
}

fn holding(waiting: &[Decision]) -> Model {
    inbox_holding(SIZE, waiting, Span::from_secs(5))
}

/// Answers a decision on its card; the keys are pressed after one second.
fn answer(model: &mut Model, decision: &Decision, keys: &str) -> Vec<InboxEffect> {
    open(model, decision, None);
    let effects = press(model, keys);
    settle(model);
    effects.into_iter().filter(|effect| !matches!(effect, InboxEffect::Draft(..))).collect()
}

fn sent(effects: &[InboxEffect]) -> Vec<holdpoint_core::DecisionId> {
    let of = |effect: &InboxEffect| if let InboxEffect::Send(id, _) = effect { Some(*id) } else { None };
    effects.iter().filter_map(of).collect()
}

fn shows(model: &Model, words: &str) {
    let shown = draw(model);
    assert!(shown.contains(words), "{words:?} is not shown:\n{shown}");
}

#[test]
fn an_answer_is_held_back_counted_down_and_sent() {
    let waiting = [question(1), question(2)];
    let mut model = holding(&waiting);
    assert_eq!(answer(&mut model, &waiting[0], "2<enter>"), []);
    shows(&model, "In memory — Question 1? · sending in 5 s · U undoes");
    // The next decision is selected, and the answered one is not in the list.
    assert_eq!(model.list.selected, Some(waiting[1].id));
    shows(&model, "1 pending decision");
    assert_eq!(sent(&update(&mut model, InboxEvent::Time(later(5_999)))), []);
    shows(&model, "sending in 1 s");
    assert_eq!(sent(&update(&mut model, InboxEvent::Time(later(6_000)))), [waiting[0].id]);
    shows(&model, "In memory — Question 1? · sending");
    assert_eq!(sent(&update(&mut model, InboxEvent::Time(later(7_000)))), [], "once");
    // Too late: it is being sent.
    press(&mut model, "U");
    shows(&model, "Too late to undo");
    let taken = AnswerOutcome { decision: waiting[0].clone(), next: None, replayed: false, same: Vec::new() };
    update(&mut model, InboxEvent::Taken(Box::new(taken)));
    assert!(!draw(&model).contains("sending"), "{}", draw(&model));
    press(&mut model, "U");
    shows(&model, "There is nothing to undo.");
}

#[test]
fn undone_the_card_is_back_as_it_was_left_and_the_last_comes_first() {
    let waiting = [question(1), question(2), question(3)];
    let mut model = holding(&waiting);
    answer(&mut model, &waiting[0], "1mfirst words<esc><enter>");
    answer(&mut model, &waiting[1], "2<enter>");
    shows(&model, "Question 2? · sending in 5 s · U undoes · 1 more");
    // Typing on a third card meanwhile.
    open(&mut model, &waiting[2], None);
    press(&mut model, "mhalf a<esc>");
    assert_eq!(press(&mut model, "U"), [InboxEffect::Look(waiting[1].id)]);
    assert_eq!(card(&model).decision.id, waiting[1].id);
    shows(&model, "Not sent: Question 2?");
    settle(&mut model);
    press(&mut model, "U");
    assert_eq!((card(&model).decision.id, card(&model).message.as_str()), (waiting[0].id, "first words"));
    shows(&model, "(x) Use Redis");
    shows(&model, "1 of 3");
    // Once it is answered anew or left, the screen that was set aside is back.
    settle(&mut model);
    assert_eq!(press(&mut model, "2<enter>").last(), Some(&InboxEffect::Look(waiting[1].id)));
    assert_eq!(card(&model).decision.id, waiting[1].id);
    assert_eq!(press(&mut model, "u"), [InboxEffect::Look(waiting[2].id), InboxEffect::List]);
    assert_eq!((card(&model).decision.id, card(&model).message.as_str()), (waiting[2].id, "half a"));
    press(&mut model, "u");
    assert!(matches!(model.screen, Screen::List));
    assert_eq!(sent(&update(&mut model, InboxEvent::Time(later(6_000)))), [waiting[0].id]);
}

#[test]
fn letters_are_letters_where_one_types() {
    let waiting = [question(1), question(2)];
    let mut model = holding(&waiting);
    answer(&mut model, &waiting[0], "1<enter>");
    open(&mut model, &waiting[1], None);
    press(&mut model, "mU");
    assert_eq!(card(&model).message, "U");
    press(&mut model, "<esc>u/U");
    assert_eq!(model.list.search.text(), "U");
}

#[test]
fn what_is_soon_due_is_sent_at_once() {
    let due = |seconds: u32| decision(1, &json!({"deadline": format!("2026-11-15T12:00:{seconds}Z")}));
    for (seconds, is_sent) in [(30, true), (31, false)] {
        let one = due(seconds);
        let mut model = holding(std::slice::from_ref(&one));
        assert_eq!(sent(&answer(&mut model, &one, "1<enter>")).len(), usize::from(is_sent), "{seconds}");
    }
}

#[test]
fn a_refusal_brings_the_card_back_with_what_was_typed_and_why() {
    let waiting = [question(1), question(2)];
    let refused = || InboxEvent::Refused(waiting[0].id, AnswerRefusal::Other("the disk is full".into()));
    let mut model = holding(&waiting);
    answer(&mut model, &waiting[0], "1mkept<esc><enter>");
    update(&mut model, InboxEvent::Time(later(6_000)));
    update(&mut model, refused());
    assert_eq!(card(&model).message, "kept");
    shows(&model, "! The disk is full. Nothing was sent.");
    shows(&model, "1 of 2");
    // The card that is open stays until it is left.
    let mut model = holding(&waiting);
    answer(&mut model, &waiting[0], "1mkept<esc><enter>");
    update(&mut model, InboxEvent::Time(later(6_000)));
    open(&mut model, &waiting[1], None);
    update(&mut model, refused());
    assert_eq!(card(&model).decision.id, waiting[1].id);
    shows(&model, "! Not sent: Question 1?: The disk is full. · U shows it");
    settle(&mut model);
    press(&mut model, "1<enter>");
    assert_eq!(card(&model).message, "kept");
    shows(&model, "! The disk is full. Nothing was sent.");
}

#[test]
fn leaving_sends_and_waits_until_it_was_taken() {
    let waiting = [question(1), question(2)];
    let mut model = holding(&waiting);
    answer(&mut model, &waiting[0], "1<enter>");
    answer(&mut model, &waiting[1], "2<enter>");
    assert_eq!(sent(&press(&mut model, "q")), [waiting[0].id, waiting[1].id]);
    shows(&model, "Sending … q leaves at once.");
    assert_eq!(press(&mut model, "<enter>"), []);
    let taken = |one: &Decision| {
        InboxEvent::Taken(Box::new(AnswerOutcome {
            decision: one.clone(),
            next: None,
            replayed: false,
            same: Vec::new(),
        }))
    };
    assert_eq!(update(&mut model, taken(&waiting[0])), [InboxEffect::List]);
    // A refused answer keeps the inbox open.
    update(&mut model, InboxEvent::Refused(waiting[1].id, AnswerRefusal::Lost("no server".into())));
    assert_eq!(card(&model).decision.id, waiting[1].id);
    shows(&model, "Not confirmed");
    settle(&mut model);
    press(&mut model, "<enter>");
    assert_eq!(sent(&press(&mut model, "<c-c>")), [waiting[1].id]);
    assert_eq!(update(&mut model, taken(&waiting[1])), [InboxEffect::List, InboxEffect::Quit]);
    // A second `q` does not wait.
    let mut model = holding(&waiting);
    answer(&mut model, &waiting[0], "1<enter>");
    press(&mut model, "q");
    assert_eq!(press(&mut model, "q"), [InboxEffect::Quit]);
    assert_eq!(model.outgoing.unsent().len(), 1);
}

#[test]
fn several_that_get_one_answer_are_held_back_as_one() {
    let waiting = [approval(1), approval(2), question(3)];
    let mut model = holding(&waiting);
    let give = |model: &mut Model| {
        press(model, "xjx<enter>");
        let marked =
            waiting[..2].iter().map(|one| MarkedDecision { decision: one.clone(), same: Vec::new() });
        update(model, InboxEvent::Gathered(marked.collect()));
        draw(model);
        settle(model);
        let effects = press(model, "2<enter>");
        settle(model);
        effects
    };
    assert_eq!(give(&mut model), []);
    shows(&model, "No — 2 decisions · sending in 5 s · U undoes");
    shows(&model, "1 pending decision");
    press(&mut model, "U");
    assert!(matches!(model.screen, Screen::Batch(_)));
    shows(&model, "> 2 No");
    settle(&mut model);
    press(&mut model, "u<esc>");
    model.list.select(0);
    assert_eq!(give(&mut model), []);
    let effects = update(&mut model, InboxEvent::Time(later(6_000)));
    assert!(matches!(&effects[..], [InboxEffect::SendMany(items)] if items.len() == 2), "{effects:?}");
    // One of them was settled by someone else; the page shows which.
    let told = vec![(waiting[0].id, None), (waiting[1].id, Some("was settled".to_owned()))];
    update(&mut model, InboxEvent::SentMany(waiting[0].id, Ok(told)));
    shows(&model, "1 of 2 answered");
    shows(&model, "was settled");
}
