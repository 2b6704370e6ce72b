//! `/mcp`: the same door over HTTP, for both eras at one address.

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::{Value, json};

use crate::sandbox::at;
use crate::server::{Api, Reply, Server};

const ACCEPT: &str = "application/json, text/event-stream";

fn legacy(api: &Api, method: &str, params: &Value) -> Reply {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    api.clone().with("Accept", ACCEPT).with("MCP-Protocol-Version", "2025-11-25").post("/mcp", &message)
}

fn message(method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
        "progressToken": 1,
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn modern(api: &Api, method: &str, name: Option<&str>, params: &Value) -> Reply {
    let api = api
        .clone()
        .with("Accept", ACCEPT)
        .with("MCP-Protocol-Version", "2026-07-28")
        .with("Mcp-Method", method);
    let api = name.into_iter().fold(api, |api, name| api.with("Mcp-Name", name));
    api.post("/mcp", &message(method, params))
}

#[test]
fn both_eras_are_served_at_one_address() {
    let server = Server::start();
    let api = server.token("builder", "agent", &[]);
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    at(&legacy(&api, "initialize", &hello).is(200).json(), "/result/protocolVersion", "2025-06-18");
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(api.clone().with("Accept", ACCEPT).post("/mcp", &told).is(202).body, "");
    at(&legacy(&api, "tools/list", &json!({})).is(200).json(), "/result/tools/0/name", "ask");
    at(&modern(&api, "server/discover", None, &json!({})).is(200).json(), "/result/resultType", "complete");
    let ask = json!({"name": "ask", "arguments": {"prompt": "Which?", "options": ["a", "b"]}});
    let task = modern(&api, "tools/call", Some("ask"), &ask).is(200).json();
    at(&task, "/result/resultType", "task");
    let id = task["result"]["taskId"].as_str().unwrap();
    server.local().answer(id, "a").is(200);
    let done = modern(&api, "tasks/get", Some(id), &json!({"taskId": id})).is(200).json();
    at(&done, "/result/result/structuredContent/values/choice", "a");
}

#[test]
fn headers_and_body_say_the_same_or_nothing_is_done() {
    let server = Server::start();
    let api = server.token("builder", "agent", &[]).with("Accept", ACCEPT);
    let list = || message("tools/list", &json!({}));
    let version = |api: &Api| api.clone().with("MCP-Protocol-Version", "2026-07-28");
    for (api, body, code) in [
        (api.clone(), list(), -32020),
        (version(&api), list(), -32020),
        (version(&api).with("Mcp-Method", "tools/call"), list(), -32020),
        (
            version(&api).with("Mcp-Method", "tools/call").with("Mcp-Name", "show"),
            message("tools/call", &json!({"name": "answer", "arguments": {}})),
            -32020,
        ),
        (version(&api), json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}), -32602),
        (api.clone().with("MCP-Protocol-Version", "2025-11-25"), list(), -32020),
        (
            api.clone().with("MCP-Protocol-Version", "1999-01-01"),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            -32022,
        ),
        (api.clone(), json!([]), -32600),
    ] {
        let reply = api.post("/mcp", &body).is(400).json();
        at(&reply, "/error/code", code);
    }
    at(&modern(&server.local(), "tools/destroy", None, &json!({})).is(404).json(), "/error/code", -32601);
    api.get("/mcp").is(405);
    api.send("DELETE", "/mcp", None).is(405);
}

#[test]
fn callers_are_asked_who_they_are_and_where_they_come_from() {
    let server = Server::start();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    server.nobody().post("/mcp", &ping).is(401);
    server.nobody().bearing("hold_nonsense").post("/mcp", &ping).is(401);
    server.local().with("Origin", "https://evil.example").post("/mcp", &ping).is(403);
    server.local().with("Host", "evil.example").post("/mcp", &ping).is(421);
    server.local().post("/mcp", &ping).is(200);
    let text = ping.to_string();
    let plain =
        server.local().with("Content-Type", "text/plain").with("Content-Length", &text.len().to_string());
    plain.raw("POST", "/mcp", text.as_bytes()).is(415);
}

#[test]
fn a_call_is_held_on_a_stream() {
    let server = Server::start();
    let api = server.token("builder", "agent", &[]);
    let ask = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "ask",
        "arguments": {"prompt": "Which?", "options": ["a", "b"], "wait": "1m", "assignees": ["ana"]}, "_meta": {"progressToken": "p"}}});
    let text = ask.to_string();
    let open = api.clone().with("Accept", ACCEPT).with("Content-Type", "application/json");
    let mut stream = open.with("Content-Length", &text.len().to_string()).connect("POST", "/mcp");
    stream.write_all(text.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut next = || -> Value {
        let data = lines.find_map(|line| line.unwrap().strip_prefix("data: ").map(str::to_owned)).unwrap();
        serde_json::from_str(&data).unwrap()
    };
    let progress = next();
    at(&progress, "/method", "notifications/progress");
    let words = progress["params"]["message"].as_str().unwrap();
    let id = words.strip_prefix("Waiting for ana: decision ").unwrap_or_else(|| panic!("{words}")).to_owned();
    server.local().answer(&id, "b").is(200);
    let done = next();
    at(&done, "/id", 7);
    at(&done, "/result/structuredContent/values/choice", "b");
    // The server knows who answered, and that it was asked by this door.
    at(&server.local().decision(&id).json(), "/answer/auth", "local");
}

#[test]
fn a_client_that_closes_the_stream_stops_waiting() {
    let server = Server::start();
    let api = server.token("builder", "agent", &[]);
    let ask = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "approval_prompt",
        "arguments": {"tool_name": "Bash", "input": {"command": "x"}}}});
    let text = ask.to_string();
    let open = api.clone().with("Accept", ACCEPT).with("Content-Type", "application/json");
    let mut stream = open.with("Content-Length", &text.len().to_string()).connect("POST", "/mcp");
    stream.write_all(text.as_bytes()).unwrap();
    server.parked(1);
    drop(stream);
    server.parked(0);
    let listed = || server.local().get("/v1/decisions?status=all").json()["items"][0].clone();
    let end = std::time::Instant::now() + crate::process::TIMEOUT;
    while listed()["status"] != "cancelled" {
        assert!(std::time::Instant::now() < end, "{}", listed());
    }
    at(&listed(), "/reason", "the agent stopped waiting");
}

#[test]
fn a_task_outlives_the_server_that_made_it() {
    let mut server = Server::start();
    let api = server.token("builder", "agent", &[]);
    let ask = json!({"name": "ask", "arguments": {"prompt": "Which?", "options": ["a", "b"]}});
    let task = modern(&api, "tools/call", Some("ask"), &ask).is(200).json();
    let id = task["result"]["taskId"].as_str().unwrap();
    server.kill();
    server.run();
    server.local().answer(id, "b").is(200);
    let done = modern(&api, "tasks/get", Some(id), &json!({"taskId": id})).is(200).json();
    at(&done, "/result/status", "completed");
    at(&done, "/result/result/structuredContent/values/choice", "b");
    // Nobody else's task is anybody's business.
    let other = server.token("other", "agent", &[]);
    let hidden = modern(&other, "tasks/get", Some(id), &json!({"taskId": id})).is(200).json();
    at(&hidden, "/error/code", -32602);
}
