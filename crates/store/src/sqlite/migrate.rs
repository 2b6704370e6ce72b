//! Migrates a store to the schema of this program. Forward only; a merged file is never edited.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use holdpoint_core::Numbering;
use holdpoint_core::decision::brief;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::replay::Columns;
use crate::schema::{BESIDE, migrations, random_key};
use crate::{Error, Result};

/// All migrations; the first brings a store from version 0 to 1, and so on.
pub(super) const MIGRATIONS: &[&str] = &migrations!();
/// `HOLD` in ASCII, which distinguishes the file from those of other programs.
const APPLICATION: i32 = 0x484F_4C44;

/// Returns the newest version that this program knows.
pub fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Reads the version of a store from the header of its file; none if there is no store yet.
pub fn version_of(path: &Path) -> Option<i64> {
    /// The offset of `user_version` in the header: four bytes, big-endian.
    const AT: u64 = 60;
    let mut file = std::fs::File::open(path).ok()?;
    let mut version = [0; 4];
    file.seek(SeekFrom::Start(AT)).ok()?;
    file.read_exact(&mut version).ok()?;
    Some(i64::from(i32::from_be_bytes(version))).filter(|version| *version > 0)
}

/// The state of a store's schema, as found on opening.
pub(super) enum Schema {
    /// It has the version of this program.
    Ready(Numbering),
    /// It is new, or was written by an older program.
    Old,
}

/// Reads the schema's state, in one statement.
pub(super) fn schema(connection: &Connection) -> Result<Schema> {
    let row = connection.query_row(
        "SELECT (SELECT user_version FROM pragma_user_version), value FROM meta WHERE name = 'key'",
        [],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
    );
    match row {
        Ok((version, _)) if version > known() => Err(Error::TooNew { found: version, known: known() }),
        Ok((version, key)) if version == known() => Ok(Schema::Ready(Numbering::new(key.cast_unsigned()))),
        Ok(_) => Ok(Schema::Old),
        Err(rusqlite::Error::SqliteFailure(code, _)) if code.code == ErrorCode::Unknown => Ok(Schema::Old),
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

/// Migrates a store if necessary.
pub(super) fn ready(connection: &mut Connection) -> Result<Numbering> {
    match schema(connection)? {
        Schema::Ready(numbering) => Ok(numbering),
        Schema::Old => migrate(connection),
    }
}

/// Migrates a store. Any number of processes may do this at once: one does it, the others find it done.
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

/// Writes the columns that newer versions store beside the documents of an older store, if there is anything to write.
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

/// Refuses a file of another program, which must not become a store by mistake.
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
    let key = random_key()?;
    tx.execute("INSERT INTO meta (name, value) VALUES ('key', ?1), ('last_number', 0)", [key])?;
    Ok(key)
}
