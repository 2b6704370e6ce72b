//! Writes what a batch changed about credentials.

use holdpoint_core::Timestamp;

use crate::plan::CredentialWrite;
use crate::postgres::connection::{Connection, bytes, int, maybe_int, text};
use crate::postgres::error::{PgError, Result};

const TOKEN: &str = "INSERT INTO hp.token (id, name, role, projects, hash, created_at, created_by, permissions, \
    expires_at, owner) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const REVOKE: &str = "UPDATE hp.token SET revoked_at = $2 WHERE id = $1";
const PERSON: &str = "INSERT INTO hp.person AS p (name, role, email, projects, password, created_at, accounts, notify) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO UPDATE SET role = excluded.role, email = excluded.email, \
    projects = excluded.projects, accounts = excluded.accounts, notify = excluded.notify, \
    password = coalesce(excluded.password, p.password)";
const REMOVE: &str = "DELETE FROM hp.person WHERE name = $1";
const FORGET_VIEWS: &str = "DELETE FROM hp.saved_view WHERE person = $1";
// A person who is signed out must not get push notifications in those browsers either.
const END_SESSIONS: &str = "WITH browsers AS (DELETE FROM hp.push_subscription WHERE person = $1) \
    DELETE FROM hp.session WHERE person = $1";
const FORGET_SESSIONS: &str = "DELETE FROM hp.session WHERE expires_at <= $1";
const SESSION: &str = "INSERT INTO hp.session (hash, person, created_at, expires_at) VALUES ($1, $2, $3, $4)";
pub(super) const AUTH: &str = "INSERT INTO hp.meta (name, value) VALUES ('auth_required', $1) \
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const FORGET_LINKS: &str = "DELETE FROM hp.used_link WHERE expires_at <= $1";
const LINK: &str = "INSERT INTO hp.used_link (nonce, at, expires_at) VALUES ($1, $2, $3) \
    ON CONFLICT (nonce) DO NOTHING RETURNING 1";

/// Writes everything, in order.
pub(in crate::postgres) async fn save(connection: &Connection, writes: &[CredentialWrite]) -> Result<()> {
    for write in writes {
        match write {
            CredentialWrite::Token(token, hash) => {
                let (role, projects) = (token.role.name(), serde_json::to_string(&token.projects)?);
                let (hash, at) = (&hash.0[..], token.created_at.as_millis());
                let permissions = serde_json::to_string(&token.permissions)?;
                let expires = token.expires_at.map(Timestamp::as_millis);
                let params = [
                    text(&token.id),
                    text(&token.name),
                    text(&role),
                    text(&projects),
                    bytes(&hash),
                    int(&at),
                    text(&token.created_by),
                    text(&permissions),
                    maybe_int(&expires),
                    text(&token.owner),
                ];
                connection.query(TOKEN, &params).await?;
            }
            CredentialWrite::Revoke { id, at } => {
                connection.query(REVOKE, &[text(id), int(&at.as_millis())]).await?;
            }
            CredentialWrite::Person(person, password) => {
                let password = password.as_ref().map(holdpoint_core::PasswordHash::reveal);
                let (role, projects) = (person.role.name(), serde_json::to_string(&person.projects)?);
                let at = person.created_at.as_millis();
                let accounts = serde_json::to_string(&person.accounts)?;
                let notify = serde_json::to_string(&person.notify)?;
                let params = [
                    text(&person.name),
                    text(&role),
                    text(&person.email),
                    text(&projects),
                    text(&password),
                    int(&at),
                    text(&accounts),
                    text(&notify),
                ];
                connection.query(PERSON, &params).await?;
                if password.is_some() {
                    // Anyone who signed in with the old password must be signed out.
                    connection.query(END_SESSIONS, &[text(&person.name)]).await?;
                }
            }
            CredentialWrite::Session(session) => {
                let hash = &session.hash.0[..];
                let (from, until) = (session.created_at.as_millis(), session.expires_at.as_millis());
                connection.query(FORGET_SESSIONS, &[int(&from)]).await?;
                let params = [bytes(&hash), text(&session.person), int(&from), int(&until)];
                connection.query(SESSION, &params).await?;
            }
            CredentialWrite::Remove(name) => {
                connection.query(REMOVE, &[text(name)]).await?;
                connection.query(END_SESSIONS, &[text(name)]).await?;
                connection.query(FORGET_VIEWS, &[text(name)]).await?;
            }
            CredentialWrite::Auth(required) => {
                connection.query(AUTH, &[int(&i64::from(*required))]).await?;
            }
            CredentialWrite::Link(link, at) => use_link(connection, &link.nonce, link.expires, *at).await?,
        }
    }
    Ok(())
}

async fn use_link(connection: &Connection, nonce: &String, expires: Timestamp, at: Timestamp) -> Result<()> {
    let (at, expires) = (at.as_millis(), expires.as_millis());
    connection.query(FORGET_LINKS, &[int(&at)]).await?;
    if connection.query(LINK, &[text(nonce), int(&at), int(&expires)]).await?.is_empty() {
        // The link was used without a command after it was loaded, so the batch is tried again.
        return Err(PgError::Again("the link was used meanwhile".into()));
    }
    Ok(())
}
