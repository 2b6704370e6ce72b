//! Rows of the published behaviour that are defects there: here the same situation ends better.

use holdpoint_protocols::action::conversation::Turn;
use holdpoint_protocols::action::{ReaderResult, ToolResult, model};
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, built_in, read, says};
use crate::action_form::example;

/// Published: a second silence costs two calls of a model. Here: the first field is asked.
#[test]
fn m3_better_a_second_silence_asks_the_first_field() {
    let mut chat = Chat::begun("leave_request.json");
    asks(&chat.say(""), "ASK_DROPDOWN", "leave_type");
}

/// Published: an extraction that says `answer` fails (M6), a message with a value overwrites (M41). Here: an answer is taken
/// in every phase, and a message states nothing.
#[test]
fn m6_m41_better_what_is_said_decides_not_the_phase() {
    let mut chat = Chat::begun("leave_request.json");
    let answer = json!({"intent": "answer", "field_id": "leave_type", "value": "Sick", "words": "sick"});
    asks(&chat.model("sick", &answer), "ASK_DATE", "start_date");
    assert_eq!(chat.values["leave_type"], "Sick");
    let message = json!({"intent": "ask", "message": "Right?", "field_id": "leave_type", "value": "Annual", "words": "hm"});
    chat.model("hm", &message);
    assert_eq!(chat.values["leave_type"], "Sick");
}

/// Published: what becomes of a text hangs on what is asked next (M8, M9), and a model that fails keeps it back (M25). Here: a
/// text that was asked for is stored when it is said, once.
#[test]
fn m8_m9_m25_better_a_text_is_stored_when_it_is_said() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave from 2 to 4 March");
    // The model fails; the built-in reader takes the turn.
    assert_eq!(chat.say("a trip")["data"]["reason"], "a trip");
    assert_eq!(chat.say("thanks")["data"]["reason"], "a trip");
}

/// Published: a field that is answered is asked until the tries are spent. Here: it is never asked.
#[test]
fn m14_better_what_is_answered_is_not_asked() {
    let mut chat = Chat::begun("leave_request.json");
    let mut seen: Vec<Value> = Vec::new();
    for text in ["annual", "2 March", "4 March", "a trip"] {
        let action = chat.say(text);
        assert!(!seen.contains(&action["field_id"]), "{action}");
        if !action["field_id"].is_null() {
            seen.push(action["field_id"].clone());
        }
    }
    assert_eq!(seen.len(), 3);
}

/// Published: actions of a model reach the person: unknown ones (M17), completion before all is known (M20, M36). Here: only
/// what it understood counts, and any other action goes back to it with the reason.
#[test]
fn m17_m20_m36_better_a_model_completes_nothing() {
    let form = example("leave_request.json");
    for output in [
        json!({"action": "FORM_COMPLETE", "data": {"leave_type": "Sick"}}),
        json!({"action": "DANCE", "text": "la la"}),
        json!({"action": "ask_text", "message": "What?"}),
        json!({"action": "ASK_TEXT", "field_id": "reason", "message": "Why?"}),
    ] {
        let why = read(&output.to_string(), &form, "sick").unwrap_err();
        assert!(why.contains("TOOL_CALL"), "{output}: {why}");
    }
}

/// Published: with results a message is recorded and its answer lost. Here: both count.
#[test]
fn m29_better_results_and_a_message_come_together() {
    let mut chat = Chat::begun("change_request.md");
    chat.say("staging");
    let tool_results = vec![ToolResult {
        tool_name: Some("list_services".into()),
        result: json!({"services": ["Billing"]}),
    }];
    let turn = Turn { text: "Billing, in Europe".into(), tool_results, ..Turn::default() };
    let action = chat.turn(&turn, built_in);
    assert_eq!(
        (&chat.values["service"], &chat.values["regions"]),
        (&json!("Billing"), &json!(["eu"])),
        "{action}"
    );
}

/// Published: a wish to edit that names nothing shows the summary again. Here: with the question what to change.
#[test]
fn m35_better_a_wish_to_edit_is_asked_back() {
    let mut chat = Chat::begun("change_request.md");
    chat.say("production in Europe");
    chat.tool("list_services", json!({"services": ["Billing"]}));
    chat.say("Billing");
    says(&chat.say("edit something"), &["What shall I change?", "Step 1 of 2"]);
    assert!(chat.state.confirmed.is_empty());
}

/// Published: a list, garbage and silence of a model end in errors and excuses (O6 to O8, O19, M38). Here: it is told what
/// would be right, and what it never says right states nothing.
#[test]
fn o19_m38_better_garbage_states_nothing() {
    let form = example("leave_request.json");
    for output in ["[1, 2]", "no json", "", "7", "{\"intent\": 5}", "{\"answers\": {}}", "{"] {
        assert!(read(output, &form, "sick").is_err(), "{output:?}");
    }
    let mut chat = Chat::begun("leave_request.json");
    let turn = Turn { text: "sick".into(), ..Turn::default() };
    let action =
        chat.turn(&turn, |briefing| model::read("garbage", briefing).unwrap_or_else(|_| built_in(briefing)));
    asks(&action, "ASK_DATE", "start_date");
    let action = chat.turn(&turn, |_| ReaderResult::default());
    asks(&action, "ASK_DATE", "start_date");
}

/// A day that is asked back for takes no moment: its time would be lost without a word.
#[test]
fn a_time_for_a_day_is_refused_and_said() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave");
    asks(&chat.say("maybe on 2 March"), "ASK_DATE", "start_date");
    let action = chat.say("2026-03-01T14:30:00");
    asks(&action, "ASK_DATE", "start_date");
    says(&action, &["a day without a time is needed"]);
    assert!(!chat.values.contains_key("start_date"));
}
