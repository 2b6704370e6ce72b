//! Migrates a store to the schema of this program. Forward only; a merged file is never edited.

use holdpoint_core::Numbering;
use holdpoint_core::decision::brief;

use super::connection::{Connection, get, int, send, text};
use super::error::{PgError, Result};
use crate::Error;
use crate::replay::Columns;
use crate::schema::{BESIDE, migrations, random_key};

/// All migrations, with the same numbers as those of the embedded store.
const MIGRATIONS: &[&str] = &migrations!();
/// `HOLD` in ASCII: the first half of the key of the lock that migrations hold.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1213156420, hashtext($1))";
const META: &str = "SELECT (SELECT value FROM hp.meta WHERE name = 'schema'), \
    (SELECT value FROM hp.meta WHERE name = 'key')";

/// Returns the newest version that this program knows.
fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Migrates a store if necessary; returns its numbering.
pub(super) async fn ready(connection: &Connection, schema: &str) -> Result<Numbering> {
    match schema_state(connection).await? {
        Some((version, key)) if version == known() => Ok(Numbering::new(key.cast_unsigned())),
        Some((found, _)) if found > known() => Err(Error::TooNew { found, known: known() }.into()),
        _ => {
            let done = migrate(connection, schema).await;
            if done.is_err() {
                let _ = connection.script("ROLLBACK").await;
            }
            done
        }
    }
}

/// Refuses a schema that is newer than this program.
pub(super) fn refuse_newer(version: Option<i64>) -> Result<()> {
    match version {
        Some(found) if found > known() => Err(Error::TooNew { found, known: known() }.into()),
        _ => Ok(()),
    }
}

/// Checks that the schema and the numbering are still those that this program opened.
pub(super) fn check(version: Option<i64>, key: Option<i64>, numbering: Numbering) -> Result<()> {
    refuse_newer(version)?;
    match version {
        Some(found) if found == known() => {}
        _ => {
            return Err(
                Error::Corrupt("its schema is not the one that was opened; restore a backup".into()).into()
            );
        }
    }
    // Numberings are compared by the ids they give, because the key cannot be recovered.
    let same = key.is_some_and(|key| Numbering::new(key.cast_unsigned()).id(1) == numbering.id(1));
    if same { Ok(()) } else { Err(Error::Corrupt("the key of its numbering has changed".into()).into()) }
}

async fn schema_state(connection: &Connection) -> Result<Option<(i64, i64)>> {
    // Without parameters and in one round trip, because every command starts with this.
    match connection.query(META, &[]).await {
        Ok(rows) => {
            let row = rows.first().ok_or_else(|| Error::Corrupt("it has no metadata".into()))?;
            match (get::<Option<i64>>(row, 0)?, get::<Option<i64>>(row, 1)?) {
                (Some(version), Some(key)) => Ok(Some((version, key))),
                (Some(_), None) => {
                    Err(Error::Corrupt("the key of its numbering is gone; restore a backup".into()).into())
                }
                (None, _) => Ok(None),
            }
        }
        Err(PgError::Missing) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Migrates a store. Any number of nodes may do this at once: one does it, the others find it done.
async fn migrate(connection: &Connection, schema: &str) -> Result<Numbering> {
    let begun = connection
        .pipeline(&[
            send("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", &[]),
            send(LOCK, &[text(&schema)]),
            send("SELECT current_setting('server_encoding')", &[]),
            send(
                "SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = $1), \
                 (SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                  WHERE n.nspname = $1 LIMIT 1), \
                 EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                  WHERE n.nspname = $1 AND c.relname = 'meta')",
                &[text(&schema)],
            ),
        ])
        .await?;
    let encoding: String = get(&begun[2][0], 0)?;
    if encoding != "UTF8" {
        return Err(
            Error::Unsuitable(format!("the database keeps text as {encoding}; it must be UTF8")).into()
        );
    }
    let (schemas, foreign, is_ours): (i64, Option<String>, bool) =
        (get(&begun[3][0], 0)?, get(&begun[3][0], 1)?, get(&begun[3][0], 2)?);
    if schemas == 0 {
        connection.script(&format!("CREATE SCHEMA \"{schema}\"")).await?;
    }
    if let Some(name) = foreign.filter(|_| !is_ours) {
        let why = format!("the schema {schema} belongs to another program: it has a {name:?}");
        return Err(Error::Unsuitable(why).into());
    }
    let found = if is_ours { schema_state(connection).await? } else { None };
    let done = usize::try_from(found.map_or(0, |(version, _)| version)).unwrap_or_default();
    for script in MIGRATIONS.iter().skip(done) {
        connection.script(script).await?;
    }
    if (1..BESIDE).contains(&done) {
        write_beside(connection).await?;
    }
    let key = match found {
        Some((_, key)) => key,
        None => random_key()?,
    };
    let saved = connection
        .pipeline(&[
            send(
                "INSERT INTO hp.meta (name, value) VALUES ('key', $1), ('last_number', 0) ON CONFLICT (name) DO NOTHING",
                &[int(&key)],
            ),
            send(
                "INSERT INTO hp.meta (name, value) VALUES ('schema', $1) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                &[int(&known())],
            ),
            send("COMMIT", &[]),
        ])
        .await;
    saved?;
    Ok(Numbering::new(key.cast_unsigned()))
}

/// Writes the columns that newer versions store beside the documents of an older store.
async fn write_beside(connection: &Connection) -> Result<()> {
    for row in connection.query("SELECT n FROM hp.decision", &[]).await? {
        let number: i64 = get(&row, 0)?;
        let rows = connection.query("SELECT doc FROM hp.decision WHERE n = $1", &[int(&number)]).await?;
        let Some(row) = rows.first() else { continue };
        let doc: &str = get(row, 0)?;
        let Columns { asked_with, assignees, digest, .. } = Columns::of(&serde_json::from_str(doc)?);
        let write =
            "UPDATE hp.decision SET asked_with = $2, assignees = $3, digest = $4, brief = $5 WHERE n = $1";
        let brief = brief(doc)?;
        connection
            .query(write, &[int(&number), text(&asked_with), text(&assignees), text(&digest), text(&brief)])
            .await?;
    }
    Ok(())
}
