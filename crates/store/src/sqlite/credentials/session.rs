//! Sessions and used links.

use holdpoint_core::{SecretHash, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use crate::in_log::{self, ProvenRow};
use crate::sqlite::events;
use crate::{LinkUse, Result, Session};

/// Returns a session that has not ended and that began with a recorded sign-in.
pub(in crate::sqlite) fn session(
    connection: &Connection,
    hash: &SecretHash,
    now: Timestamp,
) -> Result<ProvenRow<Session>> {
    let mut statement = connection.prepare_cached(
        "SELECT s.person, s.created_at, s.expires_at, \
             e.seq, e.stream, e.version, e.type, e.at, e.body, e.body_hash, e.prev, e.hash, e.proof \
         FROM session AS s JOIN event AS e ON e.stream = 'person/' || s.person \
             AND e.type = 'person:signed_in' AND e.body ->> '$.session' = ?3 \
         WHERE s.hash = ?1 AND s.expires_at > ?2",
    )?;
    let found = statement.query_row(params![hash.0, now.as_millis(), hash.fingerprint()], |row| {
        let session = Session {
            hash: *hash,
            person: row.get(0)?,
            created_at: Timestamp::from_millis(row.get(1)?),
            expires_at: Timestamp::from_millis(row.get(2)?),
        };
        Ok((session, events::link(row, 3)?))
    });
    let Some((session, began)) = found.optional()? else { return Ok(None) };
    let person = session.person.clone();
    Ok(in_log::session(session, &person, began))
}

/// Extends a session.
pub(in crate::sqlite) fn extend(
    connection: &Connection,
    hash: &SecretHash,
    expires_at: Timestamp,
) -> Result<usize> {
    let sql = "UPDATE session SET expires_at = max(expires_at, ?2) WHERE hash = ?1";
    Ok(connection.execute(sql, params![hash.0, expires_at.as_millis()])?)
}

/// Ends a session.
pub(in crate::sqlite) fn end(connection: &Connection, hash: &SecretHash) -> Result<usize> {
    Ok(connection.execute("DELETE FROM session WHERE hash = ?1", [&hash.0])?)
}

/// Ends all sessions of a person, who then must not get push notifications in those browsers either.
pub(in crate::sqlite) fn end_all_of(connection: &Connection, person: &str) -> Result<usize> {
    connection.execute("DELETE FROM push_subscription WHERE person = ?1", [person])?;
    Ok(connection.execute("DELETE FROM session WHERE person = ?1", [person])?)
}

/// Marks a link as used; changes no row if it was used before.
pub(in crate::sqlite) fn use_link(connection: &Connection, link: &LinkUse, now: Timestamp) -> Result<usize> {
    connection.execute("DELETE FROM used_link WHERE expires_at <= ?1", [now.as_millis()])?;
    Ok(connection.execute(
        "INSERT INTO used_link (nonce, at, expires_at) VALUES (?1, ?2, ?3) ON CONFLICT (nonce) DO NOTHING",
        params![link.nonce, now.as_millis(), link.expires.as_millis()],
    )?)
}

/// Saves a session, and deletes those that have ended.
pub(in crate::sqlite) fn begin(connection: &Connection, session: &Session) -> Result<usize> {
    connection.execute("DELETE FROM session WHERE expires_at <= ?1", [session.created_at.as_millis()])?;
    Ok(connection.execute(
        "INSERT INTO session (hash, person, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
        params![
            session.hash.0,
            session.person,
            session.created_at.as_millis(),
            session.expires_at.as_millis()
        ],
    )?)
}
