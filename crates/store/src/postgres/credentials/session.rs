//! Sessions and used links, which change without an entry in the log. Each change is one statement.

use holdpoint_core::{SecretHash, Timestamp};

use crate::in_log::{self, ProvenRow};
use crate::postgres::connection::{bytes, get, int, text};
use crate::postgres::error::Result;
use crate::postgres::events;
use crate::postgres::pool::Pool;
use crate::{LinkUse, Session};

const SESSION: &str = "SELECT s.person, s.created_at, s.expires_at, \
        e.seq, e.stream, e.version, e.type, e.at, e.body, e.body_hash, e.prev, e.hash, e.proof \
    FROM hp.session AS s JOIN hp.event AS e ON e.stream = 'person/' || s.person \
        AND e.type = 'person:signed_in' AND e.body::json ->> 'session' = $3 \
    WHERE s.hash = $1 AND s.expires_at > $2";
const EXTEND: &str = "UPDATE hp.session SET expires_at = greatest(expires_at, $2) WHERE hash = $1";
const END: &str = "DELETE FROM hp.session WHERE hash = $1";
const END_ALL: &str = "WITH browsers AS (DELETE FROM hp.push_subscription WHERE person = $1) \
    DELETE FROM hp.session WHERE person = $1 RETURNING 1";
const USE_LINK: &str = "WITH old AS (DELETE FROM hp.used_link WHERE expires_at <= $2) \
    INSERT INTO hp.used_link (nonce, at, expires_at) VALUES ($1, $2, $3) ON CONFLICT (nonce) DO NOTHING RETURNING 1";

/// Returns a session that has not ended and that began with a recorded sign-in.
pub(in crate::postgres) async fn session(
    pool: &Pool,
    hash: &SecretHash,
    now: Timestamp,
) -> Result<ProvenRow<Session>> {
    let bound = &hash.0[..];
    let fingerprint = hash.fingerprint();
    let rows = pool.query(SESSION, &[bytes(&bound), int(&now.as_millis()), text(&fingerprint)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let session = Session {
        hash: *hash,
        person: get(row, 0)?,
        created_at: Timestamp::from_millis(get(row, 1)?),
        expires_at: Timestamp::from_millis(get(row, 2)?),
    };
    let person = session.person.clone();
    Ok(in_log::session(session, &person, events::link(row, 3)?))
}

pub(in crate::postgres) async fn extend(pool: &Pool, hash: &SecretHash, expires_at: Timestamp) -> Result<()> {
    let hash = &hash.0[..];
    pool.query(EXTEND, &[bytes(&hash), int(&expires_at.as_millis())]).await.map(drop)
}

pub(in crate::postgres) async fn end(pool: &Pool, hash: &SecretHash) -> Result<()> {
    let hash = &hash.0[..];
    pool.query(END, &[bytes(&hash)]).await.map(drop)
}

/// Ends all sessions of a person; returns how many there were.
pub(in crate::postgres) async fn end_all_of(pool: &Pool, person: &str) -> Result<usize> {
    Ok(pool.query(END_ALL, &[text(&person)]).await?.len())
}

/// Marks a link as used; returns whether it was unused before.
pub(in crate::postgres) async fn use_link(pool: &Pool, link: &LinkUse, now: Timestamp) -> Result<bool> {
    let (at, expires) = (now.as_millis(), link.expires.as_millis());
    Ok(!pool.query(USE_LINK, &[text(&link.nonce), int(&at), int(&expires)]).await?.is_empty())
}
