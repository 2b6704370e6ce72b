//! Turns that strangers took and that went astray: bare options, several doubts at once, values for other fields.

use holdpoint_core::Values;
use holdpoint_protocols::action::conversation::Turn;
use holdpoint_protocols::action::form::read_value;
use serde_json::json;

use crate::action_chat::{Chat, asks, built_in, says};

/// Who names an option and nothing else says whose it is, whatever was asked.
#[test]
fn a_bare_option_belongs_to_its_field() {
    for text in ["Annual", "annual leave", "annual please", "Annual."] {
        let mut chat = Chat::begun("leave_request.json");
        chat.say("from 2 March 2026");
        chat.state.asked = Some("end_date".into());
        let action = chat.say(text);
        says(&action, &["leave type: Annual"]);
        assert_eq!(chat.values["leave_type"], "Annual", "{text}: {action}");
    }
    // Answered before, it is a correction.
    let mut chat = Chat::begun("leave_request.json");
    asks(&chat.say("annual leave from 2 March 2026"), "ASK_DATE", "end_date");
    let action = chat.say("Unpaid");
    asks(&action, "ASK_DATE", "end_date");
    says(&action, &["leave type: now Unpaid"]);
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 2 to 6 March 2026 because of a trip");
    assert_eq!(chat.say("Unpaid")["data"]["leave_type"], "Unpaid");
    // What the asked field can take is its own, and a text takes anything.
    let mut chat = Chat::begun("leave_request.json");
    asks(&chat.say("annual leave from 2 to 6 March 2026"), "ASK_TEXT", "reason");
    // Whoever may have meant the other is told how to say it.
    says(&chat.say("Emergency"), &["If you meant the leave type, say: change the leave type to Emergency."]);
    assert_eq!((&chat.values["leave_type"], &chat.values["reason"]), (&json!("Annual"), &json!("Emergency")));
    // An option of two fields is nobody's.
    let form = json!({"form_id": "t", "fields": [
        {"id": "a", "type": "dropdown", "prompt": "A?", "options": ["Red", "Blue"]},
        {"id": "b", "type": "dropdown", "prompt": "B?", "options": ["Red", "Green"]},
        {"id": "day", "type": "date", "prompt": "When?"}]});
    let mut chat = Chat::new(read_value(&form).unwrap());
    chat.say("");
    chat.state.asked = Some("day".into());
    chat.say("Red");
    assert!(chat.values.is_empty(), "{:?}", chat.values);
    chat.state.asked = Some("day".into());
    chat.say("green");
    assert_eq!(chat.values["b"], "Green");
}

#[test]
fn a_bare_option_at_a_summary_changes_it() {
    let mut chat = Chat::begun("change_request.md");
    chat.say("production in Europe");
    chat.tool("list_services", json!({"services": ["Billing"]}));
    chat.say("Billing");
    let action = chat.say("staging");
    says(&action, &["now Staging", "Step 1 of 2"]);
}

/// A question is not forgotten because another was put first.
#[test]
fn doubts_and_offers_are_put_one_after_another() {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("sick or unpaid leave from 11/02/2027");
    asks(&action, "ASK_DROPDOWN", "leave_type");
    says(&action, &["Did you mean Sick or Unpaid?"]);
    let action = chat.say("unpaid");
    asks(&action, "ASK_DATE", "start_date");
    says(
        &action,
        &["you said \"11/02/2027\"", "Did you mean Thursday 11 February 2027 or Tuesday 2 November 2027?"],
    );
    let action = chat.say("the second");
    asks(&action, "ASK_DATE", "end_date");
    assert_eq!(chat.values["start_date"], "2027-11-02");
    assert_eq!(chat.values["leave_type"], "Unpaid");
}

#[test]
fn one_of_two_days_is_picked_in_everyday_words() {
    for (text, day) in [
        ("the first", "2027-02-11"),
        ("February", "2027-02-11"),
        ("the November one", "2027-11-02"),
        ("2 November", "2027-11-02"),
        ("the later one", "2027-11-02"),
        ("I meant Feb", "2027-02-11"),
        ("15 April 2027", "2027-04-15"),
    ] {
        let mut chat = Chat::begun("leave_request.json");
        let action = chat.say("annual leave from 11/02/2027");
        asks(&action, "ASK_DATE", "start_date");
        let action = chat.say(text);
        assert_eq!(chat.values.get("start_date"), Some(&json!(day)), "{text}: {action}");
        asks(&action, "ASK_DATE", "end_date");
    }
    // What settles nothing is asked once more, and then as any other.
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 11/02/2027");
    says(&chat.say("hm"), &["Did you mean Thursday 11 February"]);
    let action = chat.say("hm");
    asks(&action, "ASK_DATE", "start_date");
    assert!(!action.to_string().contains("Did you mean"), "{action}");
}

#[test]
fn several_offers_are_all_remembered() {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("My course begins on 7 September and ends on 11 September. My wife is sick.");
    let mut put = Vec::new();
    let mut action = action;
    for _ in 0..3 {
        let said = action["message"].as_str().unwrap_or_default().to_owned();
        if !said.contains("You mention") {
            break;
        }
        put.push(action["field_id"].as_str().unwrap().to_owned());
        action = chat.say("yes");
    }
    assert!(put.len() >= 2, "{put:?}: {action}");
    assert_eq!(chat.values.get("start_date"), Some(&json!("2026-09-07")), "{:?}", chat.values);
}

/// Who takes something back with a no and an apology is understood.
#[test]
fn no_sorry_i_meant() {
    let texts = [
        "no, sorry, I meant annual leave",
        "no sorry I meant annual",
        "No, I meant annual leave, sorry",
        "oh no, annual leave",
        "sorry no, annual leave",
    ];
    for text in texts {
        // While a day is asked.
        let mut chat = Chat::begun("leave_request.json");
        chat.say("sick leave");
        let action = chat.say(text);
        assert_eq!(chat.values["leave_type"], "Annual", "{text}: {action}");
        asks(&action, "ASK_DATE", "start_date");
        // While words are.
        let mut chat = Chat::begun("leave_request.json");
        chat.say("unpaid leave from 2 to 6 March 2026");
        let action = chat.say(text);
        assert_eq!(chat.values["leave_type"], "Annual", "{text}: {action}");
        asks(&action, "ASK_TEXT", "reason");
        // While a yes or no is.
        let mut chat = Chat::begun("leave_request.json");
        asks(
            &chat.say("sick leave from 2 to 6 March 2026 because of the flu"),
            "ASK_CHECKBOX",
            "medical_certificate",
        );
        let action = chat.say(text);
        assert_eq!(chat.values["leave_type"], "Annual", "{text}: {action}");
        // When all is known.
        let mut chat = Chat::begun("leave_request.json");
        chat.say("unpaid leave from 2 to 6 March 2026 because of a trip");
        let action = chat.say(text);
        assert_eq!(chat.values["leave_type"], "Annual", "{text}: {action}");
        // To an offer or a doubt.
        let mut chat = Chat::begun("leave_request.json");
        says(&chat.say("sick or unpaid leave"), &["Did you mean"]);
        let action = chat.say(text);
        assert_eq!(chat.values.get("leave_type"), Some(&json!("Annual")), "{text}: {action}");
    }
}

/// A typed value that is refused is told, and says nothing about the field that was asked.
#[test]
fn a_refused_value_is_no_failure_of_another_field() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave");
    for _ in 0..4 {
        let action = chat.typed("leave_type", json!("zz"));
        asks(&action, "ASK_DATE", "start_date");
        says(&action, &["doesn't look right for leave type"]);
        assert_eq!(chat.state.failures, 0);
        assert!(!action.to_string().contains("Please use the control"), "{action}");
    }
    chat.typed("start_date", json!("banana"));
    assert_eq!(chat.state.failures, 1);
}

#[test]
fn a_value_for_no_field_is_told() {
    let mut chat = Chat::begun("leave_request.json");
    let turn = Turn { astray: true, ..Turn::default() };
    let action = chat.turn(&turn, built_in);
    says(&action, &["cannot tell what it is for"]);
    asks(&action, "ASK_DROPDOWN", "leave_type");
}

/// Own words instead of an option travel as a text, both ways.
#[test]
fn own_words_are_a_text_on_the_wire() {
    let form = json!({"form": "t", "title": "T", "fields": [
        {"id": "fruit", "kind": "choice", "label": "Which fruit?", "custom": true, "options": [{"id": "apple", "label": "Apple"}]}]});
    let mut chat = Chat::new(read_value(&form).unwrap());
    chat.say("");
    chat.say("");
    let action = chat.say("a ripe mango");
    assert_eq!(
        (&action["action"], &action["data"]["fruit"]),
        (&json!("FORM_COMPLETE"), &json!("a ripe mango"))
    );
    assert_eq!(chat.values["fruit"], json!({"text": "a ripe mango"}));
    for (given, kept) in
        [("papaya", json!({"text": "papaya"})), ("Apple", json!("apple")), ("apple", json!("apple"))]
    {
        let action = chat.typed("fruit", json!(given));
        assert_eq!(chat.values, Values::from_iter([("fruit".to_owned(), kept)]), "{action}");
    }
}

/// What is added to several that are ticked leaves those.
#[test]
fn what_is_added_leaves_the_rest() {
    let mut chat = Chat::begun("hotel_booking.json");
    asks(&chat.say("a double from 3 March 2026 for two nights"), "ASK_TEXT", "guests");
    says(&chat.say("add parking"), &["extras: Parking"]);
    says(&chat.say("also a cot please"), &["extras: now Parking, Cot"]);
    assert_eq!(chat.values["extras"], json!(["parking", "cot"]));
}

#[test]
fn a_greeting_is_answered_with_the_question() {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("Hello!");
    asks(&action, "ASK_DROPDOWN", "leave_type");
    assert!(!action.to_string().contains("could not find"), "{action}");
}
