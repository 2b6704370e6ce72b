//! The small things of a conversation: short answers, names in sentences, what is kept while it is asked back.

use holdpoint_protocols::action::conversation::{Wish, sent};
use holdpoint_protocols::action::form::read_value;
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, says};
use crate::action_form::example;

fn said(action: &Value) -> &str {
    action["message"].as_str().or(action["text"].as_str()).unwrap_or_default()
}

fn form(fields: &Value) -> Chat {
    let mut chat = Chat::new(read_value(&json!({"form": "t", "title": "T", "fields": fields})).unwrap());
    chat.say("");
    chat
}

/// A letter or a sign is a yes or a no where one is awaited.
#[test]
fn a_letter_or_a_sign_will_do() {
    for (yes, no) in [("y", "n"), ("👍", "👎"), ("yep", "nope"), ("ok", "nah"), ("Y.", "N!"), ("👍🏽", "❌")]
    {
        // What was only mentioned.
        for (reply, start) in [(yes, Some(json!("2026-09-07"))), (no, None)] {
            let mut chat = Chat::begun("leave_request.json");
            chat.say("annual leave");
            chat.say("My course begins on 7 September");
            let action = chat.say(reply);
            assert_eq!(chat.values.get("start_date"), start.as_ref(), "{reply}: {action}");
        }
        // A wish about the whole form.
        for (reply, wish) in [(yes, Some(Wish::Cancel)), (no, Some(Wish::Keep))] {
            let mut chat = Chat::begun("leave_request.json");
            chat.say("annual leave");
            chat.say("cancel");
            chat.say(reply);
            assert_eq!(chat.wish, wish, "{reply}");
        }
        // Whether to send it.
        for (reply, wish) in [(yes, Some(Wish::Send)), (no, Some(Wish::Keep))] {
            let mut chat = Chat::begun("leave_request.json");
            chat.say("annual leave from 2 to 6 March 2026 because of a trip");
            let action = chat.say(reply);
            assert_eq!((chat.wish, &action["action"]), (wish, &json!("FORM_COMPLETE")), "{reply}: {action}");
        }
        // A step's summary.
        let mut chat = Chat::begun("change_request.md");
        chat.say("staging in Europe");
        chat.tool("list_services", json!({"services": ["Billing"]}));
        says(&chat.say("Billing"), &["Step 1 of 2"]);
        says(&chat.say(no), &["Step 1 of 2"]);
        asks(&chat.say(yes), "ASK_DATETIME", "start");
        // A field that asks for it.
        for (reply, value) in [(yes, true), (no, false)] {
            let mut chat = form(&json!([{"id": "breakfast", "kind": "boolean", "label": "Breakfast?"}]));
            chat.say("");
            let action = chat.say(reply);
            assert_eq!(chat.values.get("breakfast"), Some(&json!(value)), "{reply}: {action}");
        }
    }
    // Where words are asked for, a letter is words.
    let mut chat = form(&json!([{"id": "grade", "kind": "text", "label": "Which grade?"}]));
    chat.say("");
    chat.say("y");
    assert_eq!(chat.values.get("grade"), Some(&json!("y")));
}

/// A form that needs nothing greets too, says what can be told, and is complete (row O2).
#[test]
fn a_form_that_needs_nothing_greets() {
    let fields = json!([
        {"id": "nick_name", "kind": "text", "label": "What shall we call you?", "required": false},
        {"id": "note", "kind": "text", "label": "Note", "required": false}]);
    let mut chat =
        Chat::new(read_value(&json!({"form": "t", "title": "Tell us", "fields": fields})).unwrap());
    let action = chat.say("");
    assert_eq!((&action["action"], &action["data"]), (&json!("FORM_COMPLETE"), &json!({})));
    says(&action, &["Hello!", "\"Tell us\"", "Nothing in it is required", "nick name, Note"]);
    assert!(!said(&action).contains("That is all I need"), "{action}");
    // What is empty cannot be sent, and nobody is asked whether to.
    for text in ["yes", "send it", ""] {
        let action = chat.say(text);
        says(&action, &["Nothing is filled in yet. If you like, add: nick name, Note."]);
        assert!(chat.wish.is_none() && !said(&action).contains("Shall I send it?"), "{text}: {action}");
    }
    chat.typed("note", json!("hello"));
    chat.say("yes");
    assert_eq!(chat.wish, Some(Wish::Send));
}

/// The day is not said twice: which end it is suffices.
#[test]
fn which_end_it_is_suffices() {
    for (reply, start, end) in [
        ("the start", "2026-12-04", "2026-12-09"),
        ("start date", "2026-12-04", "2026-12-09"),
        ("the first one please", "2026-12-04", "2026-12-09"),
        ("the end date", "2026-12-07", "2026-12-11"),
        ("the end", "2026-12-07", "2026-12-11"),
        // Whoever says something else means that.
        ("change the end date to 15 December", "2026-12-07", "2026-12-15"),
        ("never mind", "2026-12-07", "2026-12-09"),
        ("yes", "2026-12-07", "2026-12-09"),
    ] {
        let mut chat = Chat::new(example("leave_request.json"));
        chat.say("");
        chat.say("annual leave from 7 to 9 December because I need rest");
        let action = chat.say("actually make it Friday");
        says(&action, &["the start date or the end date", "Which one is it?"]);
        assert_eq!(action["action"], "MESSAGE", "a yes answers nothing else: {action}");
        assert_eq!(chat.say(""), action, "it is asked until it is answered");
        let action = chat.say(reply);
        let known = (chat.values["start_date"].as_str(), chat.values["end_date"].as_str());
        assert_eq!((known, chat.wish), ((Some(start), Some(end)), None), "{reply}: {action}");
        // It is forgotten with the next turn.
        chat.say("hello");
        chat.say("the start");
        let known = (chat.values["start_date"].as_str(), chat.values["end_date"].as_str());
        assert_eq!(known, (Some(start), Some(end)), "{reply}: {action}");
    }
}

/// What was summed up stands apart from that it was sent.
#[test]
fn a_list_ends_before_what_is_said_of_it() {
    let mut chat = Chat::in_second_step();
    chat.say("");
    chat.say("it starts on 2 March 2026 at 9:30, takes 20 minutes, no downtime, low risk");
    let whole = chat.say("send it");
    assert_eq!(chat.wish, Some(Wish::Send), "{whole}");
    let told = sent(serde_json::from_value(whole).unwrap());
    assert!(told.said().ends_with("\nIt has been sent."), "{:?}", told.said());
    assert!(told.said().contains("Step 2 of 2"), "{:?}", told.said());
}

/// One wording for every field, be it one or many; a label that names something is its name.
#[test]
fn fields_are_called_as_people_read_them() {
    let mut chat = form(&json!([
        {"id": "num_g", "kind": "integer", "label": "Guests"},
        {"id": "x1", "kind": "choice", "label": "Please choose a size", "options": ["small", "large"]}]));
    let output = json!({"intent": "multi_answer", "answers": {"x1": {"value": "small", "words": ""}}});
    says(&chat.model("whatever you think", &output), &["X1: small?"]);
    chat.say("no");
    let action = chat.say("2 guests");
    says(&action, &["Guests: 2"]);
    says(&chat.say("change the guests to blue"), &["Guests: it stays 2"]);
}

/// Who leaves a required field a second time is told that it does not go without, and how to stop.
#[test]
fn a_required_field_cannot_be_left_for_ever() {
    let mut chat = Chat::begun("leave_request.json");
    asks(&chat.say("annual leave from 2 to 6 March 2026"), "ASK_TEXT", "reason");
    let action = chat.say("skip");
    says(&action, &["Reason: this is needed in the end"]);
    asks(&action, "ASK_TEXT", "reason");
    for _ in 0..3 {
        says(&chat.say("skip"), &["Reason: this is required", "\"cancel\""]);
    }
    chat.say("a trip");
    assert_eq!(chat.values["reason"], "a trip");
}

/// A doubt between two options is asked, and what is said beside it is kept.
#[test]
fn either_or_keeps_the_rest() {
    for text in [
        "Either annual or unpaid, 3 to 5 December",
        "either annual leave or unpaid leave from 3 to 5 December",
    ] {
        let mut chat = Chat::begun("leave_request.json");
        let action = chat.say(text);
        asks(&action, "ASK_DROPDOWN", "leave_type");
        says(&action, &["Did you mean Annual or Unpaid?"]);
        let days = json!({"start_date": "2026-12-03", "end_date": "2026-12-05"});
        assert_eq!(json!(chat.values), days, "{text}: {action}");
        chat.say("unpaid");
        assert_eq!(chat.values["leave_type"], "Unpaid", "{text}");
    }
    // A doubt about the days is one.
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave, either from 3 or from 4 December");
    assert!(!chat.values.contains_key("start_date"), "{:?}", chat.values);
}

/// Who wanted a day changed does not send the old ones by haste; who insists does.
#[test]
fn nothing_is_sent_before_it_is_clear_which_end() {
    let mut chat = Chat::new(example("leave_request.json"));
    chat.say("");
    chat.say("annual leave from 7 to 9 December because I need rest");
    chat.say("actually make it Friday");
    let action = chat.say("send it");
    assert_eq!(chat.wish, None, "{action}");
    says(&action, &["It is not sent yet", "Which one is it?"]);
    let before = chat.state.clone();
    chat.say("the end");
    assert_eq!(chat.values["end_date"], "2026-12-11");
    chat.state = before;
    chat.say("send it");
    assert_eq!(chat.wish, Some(Wish::Send));
}
