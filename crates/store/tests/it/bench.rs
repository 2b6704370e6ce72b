//! A SQLite store in a folder of its own.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_store::chain::unhex;
use holdpoint_store::conformance::{StoreHarness, Tampering};
use holdpoint_store::{LogRow, Options, Store, sqlite};
use rusqlite::{Connection, OpenFlags, params};

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("state/hold.db")
    }

    pub(crate) fn store(&self) -> sqlite::Sqlite {
        sqlite::open(&self.path(), Options::default()).unwrap()
    }

    /// Opens the file as any other program could.
    pub(crate) fn raw(&self) -> Connection {
        Connection::open_with_flags(self.path(), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
    }
}

#[async_trait]
impl StoreHarness for Folder {
    async fn open(&self, options: Options) -> Arc<dyn Store> {
        Arc::new(sqlite::open(&self.path(), options).unwrap())
    }

    async fn tamper(&self, tampering: Tampering) {
        let raw = self.raw();
        let touched = match tampering {
            Tampering::Body { seq, body } => {
                raw.execute("UPDATE event SET body = ?2 WHERE seq = ?1", params![seq, body])
            }
            Tampering::At { seq, at } => raw.execute("UPDATE event SET at = ?2 WHERE seq = ?1", [seq, at]),
            Tampering::Remove { seq } => raw.execute("DELETE FROM event WHERE seq = ?1", [seq]),
            Tampering::CutAfter { seq } => raw.execute("DELETE FROM event WHERE seq > ?1", [seq]),
            Tampering::Projection { status } => {
                raw.execute("UPDATE decision SET status = ?1 WHERE n = 1", [status])
            }
            Tampering::Brief { brief } => {
                raw.execute("UPDATE decision SET brief = ?1 WHERE n = 1", params![brief])
            }
            Tampering::Row { doc, status, deadline } => raw.execute(
                "UPDATE decision SET doc = ?1, status = ?2, deadline = ?3 WHERE n = 1",
                params![doc, status, deadline],
            ),
            Tampering::JobRow { doc } => raw.execute("UPDATE job SET doc = ?1", [doc]),
            Tampering::Keys => raw
                .execute_batch(
                    "INSERT INTO idempotency (project, credential, key, digest, n, at) \
                     SELECT project, credential, key || '2', digest, 1, at FROM idempotency WHERE true ON CONFLICT DO NOTHING; \
                     UPDATE idempotency SET n = 1",
                )
                .map(|()| 2),
            Tampering::Settings => raw.execute("UPDATE project SET min_timeout = 7", []),
            Tampering::Restore { seq } => {
                raw.execute("DELETE FROM event WHERE seq > ?1", [seq]).unwrap();
                raw.execute_batch(
                    "DELETE FROM decision WHERE NOT EXISTS (SELECT 1 FROM event WHERE stream = 'decision/' || n); \
                     DELETE FROM checkpoint WHERE seq > (SELECT max(seq) FROM event)",
                )
                .unwrap();
                let back = "UPDATE meta SET value = (SELECT max(n) FROM decision) WHERE name = 'last_number'";
                raw.execute(back, [])
            }
            Tampering::Runs => raw.execute("DELETE FROM run", []),
            Tampering::Index => raw.execute("DELETE FROM search WHERE rowid = 1", []),
            Tampering::Usage => raw.execute("UPDATE usage SET bytes = bytes + 1", []),
            Tampering::Counter => raw.execute("UPDATE counter SET n = n + 1", []),
            Tampering::Job => raw.execute("UPDATE job SET status = 'done'", []),
            Tampering::Threads => raw.execute("DELETE FROM thread", []),
            Tampering::Log { links } => {
                raw.execute_batch("DELETE FROM checkpoint; DELETE FROM event;").unwrap();
                links.iter().try_fold(0, |_, link| insert(&raw, link))
            }
            Tampering::Unexplained => raw
                .execute_batch(
                    "INSERT INTO session (hash, person, created_at, expires_at) VALUES (x'00', 'local:eve', 0, 9); \
                     INSERT INTO outbox (id, seq, lane, target, not_before, not_after) \
                     VALUES (7, 999, 'webhook', 'x', 0, 9)",
                )
                .map(|()| 2),
            Tampering::Outbox { id, seq, lane, decision } => raw.execute(
                "INSERT INTO outbox (id, seq, lane, target, decision, not_before, not_after) \
                 VALUES (?1, ?2, ?3, 'eve', ?4, 1, 9000000000000)",
                params![id, seq, lane, decision],
            ),
            Tampering::Secrets => raw
                .execute_batch(
                    "UPDATE token SET hash = zeroblob(32); UPDATE person SET password = 'other'; \
                     INSERT INTO session (hash, person, created_at, expires_at) \
                     VALUES (zeroblob(32), 'bo', 0, 9000000000000)",
                )
                .map(|()| 3),
            Tampering::Append { link } => insert(&raw, &link),
            Tampering::Checkpoint { seq } => raw.execute("DELETE FROM checkpoint WHERE seq = ?1", [seq]),
            Tampering::Roles => {
                raw.execute_batch(
                    "UPDATE token SET role = 'admin', projects = '[]'; UPDATE person SET role = 'admin'; \
                     UPDATE meta SET value = 0 WHERE name = 'auth_required';",
                )
                .unwrap();
                raw.execute(
                    "INSERT INTO token (id, name, role, projects, hash, created_at, created_by) \
                     VALUES ('tok-x', 'x', 'admin', '[]', x'00', 0, 'x')",
                    [],
                )
            }
        };
        assert!(touched.unwrap() > 0);
    }
}

fn insert(raw: &Connection, link: &LogRow) -> rusqlite::Result<usize> {
    let LogRow { seq, stream, version, tag, at, body, body_hash, prev, hash, proof } = link;
    let [body_hash, prev, hash] = [body_hash, prev, hash].map(|hash| unhex(hash).unwrap());
    raw.execute(
        "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash, proof) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![seq, stream, version, tag, at, body, body_hash, prev, hash, proof],
    )
}
