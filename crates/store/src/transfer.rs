//! Copies a whole store to another place, between any two drivers: rows as they are, in one transaction.
//!
//! Table and column names are the same in all drivers, and are listed here once.

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::{Error, Result};

/// How many rows a chunk has.
pub(crate) const CHUNK: usize = 500;
/// How many chunks may be in flight.
const AHEAD: usize = 4;

/// A store whose rows can be read out and written in.
#[async_trait]
pub trait Transfer: Send + Sync {
    /// Sends all rows, table by table, as of one moment.
    async fn take_out(&self, rows: mpsc::Sender<Chunk>) -> Result<()>;

    /// Writes rows into an empty store, in one transaction; writes none if the sender closes before the end. The store
    /// must be reopened afterwards, because its numbering has changed.
    async fn put_in(&self, rows: mpsc::Receiver<Chunk>) -> Result<()>;
}

/// Copies everything from one store to another, empty one. Returns the number of rows.
pub async fn copy(from: &dyn Transfer, to: &dyn Transfer) -> Result<u64> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let (out, mut taken) = mpsc::channel::<Chunk>(AHEAD);
    let passing = async {
        let mut rows = 0;
        while let Some(chunk) = taken.recv().await {
            rows += chunk.rows.len() as u64;
            // If sending fails, the receiving side reports the reason.
            let _ = sender.send(chunk).await;
        }
        (rows, sender)
    };
    let sending = async {
        let (done, (rows, sender)) = tokio::join!(from.take_out(out), passing);
        // Only a complete copy may stay, so the other side commits only when it gets this chunk.
        if done.is_ok() {
            let _ = sender.send(Chunk::end()).await;
        }
        done.map(|()| rows)
    };
    let (sent, put): (Result<u64>, Result<()>) = tokio::join!(sending, to.put_in(receiver));
    match (sent, put) {
        (Err(error), _) | (Ok(_), Err(error)) => Err(error),
        (Ok(rows), Ok(())) => Ok(rows),
    }
}

/// Some rows of one table.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub(crate) table: usize,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Chunk {
    fn end() -> Self {
        Self { table: TABLES.len(), rows: Vec::new() }
    }

    /// Returns the table, or none if this chunk marks the end.
    pub(crate) fn table(&self) -> Option<&'static Table> {
        TABLES.get(self.table)
    }
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A table that is copied.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, Kind)],
    /// The condition for the rows that are copied.
    pub(crate) only: &'static str,
    /// The column that they are ordered by.
    pub(crate) order: &'static str,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Text,
    Bytes,
}

impl Table {
    /// Returns the columns, separated by commas.
    pub(crate) fn columns(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the error for a target store that is not empty.
pub(crate) fn not_empty(events: i64) -> Error {
    Error::Unsuitable(format!("the store to copy to is not empty: it has {events} events; name a new one"))
}

/// Returns the error for a copy that ended before all rows were there.
pub(crate) fn broken_off() -> Error {
    Error::Unavailable("the copy broke off before all rows were there; nothing was kept".into())
}

use Kind::{Bytes, Int, Text};

/// All tables; those that others refer to come first.
pub(crate) const TABLES: [Table; 24] = [
    Table {
        name: "meta",
        columns: &[("name", Text), ("value", Int)],
        only: "name IN ('key', 'last_number', 'auth_required', 'skew')",
        order: "name",
    },
    all(
        "event",
        "seq",
        &[
            ("seq", Int),
            ("stream", Text),
            ("version", Int),
            ("type", Text),
            ("at", Int),
            ("body", Text),
            ("body_hash", Bytes),
            ("prev", Bytes),
            ("hash", Bytes),
            ("proof", Bytes),
        ],
    ),
    all("run", "id", &[("id", Text), ("project", Text), ("task", Text), ("doc", Text)]),
    all(
        "decision",
        "n",
        &[
            ("n", Int),
            ("id", Text),
            ("project", Text),
            ("status", Text),
            ("source", Text),
            ("owner", Text),
            ("requested_by", Text),
            ("created_at", Int),
            ("deadline", Int),
            ("escalates_at", Int),
            ("settled_at", Int),
            ("asked_with", Text),
            ("assignees", Text),
            ("digest", Text),
            ("version", Int),
            ("brief", Text),
            ("doc", Text),
        ],
    ),
    all(
        "item",
        "id",
        &[("project", Text), ("id", Text), ("title", Text), ("pending", Int), ("created_at", Int)],
    ),
    all("thread", "id", &[("id", Text), ("project", Text), ("created_at", Int), ("doc", Text)]),
    all("project", "name", &[("name", Text), ("min_timeout", Int), ("verdicts", Text)]),
    all("usage", "credential", &[("credential", Text), ("decisions", Int), ("bytes", Int)]),
    all("counter", "project", &[("project", Text), ("status", Text), ("n", Int)]),
    all(
        "outbox",
        "id",
        &[
            ("id", Int),
            ("seq", Int),
            ("lane", Text),
            ("project", Text),
            ("target", Text),
            ("decision", Int),
            ("not_before", Int),
            ("not_after", Int),
            ("attempts", Int),
            ("leased_by", Text),
            ("state", Text),
            ("last_error", Text),
            ("held", Text),
        ],
    ),
    all(
        "idempotency",
        "key",
        &[("project", Text), ("credential", Text), ("key", Text), ("digest", Text), ("n", Int), ("at", Int)],
    ),
    all("key", "id", &[("id", Text), ("public_key", Text)]),
    all(
        "checkpoint",
        "seq",
        &[
            ("seq", Int),
            ("hash", Text),
            ("at", Int),
            ("key", Text),
            ("signature", Text),
            ("root", Text),
            ("prior", Int),
        ],
    ),
    all(
        "token",
        "id",
        &[
            ("id", Text),
            ("name", Text),
            ("role", Text),
            ("projects", Text),
            ("hash", Bytes),
            ("created_at", Int),
            ("created_by", Text),
            ("revoked_at", Int),
            ("permissions", Text),
            ("expires_at", Int),
            ("owner", Text),
        ],
    ),
    all(
        "person",
        "name",
        &[
            ("name", Text),
            ("role", Text),
            ("email", Text),
            ("projects", Text),
            ("password", Text),
            ("created_at", Int),
            ("accounts", Text),
            ("notify", Text),
        ],
    ),
    all("session", "hash", &[("hash", Bytes), ("person", Text), ("created_at", Int), ("expires_at", Int)]),
    all(
        "job",
        "stream",
        &[
            ("stream", Text),
            ("id", Text),
            ("project", Text),
            ("status", Text),
            ("node", Text),
            ("created_at", Int),
            ("version", Int),
            ("doc", Text),
        ],
    ),
    all("used_link", "nonce", &[("nonce", Text), ("at", Int), ("expires_at", Int)]),
    all(
        "sent",
        "id",
        &[
            ("id", Int),
            ("decision", Int),
            ("channel", Text),
            ("address", Text),
            ("place", Text),
            ("message", Text),
            ("digest", Text),
            ("open", Int),
            ("controls", Text),
            ("at", Int),
            ("remarks", Int),
        ],
    ),
    all(
        "channel_log",
        "id",
        &[
            ("id", Int),
            ("at", Int),
            ("channel", Text),
            ("address", Text),
            ("decision", Int),
            ("what", Text),
            ("words", Text),
        ],
    ),
    all(
        "channel_lease",
        "channel",
        &[("channel", Text), ("holder", Text), ("leased_until", Int), ("position", Int)],
    ),
    all("saved_view", "person, name", &[("person", Text), ("name", Text), ("q", Text), ("status", Text)]),
    all("push_key", "id", &[("id", Int), ("pkcs8", Bytes)]),
    all(
        "push_subscription",
        "id",
        &[
            ("id", Text),
            ("person", Text),
            ("endpoint", Text),
            ("p256dh", Text),
            ("auth", Text),
            ("browser", Text),
            ("created_at", Int),
        ],
    ),
];

const fn all(name: &'static str, order: &'static str, columns: &'static [(&'static str, Kind)]) -> Table {
    Table { name, columns, only: "true", order }
}
