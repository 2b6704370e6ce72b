//! Reads tokens and people.

use holdpoint_core::{PasswordHash, Person, Role, SecretHash, Timestamp, Token};
use tokio_postgres::Row;

use crate::in_log::{self, ProvenRow};
use crate::plan::stream;
use crate::postgres::connection::{bytes, get, text};
use crate::postgres::error::Result;
use crate::postgres::events;
use crate::postgres::pool::Pool;
use crate::{Error, KnownPerson, LogRow};

const BY_HASH: &str = "SELECT id, name, role, projects, created_at, created_by, revoked_at, permissions, expires_at, owner FROM hp.token \
    WHERE hash = $1 AND revoked_at IS NULL";
pub(in crate::postgres) const TOKENS: &str = "SELECT id, name, role, projects, created_at, created_by, revoked_at, permissions, expires_at, owner FROM hp.token \
    ORDER BY created_at, id";
pub(in crate::postgres) const TOKENS_BY_ID: &str = "SELECT id, name, role, projects, created_at, created_by, revoked_at, \
    permissions, expires_at, owner FROM hp.token WHERE id = ANY($1)";
const PERSON: &str = "SELECT name, role, email, projects, password, created_at, accounts, notify FROM hp.person WHERE name = $1";
pub(in crate::postgres) const PEOPLE: &str =
    "SELECT name, role, email, projects, password, created_at, accounts, notify FROM hp.person ORDER BY name";
pub(in crate::postgres) const PEOPLE_BY_NAME: &str = "SELECT name, role, email, projects, password, created_at, accounts, notify FROM hp.person WHERE name = ANY($1)";

const LINKS: &str = "SELECT seq, stream, version, type, at, body, body_hash, prev, hash, proof FROM hp.event \
    WHERE stream = $1 AND type <> 'person:signed_in' ORDER BY version";

/// Returns the token in force whose secret has a hash.
pub(in crate::postgres) async fn token_by_hash(pool: &Pool, hash: &SecretHash) -> Result<ProvenRow<Token>> {
    let bound = &hash.0[..];
    let Some(row) = pool.query(BY_HASH, &[bytes(&bound)]).await?.first().map(token).transpose()? else {
        return Ok(None);
    };
    let links = links(pool, &stream::of_token(&row.id)).await?;
    Ok(in_log::token(row, hash, links))
}

/// Returns the events about a token or a person, except sign-ins.
async fn links(pool: &Pool, stream: &str) -> Result<Vec<LogRow>> {
    pool.query(LINKS, &[text(&stream)]).await?.iter().map(|row| events::link(row, 0)).collect()
}

/// Returns a person, with the hash of their password.
pub(in crate::postgres) async fn person(pool: &Pool, name: &str) -> Result<ProvenRow<KnownPerson>> {
    let Some(row) = pool.query(PERSON, &[text(&name)]).await?.first().map(known_person).transpose()? else {
        return Ok(None);
    };
    let links = links(pool, &stream::of_person(name)).await?;
    Ok(in_log::person(row, links))
}

/// Returns whether a link was used up.
pub(in crate::postgres) async fn is_link_used(pool: &Pool, nonce: &str) -> Result<bool> {
    Ok(!pool.query("SELECT 1 FROM hp.used_link WHERE nonce = $1", &[text(&nonce)]).await?.is_empty())
}

pub(in crate::postgres) fn token(row: &Row) -> Result<Token> {
    Ok(Token {
        id: get(row, 0)?,
        name: get(row, 1)?,
        role: role(row, 2)?,
        projects: projects(row, 3)?,
        created_at: Timestamp::from_millis(get(row, 4)?),
        created_by: get(row, 5)?,
        revoked_at: get::<Option<i64>>(row, 6)?.map(Timestamp::from_millis),
        permissions: serde_json::from_str(get(row, 7)?)?,
        expires_at: get::<Option<i64>>(row, 8)?.map(Timestamp::from_millis),
        owner: get(row, 9)?,
    })
}

pub(in crate::postgres) fn known_person(row: &Row) -> Result<KnownPerson> {
    let password: Option<String> = get(row, 4)?;
    let person = Person {
        name: get(row, 0)?,
        role: role(row, 1)?,
        email: get(row, 2)?,
        projects: projects(row, 3)?,
        created_at: Timestamp::from_millis(get(row, 5)?),
        has_password: password.is_some(),
        accounts: serde_json::from_str(get(row, 6)?)?,
        notify: serde_json::from_str(get(row, 7)?)?,
    };
    Ok(KnownPerson { person, password: password.map(PasswordHash::new) })
}

/// Reads a role. One that is not known must not be taken for another.
pub(in crate::postgres) fn role(row: &Row, column: usize) -> Result<Role> {
    let unknown = || Error::Corrupt("a credential has a role that is not known".into());
    Ok(Role::from_name(get(row, column)?).ok_or_else(unknown)?)
}

fn projects(row: &Row, column: usize) -> Result<Vec<String>> {
    Ok(serde_json::from_str(get(row, column)?)?)
}

pub(super) const AUTH: &str = "SELECT value FROM hp.meta WHERE name = 'auth_required'";

/// Returns whether only a server that authenticates callers may write to the store.
pub(in crate::postgres) async fn auth_required(pool: &Pool) -> Result<bool> {
    let rows = pool.query(AUTH, &[]).await?;
    let value = rows.first().map(|row| get::<i64>(row, 0)).transpose()?;
    // Removing the setting from the table does not open the store.
    Ok(value != Some(0))
}
