//! `HumanLayer`'s routes on a real server: an agent asks, a person decides, and nobody in the place of another.

use serde_json::{Value, json};

use crate::receiver::Receiver;
use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server};

const CALLS: &str = "/humanlayer/v1/function_calls";
const CONTACTS: &str = "/humanlayer/v1/contact_requests";

fn pay(id: &str) -> Value {
    json!({"run_id": "run-1", "call_id": id, "spec": {"fn": "pay", "kwargs": {"to": "Bob"}, "state": {"n": [1, 2.5]}}})
}

fn message(id: &str) -> Value {
    json!({"run_id": "run-1", "call_id": id, "spec": {"msg": "Which city?"}})
}

fn respond(api: &Api, kind: &str, id: &str, status: &Value) -> crate::server::Reply {
    api.post(&format!("/humanlayer/v1/agent/{kind}/{id}/respond"), status)
}

/// Returns the decision that a call became.
fn decision(api: &Api, id: &str) -> Value {
    let list = api.get(&format!("/v1/decisions?owner=thread:humanlayer/{id}&status=all")).is(200).json();
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
    list["items"][0].clone()
}

#[test]
fn an_approval_is_asked_once_held_for_and_answered_like_any_other() {
    let server = Server::start();
    let (bot, ana) = (server.token("bot", "agent", &[]), server.token("ana", "person", &[]));
    let made = bot.post(CALLS, &pay("c1")).is(200).json();
    at(&made, "/status/approved", Value::Null);
    at(&made, "/spec/state", json!({"n": [1, 2.5]}));
    // The id is the key: the same call asks nobody twice, and another one under it is refused.
    bot.post(CALLS, &pay("c1")).is(200);
    let mut other = pay("c1");
    other["spec"]["kwargs"]["to"] = "Eve".into();
    bot.post(CALLS, &other).is(409);
    let asked = decision(&ana, "c1");
    at(&asked, "/subject", json!({"tool": "pay", "arguments": {"to": "Bob"}}));
    at(&asked, "/metadata", json!({"call_id": "c1", "run_id": "run-1"}));
    let held = std::thread::spawn({
        let bot = bot.clone();
        move || bot.get(&format!("{CALLS}/c1"))
    });
    server.parked(1);
    ana.answer(asked["id"].as_str().unwrap(), "approve").is(200);
    let told = held.join().unwrap().is(200).json();
    at(&told, "/status/approved", true);
    at(&bot.get(&format!("{CALLS}/c1")).is(200).json(), "/spec/kwargs/to", "Bob");
}

#[test]
fn who_asked_does_not_respond_and_only_people_approve() {
    let server = Server::start();
    let bot = server.token("bot", "agent", &[]);
    let other = server.token_allowing("other", "agent", &[], &["answer"]);
    let stranger = server.token("stranger", "agent", &[]);
    let ana = server.token("ana", "person", &[]);
    bot.post(CALLS, &pay("c1")).is(200);
    let yes = json!({"approved": true, "comment": null});
    respond(&bot, "function_calls", "c1", &yes).is(403);
    // One that may answer does not approve, and what an agent may not see is not there.
    respond(&other, "function_calls", "c1", &yes).is(403);
    respond(&stranger, "function_calls", "c1", &yes).is(404);
    stranger.get(&format!("{CALLS}/c1")).is(404);
    respond(&ana, "function_calls", "c1", &json!({"approved": false})).is(422);
    let told = respond(&ana, "function_calls", "c1", &yes).is(200).json();
    at(&told, "/status/approved", true);
    at(&decision(&ana, "c1"), "/answer/via", "humanlayer");
    respond(&ana, "function_calls", "c1", &yes).is(200);
    respond(&ana, "function_calls", "c1", &json!({"approved": false, "comment": "no"})).is(409);
    // A person's own token is no better when it asked.
    ana.post(CALLS, &pay("c2")).is(200);
    respond(&ana, "function_calls", "c2", &yes).is(403);
    bot.post(CONTACTS, &message("m1")).is(200);
    respond(&bot, "human_contacts", "m1", &json!({"response": "Bonn"})).is(403);
    let told = respond(&ana, "human_contacts", "m1", &json!({"response": "Bonn"})).is(200).json();
    at(&told, "/status/response", "Bonn");
    // The two kinds share no names.
    bot.get(&format!("{CALLS}/m1")).is(404);
}

#[test]
fn no_yes_is_given_to_what_was_changed_since_it_was_asked() {
    let server = Server::start();
    let (bot, ana) = (server.token("bot", "agent", &[]), server.token("ana", "person", &[]));
    for id in ["c1", "c2"] {
        bot.post(CALLS, &pay(id)).is(200);
        let asked = decision(&ana, id)["id"].as_str().unwrap().to_owned();
        let subject = json!({"tool": "pay", "arguments": {"to": "Eve"}});
        bot.send("PATCH", &format!("/v1/decisions/{asked}"), Some(&json!({ "subject": subject }))).is(200);
    }
    let refused = respond(&ana, "function_calls", "c1", &json!({"approved": true})).is(409).json();
    at(&refused, "/code", "stale");
    respond(&ana, "function_calls", "c2", &json!({"approved": false, "comment": "no"})).is(200);
    // Words that press change nothing of what is consented to.
    bot.post(CALLS, &pay("c3")).is(200);
    let escalate = |api: &Api| {
        let body = json!({"escalation_msg": "the boss waits", "additional_recipients": [{"address": "x@example.org"}]});
        api.post("/humanlayer/v1/agent/function_calls/c3/escalate_email", &body)
    };
    escalate(&bot).is(200);
    escalate(&bot).is(200);
    at(&decision(&ana, "c3"), "/prompt", "**Escalated:** the boss waits");
    respond(&ana, "function_calls", "c3", &json!({"approved": true})).is(200);
}

#[test]
fn an_id_of_one_asker_never_finds_what_another_asked() {
    let server = Server::start();
    let (ana, bo) = (server.token("ana", "person", &[]), server.token("bo", "person", &[]));
    let cy = server.token("cy", "person", &[]);
    ana.post(CALLS, &pay("c1")).is(200);
    let mut forged = pay("c1");
    forged["spec"]["kwargs"]["to"] = "Eve".into();
    bo.post(CALLS, &forged).is(200);
    // Both see both, and each finds its own.
    for (asker, name, to) in [(&ana, "ana", "Bob"), (&bo, "bo", "Eve")] {
        let listed = cy.get("/v1/decisions?owner=thread:humanlayer/c1").is(200).json();
        let own = listed["items"].as_array().unwrap().iter().find(|one| one["asked_by"] == name).unwrap();
        cy.answer(own["id"].as_str().unwrap(), "deny").is(200);
        let told = asker.get(&format!("{CALLS}/c1")).is(200).json();
        at(&told, "/spec/kwargs/to", to);
        at(&told, "/status/comment", "Denied; no reason was given.");
    }
    at(
        &respond(&cy, "function_calls", "c1", &json!({"approved": true})).is(404).json(),
        "/code",
        "ambiguous",
    );
}

#[test]
fn what_a_channel_says_is_stored_nowhere() {
    let server = Server::start();
    let bot = server.token("bot", "agent", &[]);
    let mut call = pay("c1");
    call["spec"]["channel"] = json!({"slack": {"channel_or_user_id": "C1", "bot_token": "xoxb-secret-1"}});
    assert!(!bot.post(CALLS, &call).is(200).body.contains("xoxb"));
    call["spec"]["channel"]["slack"]["allowed_responder_ids"] = json!(["U1"]);
    call["call_id"] = "c2".into();
    let refused = bot.post(CALLS, &call).is(422).body;
    assert!(refused.contains("policies") && !refused.contains("xoxb"), "{refused}");
    assert!(!server.sandbox.ok(&["audit", "export", "--whole"]).contains("xoxb"));
}

#[test]
fn a_message_that_nobody_will_answer_is_an_error_and_not_words_of_ours() {
    let server = Server::start();
    let bot = server.token("bot", "agent", &["web"]);
    bot.post(CONTACTS, &message("m1")).is(200);
    let asked = decision(&bot, "m1");
    // A credential for one project asks there.
    at(&asked, "/project", "web");
    let id = asked["id"].as_str().unwrap();
    bot.post(&format!("/v1/decisions/{id}/cancel"), &json!({"reason": "never mind"})).is(200);
    let gone = bot.get(&format!("{CONTACTS}/m1")).is(410).json();
    at(&gone, "/detail", "nobody responds: the question was taken back: never mind");
    bot.get(&format!("{CONTACTS}/nothing")).is(404);
}

#[test]
fn completed_calls_are_told_in_humanlayers_words_and_nothing_else_is() {
    let sandbox = Sandbox::new().with("HOOK_SECRET", "not-to-be-seen-anywhere-0123456789");
    let receiver = Receiver::start(&[]);
    let url = receiver.url("/");
    sandbox.settings(&format!(
        "[hooks]\ndesktop = false\n[[webhook]]\nname = \"hl\"\nurl = \"{url}\"\nsecret_env = \"HOOK_SECRET\"\n\
         allow_private = true\nbody = \"humanlayer\"\n"
    ));
    let server = Server::on(sandbox, &[]);
    let (bot, ana) = (server.token("bot", "agent", &[]), server.token("ana", "person", &[]));
    let plain = bot.ask();
    ana.answer(&plain, "a").is(200);
    bot.post(CONTACTS, &message("m1")).is(200);
    respond(&ana, "human_contacts", "m1", &json!({"response": "Bonn"})).is(200);
    let told = receiver.next().json();
    at(&told, "/type", "human_contact.completed");
    at(&told, "/event/call_id", "m1");
    at(&told, "/event/status/response", "Bonn");
    bot.post(CALLS, &pay("c1")).is(200);
    respond(&ana, "function_calls", "c1", &json!({"approved": false, "comment": "too dear"})).is(200);
    let told = receiver.next().json();
    at(&told, "/type", "function_call.completed");
    at(&told, "/event/status/comment", "too dear");
    at(&told, "/event/spec/state", json!({"n": [1, 2.5]}));
}
