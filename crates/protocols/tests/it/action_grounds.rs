//! What a model says is held against the text: a value that it cannot point to is asked, not assumed.

use holdpoint_protocols::action::Understood;
use serde_json::json;

use crate::action_chat::{Chat, asks, read, says};
use crate::action_form::example;

/// What a model cannot point to in the text is not stored.
#[test]
fn values_without_words_are_asked() {
    let form = example("leave_request.json");
    for answer in [
        json!("Sick"),
        json!({"value": "Sick"}),
        json!({"value": "Sick", "words": "I am ill"}),
        json!({"value": "Sick", "words": ""}),
    ] {
        let output = json!({"intent": "multi_answer", "answers": {"leave_type": answer}}).to_string();
        let Ok(Understood::Values(reading)) = read(&output, &form, "I need a day off") else {
            panic!("{output}")
        };
        assert!(reading.is_empty(), "{output}: {reading:?}");
        let mut chat = Chat::begun("leave_request.json");
        let output = serde_json::from_str(&output).unwrap();
        let action = chat.model("I need a day off", &output);
        asks(&action, "ASK_DROPDOWN", "leave_type");
        says(&action, &["Leave type: Sick?"]);
        assert!(chat.values.is_empty(), "{:?}", chat.values);
        // Whoever agrees takes it.
        chat.say("yes");
        assert_eq!(chat.values["leave_type"], "Sick");
    }
    // A date that it cannot point to is simply asked.
    let mut chat = Chat::begun("leave_request.json");
    let output = json!({"intent": "multi_answer", "answers": {"start_date": "2026-03-02"}});
    let action = chat.model("I need a day off", &output);
    asks(&action, "ASK_DROPDOWN", "leave_type");
    assert!(chat.values.is_empty());
    // Words of time name no option.
    let mut chat = Chat::begun("leave_request.json");
    let output =
        json!({"intent": "multi_answer", "answers": {"leave_type": {"value": "Sick", "words": "on Monday"}}});
    says(&chat.model("I want to be off on Monday", &output), &["You mention \"on Monday\"", "Sick?"]);
    assert!(chat.values.is_empty(), "{:?}", chat.values);
}

/// A model's value must rest on words that could carry it: a day not on a name, a choice not on a greeting.
#[test]
fn a_value_is_tied_to_its_words() {
    let text = "Hello, this is Ana from Bonn, thanks";
    for (id, value, words) in [
        ("leave_type", json!("Sick"), "Hello"),
        ("leave_type", json!("Sick"), "thanks"),
        ("start_date", json!("2026-03-02"), "Ana from Bonn"),
        ("end_date", json!("2026-03-02"), "Hello, this is"),
    ] {
        let mut chat = Chat::begun("leave_request.json");
        let output = json!({"intent": "multi_answer", "answers": {id: {"value": value, "words": words}}});
        chat.model(text, &output);
        assert!(chat.values.is_empty(), "{id} from {words:?}: {:?}", chat.values);
    }
    let mut chat = Chat::begun("leave_request.json");
    let output =
        json!({"intent": "multi_answer", "answers": {"leave_type": {"value": "Sick", "words": "the flu"}}});
    chat.model("I caught the flu", &output);
    assert_eq!(chat.values["leave_type"], "Sick", "what a model knows of words is what it is for");
    let mut chat = Chat::begun("hotel_booking.json");
    let output =
        json!({"intent": "multi_answer", "answers": {"guests": {"value": 4, "words": "a lovely room"}}});
    chat.model("I would like that lovely room", &output);
    assert!(chat.values.is_empty(), "{:?}", chat.values);
}
