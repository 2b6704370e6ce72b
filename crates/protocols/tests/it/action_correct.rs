//! Corrections: what is named gets the value, and what is not understood changes nothing.

use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, says};

fn filled() -> Chat {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("annual from 2 to 4 March because of a trip");
    assert_eq!(action["action"], "FORM_COMPLETE", "{action}");
    chat
}

/// The field that is named gets the value, whichever verb says so, and no other field changes.
#[test]
fn the_named_field_gets_the_value() {
    for (said, id, value) in [
        ("change the leave type to sick", "leave_type", json!("Sick")),
        ("set leave type to unpaid", "leave_type", json!("Unpaid")),
        ("switch the leave type to unpaid please", "leave_type", json!("Unpaid")),
        ("please update my leave type to Unpaid", "leave_type", json!("Unpaid")),
        ("can you change the leave type from annual to unpaid?", "leave_type", json!("Unpaid")),
        ("Could you set the type of leave to unpaid", "leave_type", json!("Unpaid")),
        ("the leave type should be unpaid", "leave_type", json!("Unpaid")),
        ("leave type is wrong, it should be unpaid", "leave_type", json!("Unpaid")),
        ("make the leave type unpaid", "leave_type", json!("Unpaid")),
        ("change the end date to Friday 6 March", "end_date", json!("2026-03-06")),
        ("move the end date to 6 March", "end_date", json!("2026-03-06")),
        ("set the end to 6 March", "end_date", json!("2026-03-06")),
        (
            "change the reason to my sister's wedding on 3 March",
            "reason",
            json!("my sister's wedding on 3 March"),
        ),
        ("update reason to sick child", "reason", json!("sick child")),
    ] {
        let mut chat = filled();
        let before = chat.values.clone();
        let action = chat.say(said);
        assert_eq!(chat.values.get(id), Some(&value), "{said}: {action}");
        for (other, kept) in before.iter().filter(|(other, _)| *other != id) {
            assert_eq!(chat.values.get(other), Some(kept), "{said} changed {other}");
        }
    }
}

#[test]
fn several_fields_are_changed_at_once() {
    let mut chat = filled();
    chat.say("change the start date to 3 March and the end date to 6 March");
    assert_eq!(
        (&chat.values["start_date"], &chat.values["end_date"]),
        (&json!("2026-03-03"), &json!("2026-03-06"))
    );
    assert_eq!(chat.values["reason"], "a trip");
}

/// A value that cannot be read: exactly that field is asked, and the others stay.
#[test]
fn an_unreadable_value_is_asked_for() {
    for (said, kind, id) in [
        ("change the leave type to purple", "ASK_DROPDOWN", "leave_type"),
        ("set the end date to whenever", "ASK_DATE", "end_date"),
        ("change the leave type", "ASK_DROPDOWN", "leave_type"),
        ("update the reason", "ASK_TEXT", "reason"),
        ("the end date is wrong", "ASK_DATE", "end_date"),
    ] {
        let mut chat = filled();
        let before = chat.values.clone();
        asks(&chat.say(said), kind, id);
        for (other, kept) in before.iter().filter(|(other, _)| *other != id) {
            assert_eq!(chat.values.get(other), Some(kept), "{said} changed {other}");
        }
    }
}

/// What is not understood changes nothing, and says so.
#[test]
fn what_is_not_understood_changes_nothing() {
    for said in [
        "change the colour to red",
        "that's wrong",
        "actually, hmm",
        "please fix it",
        "sorry, my mistake",
        "change the date to banana",
        "I need to change something",
        "make it purple",
        "update it",
    ] {
        let mut chat = filled();
        let before = chat.values.clone();
        let action = chat.say(said);
        assert_eq!(chat.values, before, "{said}: {action}");
        says(&action, &["nothing was changed"]);
    }
}

/// A no to what was just changed takes it back, also where words are asked for; `skip` is no text.
#[test]
fn a_no_and_a_skip_are_no_text() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 2 to 4 March");
    asks(&chat.say("change the leave type to unpaid"), "ASK_TEXT", "reason");
    asks(&chat.say("no, annual"), "ASK_TEXT", "reason");
    assert_eq!(chat.values["leave_type"], "Annual");
    says(&chat.say("skip"), &["Reason: this is needed in the end"]);
    assert!(!chat.values.contains_key("reason"), "{:?}", chat.values);
    chat.say("no, it is a family matter");
    assert_eq!(chat.values["reason"], "no, it is a family matter");
    let mut chat = Chat::begun("leave_request.json");
    chat.say("I need to switch to unpaid");
    assert!(!chat.values.contains_key("reason"), "{:?}", chat.values);
}

/// A name that fits two fields is asked back, naming both.
#[test]
fn a_name_of_two_fields_is_asked_back() {
    let mut chat = filled();
    let action = chat.say("change the date");
    says(&action, &["start date", "end date", "nothing was changed"]);
}

/// In the middle of the talk the question that stands is asked again.
#[test]
fn the_question_stands_after_a_correction_that_fails() {
    let mut chat = Chat::begun("leave_request.json");
    asks(&chat.say("annual leave from 2 March"), "ASK_DATE", "end_date");
    let action = chat.say("no wait, that is wrong");
    asks(&action, "ASK_DATE", "end_date");
    says(&action, &["nothing was changed"]);
    assert_eq!(chat.values.len(), 2, "{:?}", chat.values);
}

/// Words of change in an answer that is asked for in words are part of the answer.
#[test]
fn an_answer_in_words_may_speak_of_change() {
    for said in [
        "I need a change of scenery",
        "to fix my roof",
        "my son made a mistake at school",
        "It should be spring by then",
    ] {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.say("annual leave from 2 to 4 March"), "ASK_TEXT", "reason");
        chat.say(said);
        assert_eq!(chat.values.get("reason").and_then(Value::as_str), Some(said));
        assert_eq!(chat.values.len(), 4, "{said}: {:?}", chat.values);
    }
}

/// The words of a field's own name are no value of it, however near they are spelt.
#[test]
fn a_name_is_no_value() {
    let form = json!({"form_id": "t", "fields": [
        {"id": "plan_tier", "type": "dropdown", "prompt": "Which plan tier?", "options": ["Plain", "Tiger", "Gold"]}]});
    let mut chat = Chat::new(holdpoint_protocols::action::form::read_value(&form).unwrap());
    chat.say("");
    asks(&chat.say(""), "ASK_DROPDOWN", "plan_tier");
    asks(&chat.say("what are the plan tiers like"), "ASK_DROPDOWN", "plan_tier");
    assert!(chat.values.is_empty(), "{:?}", chat.values);
    chat.say("gold");
    asks(&chat.say("change the plan tier"), "ASK_DROPDOWN", "plan_tier");
    assert_eq!(chat.values["plan_tier"], "Gold");
}
