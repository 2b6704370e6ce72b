//! Approvals are bound to their subject and used once; receipts say what was decided and can be checked elsewhere.

use crate::sandbox::{Sandbox, at};
use crate::serving::Serving;
use serde_json::{Value, json};

/// Asks for approval of a subject and returns its id and the subject's file.
fn approval(sandbox: &Sandbox, subject: &str) -> (String, String) {
    let file = sandbox.file("subject", subject);
    (sandbox.ask(&["May I?", "--subject", &file]), file)
}

#[test]
fn an_approval_is_used_once() {
    let sandbox = Sandbox::new().looking();
    let (id, file) = approval(&sandbox, r#"{"tool":"sh","args":["make"]}"#);
    sandbox.refuses(&["consume", &id, "--subject", &file], 4, &[&id, "nobody has answered yet"]);
    sandbox.ok(&["answer", &id, "yes"]);
    let other = sandbox.file("other", r#"{"tool":"sh","args":["make","install"]}"#);
    sandbox.refuses(&["consume", &id, "--subject", &other], 4, &[&id, "subject"]);
    // The same JSON, written in another way, is the same subject.
    let same = sandbox.file("same", "{ \"args\" : [\"make\"],\n \"tool\" : \"sh\" }");
    let consumed = sandbox.json(&["consume", &id, "--subject", &same, "--json"]);
    assert!(consumed["consumed_at"].is_string(), "{consumed}");
    sandbox.refuses(&["consume", &id, "--subject", &file], 4, &[&id, "consumed"]);
    assert_eq!(sandbox.tags().last().unwrap(), "decision:consumed");
}

#[test]
fn a_use_whose_outcome_was_not_seen_is_repeated_under_its_key() {
    let sandbox = Sandbox::new().looking();
    let (id, file) = approval(&sandbox, "make");
    sandbox.ok(&["answer", &id, "yes"]);
    let consume = ["consume", &id, "--subject", &file, "--key", "build-7", "--json"];
    let first = sandbox.json(&consume);
    assert_eq!(sandbox.json(&consume), first);
    let server = Serving::start(&sandbox);
    assert_eq!(sandbox.json(&consume), first, "a server knows it, too");
    server.stop();
    let uses = sandbox.tags().iter().filter(|tag| *tag == "decision:consumed").count();
    assert_eq!(uses, 1);
    sandbox.refuses(&["consume", &id, "--subject", &file, "--key", "build-8"], 4, &[&id, "consumed"]);
    let other = sandbox.file("other", "make install");
    sandbox.refuses(&["consume", &id, "--subject", &other, "--key", "build-7"], 4, &["build-7"]);
}

#[test]
fn a_no_an_out_and_words_alone_are_not_consumable() {
    let sandbox = Sandbox::new().looking();
    let (id, file) = approval(&sandbox, "make");
    sandbox.ok(&["answer", &id, "no"]);
    sandbox.refuses(&["consume", &id, "--subject", &file], 4, &["refus"]);

    let id = sandbox.ask_document(&json!({
        "prompt": "?", "subject": "make", "outs": [{"id": "cancel", "label": "Cancel"}],
        "fields": [{"id": "c", "kind": "confirm", "label": "?", "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]}],
    }));
    sandbox.ok(&["answer", &id, "cancel"]);
    sandbox.refuses(&["consume", &id, "--subject", &file], 4, &[&id]);

    let plain = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &plain, "a"]);
    sandbox.refuses(&["consume", &plain, "--subject", &file], 4, &["subject"]);

    let idle = sandbox.ask(&["?", "-o", "x:X", "--source", "idle", "--owner", "job:j", "--subject", &file]);
    sandbox.ok(&["answer", &idle, "-m", "go on"]);
    sandbox.refuses(&["consume", &idle, "--subject", &file], 4, &[&idle]);
}

#[test]
fn the_subject_may_come_from_standard_input_and_ambiguous_json_is_refused() {
    let sandbox = Sandbox::new().looking();
    let (id, _) = approval(&sandbox, "make\n");
    sandbox.ok(&["answer", &id, "yes"]);
    let before = sandbox.log().len();
    sandbox.run_with(&["consume", &id, "--subject", "-"], r#"{"a":1,"a":2}"#).exits(1).says("ambiguous");
    sandbox.run_with(&["consume", &id, "--subject", "-"], "make").exits(4);
    assert_eq!(sandbox.log().len(), before);
    sandbox
        .run_with(&["consume", &id, "--subject", "-"], "make\n")
        .exits(0)
        .prints(&format!("Consumed {id}"));
}

#[test]
fn least_assurance_can_be_demanded() {
    let sandbox = Sandbox::new().looking();
    let (id, file) = approval(&sandbox, "make");
    sandbox.ok(&["answer", &id, "yes"]);
    sandbox.refuses(&["consume", &id, "--subject", &file, "--min", "token"], 4, &["claimed", "token"]);
    sandbox.ok(&["consume", &id, "--subject", &file, "--min", "claimed"]);
    sandbox.run(&["consume", &id, "--subject", &file, "--min", "trust"]).exits(2).says("claimed");
}

#[test]
fn a_receipt_states_the_answer_and_verifies() {
    let sandbox = Sandbox::new().looking();
    let (id, _) = approval(&sandbox, "make");
    sandbox.run(&["receipt", &id]).exits(4).prints("").says("still pending");
    sandbox.ok(&["answer", &id, "yes", "-m", "go"]);
    let text = sandbox.ok(&["receipt", &id]);
    let receipt: Value = serde_json::from_str(&text).unwrap();
    let decision = sandbox.show(&id);
    for key in ["digest", "subject_digest", "answer", "status", "prompt"] {
        assert_eq!(receipt[key], decision[key], "{key}");
    }
    at(&receipt, "/answer/auth", "claimed");
    let file = sandbox.file("receipt.json", &text);
    let said = sandbox.ok(&["receipt", "verify", &file]);
    assert!(
        said.contains("valid") && said.contains(&id) && said.contains("ana") && said.contains("claimed"),
        "{said}"
    );
    sandbox.run_with(&["receipt", "verify", "-"], &text).exits(0);
    sandbox.refuses(&["receipt", "verify", &file, "--key", "zz"], 2, &["64 hex digits"]);
    sandbox.run(&["receipt", "verify", &file, "--min", "token"]).exits(1).says("claimed").says("token");

    // Any change shows.
    for (from, to) in [("\"go\"", "\"no\""), ("ana", "bob"), ("yes", "noo"), ("claimed", "session")] {
        let forged = sandbox.file("forged.json", text.replace(from, to));
        sandbox.run(&["receipt", "verify", &forged]).exits(1).says("changed");
    }
    sandbox.run_with(&["receipt", "verify", "-"], "{}").exits(1).says("not a receipt");

    // Elsewhere it needs the public key, and only that.
    let elsewhere = Sandbox::new().looking();
    elsewhere.run_with(&["receipt", "verify", "-"], &text).exits(1).says("not among the trusted keys");
    let key = receipt["public_key"].as_str().unwrap();
    elsewhere.run_with(&["receipt", "verify", "-", "--key", key], &text).exits(0);
    assert!(!elsewhere.home().exists());
}

#[test]
fn a_passed_deadline_is_receipted_as_what_it_is() {
    let sandbox = Sandbox::new().looking();
    let ran = sandbox
        .run(&["ask", "?", "-o", "a:A", "-o", "b:B", "--default", "a", "--timeout", "20ms", "--json"])
        .exits(0);
    let id = ran.json()["id"].as_str().unwrap().to_owned();
    let receipt: Value = serde_json::from_str(&sandbox.ok(&["receipt", &id])).unwrap();
    at(&receipt, "/status", "timed_out");
    at(&receipt, "/answer/by", "system:timeout");
    at(&receipt, "/answer/auth", "system");
}
