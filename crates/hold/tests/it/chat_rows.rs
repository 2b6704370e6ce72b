//! The published conformance rows of the action protocol over HTTP, each under its number.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Api, Server};

fn leave() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/forms/leave_request.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn say(api: &Api, id: &str, text: &str) -> Value {
    let body = json!({"form_schema": leave(), "user_message": text, "conversation_id": id});
    api.post("/api/chat", &body).is(200).json()
}

#[test]
fn h1_a_turn_needs_its_keys() {
    let server = Server::open();
    server.nobody().post("/api/chat", &json!({})).is(422);
}

#[test]
fn h2_a_form_that_is_wrong_or_blank() {
    let server = Server::open();
    let api = server.nobody();
    let wrong = json!({"form_schema": {"form_id": "t"}, "user_message": ""});
    api.post("/api/chat", &wrong).refuses(400, "invalid_form");
    api.post("/api/chat", &json!({"form_context_md": " \n", "user_message": ""}))
        .refuses(400, "invalid_form");
}

/// Published: without a language model nothing works. Here: everything does.
#[test]
fn h3_better_no_model_is_needed() {
    let server = Server::open();
    assert_eq!(say(&server.nobody(), "c", "annual leave")["answers"], json!({"leave_type": "Annual"}));
}

#[test]
fn h4_an_unknown_conversation_begins_under_its_id() {
    let server = Server::open();
    let reply = say(&server.nobody(), "mine", "");
    assert_eq!((&reply["conversation_id"], &reply["action"]["action"]), (&json!("mine"), &json!("MESSAGE")));
}

#[test]
fn h5_what_lay_idle_begins_anew() {
    let sandbox = Sandbox::new();
    sandbox.settings("[forms]\nidle = \"1ms\"\n");
    let server = Server::on(sandbox, &["--no-auth"]);
    let api = server.nobody();
    let first = say(&api, "c", "annual leave");
    let again = say(&api, "c", "");
    assert_eq!((&again["conversation_id"], &again["answers"]), (&json!("c"), &json!({})));
    assert_ne!(first["decision_id"], again["decision_id"]);
}

#[test]
fn h6_an_unknown_conversation_is_not_reset() {
    let server = Server::open();
    let reply = server.nobody().post("/api/sessions/reset", &json!({"conversation_id": "x"})).is(200).json();
    assert_eq!(reply["success"], false);
}

#[test]
fn h7_a_new_server_is_healthy_and_quiet() {
    let server = Server::open();
    let health = server.nobody().get("/api/health").is(200).json();
    assert_eq!(health, json!({"status": "healthy", "active_sessions": 0}));
}

#[test]
fn h8_a_form_that_is_not_there() {
    let server = Server::open();
    server.nobody().get("/api/schemas/nonexistent").is(404);
}

/// What a form says counts when the conversation begins; later it is not looked at.
#[test]
fn h9_a_later_form_does_not_count() {
    let server = Server::open();
    let api = server.nobody();
    say(&api, "c", "annual leave");
    let body =
        json!({"form_schema": {"broken": true}, "user_message": "2 March 2027", "conversation_id": "c"});
    assert_eq!(api.post("/api/chat", &body).is(200).json()["answers"]["start_date"], "2027-03-02");
}

#[test]
fn h10_a_blank_form_is_refused_in_the_middle_too() {
    let server = Server::open();
    let api = server.nobody();
    say(&api, "c", "");
    let blank = json!({"form_context_md": "", "user_message": "x", "conversation_id": "c"});
    api.post("/api/chat", &blank).refuses(400, "invalid_form");
}
