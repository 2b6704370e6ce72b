//! What is known is given up only for something that is good: changes that fail, that are denied, asked about or supposed.

use jiff::civil::datetime;
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, says};
use crate::action_form::example;

fn sunday(form: &str) -> Chat {
    let mut chat = Chat::new(example(form));
    chat.now = datetime(2026, 11, 15, 10, 0, 0, 0);
    chat.say("");
    chat
}

fn wedding() -> Chat {
    let mut chat = sunday("leave_request.json");
    chat.say("annual leave from 23 to 27 November 2026");
    let action = chat.say("my wedding");
    assert_eq!(action["action"], "FORM_COMPLETE", "{action}");
    chat
}

fn said(action: &Value) -> &str {
    action["message"].as_str().or(action["text"].as_str()).unwrap_or_default()
}

#[test]
fn a_change_that_cannot_be_made_loses_nothing() {
    for (text, field) in [
        ("change the end date to blue", "end_date"),
        ("change the end date to 2026-13-45", "end_date"),
        ("change the end date to the day after", "end_date"),
        ("change the leave type to purple", "leave_type"),
        ("make the end date before the start date", "end_date"),
        ("change the end date to 20 November", "end_date"),
        ("change the start date to 30 November", "end_date"),
        ("the end date is wrong", "end_date"),
        ("make the start the 26th and the end the 24th", "end_date"),
    ] {
        let mut chat = wedding();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
        assert_eq!(action["field_id"], field, "{text}: {action}");
        assert!(
            said(&action).contains("stays") || said(&action).contains("nothing was changed"),
            "{text}: {action}"
        );
        // Whoever then leaves it loses nothing either.
        let action = chat.say("skip");
        assert_eq!((&chat.values, &action["action"]), (&before, &json!("FORM_COMPLETE")), "{text}");
    }
}

#[test]
fn the_field_that_stays_open_takes_its_answer() {
    let mut chat = wedding();
    says(
        &chat.say("change the end date to 20 November"),
        &["20 November", "before", "stays Friday 27 November"],
    );
    chat.say("hm");
    assert_eq!(chat.values["end_date"], "2026-11-27");
    assert_eq!(chat.say("28 November")["action"], "FORM_COMPLETE");
    assert_eq!(chat.values["end_date"], "2026-11-28");
    // A start behind the end is taken with an end behind it.
    asks(&chat.say("change the start date to 30 November"), "ASK_DATE", "end_date");
    chat.say("4 December");
    assert_eq!(
        (&chat.values["start_date"], &chat.values["end_date"]),
        (&json!("2026-11-30"), &json!("2026-12-04"))
    );
}

#[test]
fn a_change_that_is_only_spoken_of_changes_nothing() {
    for text in [
        "don't change the leave type to sick",
        "Should I change the leave type to sick?",
        "What if I change the end date to Friday?",
        "if I change the leave type to unpaid, do I still get paid?",
        "please don't change the end date to 30 November",
        "please do not change the end date to 30 November",
        "my boss wants me to change the end date to 25 November",
        "I'm thinking I might change the end date to 25 November",
        "never change the leave type to sick",
        "how do I change the end date to Thursday?",
        "would it be ok to change the end date to 30 November?",
        "the end date should not be 30 November",
        "the reason is none of your business",
        "Actually, Tom's leave ends on 25 November",
        "what is the end date?",
        "the reason is wrong",
        "the reason is private",
    ] {
        let mut chat = wedding();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
        assert!(
            said(&action).contains("othing was changed") || said(&action).contains("stays"),
            "{text}: {action}"
        );
    }
    let mut chat = wedding();
    chat.say("the reason is fine");
    assert_eq!(chat.values["reason"], "my wedding");
    for text in [
        "can you change the leave type to unpaid?",
        "if possible, change the leave type to unpaid",
        "no, change the leave type to unpaid",
    ] {
        let mut chat = wedding();
        chat.say(text);
        assert_eq!(chat.values["leave_type"], "Unpaid", "{text}");
    }
}

#[test]
fn one_value_for_another() {
    for (text, field, value) in [
        ("end on Saturday instead of Friday", "end_date", "2026-11-28"),
        ("change Monday to Tuesday", "start_date", "2026-11-24"),
        ("change Friday to Thursday", "end_date", "2026-11-26"),
        ("unpaid instead of annual", "leave_type", "Unpaid"),
        ("actually make it Tuesday", "start_date", "2026-11-24"),
        ("actually make it from Tuesday", "start_date", "2026-11-24"),
        ("make the end Friday", "end_date", "2026-11-27"),
        ("change the end date to Thursday", "end_date", "2026-11-26"),
    ] {
        let mut chat = wedding();
        let mut expected = chat.values.clone();
        expected.insert(field.into(), json!(value));
        let action = chat.say(text);
        assert_eq!(chat.values, expected, "{text}: {action}");
    }
    for text in [
        "change Monday to Tuesday or Wednesday",
        "change the start date to Tuesday or Wednesday",
        "change Wednesday to Thursday",
        // Nobody knows which end is meant.
        "actually make it Sunday",
    ] {
        let mut chat = wedding();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
    }
}

#[test]
fn two_changes_at_once() {
    let mut chat = wedding();
    chat.say("make the start the 24th and the end the 26th");
    assert_eq!(
        (&chat.values["start_date"], &chat.values["end_date"]),
        (&json!("2026-11-24"), &json!("2026-11-26"))
    );
    let mut chat = sunday("leave_request.json");
    asks(&chat.say("annual leave from 23 November"), "ASK_DATE", "end_date");
    let action = chat.say("Friday, and make it unpaid");
    assert_eq!(
        (&chat.values["end_date"], &chat.values["leave_type"]),
        (&json!("2026-11-27"), &json!("Unpaid")),
        "{action}"
    );
    // One part that is not understood does not hide behind the other.
    let mut chat = wedding();
    let action = chat.say("change the leave type to unpaid and the end date to blue");
    assert_eq!(
        (&chat.values["end_date"], &chat.values["leave_type"]),
        (&json!("2026-11-27"), &json!("Unpaid"))
    );
    asks(&action, "ASK_DATE", "end_date");
}

#[test]
fn a_no_takes_back_where_words_are_asked_for() {
    let mut chat = sunday("leave_request.json");
    asks(&chat.say("sick leave from 23 to 27 November"), "ASK_TEXT", "reason");
    chat.say("not sick, annual");
    assert_eq!((chat.values.get("leave_type"), chat.values.get("reason")), (Some(&json!("Annual")), None));
    let mut chat = sunday("leave_request.json");
    asks(&chat.say("annual leave from 23 to 27 November"), "ASK_TEXT", "reason");
    chat.say("no, Tuesday");
    assert_eq!(
        (chat.values.get("start_date"), chat.values.get("reason")),
        (Some(&json!("2026-11-24")), None)
    );
    let mut chat = sunday("leave_request.json");
    asks(&chat.say("annual leave from 23 to 27 November"), "ASK_TEXT", "reason");
    says(&chat.say("no, Sunday"), &["the start date or the end date", "nothing was changed"]);
    assert_eq!(chat.values.get("start_date"), Some(&json!("2026-11-23")));
    let mut chat = sunday("leave_request.json");
    chat.say("annual leave from 23 November");
    asks(&chat.say("27 November"), "ASK_TEXT", "reason");
    chat.say("no, Thursday");
    assert_eq!((chat.values.get("end_date"), chat.values.get("reason")), (Some(&json!("2026-11-26")), None));
    let mut chat = sunday("incident_report.json");
    asks(&chat.say("A fire from 2 to 3 November"), "ASK_TEXT", "followup_reason");
    chat.say("not Fire, Injury");
    assert_eq!(
        (chat.values.get("incident_type"), chat.values.get("followup_reason")),
        (Some(&json!("Injury")), None)
    );
    for (text, end) in
        [("No, the end date is Thursday", "2026-11-26"), ("the end date is Thursday", "2026-11-26")]
    {
        let mut chat = sunday("leave_request.json");
        chat.say("annual leave from 23 to 27 November");
        chat.say(text);
        assert_eq!(
            (chat.values.get("end_date"), chat.values.get("reason")),
            (Some(&json!(end)), None),
            "{text}"
        );
    }
    for said in ["not feeling well", "not sure, family matters"] {
        let mut chat = sunday("leave_request.json");
        chat.say("annual leave from 23 to 27 November");
        chat.say(said);
        assert_eq!(chat.values.get("reason"), Some(&json!(said)));
    }
}

#[test]
fn a_question_back_and_a_refusal_are_no_text() {
    for text in [
        "what do you need the reason for?",
        "try again",
        "why do you need that?",
        "I don't want to give one",
        "I'd rather not say",
        "skip",
    ] {
        let mut chat = sunday("leave_request.json");
        asks(&chat.say("annual leave from 23 to 27 November"), "ASK_TEXT", "reason");
        let action = chat.say(text);
        asks(&action, "ASK_TEXT", "reason");
        assert_eq!(chat.values.get("reason"), None, "{text}");
        assert!(!said(&action).is_empty(), "{text}");
    }
}

#[test]
fn a_failed_lookup_is_tried_again() {
    let form = json!({"form": "t", "title": "T", "fields": [
        {"id": "service", "kind": "choice", "label": "Which service?", "options_from": {"tool": "list"}},
        {"id": "note", "kind": "text", "label": "A note?", "required": true}
    ], "tools": [{"name": "list", "description": "Lists services"}]});
    for text in ["try again", "please try again"] {
        let mut chat = Chat::new(holdpoint_protocols::action::form::read_value(&form).unwrap());
        chat.say("");
        let action = chat.say("hello");
        assert_eq!(action["action"], "TOOL_CALL", "{action}");
        asks(&chat.tool("list", json!({"error": "down"})), "ASK_TEXT", "note");
        let action = chat.say(text);
        assert_eq!((&action["action"], chat.values.get("note")), (&json!("TOOL_CALL"), None), "{action}");
        asks(&chat.tool("list", json!({"error": "down"})), "ASK_TEXT", "note");
        let action = chat.say("my note");
        assert_eq!(
            (&action["action"], &chat.values["note"]),
            (&json!("MESSAGE"), &json!("my note")),
            "{action}"
        );
        chat.say("skip");
        assert_eq!(chat.values["note"], "my note");
        let action = chat.say(text);
        assert_eq!(
            (&action["action"], &chat.values["note"]),
            (&json!("TOOL_CALL"), &json!("my note")),
            "{action}"
        );
    }
}

#[test]
fn what_is_not_understood_is_said() {
    for text in [
        "move the party a week later",
        "remove the reason",
        "remove the handover notes",
        "push everything back",
        "how many days do I have left?",
        "what happens next?",
    ] {
        let mut chat = wedding();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
        assert!(
            said(&action).contains("othing was changed") || said(&action).contains("stays"),
            "{text}: {action}"
        );
        assert!(!said(&action).contains("Hello"), "{text}: {action}");
    }
    let mut chat = wedding();
    chat.say("handover: ask Tom");
    assert_eq!(chat.values["handover_notes"], "ask Tom");
    says(&chat.say("please remove the handover notes"), &["removed handover notes"]);
    assert_eq!(chat.values.get("handover_notes"), None);
}

#[test]
fn a_no_before_a_change_is_no_answer() {
    for (text, field, value) in [
        ("No, the start is 2 December", "start_date", "2026-12-02"),
        ("No. It should end on 4 December", "end_date", "2026-12-04"),
        ("no it starts on the 2nd", "start_date", "2026-12-02"),
        ("no, annual", "leave_type", "Annual"),
    ] {
        let mut chat = sunday("leave_request.json");
        asks(&chat.say("sick leave 1 to 3 December because of flu"), "ASK_CHECKBOX", "medical_certificate");
        let action = chat.say(text);
        assert_eq!(chat.values.get(field), Some(&json!(value)), "{text}: {action}");
        assert_eq!(chat.values.get("medical_certificate"), None, "{text}: {action}");
    }
    for text in ["no", "No, not yet", "no, I have none", "no, only on Saturday", "nope, sorry"] {
        let mut chat = sunday("leave_request.json");
        asks(&chat.say("sick leave 1 to 3 December because of flu"), "ASK_CHECKBOX", "medical_certificate");
        let action = chat.say(text);
        assert_eq!(chat.values.get("start_date"), Some(&json!("2026-12-01")), "{text}: {action}");
        assert_eq!(chat.values.get("end_date"), Some(&json!("2026-12-03")), "{text}: {action}");
    }
}

#[test]
fn a_no_with_another_day_speaks_of_the_day_before() {
    for text in ["no, 4 December", "no, the 4th", "No. The 4th", "sorry, 4 December"] {
        let mut chat = sunday("leave_request.json");
        chat.say("annual leave");
        asks(&chat.say("on 3 December"), "ASK_DATE", "end_date");
        let action = chat.say(text);
        assert_eq!(chat.values.get("start_date"), Some(&json!("2026-12-04")), "{text}: {action}");
        assert_eq!(chat.values.get("end_date"), None, "{text}: {action}");
    }
}
