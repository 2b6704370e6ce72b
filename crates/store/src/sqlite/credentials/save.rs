//! Writes what a batch changed about credentials.

use holdpoint_core::{PasswordHash, Timestamp};
use rusqlite::{Connection, params};

use super::session;
use crate::Result;
use crate::plan::CredentialWrite;

/// Writes everything, in order.
pub(in crate::sqlite) fn save(connection: &Connection, writes: &[CredentialWrite]) -> Result<()> {
    for write in writes {
        match write {
            CredentialWrite::Token(token, hash) => {
                connection.execute(
                    "INSERT INTO token (id, name, role, projects, hash, created_at, created_by, permissions, expires_at, \
                     owner) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    params![
                        token.id,
                        token.name,
                        token.role.name(),
                        serde_json::to_string(&token.projects)?,
                        hash.0,
                        token.created_at.as_millis(),
                        token.created_by,
                        serde_json::to_string(&token.permissions)?,
                        token.expires_at.map(Timestamp::as_millis),
                        token.owner,
                    ],
                )?;
            }
            CredentialWrite::Revoke { id, at } => {
                connection
                    .execute("UPDATE token SET revoked_at = ?2 WHERE id = ?1", params![id, at.as_millis()])?;
            }
            CredentialWrite::Person(person, password) => {
                let password = password.as_ref().map(PasswordHash::reveal);
                connection.execute(
                    "INSERT INTO person (name, role, email, projects, password, created_at, accounts, notify) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
                     ON CONFLICT (name) DO UPDATE SET role = excluded.role, email = excluded.email, \
                     projects = excluded.projects, accounts = excluded.accounts, notify = excluded.notify, \
                     password = coalesce(excluded.password, password)",
                    params![
                        person.name,
                        person.role.name(),
                        person.email,
                        serde_json::to_string(&person.projects)?,
                        password,
                        person.created_at.as_millis(),
                        serde_json::to_string(&person.accounts)?,
                        serde_json::to_string(&person.notify)?,
                    ],
                )?;
                if password.is_some() {
                    // Anyone who signed in with the old password must be signed out.
                    session::end_all_of(connection, &person.name)?;
                }
            }
            CredentialWrite::Session(begun) => {
                session::begin(connection, begun)?;
            }
            CredentialWrite::Remove(name) => {
                session::end_all_of(connection, name)?;
                connection.execute("DELETE FROM person WHERE name = ?1", [name])?;
                connection.execute("DELETE FROM saved_view WHERE person = ?1", [name])?;
            }
            CredentialWrite::Auth(required) => {
                connection.execute(
                    "INSERT INTO meta (name, value) VALUES ('auth_required', ?1) \
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    [required],
                )?;
            }
            CredentialWrite::Link(link, at) => {
                session::use_link(connection, link, *at)?;
            }
        }
    }
    Ok(())
}
