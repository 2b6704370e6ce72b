//! Moves a whole store to another place, from any driver to any other: rows as they are, in one transaction.
//!
//! What the tables are called and which columns they have is the same in all drivers, and written down here once.

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::{Error, Result};

/// How many rows go at a time.
pub(crate) const CHUNK: usize = 500;
/// How many chunks may be under way.
const AHEAD: usize = 4;

/// A store whose rows can be taken out and put in.
#[async_trait]
pub trait Transfer: Send + Sync {
    /// Sends all rows, table by table, as of one moment.
    async fn take_out(&self, rows: mpsc::Sender<Chunk>) -> Result<()>;

    /// Puts rows into an empty store, in one transaction; none if the sender went away before it was done. The store
    /// must be reopened afterwards: its numbering is another one.
    async fn put_in(&self, rows: mpsc::Receiver<Chunk>) -> Result<()>;
}

/// Copies everything from one store to another that is empty. Returns how many rows there were.
pub async fn copy(from: &dyn Transfer, to: &dyn Transfer) -> Result<u64> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let (out, mut taken) = mpsc::channel::<Chunk>(AHEAD);
    let passing = async {
        let mut rows = 0;
        while let Some(chunk) = taken.recv().await {
            rows += chunk.rows.len() as u64;
            // If nobody takes it, the receiving side says why.
            let _ = sender.send(chunk).await;
        }
        (rows, sender)
    };
    let sending = async {
        let (done, (rows, sender)) = tokio::join!(from.take_out(out), passing);
        // Only what is complete is to stay: the other side commits on this word alone.
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

    /// Returns the table, or nothing if this is the word that all is there.
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

/// A table that goes along.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, Kind)],
    /// Which rows go, where not all do.
    pub(crate) only: &'static str,
    /// By which column they are in order.
    pub(crate) order: &'static str,
}

/// What a column holds.
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

/// Says that a store cannot be copied to.
pub(crate) fn not_empty(events: i64) -> Error {
    Error::Unsuitable(format!("the store to copy to is not empty: it has {events} events; name a new one"))
}

/// Says that the rows stopped coming before all were there.
pub(crate) fn broken_off() -> Error {
    Error::Unavailable("the copy broke off before all rows were there; nothing was kept".into())
}

use Kind::{Bytes, Int, Text};

/// All tables, those that others refer to first.
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
