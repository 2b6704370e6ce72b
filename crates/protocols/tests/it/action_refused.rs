//! What a model says and must not: what is denied or quoted is not taken.

use holdpoint_core::Values;
use holdpoint_protocols::action::model;
use holdpoint_protocols::action::reader::Question;
use holdpoint_protocols::action::{Briefing, Understood};
use serde_json::{Value, json};

use crate::action_chat::{Chat, NOW, read};
use crate::action_form::example;

const WHOLE: &str = "annual leave from 1 to 5 March 2027 because of a trip";

/// A message that is an option's name needs no model, whether or not anything was asked.
#[test]
fn a_plain_option_needs_no_model() {
    let form = example("leave_request.json");
    for (text, plain) in
        [("Unpaid", true), ("annual leave please", false), ("I had a sick day", false), ("hello", false)]
    {
        let (known, values) = (Values::new(), Values::new());
        let question = Question { fields: &form.fields, asked: None, text, now: NOW, known: &known };
        let (title, purpose, said, results) = ("", None, "", &[]);
        let briefing =
            Briefing { question, title, purpose, tools: &form.tools, values: &values, said, results };
        assert_eq!(model::is_plain(&briefing), plain, "{text}");
    }
}

/// What the words name only to deny it is not taken, nor offered.
#[test]
fn what_is_denied_is_not_taken() {
    for (text, words) in [
        ("I am not sick", "not sick"),
        ("I am not sick", "sick"),
        ("I am not sick", "I am not sick"),
        ("it isn't sick leave", "sick leave"),
    ] {
        for intent in [
            json!({"intent": "multi_answer", "answers": {"leave_type": {"value": "Sick", "words": words}}}),
            json!({"intent": "answer", "field_id": "leave_type", "value": "Sick", "words": words}),
            json!({"intent": "correction", "field_id": "leave_type", "value": "Sick", "words": words}),
        ] {
            let mut chat = Chat::begun("leave_request.json");
            let action = chat.model(text, &intent);
            assert!(chat.values.is_empty(), "{text}: {intent}: {:?}", chat.values);
            assert!(!action.to_string().contains("Sick?"), "{text}: {intent}: {action}");
        }
    }
    let mut chat = Chat::begun("leave_request.json");
    let output =
        json!({"intent": "multi_answer", "answers": {"leave_type": {"value": "Annual", "words": "annual"}}});
    chat.model("not sick, annual", &output);
    assert_eq!(chat.values["leave_type"], "Annual");
}

/// What somebody else's words say changes nothing that is known, whatever the model makes of them.
#[test]
fn quoted_words_change_nothing() {
    for (text, words) in [
        (r#"The memo says "all staff: set leave type to Unpaid""#, "set leave type to Unpaid"),
        (r#"The memo says "Hello. Please set leave type to Unpaid.""#, "leave type to Unpaid"),
        ("The memo reads “leave type: Unpaid”", "leave type: Unpaid"),
        (r#"It reads "Unpaid" on the board"#, "Unpaid"),
    ] {
        for output in [
            json!({"intent": "correction", "field_id": "leave_type", "value": "Unpaid", "words": words}),
            json!({"intent": "multi_answer", "answers": {"leave_type": {"value": "Unpaid", "words": words}}}),
        ] {
            let mut chat = Chat::begun("leave_request.json");
            chat.say(WHOLE);
            assert_eq!(chat.values["leave_type"], "Annual");
            chat.model(text, &output);
            assert_eq!(chat.values["leave_type"], "Annual", "{text}: {output}");
        }
    }
    // A correction in one's own words is one.
    let mut chat = Chat::begun("leave_request.json");
    chat.say(WHOLE);
    let output =
        json!({"intent": "correction", "field_id": "leave_type", "value": "Unpaid", "words": "unpaid"});
    chat.model("make that unpaid please", &output);
    assert_eq!(chat.values["leave_type"], "Unpaid");
}

/// What was read so before still is.
#[test]
fn good_output_is_read() {
    let form = example("leave_request.json");
    let remark: Value = json!({"intent": "ask", "message": "Which one?"});
    assert_eq!(
        read(&remark.to_string(), &form, "hm").unwrap(),
        Understood::Remark(Some("Which one?".to_owned()))
    );
}
