//! What somebody who can write a server's tables does to the log together with a row: events that are taken out of their
//! stream are missed, and events that are added without a proof count for nothing once they were noticed.

use holdpoint_store::{LogRow, chain, history};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::{Value, json};

use crate::nodes::keys::until_shown;
use crate::rules;
use crate::server::{Server, question_with};
use crate::vouching::until;

const STATUS: &str = "SELECT status FROM decision WHERE id = ?1";

fn raw(server: &Server) -> Connection {
    Connection::open_with_flags(server.sandbox.store(), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

/// A decision's row, to be put back later.
struct Row {
    id: String,
    doc: String,
    version: i64,
}

impl Row {
    fn of(raw: &Connection, id: &str) -> Self {
        let sql = "SELECT doc, version FROM decision WHERE id = ?1";
        let (doc, version) = raw.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        Self { id: id.to_owned(), doc, version }
    }

    /// Puts it back, and moves the later events of its stream elsewhere.
    fn put_back(&self, raw: &Connection) {
        let Self { id, doc, version } = self;
        let hide = "UPDATE event SET stream = 'decision/0' WHERE version > ?2 AND stream = \
                    (SELECT e.stream FROM event AS e WHERE e.type = 'decision:created' AND e.body ->> '$.id' = ?1)";
        assert_eq!(raw.execute(hide, params![id, version]).unwrap(), 1);
        let status: Value = serde_json::from_str::<Value>(doc).unwrap()["status"].clone();
        let put = "UPDATE decision SET doc = ?2, version = ?3, status = ?4 WHERE id = ?1";
        raw.execute(put, params![id, doc, version, status.as_str().unwrap()]).unwrap();
    }
}

fn approval(server: &Server) -> (String, Value) {
    let id = server.nobody().post("/v1/decisions", &question_with(&json!({"subject": "ls"}))).is(201).id();
    let digest = server.nobody().decision(&id).json()["digest"].clone();
    (id, digest)
}

#[test]
fn a_use_of_an_approval_that_was_hidden_is_missed_at_once_and_after_a_restart() {
    let mut server = Server::open();
    let (id, digest) = approval(&server);
    let path = |verb: &str| format!("/v1/decisions/{id}/{verb}");
    server.nobody().post(&path("answer"), &json!({"choice": "a", "digest": digest})).is(200);
    let row = Row::of(&raw(&server), &id);
    server.nobody().post(&path("consume"), &json!({"subject": "ls"})).is(200);
    row.put_back(&raw(&server));
    server.nobody().post(&path("consume"), &json!({"subject": "ls"})).refuses(409, "unproven");
    server.nobody().get(&path("wait")).refuses(409, "unproven");
    // What was noticed of one decision is said of the log.
    until_shown(&server, "unvouched");
    server.stop();
    server.run();
    until_shown(&server, "unvouched");
    let refused = server.nobody().post(&path("consume"), &json!({"subject": "ls"})).refuses(409, "unproven");
    assert!(refused["detail"].as_str().unwrap().contains("not what was recorded"), "{refused}");
}

#[test]
fn a_no_that_was_hidden_does_not_become_a_yes() {
    let server = Server::open();
    let (id, digest) = approval(&server);
    let row = Row::of(&raw(&server), &id);
    let answer = |choice: &str| {
        let answer = json!({"choice": choice, "digest": digest});
        server.nobody().post(&format!("/v1/decisions/{id}/answer"), &answer)
    };
    answer("b").is(200);
    row.put_back(&raw(&server));
    let refused = answer("a").refuses(409, "unproven");
    assert!(refused["detail"].as_str().unwrap().contains("missing"), "{refused}");
}

/// Adds an event at the end of the log as its chain demands, but without a proof.
fn append(raw: &Connection, stream: &str, tag: &str, body: &Value) {
    let sql = "SELECT seq, hash, at FROM event ORDER BY seq DESC LIMIT 1";
    let (last, prev, at): (i64, Vec<u8>, i64) =
        raw.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let version: i64 = raw
        .query_row("SELECT ifnull(max(version), 0) + 1 FROM event WHERE stream = ?1", [stream], |row| {
            row.get(0)
        })
        .unwrap();
    let (seq, body, prev) = (last + 1, body.to_string(), chain::hex(&prev));
    let body_hash = chain::hex(&chain::body_hash(&body));
    let hash = chain::event_hash(seq, stream, version, tag, at, &body_hash, &prev);
    let bytes = |hex: &str| chain::unhex(hex).unwrap();
    raw.execute(
        "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![seq, stream, version, tag, at, body, bytes(&body_hash), bytes(&prev), hash.to_vec()],
    )
    .unwrap();
}

/// Reads the events of a stream.
fn links(raw: &Connection, stream: &str) -> Vec<LogRow> {
    let sql = "SELECT seq, version, type, at, body, body_hash, prev, hash FROM event WHERE stream = ?1 ORDER BY seq";
    let mut statement = raw.prepare(sql).unwrap();
    let link = |row: &rusqlite::Row<'_>| {
        let hex = |at: usize| row.get::<_, Vec<u8>>(at).map(|bytes| chain::hex(&bytes));
        Ok(LogRow {
            seq: row.get(0)?,
            stream: stream.to_owned(),
            version: row.get(1)?,
            tag: row.get(2)?,
            at: row.get(3)?,
            body: row.get(4)?,
            body_hash: hex(5)?,
            prev: hex(6)?,
            hash: hex(7)?,
            proof: None,
        })
    };
    statement.query_map([stream], link).unwrap().map(Result::unwrap).collect()
}

#[test]
fn forged_settings_count_for_nothing_once_they_were_noticed() {
    let server = Server::open();
    let quick =
        json!({"timeout": "3s", "on_timeout": "default", "default": {"choice": "a"}, "requested_by": "bot"});
    let agent = |server: &Server| server.nobody().post("/v1/decisions", &question_with(&quick)).status;
    server.sandbox.ok(&["project", "set", "default", "--min-timeout", "10m"]);
    let body = json!({"by": "root", "id": "default", "min_timeout": "1s", "project": "default", "verdicts": ["auto"]});
    append(&raw(&server), "project/default", "project:updated", &body);
    raw(&server).execute("UPDATE project SET min_timeout = 1000, verdicts = 'auto'", []).unwrap();
    until_shown(&server, "unvouched");
    assert_eq!(agent(&server), 409, "settings that nobody answers for");
    // Elsewhere work goes on, also on what was asked since.
    let elsewhere = question_with(&json!({"project": "other"}));
    let id = server.nobody().post("/v1/decisions", &elsewhere).is(201).id();
    server.nobody().post(&format!("/v1/decisions/{id}/answer"), &json!({"choice": "a"})).is(200);
}

/// Until a forged event is noticed, whatever goes by it is done: a rule that nobody made would have answered.
#[test]
fn rules_and_policies_that_nobody_answers_for_count_for_nothing_at_any_time() {
    let server = Server::start();
    let (ana, coder) = (server.token("ana", "person", &[]), server.token("coder", "agent", &[]));
    ana.post("/v1/rules", &rules::cargo_test()).is(201);
    assert_eq!(rules::ask(&coder, "cargo test")["status"], "answered");
    let raw = raw(&server);
    let made = "SELECT stream, body FROM event WHERE type = 'rule:created'";
    let (stream, body): (String, String) =
        raw.query_row(made, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let forged = body.replace("\"cargo\",\"test\"", "\"make\",\"deploy\"").replace("\"rul-", "\"rul-0");
    assert_ne!(forged, body);
    append(&raw, &stream, "rule:created", &serde_json::from_str(&forged).unwrap());
    coder.post("/v1/decisions", &rules::approval("make deploy")).refuses(409, "unproven");
    // Elsewhere work goes on.
    coder.post("/v1/decisions", &question_with(&json!({"project": "other"}))).is(201);
}

#[test]
fn a_policy_that_somebody_took_away_without_a_key_still_holds() {
    let server = Server::start();
    let (ana, coder) = (server.token("ana", "person", &[]), server.token("coder", "agent", &[]));
    server
        .token("boss", "admin", &[])
        .post("/v1/policies", &json!({"when": {"source": "approval"}, "needs_person": true}))
        .is(201);
    let asked = rules::ask(&coder, "make deploy");
    let answer = json!({"choice": "approve", "digest": asked["digest"]});
    let path = format!("/v1/decisions/{}/answer", asked["id"].as_str().unwrap());
    ana.post(&path, &answer).refuses(403, "forbidden");
    let raw = raw(&server);
    let made = "SELECT stream, body ->> '$.id' FROM event WHERE type = 'policy:added'";
    let (stream, id): (String, String) =
        raw.query_row(made, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    append(&raw, &stream, "policy:removed", &json!({"id": id, "project": "default", "by": "root"}));
    // What was asked before keeps what it needs, and what would need nothing now cannot be asked.
    ana.post(&path, &answer).refuses(403, "forbidden");
    coder.post("/v1/decisions", &rules::approval("make deploy")).refuses(409, "unproven");
}

#[test]
fn a_forged_revision_is_neither_shown_nor_answered_once_it_was_noticed() {
    for subject in [json!({"subject": "rm -rf /"}), json!({})] {
        let server = Server::open();
        let nobody = server.nobody();
        let id = nobody.post("/v1/decisions", &question_with(&subject)).is(201).id();
        // How such an event looks: another decision is revised.
        let model = nobody.post("/v1/decisions", &question_with(&json!({"subject": "y"}))).is(201).id();
        nobody.send("PATCH", &format!("/v1/decisions/{model}"), Some(&json!({"subject": "ls"}))).is(200);
        let raw = raw(&server);
        let revised = "SELECT body FROM event WHERE type = 'decision:revised'";
        let body: String = raw.query_row(revised, [], |row| row.get(0)).unwrap();
        let mut body: Value = serde_json::from_str(&body).unwrap();
        body["id"] = json!(id);
        let stream = "SELECT stream FROM event WHERE type = 'decision:created' AND body ->> '$.id' = ?1";
        let stream: String = raw.query_row(stream, [&id], |row| row.get(0)).unwrap();
        append(&raw, &stream, "decision:revised", &body);
        let folded = history::fold(&links(&raw, &stream)).unwrap().unwrap();
        let doc = serde_json::to_string(&folded).unwrap();
        raw.execute("UPDATE decision SET doc = ?2, version = 2 WHERE id = ?1", params![id, doc]).unwrap();
        until_shown(&server, "unvouched");
        let path = |verb: &str| format!("/v1/decisions/{id}{verb}");
        nobody.get(&path("")).refuses(409, "unproven");
        let yes = json!({"choice": "a", "digest": folded.digest});
        nobody.post(&path("/answer"), &yes).refuses(409, "unproven");
        // What else was asked goes on.
        let digest = nobody.decision(&model).json()["digest"].clone();
        let yes = json!({"choice": "a", "digest": digest});
        nobody.post(&format!("/v1/decisions/{model}/answer"), &yes).is(200);
    }
}

#[test]
fn a_deadline_that_only_a_row_knows_settles_nothing_for_those_who_look() {
    let server = Server::open();
    let (id, _) = approval(&server);
    let raw = raw(&server);
    let sql = "SELECT doc FROM decision WHERE id = ?1";
    let doc: String = raw.query_row(sql, [&id], |row| row.get(0)).unwrap();
    let mut doc: Value = serde_json::from_str(&doc).unwrap();
    doc["deadline"] = json!("2026-01-01T00:00:00Z");
    doc["default"] = json!({"choice": "a"});
    doc["on_timeout"] = json!("default");
    let put = "UPDATE decision SET doc = ?2, deadline = 1 WHERE id = ?1";
    raw.execute(put, params![id, doc.to_string()]).unwrap();
    server.nobody().decision(&id).refuses(409, "unproven");
    server.sandbox.run(&["show", &id]).exits(4);
    // Nor does it keep others from being settled when they are due.
    let short = server.nobody().post("/v1/decisions", &question_with(&json!({"timeout": "1s"}))).is(201).id();
    let status = || -> String { raw.query_row(STATUS, [&short], |row| row.get(0)).unwrap() };
    until(|| status() == "timed_out");
}

#[test]
fn a_row_that_holds_another_decision_is_told_to_nobody() {
    let server = Server::open();
    let nobody = server.nobody();
    let (no, yes) = (nobody.ask(), nobody.ask());
    nobody.answer(&no, "b").is(200);
    nobody.answer(&yes, "a").is(200);
    let put = "UPDATE decision SET doc = (SELECT doc FROM decision WHERE id = ?2) WHERE id = ?1";
    raw(&server).execute(put, [&no, &yes]).unwrap();
    nobody.decision(&no).refuses(409, "unproven");
    nobody.get(&format!("/v1/decisions/{no}/wait")).refuses(409, "unproven");
    server.sandbox.run(&["wait", &no]).exits(4);
}

/// Makes the last event of a type another one, with hashes of its own that fit; returns its stream.
fn put_in_place_of(raw: &Connection, was: &str, tag: &str, body: &str) -> String {
    let sql = "SELECT seq, stream, version, at, prev FROM event WHERE type = ?1 ORDER BY seq DESC LIMIT 1";
    let (seq, stream, version, at, prev): (i64, String, i64, i64, Vec<u8>) = raw
        .query_row(sql, [was], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .unwrap();
    let body_hash = chain::hex(&chain::body_hash(body));
    let hash = chain::event_hash(seq, &stream, version, tag, at, &body_hash, &chain::hex(&prev));
    let put = "UPDATE event SET type = ?2, body = ?3, body_hash = ?4, hash = ?5 WHERE seq = ?1";
    raw.execute(put, params![seq, tag, body, chain::unhex(&body_hash).unwrap(), hash.to_vec()]).unwrap();
    stream
}

#[test]
fn a_question_and_settings_that_were_changed_in_their_place_count_for_nothing_at_once() {
    let mut server = Server::open();
    let nobody = server.nobody();
    let ask = json!({"timeout": "1h", "on_timeout": "default", "default": {"choice": "b"}});
    let id = nobody.post("/v1/decisions", &question_with(&ask)).is(201).id();
    let raw = raw(&server);
    let body: String = raw
        .query_row("SELECT body FROM event WHERE type = 'decision:created'", [], |row| row.get(0))
        .unwrap();
    let forged = body.replace("\"choice\":\"b\"", "\"choice\":\"a\"");
    assert_ne!(body, forged);
    let stream = put_in_place_of(&raw, "decision:created", "decision:created", &forged);
    let folded = history::fold(&links(&raw, &stream)).unwrap().unwrap();
    let doc = serde_json::to_string(&folded).unwrap();
    raw.execute("UPDATE decision SET doc = ?2 WHERE id = ?1", params![id, doc]).unwrap();
    let answer = json!({"choice": "a", "digest": folded.digest});
    nobody.post(&format!("/v1/decisions/{id}/answer"), &answer).refuses(409, "unproven");
    let revise = json!({"title": "Another?"});
    nobody.send("PATCH", &format!("/v1/decisions/{id}"), Some(&revise)).refuses(409, "unproven");

    server.sandbox.ok(&["project", "set", "default", "--min-timeout", "10m"]);
    let body =
        json!({"by": "root", "id": "default", "min_timeout": "1s", "project": "default", "verdicts": []});
    put_in_place_of(&raw, "project:updated", "project:updated", &body.to_string());
    raw.execute("UPDATE project SET min_timeout = 1000", []).unwrap();
    let quick =
        json!({"timeout": "3s", "on_timeout": "default", "default": {"choice": "b"}, "requested_by": "bot"});
    nobody.post("/v1/decisions", &question_with(&quick)).refuses(409, "unproven");
    // What the process has not seen since it began is found by the check that it begins with.
    server.stop();
    server.run();
    until_shown(&server, "unvouched");
}

#[test]
fn an_event_that_was_made_another_in_its_place_counts_for_nothing() {
    let server = Server::open();
    let (id, digest) = approval(&server);
    let path = |verb: &str| format!("/v1/decisions/{id}/{verb}");
    server.nobody().post(&path("answer"), &json!({"choice": "a", "digest": digest})).is(200);
    let raw = raw(&server);
    let row = Row::of(&raw, &id);
    server.nobody().post(&path("consume"), &json!({"subject": "ls"})).is(200);
    // The use becomes a draft, which decides nothing.
    let body = json!({"by": "ana", "draft": {}, "id": id, "project": "default"}).to_string();
    let stream = put_in_place_of(&raw, "decision:consumed", "decision:drafted", &body);
    let folded = history::fold(&links(&raw, &stream)).unwrap().unwrap();
    let doc = serde_json::to_string(&folded).unwrap();
    raw.execute("UPDATE decision SET doc = ?2 WHERE id = ?1", params![row.id, doc]).unwrap();
    server.nobody().post(&path("consume"), &json!({"subject": "ls"})).refuses(409, "unproven");
}
