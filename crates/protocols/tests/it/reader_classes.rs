//! What the reader leaves open, as the conversation asks about it.

use holdpoint_protocols::action::form::{Form, read_value};
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, says};
use crate::reader_tables::{NOW, form};

fn chat(form: Form) -> Chat {
    let mut chat = Chat::new(form);
    (chat.now, chat.state.begun) = (NOW, true);
    chat
}

/// Which year is asked once, and every way to say it ends the question.
#[test]
fn a_question_that_was_answered_is_not_asked_again() {
    for (answer, day) in [
        ("2027", "2027-11-05"),
        ("the later one", "2027-11-05"),
        ("next year", "2027-11-05"),
        ("not 2026", "2027-11-05"),
        ("the one in 2026, please", "2026-11-05"),
        ("the first", "2026-11-05"),
    ] {
        let mut chat = chat(form("gym"));
        says(&chat.say("start 5 November"), &["2026 or", "2027?"]);
        chat.say(answer);
        assert_eq!(chat.values.get("start"), Some(&json!(day)), "{answer}");
    }
    let mut chat = chat(form("gym"));
    chat.say("start 5 November");
    says(&chat.say("5 November"), &["5 November 2027. Right?"]);
    chat.say("no");
    says(&chat.say("start 5 November"), &["5 November 2026. Right?"]);
    chat.say("yes");
    assert_eq!(chat.values.get("start"), Some(&json!("2026-11-05")));
}

/// A day that two fields can take is asked about by their names.
#[test]
fn a_day_for_one_of_two_fields_is_asked() {
    let loan = json!({"form": "loan", "title": "Loan", "fields": [
        {"id": "from", "kind": "date", "label": "Loan starts"}, {"id": "to", "kind": "date", "label": "Loan ends"}]});
    for (answer, values) in [
        ("the end", json!({"to": "2027-03-24"})),
        ("loan starts", json!({"from": "2027-03-24"})),
        ("both", json!({"from": "2027-03-24", "to": "2027-03-24"})),
        ("2 April 2027", json!({"from": "2027-04-02"})),
    ] {
        let mut chat = chat(read_value(&loan).unwrap());
        says(&chat.say("24 March"), &["\"24 March\": is that Loan starts or Loan ends?"]);
        chat.say(answer);
        assert_eq!(Value::Object(chat.values), values, "{answer}");
    }
}

/// What limits or denies a known value asks for it, and a yes with a condition is no yes.
#[test]
fn a_limit_on_a_known_value_asks() {
    let known = json!({"plan": "Plus", "start": "2026-12-01", "birth": "1990-05-03", "visits": 3, "sauna": true,
        "been": false, "motto": "Max", "trial": "2026-12-01T09:00:00"});
    for (text, field) in [
        ("sauna not on weekends", "sauna"),
        ("the sauna is no longer needed", "sauna"),
        ("the start is not before 1 January", "start"),
        ("visits 5 only if it costs no more", "visits"),
    ] {
        let mut chat = chat(form("gym"));
        chat.values.clone_from(known.as_object().unwrap());
        let action = chat.say(text);
        assert_eq!(action["field_id"], field, "{text}: {action}");
        assert_eq!(Value::Object(chat.values), known, "{text}");
    }
    let mut chat = chat(form("gym"));
    chat.say("maybe 3 visits per week");
    chat.say("yes, but not in summer");
    assert!(chat.values.is_empty());
}

/// What is said of a field that is not asked anyway is mentioned, and too much at once is said to be too much.
#[test]
fn nothing_is_dropped_in_silence() {
    let mut chat = chat(form("catering"));
    says(&chat.say("the allergies are still a mess"), &["I could not read what you say about Allergies."]);
    says(&chat.say(&"word ".repeat(900)), &["400 words"]);
    let mut chat = self::chat(form("gym"));
    let action = chat.say("Basic, no sauna, start 1 December 2026, birthday 3 May 1990, 2 visits per week");
    asks(&action, "ASK_DROPDOWN", "been");
    chat.say("no");
    says(&chat.say("Maximilian Alexander von Hohenstein"), &["Name on the card", "at most 20"]);
}

/// A field is called what its label calls it.
#[test]
fn a_field_is_called_by_its_label() {
    let mut chat = chat(form("gym"));
    chat.say("Basic, no sauna, start 1 December 2026, birthday 3 May 1990, 2 visits per week");
    says(&chat.say("no"), &["Have you been a member before: no"]);
}
