//! Reads tokens and people.

use holdpoint_core::{PasswordHash, Person, Role, SecretHash, Timestamp, Token};
use rusqlite::{Connection, OptionalExtension, Row};

use crate::in_log::{self, ProvenRow};
use crate::plan::stream;
use crate::sqlite::events;
use crate::{Error, KnownPerson, LogRow, Result};

/// Returns the token in force whose secret has a hash.
pub(in crate::sqlite) fn token_by_hash(
    connection: &Connection,
    hash: &SecretHash,
) -> Result<ProvenRow<Token>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, role, projects, created_at, created_by, revoked_at, permissions, expires_at, owner FROM token \
         WHERE hash = ?1 AND revoked_at IS NULL",
    )?;
    let row = statement.query_row([&hash.0], |row| Ok(token(row))).optional()?.transpose()?;
    let Some(row) = row else { return Ok(None) };
    let links = links(connection, &stream::of_token(&row.id))?;
    Ok(in_log::token(row, hash, links))
}

/// Returns the events about a token or a person, except sign-ins.
fn links(connection: &Connection, stream: &str) -> Result<Vec<LogRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, stream, version, type, at, body, body_hash, prev, hash, proof FROM event \
         WHERE stream = ?1 AND type <> 'person:signed_in' ORDER BY version",
    )?;
    Ok(statement.query_map([stream], |row| events::link(row, 0))?.collect::<rusqlite::Result<_>>()?)
}

/// Returns a token by its id.
pub(in crate::sqlite) fn token_by_id(connection: &Connection, id: &str) -> Result<Option<Token>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, role, projects, created_at, created_by, revoked_at, permissions, expires_at, owner FROM token WHERE id = ?1",
    )?;
    statement.query_row([id], |row| Ok(token(row))).optional()?.transpose()
}

/// Lists all tokens, oldest first.
pub(in crate::sqlite) fn tokens(connection: &Connection) -> Result<Vec<Token>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, role, projects, created_at, created_by, revoked_at, permissions, expires_at, owner FROM token ORDER BY created_at, id",
    )?;
    statement.query_and_then([], token)?.collect()
}

/// Returns a person, with the hash of their password.
pub(in crate::sqlite) fn person(connection: &Connection, name: &str) -> Result<ProvenRow<KnownPerson>> {
    let mut statement = connection.prepare_cached(
        "SELECT name, role, email, projects, password, created_at, accounts, notify FROM person WHERE name = ?1",
    )?;
    let row = statement.query_row([name], |row| Ok(known_person(row))).optional()?.transpose()?;
    let Some(row) = row else { return Ok(None) };
    let links = links(connection, &stream::of_person(name))?;
    Ok(in_log::person(row, links))
}

/// Lists people by name.
pub(in crate::sqlite) fn people(connection: &Connection) -> Result<Vec<Person>> {
    let mut statement = connection.prepare_cached(
        "SELECT name, role, email, projects, password, created_at, accounts, notify FROM person ORDER BY name",
    )?;
    statement.query_and_then([], |row| Ok(known_person(row)?.person))?.collect()
}

/// Lists the roles that use a name: those of tokens in force, and of the person.
pub(in crate::sqlite) fn roles_of(connection: &Connection, name: &str) -> Result<Vec<Role>> {
    let mut statement = connection.prepare_cached(
        "SELECT role FROM token WHERE name = ?1 AND revoked_at IS NULL \
         UNION SELECT role FROM person WHERE name = ?1",
    )?;
    statement.query_and_then([name], |row| role(row, 0))?.collect()
}

/// Returns whether a link was used up.
pub(in crate::sqlite) fn is_link_used(connection: &Connection, nonce: &str) -> Result<bool> {
    Ok(connection.prepare_cached("SELECT 1 FROM used_link WHERE nonce = ?1")?.exists([nonce])?)
}

fn token(row: &Row<'_>) -> Result<Token> {
    Ok(Token {
        id: row.get(0)?,
        name: row.get(1)?,
        role: role(row, 2)?,
        projects: projects(row, 3)?,
        created_at: Timestamp::from_millis(row.get(4)?),
        created_by: row.get(5)?,
        revoked_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
        permissions: serde_json::from_str(row.get_ref(7)?.as_str().map_err(rusqlite::Error::from)?)?,
        expires_at: row.get::<_, Option<i64>>(8)?.map(Timestamp::from_millis),
        owner: row.get(9)?,
    })
}

fn known_person(row: &Row<'_>) -> Result<KnownPerson> {
    let password: Option<String> = row.get(4)?;
    let person = Person {
        name: row.get(0)?,
        role: role(row, 1)?,
        email: row.get(2)?,
        projects: projects(row, 3)?,
        created_at: Timestamp::from_millis(row.get(5)?),
        has_password: password.is_some(),
        accounts: serde_json::from_str(row.get_ref(6)?.as_str().map_err(rusqlite::Error::from)?)?,
        notify: serde_json::from_str(row.get_ref(7)?.as_str().map_err(rusqlite::Error::from)?)?,
    };
    Ok(KnownPerson { person, password: password.map(PasswordHash::new) })
}

/// Reads a role. One that is not known must not be taken for another.
fn role(row: &Row<'_>, column: usize) -> Result<Role> {
    let name: String = row.get(column)?;
    Role::from_name(&name).ok_or_else(|| Error::Corrupt("a credential has a role that is not known".into()))
}

fn projects(row: &Row<'_>, column: usize) -> Result<Vec<String>> {
    Ok(serde_json::from_str(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)?)
}
