//! The published conformance rows of conversations, each under its number: what is kept, and what is done better.

use holdpoint_protocols::action::conversation::options_of;
use holdpoint_protocols::action::form::{self, read_value};
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, read, says};
use crate::action_form::example;

fn leave() -> Chat {
    Chat::begun("leave_request.json")
}

/// One of which the first field is asked.
fn asked() -> Chat {
    let mut chat = leave();
    asks(&chat.say("hm"), "ASK_DROPDOWN", "leave_type");
    chat
}

fn multi(answers: &Value) -> Value {
    json!({"intent": "multi_answer", "answers": answers})
}

const WHOLE: &str = "annual 2026-03-02 to 2026-03-04 trip";

fn whole() -> Value {
    multi(&json!({
        "leave_type": {"value": "Annual", "words": "annual"}, "start_date": {"value": "2026-03-02", "words": "2026-03-02"},
        "end_date": {"value": "2026-03-04", "words": "2026-03-04"}, "reason": {"value": "trip", "words": "trip"}}))
}

#[test]
fn o1_m1_silence_is_greeted() {
    let mut chat = Chat::new(example("leave_request.json"));
    let action = chat.say("");
    assert_eq!(action["action"], "MESSAGE");
    says(&action, &["Leave request"]);
    assert!(chat.values.is_empty());
}

#[test]
fn o2_where_nothing_must_be_asked_all_is_complete() {
    let optional =
        json!({"form_id": "t", "fields": [{"id": "a", "type": "text", "prompt": "A?", "required": false}]});
    let action = Chat::new(read_value(&optional).unwrap()).say("");
    assert_eq!((&action["action"], &action["data"]), (&json!("FORM_COMPLETE"), &json!({})));
}

#[test]
fn o3_what_was_taken_and_what_was_not_is_told() {
    let mut chat = leave();
    let answers = json!({"leave_type": {"value": "Annual", "words": "annual"}, "start_date": {"value": "nope", "words": "nope"}, "zzz": 1});
    let action = chat.model("annual from nope, zzz", &multi(&answers));
    asks(&action, "ASK_DATE", "start_date");
    says(&action, &["leave type: Annual", "start date", "zzz"]);
}

#[test]
fn o4_all_at_once_completes() {
    let action = leave().model(WHOLE, &whole());
    assert_eq!((&action["action"], action["data"].as_object().unwrap().len()), (&json!("FORM_COMPLETE"), 4));
}

#[test]
fn o5_answers_that_are_none_ask_the_first_field() {
    for output in [json!({"intent": "multi_answer", "answers": "x"}), json!({"intent": "multi_answer"})] {
        asks(&leave().model("x", &output), "ASK_DROPDOWN", "leave_type");
    }
}

#[test]
fn o9_json_is_found_in_fences_and_prose() {
    let form = example("leave_request.json");
    let whole = whole();
    for output in [format!("Sure!\n```json\n{whole}\n```\nDone."), format!("Here: {whole} – ok?")] {
        assert_eq!(read(&output, &form, WHOLE), read(&whole.to_string(), &form, WHOLE));
    }
}

#[test]
fn o10_a_value_that_is_no_option_is_asked_again_with_the_reason() {
    let mut chat = asked();
    let output = json!({"intent": "answer", "field_id": "leave_type", "value": "Purple", "words": "Purple"});
    let action = chat.model("Purple", &output);
    asks(&action, "ASK_DROPDOWN", "leave_type");
    says(&action, &["\"Purple\"", "Annual, Sick, Emergency, Unpaid"]);
}

/// Published: the next field is asked again, not the one that was wrong. Here: what was wrong is named.
#[test]
fn o11_better_a_wrong_value_for_another_field_is_told() {
    let mut chat = asked();
    let output = json!({"intent": "answer", "field_id": "end_date", "value": "someday", "words": "someday"});
    let action = chat.model("someday", &output);
    asks(&action, "ASK_DROPDOWN", "leave_type");
    says(&action, &["someday", "end date"]);
}

#[test]
fn o12_an_answer_without_a_field_is_for_the_one_that_was_asked() {
    let action = asked().model("sick", &json!({"intent": "answer", "value": "Sick", "words": "sick"}));
    asks(&action, "ASK_DATE", "start_date");
}

#[test]
fn o13_an_answer_for_no_field_stores_nothing() {
    for id in [json!(null), json!("zzz")] {
        let mut chat = asked();
        let output = json!({"intent": "answer", "field_id": id, "value": "Sick", "words": "sick"});
        asks(&chat.model("whatever", &output), "ASK_DROPDOWN", "leave_type");
        assert!(chat.values.is_empty());
    }
}

/// Published: the new value of a correction is thrown away. Here: it is taken.
#[test]
fn o14_better_a_correction_takes_its_value() {
    let mut chat = leave();
    chat.typed("leave_type", json!("Sick"));
    chat.typed("medical_certificate", json!(["Yes"]));
    let output =
        json!({"intent": "correction", "field_id": "leave_type", "value": "Annual", "words": "annual"});
    chat.model("no, annual", &output);
    assert_eq!(Value::Object(chat.values), json!({"leave_type": "Annual"}));
}

#[test]
fn o15_a_later_field_is_opened_and_then_the_first_missing_asked() {
    let mut chat = leave();
    chat.typed("end_date", json!("2026-03-04"));
    let action = chat.model("the end is wrong", &json!({"intent": "correction", "field_id": "end_date"}));
    asks(&action, "ASK_DATE", "end_date");
    // It stays until there is a new one.
    assert_eq!(chat.values["end_date"], "2026-03-04");
    asks(&chat.say("5 March"), "ASK_DROPDOWN", "leave_type");
    assert_eq!(chat.values["end_date"], "2026-03-05");
}

#[test]
fn o16_what_was_never_answered_cannot_be_corrected() {
    for id in ["zzz", "reason"] {
        let action = asked().model("that", &json!({"intent": "correction", "field_id": id}));
        asks(&action, "ASK_DROPDOWN", "leave_type");
    }
}

#[test]
fn o17_whatever_states_nothing_asks_again() {
    for output in [
        json!({"intent": "clarify", "message": "Which one?"}),
        json!({"intent": "ask"}),
        json!({"intent": "dance"}),
        json!({"message": "Tell me more"}),
        multi(&json!({})),
    ] {
        let mut chat = asked();
        asks(&chat.model("whatever", &output), "ASK_DROPDOWN", "leave_type");
        assert!(chat.values.is_empty(), "{output}");
    }
}

/// Published: after completion nothing can be changed. Here: until it is sent.
#[test]
fn o18_better_what_is_complete_can_be_changed() {
    let mut chat = leave();
    chat.model(WHOLE, &whole());
    assert_eq!(chat.say("make it unpaid")["data"]["leave_type"], "Unpaid");
}

/// Published: a hidden field is claimed to have been captured. Here: it is not needed, and said so.
#[test]
fn o20_better_hidden_fields_are_not_claimed() {
    let answers = json!({"leave_type": {"value": "Annual", "words": "annual"}, "medical_certificate": {"value": ["Yes"], "words": "a note"}});
    let action = leave().model("annual, I have a note", &multi(&answers));
    says(&action, &["I have leave type: Annual", "Not needed here: medical certificate"]);
}

/// Published: results that come with the greeting are dropped. Here: they count.
#[test]
fn m2_better_results_count_from_the_first_turn() {
    let mut chat = Chat::new(example("change_request.md"));
    chat.tool("list_services", json!({"services": ["Billing"]}));
    assert_eq!(chat.form.fields[0].options.len(), 1);
}

/// Published: unknown fields and options that do not exist are stored. Here: they are not.
#[test]
fn m4_m12_better_what_does_not_fit_is_not_stored() {
    let mut chat = leave();
    let answers = json!({"start_date": {"value": "banana", "words": "banana"}, "zzz": 1, "leave_type": {"value": "Green", "words": "Green"}});
    chat.model("banana Green", &multi(&answers));
    assert!(chat.values.is_empty());
}

#[test]
fn m5_m19_a_tool_may_be_asked_for_without_arguments() {
    let mut chat = Chat::begun("change_request.md");
    let action = chat.model("x", &json!({"action": "TOOL_CALL", "tool_name": "list_services"}));
    assert_eq!((&action["action"], &action["tool_args"]), (&json!("TOOL_CALL"), &json!({})));
}

#[test]
fn m7_a_text_is_stored_and_the_next_field_asked() {
    let mut chat = Chat::begun("incident_report.json");
    chat.say("a fire from 11 to 15 January");
    asks(&chat.say("the wind turned"), "ASK_LOCATION", "location");
    assert_eq!(chat.values["followup_reason"], "the wind turned");
}

/// Published: dates are stored as they were said. Here: as dates.
#[test]
fn m10_m13_better_answers_are_typed() {
    let mut chat = leave();
    chat.say("annual");
    chat.say("March 5th 2026");
    assert_eq!(chat.values["start_date"], "2026-03-05");
    let mut chat = Chat::begun("incident_report.json");
    chat.say("a fire from 11 January to 11 January");
    assert_eq!(chat.say("24.7, 46.6")["data"]["location"], json!({"lat": 24.7, "lng": 46.6}));
}

#[test]
fn m11_a_date_that_is_none_is_asked_again_in_other_words() {
    let mut chat = leave();
    chat.say("annual");
    let (first, second) = (chat.say("banana"), chat.say("banana"));
    asks(&first, "ASK_DATE", "start_date");
    asks(&second, "ASK_DATE", "start_date");
    assert_ne!(first["message"], second["message"]);
    assert!(!chat.values.contains_key("start_date"));
}

/// Published (M15): a message once answers exist is retried to exhaustion. Here: it passes always.
#[test]
fn m16_m15_a_message_passes() {
    for known in [false, true] {
        let mut chat = asked();
        if known {
            chat.say("annual");
        }
        let action = chat.model("what is this for?", &json!({"intent": "ask", "message": "For the office."}));
        says(&action, &["For the office."]);
    }
}

#[test]
fn m18_m19_output_that_is_no_output_is_refused_with_a_reason() {
    let form = example("change_request.md");
    for output in [
        json!({"action": "ASK_DROPDOWN", "field_id": "risk", "options": []}),
        json!({"action": "ASK_DROPDOWN", "field_id": "risk", "options": "Red"}),
        json!({"action": "ASK_TEXT"}),
        json!({"action": "TOOL_CALL"}),
        json!({"action": "TOOL_CALL", "tool_name": "list_services", "tool_args": null}),
        json!({}),
        json!([1]),
    ] {
        assert!(!read(&output.to_string(), &form, "x").unwrap_err().is_empty(), "{output}");
    }
}

#[test]
fn m21_m22_the_data_is_all_that_was_answered() {
    let mut chat = leave();
    let action = chat.model(WHOLE, &whole());
    assert_eq!(action["data"], Value::Object(chat.values));
}

/// Published: a form whose last required field is a text never completes (M23). Here: it does.
#[test]
fn m23_better_a_text_completes() {
    let mut chat = leave();
    chat.say("annual from 2 to 4 March");
    assert_eq!(chat.say("a trip")["action"], "FORM_COMPLETE");
}

#[test]
fn m24_a_date_completes() {
    let mut chat = leave();
    chat.say("annual from 2 March because of a trip");
    assert_eq!(chat.say("4 March")["action"], "FORM_COMPLETE");
}

#[test]
fn m26_names_of_results_in_order() {
    let labels =
        |value: Value| options_of(&value, None).into_iter().map(|option| option.label).collect::<Vec<_>>();
    let list = json!({"list": [{"name": {"english": "E"}, "label": "x"}, {"name": "N", "label": "x"},
        {"value": {"english": "V"}, "label": "x"}, {"label": "Lb", "title": "x"}, {"title": "Ti"}, 5, null]});
    assert_eq!(labels(list), ["E", "N", "V", "Lb", "Ti"]);
}

/// Published: a list as a result ends in an error of the server. Here: it is a list of options.
#[test]
fn m27_better_a_result_may_be_a_list() {
    let mut chat = Chat::begun("change_request.md");
    chat.say("production");
    chat.tool("list_services", json!(["Billing"]));
    assert_eq!(chat.form.fields[0].options.len(), 1);
    // Where the form says where the list is, another one in the result is not meant.
    assert!(options_of(&json!({"regions": ["eu"]}), Some("/services")).is_empty());
    assert_eq!(options_of(&json!(["Billing"]), None).len(), 1);
}

#[test]
fn m28_a_person_may_go_on_while_a_tool_runs() {
    let mut chat = Chat::begun("change_request.md");
    assert_eq!(chat.say("in Europe")["action"], "TOOL_CALL");
    chat.say("staging");
    assert_eq!(chat.values["environment"], "staging");
}

fn summed() -> Chat {
    let mut chat = Chat::begun("change_request.md");
    chat.say("production in Europe");
    chat.tool("list_services", json!({"services": ["Billing"]}));
    let action = chat.say("Billing");
    says(&action, &["Step 1 of 2 is complete", "Billing"]);
    assert_eq!(action["action"], "MESSAGE");
    chat
}

#[test]
fn m30_a_step_is_summed_up_and_waits() {
    assert_eq!(summed().state.summed, Some(1));
}

#[test]
fn m31_a_yes_goes_on() {
    for yes in ["yes", "نعم"] {
        asks(&summed().say(yes), "ASK_DATETIME", "start");
    }
}

#[test]
fn m32_what_is_no_yes_waits() {
    for unclear in ["hmm", "yesterday", "book"] {
        let mut chat = summed();
        assert_eq!(chat.say(unclear)["action"], "MESSAGE");
        assert_eq!(chat.state.summed, Some(1), "{unclear}");
    }
}

#[test]
fn m33_a_field_is_changed_and_the_step_summed_up_again() {
    let front = "---\nform_id: t\ntitle: T\nfields:\n  - {id: name, type: text, prompt: Your name?, required: true, step: 1}\n  \
                 - {id: birthDate, type: date, prompt: Your date of birth?, required: true, step: 1}\n  \
                 - {id: note, type: text, prompt: A note?, required: true, step: 2}\n---\n";
    let mut chat = Chat::new(form::read(front).unwrap());
    chat.say("");
    chat.typed("name", json!("Ana"));
    says(&chat.typed("birthDate", json!("1990-01-02")), &["Step 1 of 2"]);
    asks(&chat.say("change the birth"), "ASK_DATE", "birthDate");
    says(&chat.say("3 January 1990"), &["Step 1 of 2", "3 January 1990"]);
}

/// Published: "incorrect" confirms. Here: it does not.
#[test]
fn m34_better_a_no_is_no_yes() {
    for no in ["incorrect", "not correct", "change the service, ok"] {
        let mut chat = summed();
        chat.say(no);
        assert!(chat.state.confirmed.is_empty(), "{no}");
    }
}

/// Published: steps that are not counted from one never complete (M39), nor what fills all at once (M40). Here: both do.
#[test]
fn m39_m40_better_steps_complete_whatever_their_numbers() {
    let form = json!({"form_id": "t", "fields": [
        {"id": "a", "type": "text", "prompt": "A?", "step": 2}, {"id": "b", "type": "text", "prompt": "B?", "step": 5}]});
    let mut chat = Chat::new(read_value(&form).unwrap());
    chat.say("");
    let answers = json!({"a": {"value": "one", "words": "one"}, "b": {"value": "two", "words": "two"}});
    says(&chat.model("one two", &multi(&answers)), &["Step 1 of 2"]);
    assert_eq!(chat.say("yes")["action"], "FORM_COMPLETE");
}

/// Published: an object without an action leaks to the client. Here: values are values in every phase.
#[test]
fn m42_better_values_count_in_every_phase() {
    let mut chat = leave();
    chat.say("annual");
    let action = chat.model(
        "from 2026-03-02",
        &multi(&json!({"start_date": {"value": "2026-03-02", "words": "2026-03-02"}})),
    );
    asks(&action, "ASK_DATE", "end_date");
}
