//! Requests that nobody would send: every route, every credential, bodies of any shape. Nothing fails on our side, nothing
//! an agent sends settles anything, and the log is intact afterwards.

use holdpoint_engine::api::operations;
use serde_json::{Map, Value, json};

use crate::checker::chance::{Chance, any_seed};
use crate::server::{Api, Server, question, question_with};

/// How many requests are sent with the other tests; `HOLD_ATTACKS` says otherwise.
const REQUESTS: usize = 1_500;

#[test]
fn fuzzed_requests_break_nothing() {
    let requests = std::env::var("HOLD_ATTACKS").ok().and_then(|text| text.parse().ok()).unwrap_or(REQUESTS);
    let seed = std::env::var("HOLD_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(any_seed);
    let mut chance = Chance::new(seed);
    let server = Server::start();
    let routes: Vec<_> = operations().collect();
    let person = server.token("ana", "person", &[]);
    let agent = server.token("bot", "agent", &[]);
    // What a person asked: the agent must not touch it.
    let secret = question_with(&json!({"prompt": "fuzz-secret"}));
    let guarded: Vec<String> = (0..3).map(|_| person.post("/v1/decisions", &secret).is(201).id()).collect();
    let approval =
        question_with(&json!({"subject": {"tool": "Bash", "command": "ls"}, "source": "approval"}));
    let asked: Vec<String> =
        [question(), approval].iter().map(|new| agent.post("/v1/decisions", new).is(201).id()).collect();
    let ids: Vec<String> = guarded.iter().chain(&asked).cloned().collect();
    let callers = [agent.clone(), agent.clone(), server.nobody(), server.nobody().bearing("hold_forged")];
    for at in 0..requests {
        let route = chance.of(&routes).unwrap();
        let path = fill(route.path, &ids, &mut chance);
        let caller = chance.of(&callers).unwrap().clone();
        let reply = send(&caller, route.method.name(), &path, &mut chance);
        let whole = || format!("request {at} of seed {seed}: {} {path}: {reply:?}", route.method.name());
        assert!(reply.status != 0 && reply.status < 500, "{}", whole());
        assert!(!reply.body.contains("fuzz-secret"), "{}", whole());
    }
    server.nobody().get("/healthz").is(200);
    for id in guarded.iter().chain(&asked) {
        let decision = person.decision(id).is(200).json();
        assert!(decision["answer"].is_null(), "seed {seed}: an agent's answer counted: {decision}");
    }
    for id in &guarded {
        assert_eq!(person.decision(id).json()["status"], "pending", "seed {seed}");
    }
    let log = server.sandbox.ok(&["log", "--json"]);
    let resolved = log.lines().filter(|line| line.contains(r#""type":"decision:resolved""#)).count();
    assert_eq!(resolved, 0, "seed {seed}: {log}");
    server.sandbox.ok(&["audit", "verify"]);
    server.sandbox.is_well();
}

/// Puts something into every place of a path.
fn fill(path: &str, ids: &[String], chance: &mut Chance) -> String {
    let part = |part: &str, chance: &mut Chance| {
        if !part.starts_with('{') {
            return part.to_owned();
        }
        match chance.below(4) {
            0 | 1 => chance.of(ids).unwrap().clone(),
            2 => (*chance
                .of(&["dcn-", "x", "..", "%2e%2e%2f", "default", "%00", "0", "-1", "%F0%9F%92%A3"])
                .unwrap())
            .to_owned(),
            _ => "a".repeat(usize::try_from(chance.below(3_000)).unwrap()),
        }
    };
    let parts: Vec<String> = path.split('/').map(|one| part(one, chance)).collect();
    let query = *chance
        .of(&["", "", "?wait=1ms&timeout=1ms", "?limit=-1", "?cursor=%FF", "?status=all&status=x"])
        .unwrap();
    // Nobody is to hold for long here.
    let query = if parts.last().is_some_and(|last| last == "wait") { "?timeout=1ms" } else { query };
    format!("{}{query}", parts.join("/"))
}

fn send(caller: &Api, method: &str, path: &str, chance: &mut Chance) -> crate::server::Reply {
    match chance.below(8) {
        0 => caller.send(method, path, None),
        1 => {
            let broken =
                *chance.of(&["{", "[[[[", "\"", "{\"a\":1,\"a\":2}", "nul", "\u{0}", "1e999"]).unwrap();
            let length = broken.len().to_string();
            let caller =
                caller.clone().with("Content-Type", "application/json").with("Content-Length", &length);
            caller.raw(method, path, broken.as_bytes())
        }
        2 => caller.send(method, path, Some(&nested(usize::try_from(chance.below(4_000)).unwrap()))),
        _ => caller.send(method, path, Some(&body(chance))),
    }
}

fn nested(depth: usize) -> Value {
    // Built from within, so that the test itself does not recurse.
    (0..depth.min(100)).fold(json!(1), |inner, _| json!([inner]))
}

/// A body with keys that some route knows, and values that few would send.
fn body(chance: &mut Chance) -> Value {
    const KEYS: [&str; 40] = [
        "prompt",
        "title",
        "fields",
        "outs",
        "source",
        "project",
        "owner",
        "requested_by",
        "timeout",
        "deadline",
        "on_timeout",
        "default",
        "max_iterations",
        "assignees",
        "priority",
        "subject",
        "origin",
        "values",
        "choice",
        "choices",
        "out",
        "message",
        "guidance",
        "digest",
        "by",
        "reason",
        "name",
        "role",
        "projects",
        "id",
        "kind",
        "options",
        "repo",
        "task",
        "runbook",
        "vars",
        "cwd",
        "verdict",
        "required",
        "user_message",
    ];
    let mut map = Map::new();
    for _ in 0..chance.below(8) {
        map.insert((*chance.of(&KEYS).unwrap()).to_owned(), value(chance, 3));
    }
    if chance.below(3) == 0
        && let Value::Object(question) = question()
    {
        map.extend(question);
    }
    Value::Object(map)
}

fn value(chance: &mut Chance, depth: u32) -> Value {
    match chance.below(if depth == 0 { 8 } else { 10 }) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1e300),
        4 => json!("yes"),
        5 => json!("\u{202e}\u{1b}[2J<script>\u{0}"),
        6 => json!("x".repeat(usize::try_from(chance.below(20_000)).unwrap())),
        7 => json!("2026-01-01T00:00:00Z"),
        8 => Value::Array((0..chance.below(4)).map(|_| value(chance, depth - 1)).collect()),
        _ => json!({"id": value(chance, depth - 1), "kind": "confirm", "label": value(chance, depth - 1)}),
    }
}
