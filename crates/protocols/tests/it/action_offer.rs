//! What looks like a value, but is not plainly stated for the form: it is offered in one question and never taken by itself.

use holdpoint_core::Values;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::json;

use crate::action_chat::{Chat, NOW, asks, says};
use crate::action_form::example;

/// Clauses that no rule speaks against, and that nothing makes a statement for this form either.
#[test]
fn what_is_not_recognised_is_not_taken() {
    for (form, text) in [
        ("leave_request.json", "My course begins on 7 September"),
        ("leave_request.json", "The office reopens on 2 February"),
        ("leave_request.json", "I have a dentist appointment on 3 February"),
        ("leave_request.json", "We fly to Crete on 3 February"),
        ("leave_request.json", "Thank you for the annual leave in March"),
        ("leave_request.json", "Ahmed covers for me on 3 February"),
        ("leave_request.json", "I need to pick up my daughter on 3 February"),
        ("hotel_booking.json", "My assistant rings you on 3 February"),
        ("hotel_booking.json", "I'll have dinner at 8 on Friday"),
        ("incident_report.json", "The extinguishers were delivered on 9 January"),
        ("incident_report.json", "The ambulance took him away on 10 January"),
        ("change_request.md", "The demo is on 3 February at 10:00"),
    ] {
        let fields = example(form).fields;
        let known = Values::new();
        let reading = reader::read(Question { fields: &fields, asked: None, text, now: NOW, known: &known });
        assert!(reading.taken.is_empty() && reading.partial.is_empty(), "{text}: {reading:?}");
    }
}

#[test]
fn a_yes_takes_what_was_offered() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave");
    let action = chat.say("My course begins on 7 September");
    asks(&action, "ASK_DATE", "start_date");
    says(&action, &["You mention \"7 September\"", "Start date: Monday 7 September 2026?"]);
    assert!(!chat.values.contains_key("start_date"));
    let action = chat.say("yes");
    asks(&action, "ASK_DATE", "end_date");
    assert_eq!(chat.values["start_date"], "2026-09-07");
}

#[test]
fn anything_else_passes_it_by() {
    for (reply, then) in [("no", None), ("10 September", Some("2026-09-10")), ("hm", None)] {
        let mut chat = Chat::begun("leave_request.json");
        chat.say("annual leave");
        chat.say("My course begins on 7 September");
        let action = chat.say(reply);
        let field = if then.is_some() { "end_date" } else { "start_date" };
        asks(&action, "ASK_DATE", field);
        assert_eq!(chat.values.get("start_date"), then.map(|day| json!(day)).as_ref(), "{reply}");
        // A yes that comes later agrees to nothing.
        chat.say("yes");
        assert_eq!(chat.values.get("start_date"), then.map(|day| json!(day)).as_ref(), "{reply}");
    }
}

/// The same is not offered twice in a row: the third time the control is.
#[test]
fn an_offer_does_not_loop() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave");
    let text = "My course begins on 7 September";
    says(&chat.say(text), &["You mention"]);
    let told: Vec<String> =
        (0..5).map(|_| chat.say(text)["message"].as_str().unwrap_or_default().to_owned()).collect();
    assert!(!told[0].contains("You mention"), "{told:?}");
    assert!(told.iter().any(|told| told.contains("Please use the control")), "{told:?}");
}

/// Who only hesitates has not answered, not even where words are asked for.
#[test]
fn a_sound_is_no_reason() {
    for text in ["hmm", "um, let me think", "well…", "?", "one moment please"] {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.say("annual leave from 2 to 6 March 2026"), "ASK_TEXT", "reason");
        let action = chat.say(text.trim_end_matches(" please"));
        asks(&action, "ASK_TEXT", "reason");
        assert!(!chat.values.contains_key("reason"), "{text}: {action}");
    }
}

/// What is stated beside it is taken at once.
#[test]
fn what_is_stated_beside_it_is_taken() {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("We fly to Crete on 3 February. Unpaid leave please.");
    assert_eq!(chat.values["leave_type"], "Unpaid");
    says(&action, &["Unpaid", "You mention \"3 February\""]);
    assert!(!chat.values.contains_key("start_date"));
}
