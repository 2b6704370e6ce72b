//! Deadlines: silence is not consent, readers never write, and a late answer is refused with the outcome.

use crate::sandbox::{Sandbox, at};
use serde_json::{Value, json};

/// Short enough to pass while the test waits for it, long enough to be a deadline.
const SOON: &str = "40ms";

#[test]
fn a_default_is_taken_and_exits_0() {
    let sandbox = Sandbox::new();
    let arguments =
        ["ask", "Which?", "-o", "a:A", "-o", "b:B", "--default", "b", "--timeout", SOON, "--json"];
    let decision = sandbox.run(&arguments).exits(0).json();
    at(&decision, "/status", "timed_out");
    at(&decision, "/answer/values/choice", "b");
    at(&decision, "/answer/by", "system:timeout");
    at(&decision, "/answer/via", "timeout");
    at(&decision, "/on_timeout", "default");
    assert_eq!(sandbox.tags(), ["decision:created", "decision:expired"]);
    sandbox.run(&["wait", decision["id"].as_str().unwrap()]).exits(0).prints("b");
}

#[test]
fn a_default_that_refuses_exits_8() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["ask", "Go?", "--kind", "confirm", "--default", "no", "--timeout", SOON])
        .exits(8)
        .prints("no");
}

#[test]
fn deny_takes_the_one_refusing_option() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("s", "x");
    let arguments =
        ["ask", "Go?", "--subject", &subject, "--on-timeout", "deny", "--timeout", SOON, "--json"];
    let decision = sandbox.run(&arguments).exits(8).json();
    at(&decision, "/status", "timed_out");
    at(&decision, "/answer/values/choice", "no");
    let id = decision["id"].as_str().unwrap();
    sandbox.refuses(&["consume", id, "--subject", &subject], 4, &[id, "timed"]);
}

#[test]
fn expire_has_no_answer_and_exits_6() {
    let sandbox = Sandbox::new();
    let decision = sandbox.run(&["ask", "Go?", "-o", "a:A", "--timeout", SOON, "--json"]).exits(6).json();
    at(&decision, "/status", "timed_out");
    at(&decision, "/answer", Value::Null);
    at(&decision, "/on_timeout", "expire");
    let ran = sandbox.run(&["wait", decision["id"].as_str().unwrap()]).exits(6).prints("");
    assert!(ran.err.contains("timed_out"), "{ran}");
}

#[test]
fn cancel_ends_the_owner_too() {
    let sandbox = Sandbox::new();
    let arguments =
        ["ask", "Go?", "-o", "a:A", "--owner", "job:build", "--on-timeout", "cancel", "--timeout", SOON];
    sandbox.run(&arguments).exits(6).prints("");
    assert_eq!(sandbox.tags(), ["decision:created", "decision:expired", "job:cancel"]);
    at(&sandbox.log()[2], "/id", "build");
}

#[test]
fn readers_show_a_passed_deadline_and_write_nothing() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Go?", "-o", "a:A", "-o", "b:B", "--default", "a", "--timeout", "1ms"]);
    // Each process takes longer than the deadline is away.
    let shown = sandbox.show(&id);
    at(&shown, "/status", "timed_out");
    at(&shown, "/answer/values/choice", "a");
    at(&shown, "/answer/by", "system:timeout");
    assert_eq!(sandbox.json(&["list", "--json"]), json!([]));
    at(&sandbox.json(&["list", "--status", "timed_out", "--json"]), "/0/id", id.as_str());
    sandbox.run(&["check"]);
    sandbox.run(&["list"]).exits(0);
    assert_eq!(sandbox.tags(), ["decision:created"]);
    // The next to hold records it.
    sandbox.run(&["wait", &id]).exits(0).prints("a");
    assert_eq!(sandbox.tags(), ["decision:created", "decision:expired"]);
    sandbox.is_well();
}

#[test]
fn a_late_answer_is_refused_with_the_outcome() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Go?", "-o", "a:A", "-o", "b:B", "--default", "a", "--timeout", "1ms"]);
    let ran = sandbox.run(&["answer", &id, "b"]).exits(4).prints("");
    assert!(
        ran.err.contains("timed out") && ran.err.contains('a') && ran.err.contains("system:timeout"),
        "{ran}"
    );
    assert!(ran.err.contains("hint:"), "{ran}");
    at(&sandbox.show(&id), "/answer/values/choice", "a");
    // Not even the same answer counts as given: nobody gave it.
    sandbox.run(&["answer", &id, "a"]).exits(4);
    at(&sandbox.show(&id), "/status", "timed_out");
    assert!(!sandbox.tags().contains(&"decision:resolved".to_owned()));
}

#[test]
fn the_deadline_can_be_a_time() {
    let sandbox = Sandbox::new();
    let fields = json!([{"id": "f", "kind": "text", "label": "?"}]);
    let document = json!({"prompt": "?", "fields": fields, "deadline": "2999-01-01T00:00:00Z"});
    at(&sandbox.show(&sandbox.ask_document(&document)), "/deadline", "2999-01-01T00:00:00Z");
    let file = sandbox.file(
        "past.json",
        json!({"prompt": "?", "fields": fields, "deadline": "2001-01-01T00:00:00Z"}).to_string(),
    );
    sandbox.refuses(&["ask", "--file", &file, "--no-wait"], 1, &["deadline", "passed"]);
}
