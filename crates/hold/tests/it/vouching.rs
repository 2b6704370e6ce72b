//! History cannot be changed unseen by someone who has the store and no key; and every rightful way to another history
//! has a way through.

use holdpoint_store::chain::{GENESIS, body_hash, event_hash, hex};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::json;

use crate::process::TIMEOUT;
use crate::sandbox::{Sandbox, at, look_into};
use crate::server::Server;

/// Turns a no into a yes as someone would who knows the format and has no key: chain and row are right again, and no
/// checkpoint contradicts them.
fn rewrite(store: &std::path::Path) {
    let raw = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let turned = "replace(%, '\"choice\":\"no\"', '\"choice\":\"yes\"')";
    let change = turned.replace('%', "body");
    let touched = raw
        .execute(&format!("UPDATE event SET body = {change} WHERE type = 'decision:resolved'"), [])
        .unwrap();
    assert!(touched > 0);
    raw.execute(&format!("UPDATE decision SET doc = {}", turned.replace('%', "doc")), []).unwrap();
    let mut prev = GENESIS.to_vec();
    let mut rows =
        raw.prepare("SELECT seq, stream, version, type, at, body FROM event ORDER BY seq").unwrap();
    let mut rows = rows.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let (seq, stream, version): (i64, String, i64) =
            (row.get(0).unwrap(), row.get(1).unwrap(), row.get(2).unwrap());
        let (tag, at, body): (String, i64, String) =
            (row.get(3).unwrap(), row.get(4).unwrap(), row.get(5).unwrap());
        let body = body_hash(&body);
        let hash = event_hash(seq, &stream, version, &tag, at, &hex(&body), &hex(&prev));
        raw.execute(
            "UPDATE event SET body_hash = ?2, prev = ?3, hash = ?4 WHERE seq = ?1",
            params![seq, body, prev, hash],
        )
        .unwrap();
        prev = hash.to_vec();
    }
    raw.execute("DELETE FROM checkpoint", []).unwrap();
}

/// Waits until something holds.
pub(crate) fn until(holds: impl Fn() -> bool) {
    let end = std::time::Instant::now() + TIMEOUT;
    while !holds() {
        assert!(std::time::Instant::now() < end, "it never holds");
        std::thread::yield_now();
    }
}

/// Asks, and is answered with a no.
fn refused(sandbox: &Sandbox) -> String {
    let id = sandbox.ask(&["Go?", "--kind", "confirm"]);
    sandbox.ok(&["answer", &id, "no"]);
    id
}

#[test]
fn rewriting_history_without_a_key_is_seen_until_it_is_accepted_and_named_for_ever() {
    let sandbox = Sandbox::new();
    let id = refused(&sandbox);
    rewrite(&sandbox.store());
    for verb in ["wait", "show"] {
        sandbox.run(&[verb, &id]).exits(4).prints("").says("cannot be relied on");
    }
    let ran = sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains("event 2 or one before it was rewritten"), "{ran}");
    // Asks and answers go on, and say that they are not proven.
    let ran = sandbox.run(&["ask", "And now?", "--no-wait"]).exits(0);
    assert!(ran.err.contains("this is not proven"), "{ran}");
    let report = sandbox.run(&["audit", "verify", "--json"]).exits(1).json();
    at(&report, "/sound", false);
    at(&report, "/vouched_to", 0);
    let ran = sandbox.run(&["doctor"]).exits(1);
    assert!(ran.out.contains("was rewritten"), "{ran}");
    sandbox.run(&["audit", "accept"]).exits(2);
    sandbox.run(&["audit", "accept", "--reason", " "]).exits(1).says("reason");
    sandbox.ok(&["audit", "accept", "--reason", "we did it ourselves"]);
    sandbox.run(&["audit", "accept", "--reason", "again"]).exits(1).says("nothing to accept");
    sandbox.ask_a_or_b();
    let text = sandbox.run(&["audit", "verify"]).exits(0).out;
    assert!(text.contains("ana accepted a break") && text.contains("we did it ourselves"), "{text}");
    let report = sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/accepted/0/reason", "we did it ourselves");
    at(&report, "/vouched_to", report["head"].as_i64().unwrap());
    // What was accepted is that log, not what is put in its place later.
    let raw = Connection::open_with_flags(sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let change = |sql: &str| assert_eq!(raw.execute(sql, []).unwrap(), 1);
    change("UPDATE event SET body = replace(body, 'Go?', 'No?') WHERE seq = 1");
    let ran = sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains("accepts was changed since"), "{ran}");
    assert!(ran.out.contains("event 1 was tampered with"), "{ran}");
    change("UPDATE event SET body = replace(body, 'No?', 'Go?') WHERE seq = 1");
    sandbox.ok(&["prune", "--older-than", "0s"]);
    sandbox.run(&["audit", "verify"]).exits(0);
}

#[test]
fn a_store_that_was_rolled_back_is_seen_and_a_restore_has_its_way_through() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    let backup = sandbox.home().join("backup.db");
    sandbox.ok(&["doctor", "--backup", backup.to_str().unwrap()]);
    let lost = sandbox.ask_a_or_b();
    for name in ["hold.db", "hold.db-wal", "hold.db-shm"] {
        let _ = std::fs::remove_file(sandbox.home().join(name));
    }
    std::fs::copy(&backup, sandbox.store()).unwrap();
    let ran = sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains("event 2 was signed, but the log ends at 1"), "{ran}");
    // A waiter for what was lost is not given the answer to something else.
    let new = sandbox.ask_a_or_b();
    assert_ne!(new, lost);
    sandbox.ok(&["answer", &new, "a"]);
    sandbox.run(&["wait", &lost]).exits(3).prints("");
    sandbox.run(&["audit", "verify"]).exits(1);
    sandbox.ok(&["audit", "accept", "--reason", "restored from the backup of Monday"]);
    sandbox.ask_a_or_b();
    sandbox.is_well();
    let text = sandbox.run(&["audit", "verify"]).exits(0).out;
    assert!(text.contains("restored from the backup of Monday"), "{text}");
}

#[test]
fn another_store_in_the_same_place_is_not_taken_for_a_new_one() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    for name in ["hold.db", "hold.db-wal", "hold.db-shm"] {
        let _ = std::fs::remove_file(sandbox.home().join(name));
    }
    let ran = sandbox.run(&["ask", "Anybody?", "--no-wait"]).exits(0);
    assert!(ran.err.contains("this is not proven"), "{ran}");
    sandbox.ok(&["audit", "accept", "--reason", "started over"]);
    sandbox.is_well();
}

#[test]
fn copies_rebuilds_and_removals_need_no_word() {
    let sandbox = Sandbox::new();
    refused(&sandbox);
    sandbox.ok(&["prune", "--older-than", "0s"]);
    sandbox.ok(&["doctor", "--rebuild"]);
    sandbox.ask_a_or_b();
    sandbox.is_well();
    let copy = format!("sqlite:{}", sandbox.home().join("copy.db").display());
    sandbox.ok(&["store", "copy", "-", &copy]);
    let sandbox = sandbox.with("HOLD_STORE", &copy);
    let ran = sandbox.run(&["ask", "Still?", "--no-wait"]).exits(0);
    assert!(!ran.err.contains("not proven"), "{ran}");
    let report = sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    at(&report, "/vouched_to", report["head"].as_i64().unwrap());
}

#[test]
fn a_server_says_that_nobody_vouches_and_only_an_admin_accepts() {
    let server = Server::start();
    let sandbox = &server.sandbox;
    let local = server.local();
    let id = local.ask();
    local.answer(&id, "a").is(200);
    assert_eq!(server.nobody().get("/readyz").is(200).body, "ready\n");
    // Signed, then rolled back under the running server.
    let signed = "SELECT count(*) FROM checkpoint WHERE seq = 2";
    until(|| look_into(&sandbox.store()).query_row(signed, [], |row| row.get::<_, i64>(0)) == Ok(1));
    let raw = Connection::open_with_flags(sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    raw.execute_batch("DELETE FROM checkpoint; UPDATE event SET hash = zeroblob(32) WHERE seq = 2;").unwrap();
    drop(raw);
    local.ask();
    let shows = |path: &str, words: &str| server.nobody().get(path).is(200).body.contains(words);
    until(|| shows("/readyz", "unvouched: event 2 or one before it was rewritten"));
    assert!(shows("/metrics", "hold_log_unvouched 1"));
    let reason = json!({"reason": "a test"});
    let agent = server.token("bot", "agent", &[]);
    let refused = agent.send("POST", "/v1/log/accept", Some(&reason)).refuses(403, "forbidden");
    assert!(refused["detail"].as_str().unwrap().contains("only an admin of all projects"), "{refused}");
    agent.send("POST", "/v1/keys/rotate", Some(&json!({}))).refuses(403, "forbidden");
    // The log is what is in doubt: it may have lost that a credential was revoked.
    let boss = server.token("boss", "admin", &[]);
    let refused = boss.send("POST", "/v1/log/accept", Some(&reason)).refuses(403, "forbidden");
    assert!(refused["detail"].as_str().unwrap().contains("the server's own account"), "{refused}");
    local.send("POST", "/v1/log/accept", Some(&json!({"reason": ""}))).refuses(422, "invalid");
    local.send("POST", "/v1/log/accept", Some(&reason)).is(200);
    assert!(shows("/metrics", "hold_log_unvouched 0"));
    assert_eq!(server.nobody().get("/readyz").is(200).body, "ready\n");
}

/// The new key cannot check the old one's MACs, nor the old one the new one's.
#[test]
fn answers_that_come_while_a_key_is_rotated_are_taken_and_proven() {
    let server = Server::start();
    let api = server.local();
    let mut answered = 0;
    std::thread::scope(|scope| {
        let rotating = scope.spawn(|| (0..3).for_each(|_| drop(server.sandbox.ok(&["key", "rotate"]))));
        while !rotating.is_finished() {
            api.answer(&api.ask(), "a").is(200);
            answered += 1;
        }
        rotating.join().unwrap();
    });
    assert!(answered > 10, "{answered}");
    api.get("/readyz").is(200);
    api.get("/v1/log/head").is(200);
    let report = server.sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    at(&report, "/vouched_to", report["head"].as_i64().unwrap());
}

#[test]
fn a_key_is_rotated_and_what_the_old_one_writes_does_not_count() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    let old = std::fs::read(sandbox.home().join("keys/signing.key")).unwrap();
    let rotated = sandbox.ok(&["key", "rotate"]);
    assert!(
        rotated.contains("is the signing key from now on") && rotated.contains("is revoked"),
        "{rotated}"
    );
    sandbox.ask_a_or_b();
    let report = sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    at(&report, "/vouched_to", report["head"].as_i64().unwrap());
    let keys = sandbox.json(&["key", "list", "--json"]);
    assert_eq!(keys.as_array().map(Vec::len), Some(2), "{keys}");
    let marks: Vec<_> = keys.as_array().unwrap().iter().map(|key| (&key["signs"], &key["revoked"])).collect();
    // One's own comes first, whatever its name.
    assert_eq!(marks, [(&json!(true), &json!(false)), (&json!(false), &json!(true))], "{keys}");
    let text = sandbox.ok(&["key", "list"]);
    assert!(text.contains("  revoked  ") && !text.contains("trusted"), "{text}");
    // A thief of the old key writes with it, and is found out.
    let thief = Sandbox::new().with("HOLD_STORE", &format!("sqlite:{}", sandbox.store().display()));
    std::fs::create_dir_all(thief.home().join("keys")).unwrap();
    std::fs::write(thief.home().join("keys/signing.key"), old).unwrap();
    thief.ok(&["ask", "Mine?", "--no-wait"]);
    let ran = sandbox.run(&["ask", "Ours?", "--no-wait"]).exits(0);
    assert!(ran.err.contains("which is not trusted here"), "{ran}");
    sandbox.run(&["audit", "verify"]).exits(1);
}

#[test]
fn a_key_that_a_stranger_revoked_signs_on_once_the_log_is_accepted() {
    let mut server = Server::start();
    let (id, reason) = (server.local().ask(), json!({"reason": "a test"}));
    let keys = server.sandbox.json(&["key", "list", "--json"]);
    let store = format!("sqlite:{}", server.sandbox.store().display());
    let stranger = Sandbox::new().with("HOLD_STORE", &store);
    stranger.ok(&["key", "revoke", keys[0]["id"].as_str().unwrap(), "--reason", "mine"]);
    let is_ready = |server: &Server| server.nobody().get("/readyz").body == "ready\n";
    until(|| !is_ready(&server));
    let ran = server.sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains("which is not trusted here"), "{ran}");
    server.local().send("POST", "/v1/log/accept", Some(&reason)).is(200);
    server.local().answer(&id, "a").is(200);
    for _ in 0..2 {
        until(|| is_ready(&server));
        server.sandbox.ok(&["audit", "verify"]);
        server.sandbox.ok(&["receipt", &id]);
        assert_eq!(server.sandbox.json(&["key", "list", "--json"]), keys);
        server.stop().exits(0);
        server.run();
    }
    server.sandbox.ok(&["key", "rotate"]);
}

#[test]
fn another_user_of_the_same_store_is_trusted_by_word() {
    let one = Sandbox::new();
    one.ask_a_or_b();
    let two = Sandbox::new().with("HOLD_STORE", &format!("sqlite:{}", one.store().display()));
    two.ok(&["ask", "Mine?", "--no-wait"]);
    let ran = one.run(&["ask", "Ours?", "--no-wait"]).exits(0);
    assert!(ran.err.contains("which is not trusted here"), "{ran}");
    let keys = two.json(&["key", "list", "--json"]);
    let public = keys[0]["public_key"].as_str().unwrap().to_owned();
    one.ok(&["key", "trust", &public]);
    let ran = one.run(&["ask", "Ours again?", "--no-wait"]).exits(0);
    assert!(!ran.err.contains("not proven"), "{ran}");
    at(&one.json(&["audit", "verify", "--json"]), "/vouched_to", 4);
    one.run(&["key", "trust", "00"]).exits(2);
}

#[test]
fn a_receipt_proves_offline_that_it_stands_in_the_log() {
    let sandbox = Sandbox::new();
    for _ in 0..3 {
        sandbox.ask_a_or_b();
    }
    let id = refused(&sandbox);
    let receipt = sandbox.json(&["receipt", &id]);
    at(&receipt, "/log/event/seq", 5);
    at(&receipt, "/log/event/type", "decision:resolved");
    let file = sandbox.file("receipt.json", receipt.to_string());
    let elsewhere = Sandbox::new();
    let public = receipt["public_key"].as_str().unwrap();
    let said = elsewhere.ok(&["receipt", "verify", &file, "--key", public]);
    assert!(said.contains("in the log: event 5"), "{said}");
    // Of a decision that was settled in an unvouched log there is a receipt, but no such proof.
    rewrite(&sandbox.store());
    let late = refused(&sandbox);
    let receipt = sandbox.json(&["receipt", &late]);
    assert_eq!(receipt.get("log"), None, "{receipt}");
    let file = sandbox.file("late.json", receipt.to_string());
    let ran = sandbox.run(&["receipt", "verify", &file]).exits(1).says("no proof that it is in the log");
    assert!(ran.err.contains("--unproven") && ran.out.is_empty(), "{ran}");
    sandbox.run(&["receipt", "verify", &file, "--unproven"]).exits(0).says("no proof");
    // The rewritten past gets none at all.
    sandbox.run(&["receipt", &id]).exits(4).says("cannot be relied on").says("hold audit verify");
}

#[test]
fn a_witness_elsewhere_sees_what_the_holder_of_the_keys_does() {
    let server = Server::start();
    let local = server.local();
    local.ask();
    let witness = Sandbox::new().with("HOLD_URL", &server.url()).with("HOLD_TOKEN", local.token());
    let look = || witness.run(&["witness", "--once"]);
    assert!(look().exits(0).out.contains("signed       event 1"));
    assert!(look().exits(0).out.contains("unchanged"));
    for _ in 0..3 {
        local.ask();
    }
    assert!(look().exits(0).out.contains("signed       event 4"));
    let seen = witness.home().join("witness.jsonl");
    let seen = seen.to_str().unwrap();
    let sandbox = &server.sandbox;
    let text = sandbox.ok(&["audit", "verify", "--witness", seen]);
    assert!(text.contains("saw the log up to event 4"), "{text}");
    // A thief who has the keys and what they remember begins another history.
    let mut server = server;
    server.stop();
    for name in ["hold.db", "hold.db-wal", "hold.db-shm"] {
        let _ = std::fs::remove_file(server.sandbox.home().join(name));
    }
    std::fs::remove_dir_all(server.sandbox.home().join("keys/heads")).unwrap();
    server.run();
    let local = server.local();
    for _ in 0..5 {
        local.ask();
    }
    assert_eq!(server.nobody().get("/readyz").is(200).body, "ready\n");
    let witness = witness.with("HOLD_URL", &server.url()).with("HOLD_TOKEN", local.token());
    witness.run(&["witness", "--once"]).exits(1).says("rewritten");
    let ran = server.sandbox.run(&["audit", "verify", "--witness", seen]).exits(1);
    assert!(ran.out.contains("event 1 or one before it was rewritten"), "{ran}");
}
