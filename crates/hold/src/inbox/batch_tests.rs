//! Marking several decisions and giving them one answer.

use holdpoint_core::Decision;
use holdpoint_core::decision::Attention;
use serde_json::json;

use super::events::{InboxEffect, InboxEvent};
use super::model::Screen;
use super::scene::{approval, decision, draw, inbox, later, now, press, settle};
use super::update::update;
use crate::view_model::bulk_answer::MarkedDecision;

const SIZE: (u16, u16) = (80, 24);

fn gathered(waiting: &[Decision]) -> InboxEvent {
    InboxEvent::Gathered(
        waiting.iter().map(|one| MarkedDecision { decision: one.clone(), same: Vec::new() }).collect(),
    )
}

#[test]
fn rows_are_marked_one_by_one_to_here_and_all() {
    let form = decision(4, &json!({"source": "form"}));
    let waiting = [approval(1), approval(2), approval(3), form];
    let ids: Vec<_> = waiting.iter().map(|one| one.id).collect();
    let mut model = inbox(SIZE, &waiting);
    press(&mut model, "xjjX");
    assert_eq!(press(&mut model, "<enter>"), [InboxEffect::Gather(ids[..3].to_vec())]);
    model.screen = Screen::List;
    press(&mut model, "x");
    assert!(draw(&model).contains("Inbox · 2 marked"), "{}", draw(&model));
    press(&mut model, "*");
    assert_eq!(model.list.marked.len(), 3, "a form is answered by itself");
    press(&mut model, "jx");
    assert!(draw(&model).contains("Answer this one separately."), "{}", draw(&model));
    press(&mut model, "u");
    assert!(model.list.marked.is_empty());
    assert_eq!(press(&mut model, "<enter>"), [InboxEffect::Open(ids[3], None)]);
}

#[test]
fn one_answer_goes_to_each_that_has_it_and_each_says_what_became_of_it() {
    let waiting = [approval(1), approval(2), decision(3, &json!({}))];
    let mut model = inbox((80, 14), &waiting);
    press(&mut model, "*<enter>");
    update(&mut model, gathered(&waiting));
    draw(&model);
    settle(&mut model);
    let shown = draw(&model);
    assert!(shown.contains("Answer 3 decisions") && shown.contains("kubectl apply"), "{shown}");
    assert_eq!(press(&mut model, "1<enter>"), [], "a yes to what was not read to its end");
    assert!(draw(&model).contains("Pick one answer first"), "{}", draw(&model));
    press(&mut model, "<pgdn><pgdn><pgdn><pgdn>1");
    assert!(draw(&model).contains("> 1 Yes  2 of 3"), "{}", draw(&model));
    let effects = press(&mut model, "<enter>");
    let [InboxEffect::SendMany(items)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(items.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [waiting[0].id, waiting[1].id]);
    assert!(items.iter().all(|(_, input)| input.values["c"] == "yes" && input.seen == Some(true)));
    assert!(items.iter().all(|(_, input)| input.digest.as_deref() == Some("sha256:1")));
    let told = vec![(waiting[0].id, None), (waiting[1].id, Some("was settled".to_owned()))];
    update(&mut model, InboxEvent::SentMany(waiting[0].id, Ok(told)));
    let shown = draw(&model);
    assert!(shown.contains("1 of 3 answered") && shown.contains("was settled"), "{shown}");
    assert!(shown.contains("has no option Yes"), "{shown}");
    settle(&mut model);
    assert_eq!(press(&mut model, "<enter>"), [InboxEffect::List]);
    assert!(model.list.marked.is_empty());
}

#[test]
fn a_no_needs_no_reading() {
    let waiting: Vec<Decision> = (1..9).map(approval).collect();
    let mut model = inbox(SIZE, &waiting);
    press(&mut model, "*<enter>");
    update(&mut model, gathered(&waiting));
    draw(&model);
    settle(&mut model);
    let effects = press(&mut model, "2<enter>");
    assert!(matches!(effects.as_slice(), [InboxEffect::SendMany(items)] if items.len() == 8), "{effects:?}");
}

#[test]
fn a_decision_is_taken_and_snoozed_with_one_key() {
    let waiting = [approval(1)];
    let mut model = inbox(SIZE, &waiting);
    assert_eq!(press(&mut model, "t"), [InboxEffect::Attend(waiting[0].id, Attention::Take)]);
    let until = later(60 * 60 * 1000);
    assert_eq!(press(&mut model, "z"), [InboxEffect::Attend(waiting[0].id, Attention::Snooze { until })]);
    let mut snoozed = waiting[0].clone();
    snoozed.snoozed.insert("bo".into(), until);
    update(&mut model, InboxEvent::Attended(Box::new(snoozed), Attention::Snooze { until }));
    assert!(draw(&model).contains("Snoozed for 1 h"), "{}", draw(&model));
    assert_eq!(model.now, now());
}
