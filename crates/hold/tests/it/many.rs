//! One answer to several decisions, each by itself, as a preview showed them.

use serde_json::json;

use crate::sandbox::{Sandbox, at};
use crate::server::Server;

/// Asks whether a command may run, and returns the id.
fn approval(sandbox: &Sandbox, command: &str) -> String {
    sandbox.ask_document(&json!({"prompt": "Run it?", "source": "approval",
        "subject": {"tool": "Bash", "input": {"command": command}},
        "fields": [{"id": "choice", "kind": "confirm", "options":
            [{"id": "approve", "label": "Approve"}, {"id": "deny", "label": "Deny", "refuses": true}]}]}))
}

/// Returns the code that a preview prints.
fn code(preview: &str) -> String {
    preview.split("--confirm ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_preview_shows_each_and_its_code_sends_exactly_that() {
    let sandbox = Sandbox::new();
    let ids = ["cargo test", "cargo build"].map(|command| approval(&sandbox, command));
    let other = sandbox.ask(&["Which cache?", "-o", "redis"]);
    assert!(sandbox.ok(&["list"]).contains("Run it? · cargo test"));
    let all = ["answer", "--where", "tool=bash text=cargo", "approve"];
    let preview = sandbox.run(&all).exits(5);
    for shown in ["cargo test", "cargo build", &ids[0], &ids[1], "→ approve Approve"] {
        assert!(preview.out.contains(shown), "{preview}");
    }
    assert!(!preview.out.contains(&other), "{preview}");
    for id in &ids {
        at(&sandbox.show(id), "/status", "pending");
    }
    let code = code(&preview.err);
    // What came or was changed since the preview was not in it.
    let later = approval(&sandbox, "cargo publish");
    let confirmed = [&all[..], &["--confirm", &code]].concat();
    sandbox.run(&confirmed).exits(4).says("have changed since the preview");
    sandbox.ok(&["answer", &later, "deny", "--digest", sandbox.show(&later)["digest"].as_str().unwrap()]);
    sandbox.run(&[&all[..], &["--confirm", "0000000000"]].concat()).exits(4);
    sandbox.run(&["answer", "--where", "tool=bash text=cargo", "deny", "--confirm", &code]).exits(4);
    sandbox.run(&[&confirmed[..], &["-m", "said since"]].concat()).exits(4);
    let sent = sandbox.run(&confirmed).exits(0);
    for id in &ids {
        assert!(sent.out.contains(&format!("Answered {id}")), "{sent}");
        at(&sandbox.show(id), "/answer/values/choice", "approve");
    }
    at(&sandbox.show(&other), "/status", "pending");
}

#[test]
fn what_lacks_the_option_is_left_out_and_what_is_not_understood_is_refused() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask(&["Which cache?", "-o", "redis", "-o", "memory"]);
    let second = sandbox.ask(&["Which port?", "-o", "80"]);
    let preview = sandbox.run(&["answer", "--where", "source=question", "redis"]).exits(5);
    assert!(preview.out.contains(&first) && !preview.out.contains(&second), "{preview}");
    assert!(preview.err.contains(&format!("Left out: {second} (Which port?)")), "{preview}");
    for (filter, why) in [
        ("colour=red", "is not one of project, source"),
        ("source=", "needs a value"),
        ("older=soon", "is not a duration"),
        ("  ", "--where needs a search"),
    ] {
        sandbox.run(&["answer", "--where", filter, "redis"]).exits(2).says(why);
    }
    sandbox.run(&["answer", "--where", "source=question"]).exits(2).says("missing CHOICE");
    sandbox.run(&["answer", "--where", "older=1h", "redis"]).exits(3).says("no pending decision matches");
    sandbox.run(&["answer", "redis", "--confirm", "1"]).exits(2);
    sandbox.run(&["answer"]).exits(2);
}

#[test]
fn over_http_each_has_its_own_outcome() {
    let server = Server::open();
    let ids = ["ls", "rm", "df"].map(|command| approval(&server.sandbox, command));
    let api = server.local();
    let digests = ids.clone().map(|id| server.sandbox.show(&id)["digest"].clone());
    let revised = json!({"subject": {"command": "rm -rf /"}});
    api.send("PATCH", &format!("/v1/decisions/{}", ids[1]), Some(&revised)).is(200);
    let item = |at: usize| json!({"id": ids[at], "answer": {"choice": "approve", "digest": digests[at]}});
    let none = json!({"id": "dcn-000000000000", "answer": {"choice": "approve"}});
    let unseen = json!({"id": ids[2], "answer": {"choice": "approve"}});
    let sent = json!({"items": [item(0), item(1), none, unseen, item(2)]});
    let reply = api.post("/v1/answers", &sent).is(200).json();
    let codes: Vec<_> =
        reply["items"].as_array().unwrap().iter().map(|one| &one["refused"]["code"]).collect();
    assert_eq!(
        codes,
        [&json!(null), &json!("stale"), &json!("not_found"), &json!("digest_required"), &json!(null)]
    );
    at(&reply, "/items/0/status", "answered");
    at(&server.sandbox.show(&ids[1]), "/status", "pending");
    // Sent again, it says the same.
    let again = api.post("/v1/answers", &sent).is(200).json();
    at(&again, "/items/0/status", "answered");
    for (body, field) in [
        (json!({"items": []}), "items"),
        (json!({"items": vec![item(0); 101]}), "items"),
        (json!({"items": [{"id": "nonsense", "answer": {}}]}), "id"),
    ] {
        let refused = api.post("/v1/answers", &body);
        assert!(matches!(refused.status, 400 | 422), "{field}: {refused:?}");
    }
}

#[test]
fn an_agent_answers_none_of_them() {
    let server = Server::start();
    let id = approval(&server.sandbox, "ls");
    let digest = server.sandbox.show(&id)["digest"].clone();
    let agent = server.token("bot", "agent", &["default"]);
    let items = json!({"items": [{"id": id, "answer": {"choice": "approve", "digest": digest}}]});
    // It does not even see it.
    at(&agent.post("/v1/answers", &items).is(200).json(), "/items/0/refused/code", "not_found");
    let items_of_own = json!({"items": [{"id": agent.ask(), "answer": {"choice": "a"}}]});
    at(&agent.post("/v1/answers", &items_of_own).is(200).json(), "/items/0/refused/code", "forbidden");
    server.nobody().post("/v1/answers", &items).is(401);
    at(&server.sandbox.show(&id), "/status", "pending");
}
