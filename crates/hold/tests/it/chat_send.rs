//! Sending a form while talking, and going on after a restart.

use serde_json::{Value, json};

use crate::server::{Api, Server};

fn form(name: &str) -> String {
    let path = format!("{}/../../examples/forms/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn leave(api: &Api, more: &Value) -> Value {
    let schema: Value = serde_json::from_str(&form("leave_request.json")).unwrap();
    turn(api, json!({"form_schema": schema, "user_message": "", "conversation_id": "c"}), more)
}

fn change(api: &Api, more: &Value) -> Value {
    let body =
        json!({"form_context_md": form("change_request.md"), "user_message": "", "conversation_id": "c"});
    turn(api, body, more)
}

fn turn(api: &Api, mut body: Value, more: &Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    api.post("/api/chat", &body).is(200).json()
}

fn said(reply: &Value) -> &str {
    let action = &reply["action"];
    action["message"].as_str().or(action["text"].as_str()).unwrap_or_default()
}

/// A person who corrects and sends at once sends nothing if the correction failed, and is told so in fitting words.
#[test]
fn a_correction_that_fails_is_not_sent() {
    let whole = "annual leave from 1 to 5 March 2027 because of a trip";
    for (text, told) in [
        ("change the end date to blue", "first say what end date should be"),
        ("change the end date to 20 February 2027", "first say what end date should be"),
        ("change the colour to blue", "you may have wanted to change something"),
        ("don't change the end date to 7 March", "first say what end date should be"),
        ("what happens then?", "you may have wanted to change something"),
    ] {
        let server = Server::open();
        let api = server.nobody();
        let reply = leave(&api, &json!({"user_message": whole}));
        assert_eq!(reply["action"]["action"], "FORM_COMPLETE", "{reply}");
        let before = reply["answers"].clone();
        let reply = leave(&api, &json!({"user_message": text, "submit": true}));
        assert_ne!(reply["submitted"], json!(true), "{text}: {reply}");
        assert!(said(&reply).contains(told), "{text}: {reply}");
        assert!(!said(&reply).contains("summed up"), "{text}: {reply}");
        assert_eq!(reply["answers"], before, "{text}");
        let id = reply["decision_id"].as_str().unwrap();
        assert_eq!(api.decision(id).json()["status"], "pending", "{text}");
    }
    // A good one is sent with what it changed, and so is a mere thank-you.
    for (text, end) in [("change the end date to 8 March 2027", "2027-03-08"), ("thanks", "2027-03-05")] {
        let server = Server::open();
        let api = server.nobody();
        leave(&api, &json!({"user_message": whole}));
        let reply = leave(&api, &json!({"user_message": text, "submit": true}));
        assert_eq!(
            (&reply["submitted"], &reply["answers"]["end_date"]),
            (&json!(true), &json!(end)),
            "{reply}"
        );
    }
}

/// Neither does a typed value that was refused, or one for no field.
#[test]
fn a_value_that_is_refused_is_not_sent() {
    for turn in [
        json!({"user_message": "", "answers": {"leave_type": "zz"}, "submit": true}),
        json!({"user_message": "", "answers": {"colour": 1}, "submit": true}),
        json!({"user_message": {"x": 1}, "submit": true}),
    ] {
        let server = Server::open();
        let api = server.nobody();
        leave(&api, &json!({"user_message": "annual leave from 1 to 5 March 2027 because of a trip"}));
        let reply = leave(&api, &turn);
        assert_eq!(reply["submitted"], json!(false), "{turn}: {reply}");
        assert!(said(&reply).contains("It is not sent"), "{turn}: {reply}");
    }
}

/// A step that was agreed to stays so once the next is begun; else its summary comes again, and what is said meanwhile is
/// kept.
#[test]
fn steps_after_a_restart() {
    let mut server = Server::open();
    let api = server.nobody();
    let tool = json!({"tool_results": [{"tool_name": "list_services", "result": {"services": ["Shop"]}}]});
    change(&api, &json!({"user_message": "the shop in staging in Europe"}));
    let reply = change(&api, &tool);
    assert!(said(&reply).contains("Step 1 of 2 is complete"), "{reply}");
    change(&api, &json!({"user_message": "yes"}));
    server.kill();
    server.run();
    // What was agreed to is not asked once more.
    let api = server.nobody();
    let reply = change(&api, &json!({"user_message": "tomorrow at 10:00"}));
    assert!(reply["answers"]["start"].as_str().is_some_and(|at| at.ends_with("T10:00:00")), "{reply}");
    assert_eq!(reply["action"]["field_id"], "duration", "{reply}");
    server.kill();
    server.run();
    // Nor is it when somebody has filled in something elsewhere.
    let (api, id) = (server.nobody(), reply["decision_id"].as_str().unwrap().to_owned());
    let mut draft = reply["answers"].clone();
    draft["risk"] = json!("low");
    api.send("PUT", &format!("/v1/decisions/{id}/draft"), Some(&json!({"values": draft}))).is(200);
    let reply = change(&server.nobody(), &json!({"user_message": "20 minutes"}));
    assert_eq!(
        (&reply["answers"]["duration"], &reply["action"]["field_id"]),
        (&json!(20), &json!("downtime"))
    );
    server.sandbox.is_well();
}

/// The last change is taken back, also after a restart, and one that was made elsewhere.
#[test]
fn undo_over_http() {
    let mut server = Server::open();
    let api = server.nobody();
    leave(&api, &json!({"user_message": "annual leave from 1 to 5 March 2027 because of a trip"}));
    leave(&api, &json!({"user_message": "change the end date to 8 March 2027"}));
    let reply = leave(&api, &json!({"user_message": "undo"}));
    assert_eq!(reply["answers"]["end_date"], "2027-03-05", "{reply}");
    let reply = leave(&api, &json!({"user_message": "make it unpaid"}));
    assert_eq!(reply["answers"]["leave_type"], "Unpaid", "{reply}");
    server.kill();
    server.run();
    let api = server.nobody();
    let reply = leave(&api, &json!({"user_message": "undo"}));
    assert!(said(&reply).contains("taken the last change back"), "{reply}");
    assert_eq!(reply["answers"]["leave_type"], "Annual");
    let mut draft = reply["answers"].clone();
    draft["leave_type"] = json!("Sick");
    let id = reply["decision_id"].as_str().unwrap();
    api.send("PUT", &format!("/v1/decisions/{id}/draft"), Some(&json!({"values": draft}))).is(200);
    let reply = leave(&api, &json!({"user_message": "undo"}));
    assert_eq!(reply["answers"]["leave_type"], "Annual", "{reply}");
    // Before the first values there was nothing.
    let reply = leave(&api, &json!({"user_message": "undo"}));
    assert_eq!(reply["answers"], json!({}));
    let reply = leave(&api, &json!({"user_message": "undo"}));
    assert!(said(&reply).contains("no change here that I could take back"), "{reply}");
}

/// A form is sent, cancelled or started over by saying so.
#[test]
fn plain_words_settle_it() {
    let whole = json!({"user_message": "annual leave from 1 to 5 March 2027 because of a trip"});
    for words in ["send it", "yes", "that's all, submit"] {
        let server = Server::open();
        let api = server.nobody();
        leave(&api, &whole);
        let reply = leave(&api, &json!({"user_message": words}));
        assert_eq!(reply["submitted"], json!(true), "{words}: {reply}");
        assert!(said(&reply).ends_with("It has been sent."), "{words}: {reply}");
        let id = reply["decision_id"].as_str().unwrap();
        assert_eq!(api.decision(id).json()["status"], "answered", "{words}");
    }
    let mut server = Server::open();
    let api = server.nobody();
    let reply = leave(&api, &whole);
    server.kill();
    server.run();
    // What a yes would agree to is shown once more where others have changed it; a person who says to send it sends it.
    let api = server.nobody();
    let mut draft = reply["answers"].clone();
    draft["reason"] = json!("two trips");
    let id = reply["decision_id"].as_str().unwrap();
    api.send("PUT", &format!("/v1/decisions/{id}/draft"), Some(&json!({"values": draft}))).is(200);
    let reply = leave(&api, &json!({"user_message": "yes"}));
    assert_eq!((&reply["submitted"], &reply["action"]["action"]), (&json!(false), &json!("FORM_COMPLETE")));
    let reply = leave(&api, &json!({"user_message": "cancel"}));
    assert!(said(&reply).contains("Shall I cancel this form?"), "{reply}");
    let reply = leave(&api, &json!({"user_message": "yes"}));
    assert!(said(&reply).contains("It is cancelled"), "{reply}");
    let id = reply["decision_id"].as_str().unwrap().to_owned();
    assert_eq!(api.decision(&id).json()["status"], "cancelled");
    // Under the same id another begins.
    let reply = leave(&api, &json!({"user_message": "sick"}));
    assert_ne!(reply["decision_id"], json!(id));
    leave(&api, &json!({"user_message": "start over"}));
    let reply = leave(&api, &json!({"user_message": "yes"}));
    assert_eq!((&reply["answers"], &reply["action"]["action"]), (&json!({}), &json!("MESSAGE")), "{reply}");
    server.sandbox.is_well();
}

/// A typed value for which nothing was asked is told, not dropped.
#[test]
fn a_value_after_the_greeting_is_told() {
    let server = Server::open();
    let api = server.nobody();
    leave(&api, &json!({"user_message": ""}));
    let reply = leave(&api, &json!({"user_message": ["Yes"]}));
    assert!(said(&reply).contains("cannot tell what it is for"), "{reply}");
}

/// Nothing need be said to send what is complete; and where nothing was begun, there is nothing to send.
#[test]
fn sending_needs_no_words() {
    let server = Server::open();
    let api = server.nobody();
    leave(&api, &json!({"user_message": "annual leave from 1 to 5 March 2027"}));
    let reply = api.post("/api/chat", &json!({"conversation_id": "c", "submit": true})).is(200).json();
    assert_eq!(reply["submitted"], false, "{reply}");
    assert!(said(&reply).contains("this is missing: reason"), "{reply}");
    leave(&api, &json!({"user_message": "a trip"}));
    let reply = api.post("/api/chat", &json!({"conversation_id": "c", "submit": true})).is(200).json();
    assert_eq!(reply["submitted"], true, "{reply}");
    let id = reply["decision_id"].as_str().unwrap();
    assert_eq!(api.decision(id).json()["status"], "answered");
    // An empty form is not sent, and that is not an error.
    let optional = json!({"form": "f", "title": "F", "fields": [{"id": "note", "kind": "text", "label": "Note", "required": false}]});
    for more in [json!({}), json!({"submit": true}), json!({"user_message": "send it"})] {
        let body = json!({"form_schema": optional, "conversation_id": "empty"});
        let reply = turn(&api, body, &more);
        assert_eq!(
            (&reply["submitted"], &reply["action"]["action"]),
            (&json!(false), &json!("FORM_COMPLETE"))
        );
    }
    for nothing in [json!({"submit": true}), json!({"submit": true, "conversation_id": "nobody's"})] {
        let problem = api.post("/api/chat", &nothing).is(422).json();
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("a new conversation needs form_schema or form_context_md"), "{problem}");
    }
}

/// Who says no, asks for help or wants to give up does not send it, whatever the front end presses.
#[test]
fn words_against_sending_count_more_than_the_button() {
    let whole = "annual leave from 1 to 5 March 2027 because of a trip";
    for text in ["no", "nope", "don't send it yet", "not yet", "help", "cancel"] {
        let server = Server::open();
        let api = server.nobody();
        leave(&api, &json!({"user_message": whole}));
        let reply = leave(&api, &json!({"user_message": text, "submit": true}));
        assert_eq!(reply["submitted"], json!(false), "{text}: {reply}");
        assert!(!said(&reply).contains("has been sent"), "{text}: {reply}");
        assert!(!said(&reply).contains("summed up"), "{text}: {reply}");
    }
}

/// What was sent stays; under the same name another can be filled in once that is wanted.
#[test]
fn a_conversation_that_was_sent_can_be_reset() {
    let server = Server::open();
    let api = server.nobody();
    let sent = leave(
        &api,
        &json!({"user_message": "annual leave from 1 to 5 March 2027 because of a trip", "submit": true}),
    );
    assert_eq!(sent["submitted"], json!(true), "{sent}");
    let again = leave(&api, &json!({"user_message": "sick leave"}));
    assert_eq!(again["decision_id"], sent["decision_id"]);
    let reset = api.post("/api/sessions/reset", &json!({"conversation_id": "c"})).is(200).json();
    assert_eq!(reset["success"], json!(true), "{reset}");
    let fresh = leave(&api, &json!({"user_message": "sick leave"}));
    assert_ne!(fresh["decision_id"], sent["decision_id"]);
    assert_eq!(fresh["answers"]["leave_type"], "Sick", "{fresh}");
    let first = api.decision(sent["decision_id"].as_str().unwrap()).json();
    assert_eq!(first["status"], "answered");
}
