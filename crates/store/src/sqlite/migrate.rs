//! Brings a store to the schema that this program knows. Forward only; a merged file is never edited.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use holdpoint_core::Numbering;
use holdpoint_core::decision::brief;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};

use super::connection;
use crate::replay::Columns;
use crate::{Error, Result};

/// All migrations; the first brings a store from version 0 to 1, and so on.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
    include_str!("migrations/0006.sql"),
    include_str!("migrations/0007.sql"),
    include_str!("migrations/0008.sql"),
    include_str!("migrations/0009.sql"),
    include_str!("migrations/0010.sql"),
    include_str!("migrations/0011.sql"),
    include_str!("migrations/0012.sql"),
    include_str!("migrations/0013.sql"),
    include_str!("migrations/0014.sql"),
    include_str!("migrations/0015.sql"),
    include_str!("migrations/0016.sql"),
    include_str!("migrations/0017.sql"),
    include_str!("migrations/0018.sql"),
    include_str!("migrations/0019.sql"),
    include_str!("migrations/0020.sql"),
    include_str!("migrations/0021.sql"),
    include_str!("migrations/0022.sql"),
    include_str!("migrations/0023.sql"),
];
/// `HOLD`: tells the file from those of other programs.
const APPLICATION: i32 = 0x484F_4C44;

/// Returns the newest version that this program knows.
pub fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Reads the version of a store from the head of its file; nothing where there is none yet.
pub fn version_of(path: &Path) -> Option<i64> {
    /// Where `SQLite` keeps `user_version`, in four bytes, the highest first.
    const AT: u64 = 60;
    let mut file = std::fs::File::open(path).ok()?;
    let mut version = [0; 4];
    file.seek(SeekFrom::Start(AT)).ok()?;
    file.read_exact(&mut version).ok()?;
    Some(i64::from(i32::from_be_bytes(version))).filter(|version| *version > 0)
}

/// What is known of a store before anything is read from it.
pub(super) enum Found {
    /// It is as this program wants it.
    Ready(Numbering),
    /// It is new, or from an older program.
    Old,
}

/// Looks at a store, in one statement.
pub(super) fn look(connection: &Connection) -> Result<Found> {
    let row = connection.query_row(
        "SELECT (SELECT user_version FROM pragma_user_version), value FROM meta WHERE name = 'key'",
        [],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
    );
    match row {
        Ok((version, _)) if version > known() => Err(Error::TooNew { found: version, known: known() }),
        Ok((version, key)) if version == known() => Ok(Found::Ready(Numbering::new(key.cast_unsigned()))),
        Ok(_) => Ok(Found::Old),
        Err(rusqlite::Error::SqliteFailure(code, _)) if code.code == ErrorCode::Unknown => Ok(Found::Old),
        Err(rusqlite::Error::QueryReturnedNoRows) => {
            Err(Error::Corrupt("the key of its numbering is gone; restore a backup".into()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Checks that the schema is still the one that this program knows.
pub(super) fn check(connection: &Connection) -> Result<()> {
    let found =
        connection.prepare_cached("PRAGMA user_version")?.query_row([], |row| row.get::<_, i64>(0))?;
    match found {
        found if found == known() => Ok(()),
        found if found > known() => Err(Error::TooNew { found, known: known() }),
        found => Err(Error::Corrupt(format!("its schema went back to version {found}; restore a backup"))),
    }
}

/// Brings a store up to date, if it is not so already.
pub(super) fn ready(connection: &mut Connection) -> Result<Numbering> {
    match look(connection)? {
        Found::Ready(numbering) => Ok(numbering),
        Found::Old => migrate(connection),
    }
}

/// Brings a store up to date. Any number of processes may do so at once; one does it, the others find it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<Numbering> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > known() {
        return Err(Error::TooNew { found, known: known() });
    }
    if found == 0 {
        refuse_foreign(&tx)?;
    }
    let done = usize::try_from(found).unwrap_or_default();
    for script in MIGRATIONS.iter().skip(done) {
        tx.execute_batch(script)?;
    }
    if (1..BESIDE).contains(&done) {
        write_beside(&tx)?;
    }
    let key = numbering_key(&tx)?;
    tx.pragma_update(None, "application_id", APPLICATION)?;
    tx.pragma_update(None, "user_version", known())?;
    tx.commit()?;
    Ok(Numbering::new(key.cast_unsigned()))
}

/// The version since which what lists filter by and show stands beside the document.
const BESIDE: usize = 23;

/// Writes what stands beside the documents of an older store, where there is anything to write.
fn write_beside(tx: &Transaction<'_>) -> Result<()> {
    let mut found = tx.prepare(
        "SELECT n FROM decision WHERE octet_length(doc) > 65536 \
         OR instr(doc, '\"asked_with\":\"') > 0 OR instr(doc, '\"assignees\":[\"') > 0",
    )?;
    let numbers: Vec<i64> = found.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut read = tx.prepare("SELECT doc FROM decision WHERE n = ?1")?;
    let mut write =
        tx.prepare("UPDATE decision SET asked_with = ?2, assignees = ?3, brief = ?4 WHERE n = ?1")?;
    for number in numbers {
        let doc: String = read.query_row([number], |row| row.get(0))?;
        let Columns { asked_with, assignees, .. } = Columns::of(&serde_json::from_str(&doc)?);
        write.execute(params![number, asked_with, assignees, brief(&doc)?])?;
    }
    Ok(())
}

/// Switches the file to the write-ahead log, if it is not so yet.
pub(super) fn write_ahead(connection: &Connection) -> Result<()> {
    let start = Instant::now();
    loop {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode.eq_ignore_ascii_case("wal") => return Ok(()),
            Ok(mode) => {
                let message = format!("it cannot keep a write-ahead log (its journal mode stays {mode})");
                return Err(Error::Unsuitable(message));
            }
            // SQLite does not wait for this lock by itself.
            Err(error) if is_busy(&error) && start.elapsed() < connection::TIMEOUT => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Returns whether another process is in the way.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// A file of another program must not become a store by mistake.
fn refuse_foreign(tx: &Transaction<'_>) -> Result<()> {
    let foreign: Option<String> =
        tx.query_row("SELECT name FROM sqlite_schema LIMIT 1", [], |row| row.get(0)).optional()?;
    match foreign {
        Some(name) => {
            Err(Error::Unsuitable(format!("the file belongs to another program: it has a {name:?}")))
        }
        None => Ok(()),
    }
}

fn numbering_key(tx: &Transaction<'_>) -> Result<i64> {
    let known = tx.query_row("SELECT value FROM meta WHERE name = 'key'", [], |row| row.get(0)).optional()?;
    if let Some(key) = known {
        return Ok(key);
    }
    let random =
        getrandom::u64().map_err(|why| Error::Unavailable(format!("no randomness is to be had: {why}")))?;
    let key = random.cast_signed();
    tx.execute("INSERT INTO meta (name, value) VALUES ('key', ?1), ('last_number', 0)", [key])?;
    Ok(key)
}
