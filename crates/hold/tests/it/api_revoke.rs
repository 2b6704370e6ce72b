//! A caller that holds a request open is let go when its credential ends.

use serde_json::{Value, json};

use crate::api_events::Live;
use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server, question, read};

/// Makes a token; returns its holder and its id.
fn token(server: &Server, name: &str, role: &str) -> (Api, String) {
    let made = server.local().post("/v1/tokens", &json!({"name": name, "role": role})).is(201).json();
    (server.nobody().bearing(made["secret"].as_str().unwrap()), made["id"].as_str().unwrap().to_owned())
}

fn revoke(server: &Server, id: &str) {
    server.local().send("DELETE", &format!("/v1/tokens/{id}"), None).is(200);
}

/// Makes a person and signs them in; returns their browser's session.
fn session(server: &Server, name: &str, role: &str) -> Api {
    let person = person(name, role);
    server.local().send("PUT", &format!("/v1/people/{name}"), Some(&person)).is(200);
    let form = format!("name={name}&password=correct+horse+battery");
    let reply = server
        .nobody()
        .with("Content-Type", "application/x-www-form-urlencoded")
        .with("Content-Length", &form.len().to_string())
        .raw("POST", "/sign-in", form.as_bytes())
        .is(303);
    let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    server.nobody().with("Cookie", &cookie)
}

/// A way to end a session.
type End<'a> = &'a dyn Fn(&Api);

fn person(name: &str, role: &str) -> Value {
    json!({"name": name, "role": role, "password": "correct horse battery"})
}

#[test]
fn a_revoked_token_ends_what_it_holds_open() {
    let server = Server::start();
    let (agent, id) = token(&server, "agent-7", "agent");
    let (ana, other) = token(&server, "ana", "person");
    let asked = agent.ask();
    let path = format!("/v1/decisions/{asked}/wait?timeout=5m");
    let (waiter, bystander) = (agent.connect("GET", &path), ana.connect("GET", &path));
    let creator = agent.clone();
    let creating = std::thread::spawn(move || creator.post("/v1/decisions?wait=5m", &question()));
    let (stream, mut open) = (Live::open(&agent, "/v1/events"), Live::open(&ana, "/v1/events"));
    server.parked(3);
    revoke(&server, &id);
    read(waiter).refuses(401, "unauthorized");
    creating.join().unwrap().refuses(401, "unauthorized");
    stream.ends();
    agent.get("/v1/decisions").refuses(401, "unauthorized");
    // Nobody else is disconnected.
    server.parked(1);
    server.local().answer(&asked, "a").is(200);
    at(&read(bystander).is(200).json(), "/status", "answered");
    while open.next().1 != "decision:resolved" {}
    revoke(&server, &other);
    open.ends();
}

#[test]
fn a_token_that_another_process_revokes_counts_no_more() {
    let server = Server::start();
    let (ana, id) = token(&server, "ana", "person");
    let asked = server.local().ask();
    let waiter = ana.connect("GET", &format!("/v1/decisions/{asked}/wait?timeout=5m"));
    let stream = Live::open(&ana, "/v1/events");
    server.parked(1);
    // Without the server's files a command writes into the store itself.
    let store = format!("sqlite:{}", server.sandbox.store().display());
    Sandbox::new().with("HOLD_STORE", &store).run(&["token", "revoke", &id]).exits(0);
    read(waiter).refuses(401, "unauthorized");
    stream.ends();
    ana.get("/v1/decisions").refuses(401, "unauthorized");
}

#[test]
fn what_a_session_holds_open_ends_with_it() {
    let server = Server::start();
    let asked = server.local().ask();
    let path = format!("/v1/decisions/{asked}/wait?timeout=5m");
    let ends: [(&str, End<'_>); 3] = [
        ("ana", &|session: &Api| {
            let page = session.get("/").is(200).body;
            let csrf = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
            let form = format!("csrf={csrf}");
            let session = session.clone().with("Content-Type", "application/x-www-form-urlencoded");
            let session = session.with("Content-Length", &form.len().to_string());
            session.raw("POST", "/sign-out", form.as_bytes()).is(303);
        }),
        ("ben", &|_| drop(server.local().send("DELETE", "/v1/people/ben", None).is(204))),
        // A new password ends the sessions of before.
        ("cleo", &|_| {
            server.local().send("PUT", "/v1/people/cleo", Some(&person("cleo", "person"))).is(200);
        }),
    ];
    for (name, end) in ends {
        let session = session(&server, name, "person");
        let (waiter, stream) = (session.connect("GET", &path), Live::open(&session, "/v1/events"));
        server.parked(1);
        end(&session);
        read(waiter).refuses(401, "unauthorized");
        stream.ends();
        session.get("/v1/decisions").refuses(401, "unauthorized");
    }
}

#[test]
fn whoever_may_see_less_than_before_has_to_come_in_again() {
    let server = Server::start();
    let session = session(&server, "ana", "admin");
    let stream = Live::open(&session, "/v1/events");
    let less = json!({"name": "ana", "role": "person", "projects": ["web"]});
    server.local().send("PUT", "/v1/people/ana", Some(&less)).is(200);
    stream.ends();
    session.get("/v1/tokens").refuses(403, "forbidden");
}

#[test]
fn what_is_held_through_another_door_ends_too_and_doors_do_not_disturb_each_other() {
    let server = Server::start();
    let (agent, id) = token(&server, "agent-7", "agent");
    let asked = agent.ask();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask",
        "arguments": {"prompt": "Which?", "options": ["a", "b"], "wait": "5m"}, "_meta": {"progressToken": "p"}}});
    let mcp = agent.clone().with("Accept", "application/json, text/event-stream");
    let mcp = mcp.with("MCP-Protocol-Version", "2025-11-25");
    let calling = std::thread::spawn(move || mcp.post("/mcp", &call));
    server.parked(1);
    let waiter = agent.connect("GET", &format!("/v1/decisions/{asked}/wait?timeout=5m"));
    server.parked(2);
    revoke(&server, &id);
    read(waiter).refuses(401, "unauthorized");
    let reply = calling.join().unwrap().is(200);
    assert!(!reply.body.contains("\"result\""), "{}", reply.body);
}
