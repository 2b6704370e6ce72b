//! The log: what it shows, that one changed byte is found and named, and that what was erased is told from that.

use crate::process::Stream;
use crate::sandbox::{Sandbox, at};
use rustix::process::Signal;
use serde_json::{Value, json};

#[test]
fn an_untouched_log_is_sound_and_vouched_for() {
    let sandbox = Sandbox::new();
    sandbox.run(&["audit", "verify", "--json"]).exits(1).says("no store at");
    assert!(!sandbox.store().exists());
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &id, "a"]);
    let report = sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    at(&report, "/events", 2);
    at(&report, "/vouched_to", 2);
    at(&report, "/faults", json!([]));
    let text = sandbox.ok(&["audit", "verify"]);
    assert!(text.contains("OK: 2 events") && text.contains("up to event 2"), "{text}");
}

#[test]
fn one_changed_byte_is_found_and_named() {
    for (what, change) in [
        ("body", "UPDATE event SET body = replace(body, 'First', 'Fir5t') WHERE seq = 3"),
        ("at", "UPDATE event SET at = at + 1 WHERE seq = 3"),
        ("type", "UPDATE event SET type = 'decision:resolvee' WHERE seq = 3"),
        ("stream", "UPDATE event SET stream = stream || 'x' WHERE seq = 3"),
        ("hash", "UPDATE event SET hash = zeroblob(32) WHERE seq = 3"),
        ("body and its hash", "UPDATE event SET body = '{}', body_hash = zeroblob(32) WHERE seq = 3"),
    ] {
        let sandbox = Sandbox::new();
        for _ in 0..5 {
            sandbox.ask_a_or_b();
        }
        touch(&sandbox, change);
        let report = sandbox.run(&["audit", "verify", "--json"]).exits(1).json();
        at(&report, "/sound", false);
        at(&report, "/faults/0/seq", 3);
        let ran = sandbox.run(&["audit", "verify"]).exits(1);
        assert!(ran.out.contains("event 3") && ran.out.contains("TOUCHED"), "{what}: {ran}");
        let ran = sandbox.run(&["doctor"]).exits(1);
        assert!(ran.out.contains("event 3"), "{what}: {ran}");
    }
}

#[test]
fn nothing_is_made_from_a_log_that_was_touched() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Go?", "--kind", "confirm"]);
    sandbox.ok(&["answer", &id, "no"]);
    touch(
        &sandbox,
        r#"UPDATE event SET body = replace(body, '"choice":"no"', '"choice":"yes"') WHERE seq = 2"#,
    );
    sandbox.run(&["doctor", "--rebuild"]).exits(1).says("event 2").says("backup");
    sandbox.run(&["wait", &id]).exits(4).says("event 2 was tampered with");
}

#[test]
fn a_missing_event_and_a_cut_tail_are_found() {
    let sandbox = Sandbox::new();
    for _ in 0..4 {
        sandbox.ask_a_or_b();
    }
    touch(&sandbox, "DELETE FROM event WHERE seq = 2");
    let ran = sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains('2') || ran.out.contains('3'), "{ran}");

    let sandbox = Sandbox::new();
    for _ in 0..4 {
        sandbox.ask_a_or_b();
    }
    // The checkpoints still vouch for four.
    touch(&sandbox, "DELETE FROM event WHERE seq = 4");
    let ran = sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains("TOUCHED"), "{ran}");
}

#[test]
fn a_log_rewritten_with_a_new_key_is_not_vouched_for() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    std::fs::remove_dir_all(sandbox.home().join("keys")).unwrap();
    sandbox.ask_a_or_b();
    let ran = sandbox.run(&["audit", "verify"]).exits(0);
    assert!(ran.err.contains("not trusted here"), "{ran}");
    // An auditor who knows the old key can still say so.
    let key = ran.err.split("--key ").nth(1).unwrap().split_whitespace().next().unwrap();
    at(&sandbox.json(&["audit", "verify", "--json", "--key", key]), "/untrusted", json!([]));
}

#[test]
fn what_a_rebuild_does_not_mend_is_not_sent_to_one() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    touch(&sandbox, "UPDATE event SET at = at + 400000000000 WHERE seq = 1");
    let ran = sandbox.run(&["doctor"]).exits(1);
    assert!(
        ran.out.contains("dated in the future") && ran.out.contains("until the clock has passed these times"),
        "{ran}"
    );
    assert!(!ran.err.contains("--rebuild"), "{ran}");
    // What the log says and the table does not is.
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    touch(&sandbox, "UPDATE decision SET status = 'answered'");
    sandbox.run(&["doctor"]).exits(1).says("--rebuild");
}

/// Changes the file as someone with the right to write it could.
fn touch(sandbox: &Sandbox, statement: &str) {
    let connection =
        rusqlite::Connection::open_with_flags(sandbox.store(), rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)
            .unwrap();
    assert_eq!(connection.execute(statement, []).unwrap(), 1, "{statement}");
}

#[test]
fn what_was_erased_is_not_what_was_tampered_with() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Secret of the item", "--owner", "item:x"]);
    let other = sandbox.ask_a_or_b();
    // Someone else has the store open all the while.
    let mut waiting = sandbox.spawn(&["wait", &other]);
    waiting.listening();
    sandbox.ok(&["item", "delete", "x"]);
    let report = sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    assert!(report["erased"].as_i64().unwrap() >= 1, "{report}");
    let text = sandbox.ok(&["audit", "verify"]);
    assert!(text.contains("erased"), "{text}");
    assert!(!sandbox.ok(&["log", "--json"]).contains("Secret of the item"));
    // The words are gone from the files themselves.
    for name in ["hold.db", "hold.db-wal"] {
        let bytes = std::fs::read(sandbox.home().join(name)).unwrap_or_default();
        assert!(!contains(&bytes, b"Secret of the item"), "still in {name}");
    }
    sandbox.is_well();
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn export_is_one_object_a_line_with_the_hashes() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &id, "a"]);
    let text = sandbox.ok(&["audit", "export"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&Value> = lines.iter().filter_map(|line| line.get("event")).collect();
    assert_eq!(events.len(), 2);
    assert_eq!(events[1]["prev"], events[0]["hash"]);
    assert!(events[0]["body"].as_str().unwrap().contains("Which?"));
    assert!(lines.iter().any(|line| line["checkpoint"]["seq"] == 2), "{text}");
}

#[test]
fn the_log_shows_events_of_one_decision_or_all() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask(&[
        "First?",
        "--owner",
        "job:build",
        "--requested-by",
        "a7",
        "-o",
        "a:A",
        "--project",
        "p",
    ]);
    let second = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &first, "a", "-m", "yes"]);
    let all = sandbox.log();
    let created = &all[0];
    for (pointer, value) in [
        ("/seq", json!(1)),
        ("/type", json!("decision:created")),
        ("/project", json!("p")),
        ("/id", json!(first)),
        ("/job_id", json!("build")),
        ("/agent_id", json!("a7")),
        ("/owner", json!("job:build")),
        ("/source", json!("question")),
        ("/context", json!("First?")),
        ("/options/0/label", json!("A")),
    ] {
        at(created, pointer, value);
    }
    assert!(created["stream"].is_string() && created["at"].is_string() && created["created_at_ms"].is_i64());
    let resolved = all.iter().find(|event| event["type"] == "decision:resolved").unwrap();
    at(resolved, "/chosen", "a");
    at(resolved, "/message", "yes");
    at(resolved, "/answer/by", "ana");
    assert!(resolved["resolved_at_ms"].is_i64());
    let text = sandbox.ok(&["log", &second, "--json"]);
    assert_eq!(text.lines().count(), 1);
    assert_eq!(sandbox.ok(&["log", "--project", "p", "--json"]).lines().count(), all.len() - 1);
    assert_eq!(sandbox.ok(&["log", "--after", "1", "--json"]).lines().count(), all.len() - 1);
    let human = sandbox.ok(&["log"]);
    assert!(human.contains("decision:resolved") && human.contains("by ana"), "{human}");
    sandbox.run(&["log", "zzz"]).exits(3);
}

#[test]
fn whoever_changes_or_removes_something_is_named() {
    let sandbox = Sandbox::new();
    let id = sandbox
        .ok(&["ask", "First?", "-o", "a", "-o", "b", "--owner", "item:task-1", "--no-wait"])
        .trim()
        .to_owned();
    sandbox.ok(&["revise", &id, "-o", "a", "-o", "c"]);
    sandbox.ok(&["project", "set", "default", "--min-timeout", "1h"]);
    sandbox.ok(&["item", "delete", "task-1"]);
    let log = sandbox.ok(&["log", "--json"]);
    for tag in ["item:created", "decision:revised", "project:updated", "decision:removed", "item:deleted"] {
        let event = log
            .lines()
            .find(|line| line.contains(&format!("\"type\":\"{tag}\"")))
            .unwrap_or_else(|| panic!("{tag} in {log}"));
        // The body of a removed decision is forgotten, and with it who changed it.
        assert!(event.contains("\"by\":\"ana\"") || event.contains("\"erased\":true"), "{event}");
    }
}

#[test]
fn following_the_log_shows_what_happens_as_it_happens() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let mut following = sandbox.spawn(&["log", "--follow", "--json"]);
    following.until(Stream::Out, "decision:created");
    sandbox.ok(&["answer", &id, "a"]);
    let line = following.until(Stream::Out, "decision:resolved");
    at(&serde_json::from_str(&line).unwrap(), "/seq", 2);
    sandbox.ask(&["Another?"]);
    following.until(Stream::Out, "Another?");
    following.signal(Signal::INT);
    following.end().exits(0);
}
