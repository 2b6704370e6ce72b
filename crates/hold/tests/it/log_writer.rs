//! What someone who can write every table of a running server's store, the log's too, but has no key, cannot do: come in
//! as somebody, or come back after they were sent away.

use holdpoint_store::chain::hex;
use rusqlite::{Connection, OpenFlags, params};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::jobs::JobServer;
use crate::sandbox::Sandbox;
use crate::server::{Api, Server, question_with};

fn raw(server: &Server) -> Connection {
    open(&server.sandbox)
}

fn open(sandbox: &Sandbox) -> Connection {
    Connection::open_with_flags(sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

/// Where a token's creation stands in the log, and what it says.
fn created(raw: &Connection, name: &str) -> (i64, Value) {
    let sql = "SELECT seq, body FROM event WHERE type = 'token:created' AND body ->> '$.name' = ?1";
    let (seq, body): (i64, String) =
        raw.query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    (seq, serde_json::from_str(&body).unwrap())
}

fn comes_in(api: &Api) -> u16 {
    api.get("/v1/decisions").status
}

/// Lets what a server keeps of tokens for a moment go.
fn forget(server: &Server) {
    server.token("other", "agent", &[]);
}

#[test]
fn a_secret_put_into_row_and_log_lets_nobody_in() {
    let server = Server::start();
    let ana = server.token("ana", "person", &[]);
    assert_eq!(comes_in(&ana), 200);
    let raw = raw(&server);
    let (seq, mut body) = created(&raw, "ana");
    let (old_hash, old_body): (Vec<u8>, String) = raw
        .query_row(
            "SELECT t.hash, e.body FROM token AS t, event AS e WHERE t.name = 'ana' AND e.seq = ?1",
            [seq],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    // The secret of another token that they know, in the place of hers.
    let mine = server.token("mine", "agent", &[]);
    let hash: Vec<u8> =
        raw.query_row("SELECT hash FROM token WHERE name = 'mine'", [], |row| row.get(0)).unwrap();
    raw.execute("DELETE FROM token WHERE name = 'mine'", []).unwrap();
    body["fingerprint"] = json!(holdpoint_core::json::hex(&hash[..16]));
    let put = |body: &str, hash: &[u8]| {
        raw.execute("UPDATE event SET body = ?2 WHERE seq = ?1", params![seq, body]).unwrap();
        raw.execute("UPDATE token SET hash = ?1 WHERE name = 'ana'", [hash]).unwrap();
    };
    put(&body.to_string(), &hash);
    forget(&server);
    assert_eq!(comes_in(&mine), 401);
    // Nor with the hash of the body made to fit.
    let of_body = Sha256::digest(body.to_string()).to_vec();
    raw.execute("UPDATE event SET body_hash = ?2 WHERE seq = ?1", params![seq, of_body]).unwrap();
    forget(&server);
    assert_eq!(comes_in(&mine), 401);
    let of_body = Sha256::digest(&old_body).to_vec();
    raw.execute("UPDATE event SET body_hash = ?2 WHERE seq = ?1", params![seq, of_body]).unwrap();
    put(&old_body, &old_hash);
    forget(&server);
    assert_eq!(comes_in(&ana), 200);
}

#[test]
fn a_revoked_token_stays_revoked_whatever_becomes_of_the_event() {
    for hide in [
        "UPDATE event SET body = NULL WHERE type = 'token:revoked'",
        "UPDATE event SET stream = 'token/zzz' WHERE type = 'token:revoked'",
        "UPDATE event SET type = 'token:noted' WHERE type = 'token:revoked'",
        "DELETE FROM event WHERE type = 'token:revoked'",
    ] {
        let server = Server::start();
        let boss = server.token("boss", "admin", &[]);
        assert_eq!(comes_in(&boss), 200);
        let raw = raw(&server);
        let (_, body) = created(&raw, "boss");
        let id = body["id"].as_str().unwrap();
        server.local().send("DELETE", &format!("/v1/tokens/{id}"), None).is(200);
        assert_eq!(comes_in(&boss), 401);
        raw.execute("UPDATE token SET revoked_at = NULL WHERE id = ?1", [id]).unwrap();
        raw.execute(hide, []).unwrap();
        assert_eq!(comes_in(&boss), 401, "{hide}");
    }
}

#[test]
fn a_log_changed_while_no_server_ran_is_noticed_at_the_start() {
    let mut server = Server::start();
    server.token("boss", "admin", &[]);
    server.local().ask();
    server.stop();
    raw(&server).execute("UPDATE event SET stream = 'token/zzz' WHERE type = 'token:created'", []).unwrap();
    server.run();
    let end = std::time::Instant::now() + crate::process::TIMEOUT;
    while !server.local().get("/readyz").body.contains("unvouched") {
        assert!(std::time::Instant::now() < end, "nothing was noticed");
        std::thread::yield_now();
    }
}

/// Changes what a decision's row says.
fn patch(raw: &Connection, id: &str, change: impl FnOnce(&mut Value)) {
    let doc: String =
        raw.query_row("SELECT doc FROM decision WHERE id = ?1", [id], |row| row.get(0)).unwrap();
    let mut doc: Value = serde_json::from_str(&doc).unwrap();
    change(&mut doc);
    raw.execute("UPDATE decision SET doc = ?2 WHERE id = ?1", params![id, doc.to_string()]).unwrap();
}

#[test]
fn a_question_changed_in_its_row_is_neither_waited_for_nor_answered() {
    let server = Server::open();
    let id = server.nobody().post("/v1/decisions", &question_with(&json!({"subject": "ls"}))).is(201).id();
    let digest = server.nobody().decision(&id).json()["digest"].clone();
    patch(&raw(&server), &id, |doc| doc["subject"] = json!("rm -rf /"));
    server.nobody().get(&format!("/v1/decisions/{id}/wait?timeout=10ms")).refuses(409, "unproven");
    let answer = json!({"choice": "a", "digest": digest});
    server.nobody().post(&format!("/v1/decisions/{id}/answer"), &answer).refuses(409, "unproven");
}

#[test]
fn a_yes_that_only_a_row_or_an_event_without_a_proof_knows_is_told_to_nobody() {
    let server = Server::open();
    let yes = |server: &Server| {
        let id = server.nobody().post("/v1/decisions", &question_with(&json!({}))).is(201).id();
        server.nobody().post(&format!("/v1/decisions/{id}/answer"), &json!({"choice": "a"})).is(200);
        server.nobody().decision(&id).json()
    };
    let answered = yes(&server);
    let asked = server.nobody().post("/v1/decisions", &question_with(&json!({}))).is(201).id();
    let raw = raw(&server);
    let row = |raw: &Connection| {
        patch(raw, &asked, |doc| {
            doc["status"] = json!("answered");
            doc["answer"] = answered["answer"].clone();
            doc["settled_at"] = answered["settled_at"].clone();
        });
        raw.execute("UPDATE decision SET status = 'answered', version = 2 WHERE id = ?1", [&asked]).unwrap();
    };
    row(&raw);
    let wait = format!("/v1/decisions/{asked}/wait?timeout=10ms");
    server.nobody().get(&wait).refuses(409, "unproven");
    server.nobody().get(&format!("/v1/decisions/{asked}")).refuses(409, "unproven");
    // With an event that says the same, whose hashes are right.
    let honest = answered["id"].as_str().unwrap();
    forge(&raw, honest, &asked);
    server.nobody().get(&wait).refuses(409, "unproven");
    let told = server.sandbox.ok(&["check", "--since", "1h"]);
    assert!(told.contains(honest) && !told.contains(&asked), "{told}");
}

/// Appends the answer of one decision to the log as if it had been given to another.
fn forge(raw: &Connection, from: &str, to: &str) {
    let number = |id: &str| -> i64 {
        raw.query_row("SELECT n FROM decision WHERE id = ?1", [id], |row| row.get(0)).unwrap()
    };
    let stream = |id: &str| format!("decision/{}", number(id));
    let sql = "SELECT at, body FROM event WHERE stream = ?1 AND type = 'decision:resolved'";
    let (at, body): (i64, String) =
        raw.query_row(sql, [stream(from)], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let body = body.replace(from, to);
    let sql = "SELECT seq + 1, hash FROM event ORDER BY seq DESC LIMIT 1";
    let (seq, prev): (i64, Vec<u8>) = raw.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let body_hash = Sha256::digest(body.as_bytes());
    let link = json!({"at": at, "body_hash": hex(&body_hash), "prev": hex(&prev), "seq": seq, "stream": stream(to),
        "type": "decision:resolved", "version": 2});
    let hash = Sha256::digest(link.to_string().as_bytes());
    let sql = "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash) \
               VALUES (?1, ?2, 2, 'decision:resolved', ?3, ?4, ?5, ?6, ?7)";
    let values = params![seq, stream(to), at, body, body_hash.as_slice(), prev, hash.as_slice()];
    raw.execute(sql, values).unwrap();
}

#[test]
fn an_approval_is_not_used_again_by_cutting_the_log_or_erasing_its_use() {
    for hide in [
        "DELETE FROM checkpoint WHERE seq >= (SELECT max(seq) FROM event); \
         DELETE FROM event WHERE type = 'decision:consumed'",
        "UPDATE event SET body = NULL WHERE type = 'decision:consumed'",
    ] {
        let server = Server::open();
        let asked = server.nobody().post("/v1/decisions", &question_with(&json!({"subject": "ls"}))).is(201);
        let (id, digest) = (asked.id(), asked.json()["digest"].clone());
        let path = format!("/v1/decisions/{id}");
        server.nobody().post(&format!("{path}/answer"), &json!({"choice": "a", "digest": digest})).is(200);
        let consume = || server.nobody().post(&format!("{path}/consume"), &json!({"subject": "ls"}));
        consume().is(200);
        let raw = raw(&server);
        raw.execute_batch(hide).unwrap();
        patch(&raw, &id, |doc| doc["consumed_at"] = Value::Null);
        consume().refuses(409, "unproven");
    }
}

#[test]
fn an_agent_does_not_answer_itself_by_changing_the_row() {
    let server = Server::start();
    let bot = server.token("bot", "agent", &[]);
    let id = bot.post("/v1/decisions", &question_with(&json!({"subject": "ls"}))).is(201).id();
    let digest = bot.decision(&id).json()["digest"].clone();
    // Without a subject, and for this agent, asked by another credential.
    patch(&raw(&server), &id, |doc| {
        doc["subject"] = Value::Null;
        doc["subject_digest"] = Value::Null;
        doc["source"] = json!("question");
        doc["assignees"] = json!(["agent:bot"]);
        doc["asked_with"] = json!("tok-other");
    });
    let answered = bot.post(&format!("/v1/decisions/{id}/answer"), &json!({"choice": "a", "digest": digest}));
    answered.refuses(409, "unproven");
}

#[test]
fn a_job_that_only_a_row_knows_is_not_run_and_the_others_are() {
    let house = JobServer::new();
    let file = house.sandbox.file("b.hcl", "job \"b\" {\n  step \"a\" { run = \"test -f there\" }\n}\n");
    let id = house.sandbox.ok(&["job", "start", &file]);
    house.sandbox.run(&["job", "wait", &id]).exits(6);
    let raw = open(&house.sandbox);
    // One that was never started, one that cannot be read, and a command that is another now.
    raw.execute_batch(
        "INSERT INTO job (stream, id, project, status, node, created_at, version, doc) \
         SELECT replace(stream, id, 'job-evil'), 'job-evil', project, 'pending', NULL, created_at, 1, \
             json_set(replace(replace(doc, id, 'job-evil'), 'test -f there', 'touch evil'), '$.status', 'pending') \
         FROM job; \
         INSERT INTO job (stream, id, project, status, node, created_at, version, doc) \
         SELECT stream || 'x', 'job-broken', project, 'pending', NULL, created_at, 1, '{' FROM job WHERE id <> 'job-evil'; \
         UPDATE job SET doc = replace(doc, 'test -f there', 'touch evil') WHERE id NOT IN ('job-evil', 'job-broken')",
    )
    .unwrap();
    house.sandbox.run(&["job", "resume", &id]).exits(4).says("cannot be relied on");
    let other = house.sandbox.file("c.hcl", "job \"c\" {\n  step \"a\" { run = \"touch done\" }\n}\n");
    let other = house.sandbox.ok(&["job", "start", &other]);
    house.sandbox.run(&["job", "wait", &other, "--timeout", "30s"]).exits(0);
    assert!(house.path("done").exists() && !house.path("evil").exists());
    let found = house.sandbox.run(&["doctor"]);
    assert!(found.out.contains("job-evil"), "{}", found.out);
}
