//! A person answers what they saw: what the command line has shown on this terminal, or what a digest says.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use crate::terminal::{Colour, Terminal};

fn approval(sandbox: &Sandbox, command: &str) -> String {
    let subject = sandbox.file("subject", command);
    sandbox.ask(&["May I?", "--kind", "confirm", "--subject", &subject])
}

#[test]
fn without_a_terminal_an_answer_about_a_subject_needs_its_digest() {
    let sandbox = Sandbox::new();
    let id = approval(&sandbox, "ls");
    for choice in ["yes", "no"] {
        let words = ["not seen the subject", "hold show", "--digest"];
        sandbox.refuses(&["answer", &id, choice], 4, &words);
    }
    sandbox.refuses(&["answer", &id, "--guidance", "use a list"], 4, &["not seen the subject"]);
    let seen = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    let other = sandbox.file("other", "rm -rf /");
    sandbox.ok(&["revise", &id, "--subject", &other]);
    sandbox.refuses(&["answer", &id, "yes", "--digest", &seen], 4, &["changed since"]);
    at(&sandbox.show(&id), "/status", "pending");
    let now = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "yes", "--digest", &now]);
    // Without a subject nothing is asked for.
    let plain = sandbox.ask(&["Which?", "-o", "a:A"]);
    sandbox.ok(&["answer", &plain, "a"]);
}

#[test]
fn beads_and_oddjobs_need_it_too() {
    let sandbox = Sandbox::new();
    let ask = |owner: &str| {
        let subject = sandbox.file("subject", "ls");
        sandbox.ask(&["May I?", "-o", "go:Go", "-o", "no:No", "--subject", &subject, "--owner", owner])
    };
    let item = ask("item:bd-1");
    sandbox.refuses(
        &["bd", "decision", "respond", "bd-1", "-s", "go"],
        4,
        &["not seen the subject", "--digest"],
    );
    let digest = sandbox.show(&item)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["bd", "decision", "respond", "bd-1", "-s", "go", "--digest", &digest]);
    let job = ask("job:build");
    sandbox.refuses(&["oj", "decision", "resolve", &job, "1"], 4, &["not seen the subject", "--digest"]);
    assert!(sandbox.ok(&["oj", "decision", "show", &job]).contains("Subject:\n  ls\n"));
    let digest = sandbox.show(&job)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["oj", "decision", "resolve", &job, "1", "--digest", &digest]);
    at(&sandbox.show(&job), "/status", "answered");
}

#[test]
fn what_this_terminal_showed_is_answered_without_being_asked_again() {
    let sandbox = Sandbox::new();
    let id = approval(&sandbox, "curl https://example.com | sh");
    let script = format!("hold show {id} && hold answer {id} yes; echo ended $?");
    sandbox.link("hold");
    let mut shell = shell(&sandbox, &script);
    shell.until("curl https://example.com | sh");
    shell.until(&format!("Answered {id}: yes"));
    shell.until("ended 0");
    assert_eq!(shell.end(), 0);
    let records: Vec<_> = std::fs::read_dir(sandbox.home().join("terminals")).unwrap().flatten().collect();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
    // Another terminal has shown nothing.
    let id = approval(&sandbox, "ls");
    sandbox.ok(&["show", &id]);
    let mut other = Terminal::start(&sandbox, &["answer", &id, "yes"]);
    other.until("ls");
    other.until("Send? [y/N]");
    other.press("y\r");
    other.until(&format!("Answered {id}: yes"));
    assert_eq!(other.end(), 0);
}

#[test]
fn what_was_not_shown_or_has_changed_is_shown_and_asked_for() {
    let sandbox = Sandbox::new();
    let id = approval(&sandbox, "ls");
    let mut answer = Terminal::start(&sandbox, &["answer", &id, "yes"]);
    answer.until("  ls");
    answer.until("Send? [y/N]");
    answer.press("\r");
    answer.until("Nothing was sent");
    assert_eq!(answer.end(), 5);
    at(&sandbox.show(&id), "/status", "pending");
    let other = sandbox.file("other", "rm -rf /");
    sandbox.link("hold");
    let script = format!("hold show {id} && hold revise {id} --subject {other} && hold answer {id} yes");
    let mut shell = shell(&sandbox, &script);
    shell.until("  ls");
    shell.until("  rm -rf /");
    shell.until("It has changed since this terminal showed it.");
    shell.until("Send? [y/N]");
    shell.press("n\r");
    shell.until("Nothing was sent");
    assert_eq!(shell.end(), 5);
    at(&sandbox.show(&id), "/status", "pending");
}

#[test]
fn what_next_printed_counts_as_shown() {
    let sandbox = Sandbox::new();
    let id = approval(&sandbox, "make deploy");
    sandbox.link("hold");
    let mut shell = shell(&sandbox, &format!("hold next && hold answer {id} no"));
    shell.until("make deploy");
    shell.until("decision> ");
    shell.press("q\r");
    shell.until("0 skipped");
    shell.until(&format!("Answered {id}: no"));
    assert_eq!(shell.end(), 0);
}

#[test]
fn what_the_inbox_showed_whole_counts_as_shown() {
    let sandbox = Sandbox::new();
    sandbox.link("hold");
    for inbox in ["inbox", "inbox --plain"] {
        let id = approval(&sandbox, "make deploy");
        let mut shell = shell(&sandbox, &format!("hold {inbox}; hold answer {id} no"));
        shell.until("1 pending");
        if inbox == "inbox" {
            shell.insist("\r", "Inbox · 1 of 1");
            shell.press("qq");
        } else {
            shell.press("1\r");
            shell.until("decision> ");
            shell.press("u\rq\r");
        }
        shell.until(&format!("Answered {id}: no"));
        assert_eq!(shell.end(), 0, "{inbox}");
    }
    // The end of a long subject was not on the screen.
    let long = "echo again\n".repeat(200);
    let id = approval(&sandbox, &long);
    let mut shell = shell(&sandbox, &format!("hold inbox; hold answer {id} no"));
    shell.until("1 pending decision");
    shell.insist("\r", "Inbox · 1 of 1");
    shell.press("qq");
    shell.until("Send? [y/N]");
    shell.press("\r");
    assert_eq!(shell.end(), 5);
}

fn shell(sandbox: &Sandbox, script: &str) -> Terminal {
    let path = format!("PATH={}:/usr/bin:/bin; ", sandbox.path("bin").display());
    Terminal::program(sandbox, "sh", &["-c", &format!("{path}{script}")], Colour::No)
}

#[test]
fn over_http_a_subject_needs_the_digest() {
    let server = Server::open();
    let api = server.nobody();
    let approval = json!({"prompt": "May I?", "subject": {"cmd": "ls"}, "fields": [
        {"id": "ok", "kind": "confirm", "options": [{"id": "yes"}, {"id": "no"}]}]});
    let made = api.post("/v1/decisions", &approval).is(201).json();
    let id = made["id"].as_str().unwrap();
    let path = format!("/v1/decisions/{id}/answer");
    for body in [json!({"choice": "yes"}), json!({"choice": "no"}), json!({"guidance": "smaller"})] {
        let problem = api.post(&path, &body).is(428).json();
        at(&problem, "/code", "digest_required");
        at(&problem, "/status", 428);
        assert!(problem["hint"].as_str().unwrap().contains("digest"), "{problem}");
    }
    api.send("PATCH", &format!("/v1/decisions/{id}"), Some(&json!({"subject": {"cmd": "rm -rf /"}}))).is(200);
    let stale = json!({"choice": "yes", "digest": made["digest"]});
    at(&api.post(&path, &stale).is(409).json(), "/code", "stale");
    let now = api.decision(id).is(200).json();
    api.post(&path, &json!({"choice": "yes", "digest": now["digest"]})).is(200);
    // The same answer again is a replay, with or without.
    api.post(&path, &json!({"choice": "yes"})).is(200);
    let plain = api.ask();
    api.post(&format!("/v1/decisions/{plain}/answer"), &json!({"choice": "a"})).is(200);
}
