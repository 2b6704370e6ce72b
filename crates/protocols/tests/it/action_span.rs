//! Starts and ends: lengths, one day, and an end that lies before its start.

use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, says};

#[test]
fn a_length_gives_an_end() {
    for (said, start, end) in [
        ("unpaid leave from 2 March for two weeks", "2026-03-02", "2026-03-15"),
        ("annual leave just for tomorrow", "2026-01-21", "2026-01-21"),
        ("sick today, only today", "2026-01-20", "2026-01-20"),
        ("annual leave on 5 March, back the same day", "2026-03-05", "2026-03-05"),
        ("three days of annual leave from 2 March", "2026-03-02", "2026-03-04"),
        ("annual leave for a month starting 2 March", "2026-03-02", "2026-04-01"),
        ("annual leave on Thursday and Friday", "2026-01-22", "2026-01-23"),
    ] {
        let mut chat = Chat::begun("leave_request.json");
        let action = chat.say(said);
        assert_eq!(
            (&chat.values["start_date"], chat.values.get("end_date")),
            (&json!(start), Some(&json!(end))),
            "{said}: {action}"
        );
    }
}

#[test]
fn a_length_that_bounds_or_tells_of_something_else_gives_none() {
    for said in [
        "annual leave from 2 March for at least two weeks",
        "annual leave from 2 March, with two weeks notice",
        "annual leave from 2 March for two or three weeks",
        "annual leave from 2 March, I have two weeks left",
        "annual leave on 2 March, not for two weeks",
    ] {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.say(said), "ASK_DATE", "end_date");
    }
}

/// Who is asked for the end may count from a start that was said before.
#[test]
fn an_end_is_counted_from_the_start_that_is_known() {
    for (said, end) in
        [("the same day", "2026-03-02"), ("two weeks later", "2026-03-16"), ("same day", "2026-03-02")]
    {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.say("annual leave from 2 March"), "ASK_DATE", "end_date");
        chat.say(said);
        assert_eq!(chat.values.get("end_date"), Some(&json!(end)), "{said}");
    }
}

/// An end before its start is told and asked again, however it came.
#[test]
fn an_end_before_its_start_is_asked_again() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 10 March because of a trip");
    let action = chat.say("5 March");
    asks(&action, "ASK_DATE", "end_date");
    says(&action, &["End date (Thursday 5 March 2026) lies before start date (Tuesday 10 March 2026)"]);
    assert!(!chat.values.contains_key("end_date"));
    let action = chat.typed("end_date", json!("2026-03-09"));
    asks(&action, "ASK_DATE", "end_date");
    assert_eq!(chat.say("12 March")["action"], "FORM_COMPLETE");
    // A start that moves past its end asks for the end, and is taken with it.
    asks(&chat.say("change the start date to 20 March"), "ASK_DATE", "end_date");
    assert_eq!(chat.values.get("start_date").and_then(Value::as_str), Some("2026-03-10"));
    chat.say("25 March");
    assert_eq!(chat.values.get("start_date").and_then(Value::as_str), Some("2026-03-20"));
    assert_eq!(chat.values.get("end_date").and_then(Value::as_str), Some("2026-03-25"));
}
