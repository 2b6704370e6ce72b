//! Compares tokens, people and the authentication setting with the log.

use holdpoint_core::{Person, Timestamp, Token};
use rusqlite::{Connection, params};

use super::{auth_required, read};
use crate::Repair;
use crate::Result;
use crate::replay::{Correction, Replay};

/// Compares them, and repairs what can be restored from the log.
pub(in crate::sqlite) fn inspect(connection: &Connection, replay: &mut Replay, repair: Repair) -> Result<()> {
    let (tokens, people) = (read::tokens(connection)?, read::people(connection)?);
    let corrections = replay.compare_credentials(tokens, people, auth_required(connection)?);
    for correction in corrections.into_iter().filter(|_| repair == Repair::Rebuild) {
        match correction {
            Correction::Token(id, right) => rewrite_token(connection, &id, right)?,
            Correction::Person(name, right) => rewrite_person(connection, &name, right)?,
            Correction::Auth(required) => {
                connection.execute(
                    "INSERT INTO meta (name, value) VALUES ('auth_required', ?1) \
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    [required],
                )?;
            }
        }
    }
    Ok(())
}

fn rewrite_token(connection: &Connection, id: &str, right: Option<&Token>) -> Result<()> {
    match right {
        None => connection.execute("DELETE FROM token WHERE id = ?1", [id])?,
        Some(token) => connection.execute(
            "UPDATE token SET name = ?2, role = ?3, projects = ?4, created_at = ?5, created_by = ?6, revoked_at = ?7, \
             permissions = ?8, expires_at = ?9, owner = ?10 WHERE id = ?1",
            params![
                id,
                token.name,
                token.role.name(),
                serde_json::to_string(&token.projects)?,
                token.created_at.as_millis(),
                token.created_by,
                token.revoked_at.map(Timestamp::as_millis),
                serde_json::to_string(&token.permissions)?,
                token.expires_at.map(Timestamp::as_millis),
                token.owner,
            ],
        )?,
    };
    Ok(())
}

fn rewrite_person(connection: &Connection, name: &str, right: Option<&Person>) -> Result<()> {
    match right {
        None => connection.execute("DELETE FROM person WHERE name = ?1", [name])?,
        Some(person) => connection.execute(
            "INSERT INTO person (name, role, email, projects, password, created_at, accounts, notify) \
             VALUES (?1, ?2, ?3, ?4, NULL, ?5, ?6, ?7) \
             ON CONFLICT (name) DO UPDATE SET role = excluded.role, email = excluded.email, \
             projects = excluded.projects, created_at = excluded.created_at, accounts = excluded.accounts, \
             notify = excluded.notify",
            params![
                name,
                person.role.name(),
                person.email,
                serde_json::to_string(&person.projects)?,
                person.created_at.as_millis(),
                serde_json::to_string(&person.accounts)?,
                serde_json::to_string(&person.notify)?,
            ],
        )?,
    };
    Ok(())
}
