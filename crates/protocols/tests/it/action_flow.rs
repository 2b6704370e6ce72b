//! What is said to the conversation itself: sending, cancelling, starting over, help.

use holdpoint_protocols::action::conversation::{FormOutcome, sent};
use holdpoint_protocols::action::form::read_value;
use serde_json::json;

use crate::action_chat::{Chat, asks, says};

fn complete() -> Chat {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("annual leave from 2 to 4 March because of a trip");
    assert_eq!(action["action"], "FORM_COMPLETE", "{action}");
    says(&action, &["That is all I need.", "Say \"send it\", or say what to change."]);
    chat
}

#[test]
fn a_complete_form_is_sent_by_saying_so() {
    for text in
        ["send it", "Submit", "that's all, send", "yes", "yes please", "ok", "OK, send it please. Thanks!"]
    {
        let mut chat = complete();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(
            (chat.wish, &action["action"]),
            (Some(FormOutcome::Send), &json!("FORM_COMPLETE")),
            "{text}: {action}"
        );
        assert_eq!(chat.values, before);
    }
    for (text, wish) in [
        ("thanks", None),
        ("don't send it yet", Some(FormOutcome::Keep)),
        ("no", Some(FormOutcome::Keep)),
        ("not yet", Some(FormOutcome::Keep)),
        ("help", Some(FormOutcome::Keep)),
        ("should I send it?", None),
        ("looks nice", None),
        ("send it to Bob", None),
    ] {
        let mut chat = complete();
        let action = chat.say(text);
        assert_eq!((chat.wish, &action["action"]), (wish, &json!("FORM_COMPLETE")), "{text}: {action}");
    }
    // Once it is sent, that is what is told.
    let action = serde_json::from_value(json!({"action": "FORM_COMPLETE", "data": {}, "message": "I have x. That is all I need. Shall I send it?"})).unwrap();
    assert_eq!(sent(action).said(), "I have x. It has been sent.");
}

/// A yes sends only what it was asked about.
#[test]
fn a_correction_and_then_a_yes() {
    let mut chat = complete();
    let action = chat.say("make it unpaid");
    says(&action, &["now Unpaid", "Shall I send it?"]);
    assert_eq!(chat.wish, None);
    chat.say("yes");
    assert_eq!(chat.wish, Some(FormOutcome::Send));
}

#[test]
fn what_is_missing_is_said_to_whoever_sends_too_early() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 2 to 4 March");
    let action = chat.say("send it");
    asks(&action, "ASK_TEXT", "reason");
    says(&action, &["It is not sent yet, because this is missing: reason."]);
    assert!(!chat.values.contains_key("reason") && chat.wish.is_none());
    let mut chat = Chat::begun("leave_request.json");
    says(&chat.say("submit"), &["missing: leave type, start date, end date, reason"]);
    // A summary that waits for a yes is not passed over.
    let mut chat = Chat::begun("change_request.md");
    chat.say("production in Europe");
    chat.tool("list_services", json!({"services": ["Billing"]}));
    chat.say("Billing");
    let action = chat.say("send it");
    assert_eq!((&action["action"], chat.wish), (&json!("MESSAGE"), None), "{action}");
    says(&action, &["It is not sent yet", "Step 1 of 2"]);
}

#[test]
fn cancelling_takes_two_words() {
    for (yes, wish) in [
        ("yes", Some(FormOutcome::Cancel)),
        ("cancel", Some(FormOutcome::Cancel)),
        ("no", Some(FormOutcome::Keep)),
        ("5 March", None),
    ] {
        let mut chat = Chat::begun("leave_request.json");
        chat.say("annual leave from 2 March 2026");
        let action = chat.say("cancel");
        assert_eq!((&action["action"], chat.wish), (&json!("MESSAGE"), Some(FormOutcome::Keep)), "{action}");
        says(&action, &["Shall I cancel this form?"]);
        let action = chat.say(yes);
        assert_eq!(chat.wish, wish, "{yes}: {action}");
        match yes {
            "no" => asks(&action, "ASK_DATE", "end_date"),
            "5 March" => assert_eq!(chat.values["end_date"], "2026-03-05"),
            _ => says(&action, &["It is cancelled. Nothing was sent."]),
        }
    }
    // Later a yes agrees to nothing.
    let mut chat = complete();
    chat.say("cancel the form");
    chat.say("make it unpaid");
    chat.say("yes");
    assert_eq!(chat.wish, Some(FormOutcome::Send));
}

#[test]
fn starting_over_empties_the_form_and_can_be_undone() {
    let mut chat = complete();
    let before = chat.values.clone();
    says(&chat.say("start over"), &["clear the form"]);
    assert_eq!(chat.values, before);
    let action = chat.say("yes");
    assert_eq!(action["action"], "MESSAGE");
    says(&action, &["empty again", "leave type, start date"]);
    assert!(chat.values.is_empty());
    chat.say("undo");
    assert_eq!(chat.values, before);
    // There is nothing to lose yet.
    let mut chat = Chat::begun("leave_request.json");
    says(&chat.say("start over"), &["Tell me what you can"]);
}

#[test]
fn help_says_what_can_be_said_and_asks_on() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 2 to 4 March");
    for text in ["help", "Help!", "what can I say?"] {
        let action = chat.say(text);
        asks(&action, "ASK_TEXT", "reason");
        says(&action, &["undo", "skip", "start over", "cancel", "send it", "change the end date to"]);
        assert!(!chat.values.contains_key("reason"), "{text}");
    }
    let mut chat = Chat::begun("leave_request.json");
    says(&chat.say("help"), &["Say it in your own words"]);
}

/// An option may be called as such a wish is.
#[test]
fn an_option_is_no_wish() {
    let form = json!({"form_id": "t", "fields": [
        {"id": "step", "type": "dropdown", "prompt": "What shall happen?", "options": ["Cancel", "Send", "Help"]},
        {"id": "why", "type": "text", "prompt": "Why?"}]});
    for option in ["Cancel", "Send", "Help"] {
        let mut chat = Chat::new(read_value(&form).unwrap());
        chat.say("");
        asks(&chat.say(&option.to_lowercase()), "ASK_TEXT", "why");
        assert_eq!(chat.values["step"], option);
    }
}

/// The last step is summed up with the whole, so that it too can be agreed to or changed.
#[test]
fn the_last_step_is_summed_up() {
    let form = json!({"form_id": "t", "fields": [
        {"id": "a", "type": "text", "prompt": "A?", "step": 1}, {"id": "b", "type": "text", "prompt": "B?", "step": 2}]});
    let mut chat = Chat::new(read_value(&form).unwrap());
    chat.say("");
    chat.say("");
    says(&chat.say("one"), &["Step 1 of 2 is complete"]);
    chat.say("yes");
    let action = chat.say("two");
    assert_eq!(action["action"], "FORM_COMPLETE");
    says(
        &action,
        &["- A: \"one\" (your words)\n- B: \"two\" (your words)", "Shall I send it?", "say what to change"],
    );
    asks(&chat.say("change b"), "ASK_TEXT", "b");
    says(&chat.say("three"), &["- B: \"three\""]);
    chat.say("yes");
    assert_eq!(chat.wish, Some(FormOutcome::Send));
}

#[test]
fn a_checkbox_with_yes_and_no_keeps_both() {
    let form = json!({"form_id": "f", "fields": [
        {"id": "answers", "type": "checkbox", "prompt": "Which may be given?", "options": ["Yes", "No", "Yes, but later"]}]});
    for (said, kept) in [
        ("Yes, No", json!(["Yes", "No"])),
        ("No, Yes, but later", json!(["No", "Yes, but later"])),
        ("Yes", json!(["Yes"])),
    ] {
        let mut chat = Chat::new(read_value(&form).unwrap());
        chat.say("");
        asks(&chat.say("hello"), "ASK_CHECKBOX", "answers");
        let action = chat.say(said);
        assert_eq!(
            (&action["action"], &action["data"]["answers"]),
            (&json!("FORM_COMPLETE"), &kept),
            "{said}"
        );
    }
}

/// What is neither a yes, a no nor a value leaves what was offered open; it is put once more, and not a third time.
#[test]
fn what_was_offered_stays_until_it_is_answered() {
    let mut chat = Chat::begun("leave_request.json");
    says(&chat.say("maybe annual leave"), &["I read: leave type Annual. Right?"]);
    says(&chat.say("banana"), &["I read: leave type Annual. Right?"]);
    asks(&chat.say("yes"), "ASK_DATE", "start_date");
    assert_eq!(chat.values["leave_type"], "Annual");

    let mut chat = Chat::begun("leave_request.json");
    chat.say("maybe annual leave");
    chat.say("banana");
    let action = chat.say("banana");
    asks(&action, "ASK_DROPDOWN", "leave_type");
    assert!(!action["message"].as_str().unwrap().contains("I read"), "{action}");
    assert!(chat.values.is_empty());
}

fn session() -> Chat {
    Chat::new(
        read_value(&json!({"form": "session", "title": "Session", "fields": [
            {"id": "starts", "kind": "datetime", "label": "When does it start?"},
            {"id": "memory", "kind": "integer", "label": "How much memory?", "unit": "GB"},
            {"id": "recorded", "kind": "boolean", "label": "Shall it be recorded?"},
            {"id": "tools", "kind": "choices", "label": "Which tools?", "options": ["Camera", "Screen", "Board"]},
            {"id": "level", "kind": "choice", "label": "Level", "options": ["Low", "Middle", "High"]}
        ]}))
        .unwrap(),
    )
}

/// A day and a time may be said one after the other.
#[test]
fn a_day_and_its_time_come_one_by_one() {
    let mut chat = session();
    chat.say("hello");
    says(&chat.say("24 February"), &["a time is needed as well"]);
    says(&chat.say("at 10:30"), &["Tuesday 24 February 2026 at 10:30", "How much memory? (GB)"]);
    chat.say("change starts to 25 February at 11:15");
    assert_eq!(chat.values["starts"], "2026-02-25T11:15:00");
}

/// What a form counts in stands in the question and in the summary; what is listed by number is answered by it.
#[test]
fn units_are_shown_and_numbers_pick() {
    let mut chat = session();
    chat.say("starts 24 February 10:30");
    says(&chat.say("8"), &["memory: 8 GB", "Shall it be recorded?"]);
    chat.say("1");
    assert_eq!(chat.values["recorded"], true);
    chat.say("camera");
    says(&chat.say("low"), &["Memory: 8 GB", "Shall I send it?"]);
    chat.say("change the tools to camera and board");
    assert_eq!(chat.values["tools"], json!(["Camera", "Board"]));
    chat.say("level is not low but high");
    assert_eq!(chat.values["level"], "High");
}

/// A yes that is limited is no yes to what was offered, and what limits it is no value.
#[test]
fn a_limited_yes_stores_nothing() {
    for text in ["yes, until 2025", "yes but at 10", "yes but only 2 of it", "yes, I think", "yes, probably"]
    {
        let mut chat = session();
        chat.say("starts 24 February 10:30");
        says(&chat.say("about 8"), &["I read: memory 8 GB. Right?"]);
        chat.say(text);
        assert!(!chat.values.contains_key("memory"), "{text}");
    }
}
