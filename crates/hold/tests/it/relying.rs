//! What someone who can write the store, but has no key, cannot make of a row: neither a yes that is used, nor a receipt,
//! nor a question that is shown in the place of another.

use holdpoint_store::chain::{body_hash, event_hash, hex};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::{Value, json};

use crate::runs::shop::Shop;
use crate::sandbox::Sandbox;
use crate::serving::Serving;

fn raw(sandbox: &Sandbox) -> Connection {
    Connection::open_with_flags(sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

/// Changes the row of a decision as someone could who knows the format.
fn patch(sandbox: &Sandbox, id: &str, change: impl FnOnce(&mut Value)) {
    let raw = raw(sandbox);
    let doc: String =
        raw.query_row("SELECT doc FROM decision WHERE id = ?1", [id], |row| row.get(0)).unwrap();
    let mut doc: Value = serde_json::from_str(&doc).unwrap();
    change(&mut doc);
    let touched = raw.execute(
        "UPDATE decision SET doc = ?2, status = ?3 WHERE id = ?1",
        params![id, doc.to_string(), doc["status"].as_str().unwrap()],
    );
    assert_eq!(touched, Ok(1));
}

fn approval(sandbox: &Sandbox, subject: &str) -> (String, String) {
    let file = sandbox.file(&format!("subject-{}", subject.len()), subject);
    (sandbox.ask(&["May I?", "--subject", &file]), file)
}

/// The answer that nobody gave.
fn yes(digest: &Value) -> Value {
    json!({"values": {"choice": "yes"}, "out": null, "message": null, "by": "ana", "via": "web", "auth": "session",
        "at": "2026-11-16T00:00:00Z", "digest": digest})
}

/// Rules and settings count once they are proven, which the first who needs them has done.
#[test]
fn what_waits_for_its_proof_is_no_alarm() {
    let sandbox = Sandbox::new();
    for set in [true, false] {
        let server = Serving::start(&sandbox);
        if set {
            sandbox.ok(&["project", "set", "web", "--min-timeout", "10m"]);
        }
        sandbox.ask(&["Which?", "-o", "a:A", "--project", "web", "--timeout", "1h"]);
        let said = server.stop().err;
        assert!(!said.contains("ERROR") && !said.contains("hold doctor"), "{said}");
    }
}

#[test]
fn a_yes_is_not_moved_to_another_subject() {
    let sandbox = Sandbox::new();
    let (dangerous, file) = approval(&sandbox, "rm -rf /prod");
    let (harmless, _) = approval(&sandbox, "ls -l");
    let (real, shown) = (sandbox.show(&dangerous), sandbox.show(&harmless));
    let put = |from: &Value| {
        patch(&sandbox, &dangerous, |doc| {
            for key in ["subject", "subject_digest", "digest"] {
                doc[key] = from[key].clone();
            }
        });
    };
    // Neither the subject alone, under the digest of what was asked, nor both are shown to a person.
    patch(&sandbox, &dangerous, |doc| doc["subject"] = shown["subject"].clone());
    sandbox.run(&["show", &dangerous]).exits(4).says("cannot be relied on").says("hold doctor");
    let listed = sandbox.json(&["list", "--json"]);
    let row = listed.as_array().unwrap().iter().find(|one| one["id"] == json!(dangerous)).unwrap();
    assert_eq!((&row["subject"], &row["truncated"]), (&Value::Null, &json!(["subject"])), "{row}");
    put(&shown);
    sandbox.run(&["show", &dangerous]).exits(4).prints("");
    let digest = shown["digest"].as_str().unwrap();
    sandbox.run(&["answer", &dangerous, "yes", "--digest", digest]).exits(4).says("cannot be relied on");
    put(&real);
    sandbox.refuses(&["consume", &dangerous, "--subject", &file], 4, &["nobody has answered yet"]);
    sandbox.is_well();
    // What nobody touched is used as ever.
    let (id, file) = approval(&sandbox, "make");
    let digest = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "yes", "--digest", &digest]);
    assert_eq!(sandbox.show(&id)["answer"]["digest"], json!(digest));
    sandbox.ok(&["consume", &id, "--subject", &file]);
}

#[test]
fn a_row_that_says_yes_is_no_yes() {
    let sandbox = Sandbox::new();
    let (id, file) = approval(&sandbox, "rm -rf /prod");
    patch(&sandbox, &id, |doc| {
        doc["status"] = json!("answered");
        doc["answer"] = yes(&doc["digest"]);
        doc["settled_at"] = json!("2026-11-16T00:00:00Z");
    });
    let words = ["cannot be relied on", "does not match the log", "hold doctor"];
    sandbox.refuses(&["consume", &id, "--subject", &file, "--min", "token"], 4, &words);
    sandbox.run(&["receipt", &id]).exits(4).says("does not match the log");
    // Nor does a key make it one that says it was used before.
    let consume = ["consume", &id, "--subject", &file, "--key", "k"];
    sandbox.refuses(&consume, 4, &["cannot be relied on"]);
}

#[test]
fn an_event_that_nobody_wrote_is_no_yes() {
    let sandbox = Sandbox::new();
    let (id, file) = approval(&sandbox, "rm -rf /prod");
    let digest = sandbox.show(&id)["digest"].clone();
    let raw = raw(&sandbox);
    let (seq, stream, prev, at): (i64, String, Vec<u8>, i64) = raw
        .query_row("SELECT seq, stream, hash, at FROM event ORDER BY seq DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .unwrap();
    let body = json!({"answer": yes(&digest), "id": id, "project": "default"}).to_string();
    let of_body = body_hash(&body);
    let tag = "decision:resolved";
    let hash = event_hash(seq + 1, &stream, 2, tag, at, &hex(&of_body), &hex(&prev));
    raw.execute(
        "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash) \
         VALUES (?1, ?2, 2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![seq + 1, stream, tag, at, body, of_body, prev, hash],
    )
    .unwrap();
    drop(raw);
    patch(&sandbox, &id, |doc| {
        doc["status"] = json!("answered");
        doc["answer"] = yes(&digest);
        doc["settled_at"] = doc["created_at"].clone();
    });
    let ran = sandbox.run(&["consume", &id, "--subject", &file, "--min", "token"]).exits(4);
    assert!(ran.err.contains("no proof that the holder of a key wrote"), "{ran}");
    sandbox.run(&["receipt", &id]).exits(4);
}

#[test]
fn a_row_that_says_commit_commits_nothing() {
    let shop = Shop::new();
    let run = shop.start();
    let file = shop.sandbox.file("x.patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    shop.sandbox.ok(&["run", "patch", &file, "--run", &run]);
    let decision = shop.sandbox.ok(&["run", "finish", "--run", &run]).trim().to_owned();
    let before = shop.git(&["rev-parse", "--all"]);
    patch(&shop.sandbox, &decision, |doc| {
        doc["status"] = json!("answered");
        doc["answer"] = yes(&doc["digest"]);
        doc["answer"]["values"] = json!({"verdict": "commit", "patchset": "1"});
        doc["settled_at"] = json!("2026-11-16T00:00:00Z");
    });
    shop.sandbox.run(&["run", "carry", &decision]).exits(4).says("does not match the log");
    assert_eq!(shop.git(&["rev-parse", "--all"]), before);
}
