//! What waits to be sent: taking it under a lease, and recording how it went. Nodes do not wait for each other here.

use holdpoint_core::{Lane, Refusal, Timestamp};
use tokio_postgres::Row;

use super::Shared;
use super::connection::{get, int, maybe_int, text, texts};
use super::decisions::most;
use super::fault::Result;
use super::pool::Pool;
use crate::{Claim, Delivery, Error, Parcel, ParcelState};

const QUIET: &str = "SELECT 1 FROM hp.outbox WHERE state = 'queued' AND lane = ANY($1) \
    AND not_before <= coalesce($2, hp.clock()) AND (leased_until IS NULL OR leased_until <= coalesce($2, hp.clock())) \
    AND target <> ALL($3) AND (cardinality($4) = 0 OR target = ANY($4)) LIMIT 1";
const LATE: &str = "UPDATE hp.outbox SET state = 'dead', last_error = coalesce(last_error || '; ', '') || $3, \
    leased_by = NULL, leased_until = NULL WHERE id IN (\
        SELECT id FROM hp.outbox WHERE state = 'queued' AND lane = ANY($1) \
        AND not_before <= coalesce($2, hp.clock()) AND not_after < coalesce($2, hp.clock()) \
        AND (leased_until IS NULL OR leased_until <= coalesce($2, hp.clock())) FOR UPDATE SKIP LOCKED)";
const CLAIM: &str = "WITH due AS (\
        SELECT id FROM hp.outbox WHERE state = 'queued' AND lane = ANY($1) AND not_before <= coalesce($2, hp.clock()) \
        AND not_after >= coalesce($2, hp.clock()) \
        AND (leased_until IS NULL OR leased_until <= coalesce($2, hp.clock())) AND target <> ALL($6) \
        AND (cardinality($7) = 0 OR target = ANY($7)) \
        ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED), \
    taken AS (\
        UPDATE hp.outbox AS o SET leased_by = $4, leased_until = coalesce($2, hp.clock()) + $5 FROM due \
        WHERE o.id = due.id \
        RETURNING o.id, o.seq, o.lane, o.target, o.decision, o.attempts, o.not_after, o.last_error) \
    SELECT * FROM taken ORDER BY id";
const DONE: &str = "DELETE FROM hp.outbox WHERE id = $1 AND leased_by = $2";
const RETRY: &str = "UPDATE hp.outbox SET attempts = attempts + 1, last_error = $4, leased_by = NULL, \
    leased_until = NULL, not_before = $3, state = CASE WHEN $3 > not_after THEN 'dead' ELSE 'queued' END \
    WHERE id = $1 AND leased_by = $2";
const DEAD: &str = "UPDATE hp.outbox SET attempts = attempts + 1, last_error = $3, leased_by = NULL, \
    leased_until = NULL, state = 'dead' WHERE id = $1 AND leased_by = $2";
const RESEND: &str = "UPDATE hp.outbox SET state = 'queued', attempts = 0, not_before = 0, not_after = $2, leased_by = NULL, \
    leased_until = NULL WHERE id = $1 RETURNING id";
const PARCELS: &str = "SELECT id, seq, lane, target, decision, attempts, not_after, last_error FROM hp.outbox \
    WHERE state = $1 ORDER BY id LIMIT $2";
const TOO_LATE: &str = "it could not be delivered in time";

/// Takes rows that are due; those that are too late become dead letters instead.
pub(super) async fn claim(shared: &Shared, claim: &Claim) -> Result<Vec<Parcel>> {
    let pool = &shared.pool;
    let lanes: Vec<&str> = claim.lanes.iter().map(|lane| lane.name()).collect();
    let but: Vec<&str> = claim.but.iter().map(String::as_str).collect();
    let only: Vec<&str> = claim.only.iter().map(String::as_str).collect();
    let time = pool.address.time(claim.now);
    // Most looks find nothing: they need no lock.
    if pool.query(QUIET, &[texts(&lanes), maybe_int(&time), texts(&but), texts(&only)]).await?.is_empty() {
        return Ok(Vec::new());
    }
    pool.query(LATE, &[texts(&lanes), maybe_int(&time), text(&TOO_LATE)]).await?;
    let (limit, lease) = (most(claim.limit), claim.until.since(claim.now).as_millis());
    let params = [
        texts(&lanes),
        maybe_int(&time),
        int(&limit),
        text(&claim.lease),
        int(&lease),
        texts(&but),
        texts(&only),
    ];
    pool.query(CLAIM, &params).await?.iter().map(|row| parcel(shared, row)).collect()
}

/// Records how a delivery went. Whoever lost the lease has no say any more.
pub(super) async fn deliver(pool: &Pool, parcel: i64, lease: &str, delivery: &Delivery) -> Result<()> {
    match delivery {
        Delivery::Done => pool.query(DONE, &[int(&parcel), text(&lease)]).await?,
        Delivery::Retry { not_before, error } => {
            let not_before = not_before.as_millis();
            let params = [int(&parcel), text(&lease), int(&not_before), text(error)];
            pool.query(RETRY, &params).await?
        }
        Delivery::Dead { error } => pool.query(DEAD, &[int(&parcel), text(&lease), text(error)]).await?,
        Delivery::Resend { not_after } => {
            let rows = pool.query(RESEND, &[int(&parcel), int(&not_after.as_millis())]).await?;
            if rows.is_empty() {
                let refusal = Refusal::NotFound { what: "outbox row", id: parcel.to_string() };
                return Err(Error::Refused(refusal).into());
            }
            rows
        }
    };
    Ok(())
}

/// Lists rows in a state, oldest first.
pub(super) async fn parcels(shared: &Shared, state: ParcelState, limit: usize) -> Result<Vec<Parcel>> {
    let state = match state {
        ParcelState::Queued => "queued",
        ParcelState::Dead => "dead",
    };
    let rows = shared.pool.query(PARCELS, &[text(&state), int(&most(limit))]).await?;
    rows.iter().map(|row| parcel(shared, row)).collect()
}

fn parcel(shared: &Shared, row: &Row) -> Result<Parcel> {
    let lane: &str = get(row, 2)?;
    let unknown = || Error::Corrupt(format!("an outbox row has the lane {lane:?}; run hold doctor"));
    Ok(Parcel {
        id: get(row, 0)?,
        seq: get(row, 1)?,
        lane: Lane::from_name(lane).ok_or_else(unknown)?,
        target: get(row, 3)?,
        decision: get::<Option<i64>>(row, 4)?.map(|number| shared.numbering.id(number)),
        attempts: u32::try_from(get::<i64>(row, 5)?).unwrap_or(u32::MAX),
        not_after: Timestamp::from_millis(get(row, 6)?),
        last_error: get(row, 7)?,
    })
}
