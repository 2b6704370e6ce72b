//! First readings that were wrong: what is said of something else, places that are none, days that are told otherwise.

use jiff::civil::datetime;
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks};
use crate::action_form::example;

/// Says the first thing to a form on Sunday 15 November 2026.
fn first(form: &str, text: &str) -> Chat {
    let mut chat = Chat::new(example(form));
    chat.now = datetime(2026, 11, 15, 10, 0, 0, 0);
    chat.say("");
    chat.say(text);
    chat
}

const LEAVE: &str = "leave_request.json";
const INCIDENT: &str = "incident_report.json";

#[test]
fn what_is_stated_is_taken() {
    let mut failed: Vec<String> = Vec::new();
    for (form, text, field, value) in [
        (LEAVE, "I used up all my annual leave, so this has to be unpaid", "leave_type", json!("Unpaid")),
        (LEAVE, "Holiday from 21/12 to 24/12", "start_date", json!("2026-12-21")),
        (LEAVE, "Holiday from 21/12 to 24/12", "end_date", json!("2026-12-24")),
        (
            INCIDENT,
            "A fire broke out on 1 November. It was put out on 1 November.",
            "start_date",
            json!("2026-11-01"),
        ),
        (INCIDENT, "A fire at 52 deg 31 N 13 deg 24 E", "location", json!({"lat": 52.516_667, "lng": 13.4})),
        (LEAVE, "I used all my annual leave, so unpaid it is", "leave_type", json!("Unpaid")),
        (LEAVE, "Holiday 21/12 - 24/12", "start_date", json!("2026-12-21")),
        (
            INCIDENT,
            "accident at 52.52, 13.40 with a temperature of 38.5",
            "location",
            json!({"lat": 52.52, "lng": 13.4}),
        ),
        (LEAVE, "Not tomorrow but the day after", "start_date", json!("2026-11-17")),
    ] {
        let chat = first(form, text);
        if chat.values.get(field) != Some(&value) {
            failed.push(format!("{text}: {:?}", chat.values));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn what_is_said_of_something_else_is_not_taken() {
    let mut failed: Vec<String> = Vec::new();
    for (form, text, field) in [
        (LEAVE, "My date of birth is 4 May 1990", "start_date"),
        (LEAVE, "annual leave, my date of birth is 4 May 1990", "start_date"),
        (LEAVE, "date of birth: 4 May 1990", "start_date"),
        (LEAVE, "sick and tired of this", "leave_type"),
        (LEAVE, "Tom's leave ends on 25 November", "end_date"),
        (LEAVE, "I am sick of waiting", "leave_type"),
        (LEAVE, "I'm sick of this form", "leave_type"),
        (INCIDENT, "I deleted it by accident", "incident_type"),
        (INCIDENT, "we had to fire the contractor", "incident_type"),
        (INCIDENT, "there was a fire alarm test on 2 November", "incident_type"),
        (INCIDENT, "we have been accident-free for a year", "incident_type"),
        (INCIDENT, "The temperature was 38.5, 39.2", "location"),
        (INCIDENT, "his temperature was 38.5, 39.2 later", "location"),
        (INCIDENT, "versions 1.2, 2.3 are affected", "location"),
        (INCIDENT, "The price is 38.5, 39.2 with tax", "location"),
        (INCIDENT, "It cost 38.5, 39.2 euros", "location"),
    ] {
        let chat = first(form, text);
        if chat.values.contains_key(field) {
            failed.push(format!("{text}: {:?}", chat.values));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn the_monday_after_next() {
    for text in ["annual leave from the Monday after next", "annual leave starting Monday after next"] {
        let chat = first(LEAVE, text);
        let start = chat.values.get("start_date").and_then(Value::as_str);
        assert!(matches!(start, None | Some("2026-11-30")), "{text}: {start:?}");
    }
}

#[test]
fn a_length_counts_from_the_start() {
    for (text, end) in [
        ("two weeks", "2026-12-06"),
        ("for two weeks", "2026-12-06"),
        ("3 days", "2026-11-25"),
        ("Friday", "2026-11-27"),
        ("a week", "2026-11-29"),
    ] {
        let mut chat = first(LEAVE, "annual leave from 23 November");
        let action = chat.say(text);
        asks(&action, "ASK_TEXT", "reason");
        assert_eq!(chat.values.get("end_date"), Some(&json!(end)), "{text}: {action}");
    }
}

/// The words that a day was taken from are shown where they do not say the day themselves.
#[test]
fn the_echo_shows_the_words() {
    let mut chat = Chat::new(example(LEAVE));
    chat.now = datetime(2026, 11, 15, 10, 0, 0, 0);
    chat.say("");
    let action = chat.say("annual leave from Monday for two weeks");
    crate::action_chat::says(&action, &["Monday 16 November 2026 (from \"Monday\")", "(from \"two weeks\")"]);
    let mut chat = Chat::new(example(LEAVE));
    chat.now = datetime(2026, 11, 15, 10, 0, 0, 0);
    chat.say("");
    let action = chat.say("annual leave from the 23rd to 27 November");
    let said = action["message"].as_str().unwrap_or_default();
    assert!(said.contains("(from \"the 23rd\")") && !said.contains("(from \"27 November\")"), "{said}");
}
