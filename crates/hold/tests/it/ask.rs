//! Asking: every flag, and the outcome of holding.

use crate::sandbox::{Sandbox, at};
use serde_json::{Value, json};

#[test]
fn without_options_free_text_is_asked() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Name it"]);
    let decision = sandbox.show(&id);
    at(&decision, "/fields/0/id", "text");
    at(&decision, "/fields/0/kind", "text");
    at(&decision, "/source", "question");
    at(&decision, "/project", "default");
    at(&decision, "/requested_by", Value::Null);
    assert!(id.starts_with("dcn-") && id.len() == 16, "{id}");
    sandbox.ok(&["answer", &id, "--text", "hello there"]);
    sandbox.run(&["wait", &id]).exits(0).prints(r#"{"text":"hello there"}"#);
}

#[test]
fn options_make_one_choice_named_choice() {
    let sandbox = Sandbox::new();
    let decision =
        sandbox.show(&sandbox.ask(&["Which?", "-o", "redis:Use Redis: now", "--option", "memory"]));
    at(&decision, "/fields/0/id", "choice");
    at(&decision, "/fields/0/kind", "choice");
    at(&decision, "/fields/0/label", "Which?");
    at(&decision, "/fields/0/options/0/label", "Use Redis: now");
    at(&decision, "/fields/0/options/1/label", "memory");
}

#[test]
fn confirm_without_options_is_yes_or_no() {
    let sandbox = Sandbox::new();
    let decision = sandbox.show(&sandbox.ask(&["Deploy?", "--kind", "confirm"]));
    at(&decision, "/fields/0/id", "choice");
    at(&decision, "/fields/0/options/0/id", "yes");
    at(&decision, "/fields/0/options/1/id", "no");
    at(&decision, "/fields/0/options/1/refuses", true);
    assert_ne!(decision.pointer("/fields/0/options/0/refuses"), Some(&json!(true)));
}

#[test]
fn every_flag_is_kept() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("subject.json", r#"{"tool":"sh","args":["ls"]}"#);
    #[rustfmt::skip]
    let id = sandbox.ask(&[
        "May I?", "-o", "yes:Yes", "-o", "no:No", "--kind", "confirm", "--source", "approval", "--title", "A title",
        "--default", "no", "--timeout", "30m", "--on-timeout", "default", "--owner", "job:build", "--project", "web",
        "--requested-by", "agent-7", "--assign", "ana", "--assign", "bo", "--subject", &subject,
        "--max-iterations", "5", "--key", "k1",
    ]);
    let decision = sandbox.show(&id);
    at(&decision, "/prompt", "May I?");
    at(&decision, "/title", "A title");
    at(&decision, "/source", "approval");
    at(&decision, "/default", json!({"choice": "no"}));
    at(&decision, "/on_timeout", "default");
    at(&decision, "/owner", "job:build");
    at(&decision, "/project", "web");
    at(&decision, "/requested_by", "agent-7");
    at(&decision, "/assignees", json!(["ana", "bo"]));
    at(&decision, "/subject", json!({"tool": "sh", "args": ["ls"]}));
    at(&decision, "/max_iterations", 5);
    assert!(decision["deadline"].as_str().unwrap() > decision["created_at"].as_str().unwrap());
    assert!(decision["subject_digest"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn the_source_defaults_to_approval_with_a_subject() {
    let sandbox = Sandbox::new();
    let id = sandbox.run_with(&["ask", "Run?", "--subject", "-", "--no-wait"], "rm -rf build\n").exits(0).out;
    let decision = sandbox.show(id.trim());
    at(&decision, "/source", "approval");
    at(&decision, "/subject", "rm -rf build\n");
    at(&decision, "/fields/0/kind", "confirm");
}

#[test]
fn a_file_is_taken_and_flags_win() {
    let sandbox = Sandbox::new();
    let document = json!({
        "prompt": "From the file", "title": "T", "project": "filed", "requested_by": "file",
        "fields": [{"id": "env", "kind": "choice", "label": "Where?", "options": [{"id": "a", "label": "A"}]}],
    });
    let file = sandbox.file("decision.json", document.to_string());
    let decision = sandbox.show(&sandbox.ask(&["--file", &file]));
    at(&decision, "/prompt", "From the file");
    at(&decision, "/project", "filed");
    at(&decision, "/fields/0/id", "env");
    let decision = sandbox.show(&sandbox.ask(&[
        "From a flag",
        "--file",
        &file,
        "--requested-by",
        "flag",
        "--project",
        "flagged",
    ]));
    at(&decision, "/prompt", "From a flag");
    at(&decision, "/title", "T");
    at(&decision, "/project", "flagged");
    at(&decision, "/requested_by", "flag");
    at(&decision, "/fields/0/id", "env");
    let piped = sandbox
        .run_with(&["ask", "--file", "-", "--no-wait", "--json"], document.to_string())
        .exits(0)
        .json();
    at(&piped, "/prompt", "From the file");
}

#[test]
fn the_project_comes_from_the_environment() {
    let sandbox = Sandbox::new().with("HOLD_PROJECT", "shop");
    at(&sandbox.show(&sandbox.ask_a_or_b()), "/project", "shop");
    let other = sandbox.ask(&["Q", "--project", "flag"]);
    at(&sandbox.show(&other), "/project", "flag");
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 2, "lists all projects");
    assert_eq!(sandbox.json(&["list", "--json", "--project", "flag"]).as_array().unwrap().len(), 1);
}

#[test]
fn the_store_comes_from_the_environment() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.path("elsewhere/my.db");
    let sandbox = sandbox.with("HOLD_STORE", &format!("sqlite:{}", elsewhere.display()));
    sandbox.ask_a_or_b();
    assert!(elsewhere.is_file());
    assert!(!sandbox.store().exists());
}

#[test]
fn a_known_key_gives_the_first_decision_whatever_its_status() {
    let sandbox = Sandbox::new();
    let arguments = ["Which?", "-o", "a:A", "-o", "b:B", "--key", "once"];
    let id = sandbox.ask(&arguments);
    assert_eq!(sandbox.ask(&arguments), id);
    sandbox.ok(&["answer", &id, "b"]);
    assert_eq!(sandbox.ask(&arguments), id);
    // Without --no-wait it ends at once, with the answer that came before.
    sandbox.run(&[&["ask"], &arguments[..]].concat()).exits(0).prints("b");
    assert_eq!(sandbox.tags(), ["decision:created", "decision:resolved"]);
    sandbox.refuses(
        &["ask", "Another?", "--key", "once", "--no-wait"],
        4,
        &["once", "another request", "hint:"],
    );
    let elsewhere = sandbox.ask(&["Another?", "--key", "once", "--project", "other"]);
    assert_ne!(elsewhere, id, "a key belongs to its project");
    let gone = sandbox.ask(&["On an item?", "--owner", "item:x", "--key", "spent"]);
    sandbox.ok(&["item", "delete", "x"]);
    let again = ["ask", "On an item?", "--owner", "item:x", "--key", "spent", "--no-wait"];
    sandbox.refuses(&again, 4, &["spent", &gone, "removed"]);
}

#[test]
fn no_wait_prints_the_id_or_the_resource() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["ask", "Q?", "--no-wait"]).exits(0);
    assert_eq!(ran.err, "");
    assert_eq!(ran.out.lines().count(), 1);
    let decision = sandbox.json(&["ask", "Q?", "--no-wait", "--json"]);
    at(&decision, "/status", "pending");
}

#[test]
fn metadata_comes_back_and_is_found() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&[
        "Which?",
        "-o",
        "a:A",
        "-o",
        "b:B",
        "--metadata",
        "run=run-4711",
        "--metadata",
        "step==",
    ]);
    at(&sandbox.show(&id), "/metadata", json!({"run": "run-4711", "step": "="}));
    assert!(sandbox.ok(&["list", "run-4711"]).contains("Which?"));
    sandbox.run(&["ask", "Which?", "--metadata", "run"]).says("give NAME=TEXT");
}
