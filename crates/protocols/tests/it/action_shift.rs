//! Dates moved by a length, and changes taken back.

use serde_json::json;

use crate::action_chat::{Chat, NOW, asks, says};
use crate::action_form::example;
use holdpoint_core::Values;
use holdpoint_protocols::action::reader::{self, Question};

fn leave() -> Chat {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 2 to 6 March 2026");
    let action = chat.say("a trip");
    assert_eq!(action["action"], "FORM_COMPLETE", "{action}");
    chat
}

#[test]
fn known_dates_are_moved_by_a_length() {
    for (text, start, end) in [
        ("move it a week later", "2026-03-09", "2026-03-13"),
        ("please move everything two days earlier", "2026-02-28", "2026-03-04"),
        ("push it back by 3 days", "2026-03-05", "2026-03-09"),
        ("can you bring it forward by a week?", "2026-02-23", "2026-02-27"),
        ("postpone it by one month", "2026-04-02", "2026-04-06"),
        ("extend by two days", "2026-03-02", "2026-03-08"),
        ("make it a day longer", "2026-03-02", "2026-03-07"),
        ("shorten it by a day", "2026-03-02", "2026-03-05"),
        ("start a day earlier", "2026-03-01", "2026-03-06"),
        ("move the end date two days later", "2026-03-02", "2026-03-08"),
        ("the end should be a day earlier", "2026-03-02", "2026-03-05"),
    ] {
        let mut chat = leave();
        let action = chat.say(text);
        assert_eq!(action["action"], "FORM_COMPLETE", "{text}: {action}");
        assert_eq!(
            (&chat.values["start_date"], &chat.values["end_date"]),
            (&json!(start), &json!(end)),
            "{text}: {action}"
        );
    }
}

#[test]
fn what_moves_something_else_moves_nothing() {
    for text in [
        "move the meeting a week later",
        "my flight is a day earlier",
        "don't move it a week later",
        "Tom wants to extend by two days",
        "make it two weeks",
        "shorten it by two weeks",
    ] {
        let mut chat = leave();
        let before = chat.values.clone();
        chat.say(text);
        assert_eq!(chat.values["start_date"], before["start_date"], "{text}");
        if !text.starts_with("make") {
            assert_eq!(chat.values, before, "{text}");
        }
    }
}

/// The day that was just given is meant, where nothing else is named.
#[test]
fn a_day_earlier_is_said_of_the_day_that_was_asked() {
    let fields = example("leave_request.json").fields;
    let known = Values::from_iter([
        ("start_date".to_owned(), json!("2026-03-02")),
        ("end_date".to_owned(), json!("2026-03-06")),
    ]);
    let asked = fields.iter().find(|field| field.id == "end_date");
    let question = Question { fields: &fields, asked, text: "a day earlier", now: NOW, known: &known };
    let moved = reader::shifted(question);
    assert_eq!((moved.len(), &moved[0].value), (1, &json!("2026-03-05")));
}

#[test]
fn a_moment_moves_by_hours() {
    let mut chat = Chat::in_second_step();
    chat.values.insert("start".into(), json!("2026-01-21T09:30:00"));
    chat.say("an hour later please");
    assert_eq!(chat.values["start"], "2026-01-21T10:30:00");
    chat.say("make it 30 minutes earlier");
    assert_eq!(chat.values["start"], "2026-01-21T10:00:00");
}

#[test]
fn the_last_change_is_taken_back() {
    for text in ["undo", "undo that", "take that back", "Oh no, take it back please", "scratch that"] {
        let mut chat = leave();
        let before = chat.values.clone();
        chat.say("change the leave type to sick and the end date to 10 March");
        assert_ne!(chat.values, before);
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
        says(&action, &["taken the last change back", "leave type: Annual", "6 March"]);
    }
}

#[test]
fn changes_are_taken_back_one_by_one_and_what_they_hid_comes_again() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("sick from 2 to 6 March 2026 because of the flu");
    chat.say("yes");
    assert_eq!(chat.values["medical_certificate"], json!(["Yes"]));
    chat.say("change the leave type to annual");
    assert!(!chat.values.contains_key("medical_certificate"));
    chat.say("undo");
    assert_eq!(chat.values["medical_certificate"], json!(["Yes"]));
    asks(&chat.say("undo"), "ASK_CHECKBOX", "medical_certificate");
    chat.say("undo");
    assert!(chat.values.is_empty(), "{:?}", chat.values);
    says(&chat.say("undo"), &["no change here that I could take back"]);
}

/// Who is asked for words and says something else corrects that.
#[test]
fn a_correction_is_no_reason() {
    for (text, end) in [
        ("No, the end is Thursday", "2026-03-05"),
        ("no, the end date is 10 March", "2026-03-10"),
        ("extend it by a day", "2026-03-07"),
        ("the end should be 5 March", "2026-03-05"),
        ("wait, the end is 9 March", "2026-03-09"),
    ] {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.say("annual leave from 2 to 6 March 2026"), "ASK_TEXT", "reason");
        let action = chat.say(text);
        assert_eq!(chat.values["end_date"], end, "{text}: {action}");
        assert!(!chat.values.contains_key("reason"), "{text}: {action}");
        asks(&action, "ASK_TEXT", "reason");
    }
}
