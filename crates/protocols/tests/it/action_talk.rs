//! Conversations: each turn in, each action out, with the built-in reader and with what a model might say.

use holdpoint_protocols::action::conversation::options_of;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::model;
use holdpoint_protocols::action::{Action, ReaderResult};
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, read, says};
use crate::action_form::example;

/// The seed's whole flow: greeting, extraction, one field at a time, completion.
#[test]
fn a_leave_request_from_hello_to_done() {
    let mut chat = Chat::new(example("leave_request.json"));
    let action = chat.say("");
    assert_eq!(action["action"], "MESSAGE");
    says(&action, &["Leave request", "leave type, start date, end date, reason"]);
    let action = chat.say("Vacation from next Monday, please");
    asks(&action, "ASK_DATE", "end_date");
    says(
        &action,
        &[
            "leave type: Annual (from \"Vacation\")",
            "start date: Monday 26 January 2026 (from \"next Monday\")",
        ],
    );
    assert_eq!(action["label"], "When does your leave end?");
    let action = chat.say("a week from Friday");
    asks(&action, "ASK_TEXT", "reason");
    says(&action, &["end date: Friday 30 January 2026"]);
    let action = chat.say("My sister marries");
    assert_eq!(
        action["data"],
        json!({"leave_type": "Annual", "start_date": "2026-01-26", "end_date": "2026-01-30", "reason": "My sister marries"})
    );
    assert_eq!(action["action"], "FORM_COMPLETE");
    says(&action, &["Anything to hand over"]);
}

/// Actions have exactly the seed's keys.
#[test]
fn actions_travel_as_published() {
    let mut chat = Chat::begun("leave_request.json");
    let keys = |action: &Value| action.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let action = chat.say("hm");
    assert_eq!(keys(&action), ["action", "field_id", "label", "message", "options"]);
    assert_eq!(action["options"], json!(["Annual", "Sick", "Emergency", "Unpaid"]));
    let action = chat.say("sick");
    assert_eq!(keys(&action), ["action", "field_id", "label", "message"]);
    let action =
        Action::ToolCall { tool_name: "t".into(), tool_args: serde_json::Map::new(), message: "…".into() };
    assert_eq!(
        serde_json::to_value(action).unwrap(),
        json!({"action": "TOOL_CALL", "tool_name": "t", "tool_args": {}, "message": "…"})
    );
}

/// Rows O1, O2, M1: who says nothing is greeted; where nothing must be asked, it is complete.
#[test]
fn silence_is_greeted() {
    let mut chat = Chat::new(example("leave_request.json"));
    assert_eq!(chat.say("")["action"], "MESSAGE");
    asks(&chat.say(""), "ASK_DROPDOWN", "leave_type");
    let optional =
        json!({"form_id": "t", "fields": [{"id": "a", "type": "text", "prompt": "A?", "required": false}]});
    let mut chat = Chat::new(read_value(&optional).unwrap());
    let action = chat.say("");
    assert_eq!((&action["action"], &action["data"]), (&json!("FORM_COMPLETE"), &json!({})));
    // Row M21: without anything new the data is all that was answered.
    let action = chat.typed("a", json!("x"));
    assert_eq!(action["data"], json!({"a": "x"}));
}

/// Rows O3 to O5 and O9: what a model extracts is checked; what does not fit is named.
#[test]
fn extraction_by_a_model() {
    let text = "annual from nope, zzz";
    let answers = json!({"leave_type": {"value": "Annual", "words": "annual"}, "start_date": {"value": "nope", "words": "nope"}, "zzz": 1});
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.model(text, &json!({"intent": "multi_answer", "answers": answers}));
    asks(&action, "ASK_DATE", "start_date");
    says(&action, &["leave type: Annual", "start date", "zzz"]);
    assert_eq!(Value::Object(chat.values), json!({"leave_type": "Annual"}));

    let text = "annual 2026-03-02 to 2026-03-04 trip";
    let answers = json!({
        "leave_type": {"value": "Annual", "words": "annual"}, "start_date": {"value": "2026-03-02", "words": "2026-03-02"},
        "end_date": {"value": "2026-03-04", "words": "2026-03-04"}, "reason": {"value": "trip", "words": "trip"}});
    let whole = json!({"intent": "multi_answer", "answers": answers});
    let mut chat = Chat::begun("leave_request.json");
    assert_eq!(chat.model(text, &whole)["action"], "FORM_COMPLETE");

    for nothing in [json!({"intent": "multi_answer", "answers": "x"}), json!({"intent": "multi_answer"})] {
        let mut chat = Chat::begun("leave_request.json");
        asks(&chat.model("x", &nothing), "ASK_DROPDOWN", "leave_type");
    }

    let form = example("leave_request.json");
    for output in
        [whole.to_string(), format!("Sure!\n```json\n{whole}\n```\nDone."), format!("Here: {whole} – ok?")]
    {
        let Ok(ReaderResult::Values(reading)) = read(&output, &form, text) else { panic!("{output}") };
        assert_eq!(reading.taken.len(), 4);
    }
}

/// Rows M18, M19: output that says nothing usable is sent back with a reason; M5: a tool may be asked for.
#[test]
fn output_that_is_no_output() {
    let form = example("change_request.md");
    for output in [
        "",
        "garbage",
        "{\"intent\": ",
        "[1]",
        "5",
        "{}",
        "{\"action\": \"ASK_TEXT\"}",
        "{\"action\": \"TOOL_CALL\"}",
        "{\"action\": \"TOOL_CALL\", \"tool_name\": \"x\", \"tool_args\": null}",
        "{\"action\": \"ASK_DROPDOWN\", \"field_id\": \"leave_type\", \"options\": []}",
        "{\"action\": \"ASK_DROPDOWN\", \"field_id\": \"leave_type\", \"options\": \"Red\"}",
    ] {
        assert!(read(output, &form, "x").is_err(), "{output}");
    }
    let Ok(ReaderResult::Tool(action)) =
        read("{\"action\": \"TOOL_CALL\", \"tool_name\": \"list_services\"}", &form, "x")
    else {
        panic!()
    };
    assert_eq!(serde_json::to_value(action).unwrap()["tool_args"], json!({}));
    assert!(read("{\"action\": \"TOOL_CALL\", \"tool_name\": \"x\"}", &form, "x").is_err());
    let schema = model::schema(&form.fields, &form.tools);
    assert!(schema["anyOf"][0]["properties"]["answers"]["properties"]["risk"].is_object());
}

/// Rows N1 to N3: typed values are taken strictly, texts through the reader.
#[test]
fn typed_and_said() {
    let mut chat = Chat::begun("incident_report.json");
    chat.say("hm");
    let action = chat.typed("incident_type", json!("fire"));
    asks(&action, "ASK_DROPDOWN", "incident_type");
    says(&action, &["doesn't look right", "Fire, Accident, Injury"]);
    asks(&chat.say("fire"), "ASK_DATE", "start_date");
    assert_eq!(chat.values["incident_type"], "Fire");

    let sick = || {
        let mut chat = Chat::begun("leave_request.json");
        chat.say("sick from today to tomorrow because of a cold");
        chat
    };
    for wrong in [json!("Yes"), json!([]), json!(["Maybe"])] {
        let mut chat = sick();
        asks(&chat.typed("medical_certificate", wrong), "ASK_CHECKBOX", "medical_certificate");
    }
    let mut chat = sick();
    assert_eq!(chat.say("Yes")["data"]["medical_certificate"], json!(["Yes"]));

    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual from 2 to 4 March");
    asks(&chat.typed("reason", json!("   ")), "ASK_TEXT", "reason");
    assert_eq!(chat.typed("reason", json!("  hi  "))["data"]["reason"], "  hi  ");
}

/// Rows C1 to C4 and C6 in conversation: what no longer applies goes, and is told.
#[test]
fn what_is_hidden_goes() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("sick from 2 to 4 March with a medical certificate, because of a cold");
    assert_eq!(chat.values["medical_certificate"], json!(["Yes"]));
    let action = chat.say("actually annual");
    assert_eq!(action["action"], "FORM_COMPLETE");
    assert!(action["data"].get("medical_certificate").is_none());
    says(&action, &["leave type: now Annual", "no longer applies: medical certificate"]);
    // A field that is hidden is not kept, and nobody is told that it was.
    let action = chat.typed("medical_certificate", json!(["Yes"]));
    assert!(action["data"].get("medical_certificate").is_none());
    says(&action, &["Not needed here: medical certificate"]);

    let mut chat = Chat::begun("incident_report.json");
    chat.say("A fire from 11 to 15 January because of the wind");
    chat.typed("location", json!({"lat": 24.7, "lng": 46.6}));
    assert_eq!(chat.values["followup_reason"], "the wind");
    let action = chat.say("the end date should be 10 January 2026");
    assert!(action["data"].get("followup_reason").is_none(), "{action}");
}

/// Rows O15 and O16, and "actually make it Tuesday": corrections until it is sent.
#[test]
fn corrections() {
    let mut chat = Chat::begun("leave_request.json");
    asks(&chat.say("from 2 to 4 March"), "ASK_DROPDOWN", "leave_type");
    let action = chat.say("change the end date");
    asks(&action, "ASK_DATE", "end_date");
    asks(&chat.say("5 March"), "ASK_DROPDOWN", "leave_type");
    assert_eq!(chat.values["end_date"], "2026-03-05");
    asks(&chat.say("annual"), "ASK_TEXT", "reason");
    // The field that is asked for is one of words; what is taken back is not.
    let action = chat.say("actually change the end date to 6 March");
    asks(&action, "ASK_TEXT", "reason");
    assert_eq!(chat.values["end_date"], "2026-03-06");
    chat.say("change the start date to 3 March");
    assert_eq!(
        (&chat.values["start_date"], &chat.values["end_date"]),
        (&json!("2026-03-03"), &json!("2026-03-06"))
    );

    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual leave");
    asks(&chat.say("Monday"), "ASK_DATE", "end_date");
    // Nobody knows which day is meant, so neither is touched.
    let action = chat.say("actually make it Tuesday");
    asks(&action, "ASK_DATE", "end_date");
    says(&action, &["nothing was changed"]);
    chat.say("change the start date to Wednesday");
    assert_eq!(chat.values["start_date"], "2026-01-21");
    // What was never answered cannot be taken back.
    asks(&chat.say("change the reason"), "ASK_DATE", "end_date");

    // After completion too.
    let mut chat = Chat::begun("leave_request.json");
    assert_eq!(chat.say("annual from 2 to 4 March because of a trip")["action"], "FORM_COMPLETE");
    let action = chat.say("make it unpaid");
    assert_eq!(
        (&action["action"], &action["data"]["leave_type"]),
        (&json!("FORM_COMPLETE"), &json!("Unpaid"))
    );
    let action = chat.say("thanks");
    assert_eq!(action["action"], "FORM_COMPLETE");
}

/// Two readings are distinguished by asking; the same failure three times offers a way out, and never a loop.
#[test]
fn unclear_answers() {
    let mut chat = Chat::begun("leave_request.json");
    let action = chat.say("sick or unpaid leave");
    asks(&action, "ASK_DROPDOWN", "leave_type");
    says(&action, &["did you mean Sick or Unpaid?"]);
    chat.say("sick");
    // Row M11: the question is not repeated word for word.
    let said: Vec<Value> = ["banana", "banana", "banana"].iter().map(|text| chat.say(text)).collect();
    for action in &said {
        asks(action, "ASK_DATE", "start_date");
    }
    assert_ne!(said[0]["message"], said[1]["message"]);
    says(&said[2], &["control", "skip"]);
    let action = chat.say("skip");
    asks(&action, "ASK_DATE", "end_date");
    says(&action, &["Start date: this is needed in the end"]);
    chat.say("6 March");
    chat.say("a cold");
    asks(&chat.say("no"), "ASK_DATE", "start_date");
    assert_eq!(chat.values["medical_certificate"], json!(["No"]));
    // Row M24.
    assert_eq!(chat.say("5 March")["action"], "FORM_COMPLETE");
}

#[test]
fn optional_fields_are_skipped_or_added() {
    let mut chat = Chat::begun("leave_request.json");
    chat.say("annual from 2 to 4 March because of a trip");
    let action = chat.say("handover notes: Tom knows");
    assert_eq!(action["data"]["handover_notes"], "Tom knows");
    asks(&chat.say("change the handover notes"), "ASK_TEXT", "handover_notes");
}

#[test]
fn half_of_a_moment_is_asked_whole() {
    let mut chat = Chat::in_second_step();
    asks(&chat.say("it begins then"), "ASK_DATETIME", "start");
    let action = chat.say("tomorrow");
    asks(&action, "ASK_DATETIME", "start");
    says(&action, &["a time is needed as well"]);
    chat.say("tomorrow at half past nine in the morning");
    assert_eq!(chat.values["start"], "2026-01-21T09:30:00");
}

/// Rows M26 and M28, and tools at all: options are looked up, errors and empty results are told.
#[test]
fn tools_give_options() {
    let start = || {
        let mut chat = Chat::begun("change_request.md");
        let action = chat.say("production in Europe");
        assert_eq!((&action["action"], &action["tool_name"]), (&json!("TOOL_CALL"), &json!("list_services")));
        chat
    };
    let mut chat = start();
    let action = chat.tool(
        "list_services",
        json!({"services": [{"name": {"english": "Billing"}}, {"id": "s2", "label": "Search"}]}),
    );
    asks(&action, "ASK_DROPDOWN", "service");
    assert_eq!(action["options"], json!(["Billing", "Search"]));
    chat.say("search");
    assert_eq!(chat.values["service"], "s2");

    for result in
        [json!({"error": "no network"}), json!({"services": []}), json!([1, 2]), json!("x"), Value::Null]
    {
        let mut chat = start();
        let action = chat.tool("list_services", result);
        asks(&action, "ASK_TEXT", "service");
        says(&action, &["could not look up"]);
    }
    // The person may go on while the tool runs.
    let mut chat = start();
    chat.say("change the environment to staging");
    assert_eq!(chat.values["environment"], "staging");
}

#[test]
fn labels_of_results() {
    let labels =
        |value: Value| options_of(&value, None).into_iter().map(|option| option.label).collect::<Vec<_>>();
    let entry = json!({"name": {"english": "E"}, "value": {"english": "V"}, "label": "L"});
    assert_eq!(labels(json!({"list": [entry]})), ["E"]);
    assert_eq!(
        labels(
            json!({"list": [{"name": "N", "label": "L"}, {"value": {"english": "V"}}, {"label": "Lb"}, {"title": "Ti"}, "S", 5]})
        ),
        ["N", "V", "Lb", "Ti", "S"]
    );
    assert_eq!(labels(json!(["A", "A", ""])), ["A"]);
}

/// Rows M30 to M33, and what M34 gets wrong: steps are summed up and wait for a yes.
#[test]
fn steps_wait_for_a_yes() {
    let start = || {
        let mut chat = Chat::begun("change_request.md");
        chat.say("production in Europe");
        chat.tool("list_services", json!({"services": ["Billing"]}));
        let action = chat.say("Billing");
        assert_eq!(action["action"], "MESSAGE");
        says(&action, &["Step 1 of 2 is complete", "Where is it changed: Production", "Billing"]);
        chat
    };
    for yes in ["yes", "نعم", "looks good"] {
        asks(&start().say(yes), "ASK_DATETIME", "start");
    }
    for unclear in ["hmm", "yesterday", "book"] {
        let mut chat = start();
        assert_eq!(chat.say(unclear)["action"], "MESSAGE");
        assert!(chat.state.summed.is_some());
        asks(&chat.say("ok"), "ASK_DATETIME", "start");
    }
    for no in ["incorrect", "not correct"] {
        let mut chat = start();
        assert_eq!(chat.say(no)["action"], "MESSAGE", "{no}");
        assert!(chat.state.confirmed.is_empty(), "{no} is no yes");
    }
    let mut chat = start();
    asks(&chat.say("change the environment"), "ASK_DROPDOWN", "environment");
    says(&chat.say("staging"), &["Step 1 of 2 is complete", "Staging"]);
    let mut chat = start();
    says(&chat.say("change the environment to staging"), &["Step 1 of 2", "Staging"]);
    // Said all at once, each step is still summed up, and the form completes.
    chat.say("yes");
    let action = chat.say("22 January at 09:15, 30 minutes, low risk, no outage");
    assert_eq!(action["action"], "FORM_COMPLETE", "{action}");
}

/// Gaps in the numbers of steps are no obstacle.
#[test]
fn steps_need_not_be_counted_from_one() {
    let form = json!({"form_id": "t", "fields": [
        {"id": "a", "type": "text", "prompt": "A?", "step": 2}, {"id": "b", "type": "text", "prompt": "B?", "step": 5}]});
    let mut chat = Chat::new(read_value(&form).unwrap());
    chat.say("");
    asks(&chat.say(""), "ASK_TEXT", "a");
    says(&chat.say("one"), &["Step 1 of 2"]);
    asks(&chat.say("yes"), "ASK_TEXT", "b");
    assert_eq!(chat.say("two")["data"], json!({"a": "one", "b": "two"}));
}
