//! The peer: SQLite through rusqlite alone, with the same durability and rows of the same size, and nothing else.

use std::path::Path;
use std::time::{Duration, Instant};

use holdpoint_core::Numbering;
use rusqlite::{Connection, params};

use crate::{Result, seed};

/// How many commands one commit takes.
pub(crate) const BATCH: i64 = 64;

const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;";

/// A log and a projection without any index but their keys.
const PLAIN: &str = "
    CREATE TABLE event (seq INTEGER PRIMARY KEY, stream TEXT, version INTEGER, type TEXT, at INTEGER, body TEXT,
        body_hash BLOB, prev BLOB, hash BLOB);
    CREATE TABLE decision (n INTEGER PRIMARY KEY, id TEXT, project TEXT, status TEXT, source TEXT,
        requested_by TEXT, created_at INTEGER, settled_at INTEGER, digest TEXT, version INTEGER, doc TEXT);";

/// As long as every digest.
const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// The tables that are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tables {
    /// Two tables without any index.
    Plain,
    /// The tables of the store, with its indexes.
    OfStore,
}

/// The texts that the store wrote for one question and its answer, for writing them again and again.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    pub(crate) created: String,
    pub(crate) resolved: String,
    pub(crate) pending: String,
    pub(crate) answered: String,
}

/// Reads the id numbering of a store.
pub(crate) fn numbering(store: &Path) -> Result<Numbering> {
    let key: i64 =
        open(store)?.query_row("SELECT value FROM meta WHERE name = 'key'", [], |row| row.get(0))?;
    Ok(Numbering::new(key.cast_unsigned()))
}

/// Reads what the store wrote for a decision: the log's bodies by type, and the current row.
pub(crate) fn texts(store: &Path, row: i64, pending: String) -> Result<Texts> {
    let connection = open(store)?;
    let body = |tag: &str| {
        connection.query_row(
            "SELECT body FROM event WHERE stream = 'decision/' || ?1 AND type = ?2",
            params![row, tag],
            |row| row.get(0),
        )
    };
    Ok(Texts {
        created: body("decision:created")?,
        resolved: body("decision:resolved")?,
        pending,
        answered: doc(store, row)?,
    })
}

/// Reads the row of a decision.
pub(crate) fn doc(store: &Path, row: i64) -> Result<String> {
    Ok(open(store)?.query_row("SELECT doc FROM decision WHERE n = ?1", [row], |row| row.get(0))?)
}

/// A bare log and projection.
#[derive(Debug)]
pub(crate) struct Bare {
    connection: Connection,
    texts: Texts,
    seq: i64,
    number: i64,
}

impl Bare {
    /// Creates the file.
    pub(crate) fn new(file: &Path, texts: Texts, tables: Tables) -> Result<Self> {
        if tables == Tables::OfStore {
            drop(seed::open(file)?);
        }
        let connection = open(file)?;
        connection.execute_batch(PRAGMAS)?;
        if tables == Tables::Plain {
            connection.execute_batch(PLAIN)?;
        }
        Ok(Self { connection, texts, seq: 0, number: 0 })
    }

    /// Asks and answers this many at a time in one commit, until the time is up; returns commands per second.
    pub(crate) fn run(&mut self, batch: i64, time: Duration) -> Result<f64> {
        let start = Instant::now();
        let mut commands = 0_u32;
        while start.elapsed() < time {
            self.commit(batch, Self::ask)?;
            self.number -= batch;
            self.commit(batch, Self::answer)?;
            commands += 2 * u32::try_from(batch)?;
        }
        Ok(f64::from(commands) / start.elapsed().as_secs_f64())
    }

    /// Asks and answers once, in separate commits; returns how long the answer took.
    pub(crate) fn one(&mut self) -> Result<Duration> {
        self.commit(1, Self::ask)?;
        self.number -= 1;
        let start = Instant::now();
        self.commit(1, Self::answer)?;
        Ok(start.elapsed())
    }

    fn commit(&mut self, batch: i64, write: impl Fn(&Self) -> Result<()>) -> Result<()> {
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for _ in 0..batch {
            self.seq += 1;
            self.number += 1;
            write(self)?;
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }

    fn ask(&self) -> Result<()> {
        self.log("decision:created", 1, &self.texts.created)?;
        let mut row = self.connection.prepare_cached(
            "INSERT INTO decision \
             (n, id, project, status, source, requested_by, created_at, settled_at, digest, version, doc) \
             VALUES (?1, 'dcn-0123456789ab', 'default', 'pending', 'question', 'agent-7', ?2, NULL, ?4, 1, ?3)",
        )?;
        row.execute(params![self.number, self.seq, self.texts.pending, DIGEST])?;
        Ok(())
    }

    fn answer(&self) -> Result<()> {
        self.log("decision:resolved", 2, &self.texts.resolved)?;
        let mut row = self.connection.prepare_cached(
            "UPDATE decision SET status = 'answered', settled_at = ?2, version = 2, doc = ?3 WHERE n = ?1",
        )?;
        row.execute(params![self.number, self.seq, self.texts.answered])?;
        Ok(())
    }

    fn log(&self, tag: &str, version: i64, body: &str) -> Result<()> {
        let mut log = self.connection.prepare_cached(
            "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash) \
             VALUES (?1, 'decision/' || ?2, ?3, ?4, ?1, ?5, ?6, ?6, ?6)",
        )?;
        log.execute(params![self.seq, self.number, version, tag, body, [7_u8; 32]])?;
        Ok(())
    }
}

fn open(file: &Path) -> Result<Connection> {
    #[expect(clippy::disallowed_methods, reason = "this is what the store is compared with")]
    Ok(Connection::open(file)?)
}
