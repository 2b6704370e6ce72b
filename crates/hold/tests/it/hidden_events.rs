//! Events that somebody who can write a server's tables takes out of their stream, with the row put back: what they said
//! is missed, not forgotten.

use rusqlite::{Connection, OpenFlags, params};
use serde_json::{Value, json};

use crate::nodes::keys::until_shown;
use crate::server::{Server, question_with};

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
