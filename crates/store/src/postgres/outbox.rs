//! The outbox: claims rows under a lease, and records the results of their delivery. Nodes do not wait for each other
//! here.
//!
//! Rows are selected by functions of the schema, so that a claim takes one round trip.

use holdpoint_core::{Lane, Refusal, Timestamp};
use tokio_postgres::Row;

use super::connection::{get, int, ints, maybe_int, text, texts};
use super::decisions::most;
use super::error::Result;
use super::pool::Pool;
use super::shared::Shared;
use crate::port::HELD_WORTH;
use crate::{Backlog, Claim, ClaimOrder, Delivery, Error, OutboxEntry, OutboxState};

const OLDEST: &str = "SELECT id, seq, lane, project, target, decision, attempts, not_after, last_error, held \
    FROM hp.claim_oldest($1, coalesce($2, hp.clock()), coalesce($2, hp.clock()) + $3, $4, $5, $6, $7) ORDER BY id";
// The node that claims the first row claims all rows that are due with it: another node waits for the first row, and
// then finds it claimed.
const TOGETHER: &str = "WITH first AS MATERIALIZED (\
        SELECT target FROM hp.outbox WHERE state = 'queued' AND lane = $1 AND not_before <= coalesce($2, hp.clock()) \
        AND not_after >= coalesce($2, hp.clock()) ORDER BY not_before, id LIMIT 1 FOR UPDATE) \
    SELECT c.id, c.seq, c.lane, c.project, c.target, c.decision, c.attempts, c.not_after, c.last_error, c.held \
    FROM first, LATERAL hp.claim_oldest($1, coalesce($2, hp.clock()), coalesce($2, hp.clock()) + $3, $4, $5, \
    ARRAY[first.target], '{}') AS c ORDER BY c.id";
const IN_TURN: &str = "SELECT id, seq, lane, project, target, decision, attempts, not_after, last_error, held \
    FROM hp.claim_in_turn($1, coalesce($2, hp.clock()), coalesce($2, hp.clock()) + $3, $4, $5, $6, $7::jsonb, $8, \
    $9::jsonb)";
const IN_ORDER: &str = "WITH mine AS (\
        SELECT id, not_before FROM hp.outbox \
        WHERE state = 'queued' AND lane = $1 AND project = $6 AND target = $7 ORDER BY id LIMIT $5 FOR UPDATE), \
    waits AS (SELECT min(id) AS id FROM mine WHERE not_before > coalesce($2, hp.clock())), \
    taken AS (\
        UPDATE hp.outbox AS o SET leased_by = $4, not_before = coalesce($2, hp.clock()) + $3 FROM mine, waits \
        WHERE o.id = mine.id AND (waits.id IS NULL OR mine.id < waits.id) \
        RETURNING o.id, o.seq, o.lane, o.project, o.target, o.decision, o.attempts, o.not_after, o.last_error, o.held) \
    SELECT * FROM taken ORDER BY id";
const DONE: &str = "DELETE FROM hp.outbox WHERE id = ANY($1) AND leased_by = $2";
const RETRY: &str = "UPDATE hp.outbox AS o SET attempts = o.attempts + 1, last_error = u.error, held = NULL, \
    leased_by = NULL, not_before = u.not_before, state = CASE WHEN u.not_before > o.not_after THEN 'dead' ELSE 'queued' END \
    FROM unnest($1, $2, $3) AS u (id, not_before, error) WHERE o.id = u.id AND o.leased_by = $4";
// A held-back row stays deliverable for a minimum time after it is due.
const HELD: &str = "UPDATE hp.outbox SET held = $5, lane = $4, leased_by = NULL, not_before = $3, \
    not_after = greatest(not_after, $3 + $6) WHERE id = $1 AND leased_by = $2";
const DEAD: &str = "UPDATE hp.outbox AS o SET attempts = o.attempts + 1, last_error = u.error, leased_by = NULL, \
    state = 'dead' FROM unnest($1, $2) AS u (id, error) WHERE o.id = u.id AND o.leased_by = $3";
const RESEND: &str =
    "UPDATE hp.outbox SET state = 'queued', attempts = 0, not_before = 0, not_after = $2, held = NULL, \
    leased_by = NULL
    WHERE id = $1 RETURNING id";
const ENTRIES: &str = "SELECT id, seq, lane, project, target, decision, attempts, not_after, last_error, held FROM hp.outbox \
    WHERE state = $1 AND ($2 IS NULL OR lane = $2) ORDER BY id LIMIT $3";
const BACKLOG: &str = "SELECT (SELECT count(*) FROM hp.outbox WHERE state = 'queued'), \
    (SELECT count(*) FROM hp.outbox WHERE state = 'dead')";

/// Claims rows that are due; those that are too late become dead letters instead.
pub(super) async fn claim(shared: &Shared, claim: &Claim) -> Result<Vec<OutboxEntry>> {
    let pool = &shared.pool;
    let (lane, time) = (claim.lane.name(), pool.address.time(claim.now));
    let (limit, lasts) = (most(claim.limit), claim.until.since(claim.now).as_millis());
    let common = [text(&lane), maybe_int(&time), int(&lasts), text(&claim.lease), int(&limit)];
    let rows = match &claim.pick {
        ClaimOrder::Oldest { only, but } => {
            pool.query(OLDEST, &[&common[..], &[texts(only), texts(but)]].concat()).await?
        }
        ClaimOrder::Together => pool.query(TOGETHER, &common).await?,
        ClaimOrder::InOrder { project, target } => {
            pool.query(IN_ORDER, &[&common[..], &[text(project), text(target)]].concat()).await?
        }
        ClaimOrder::InTurn { each, busy, turns } => {
            let (each, project) = (most(*each), turns.project());
            let busy = serde_json::to_string(busy).map_err(Error::from)?;
            let targets = serde_json::to_string(turns.targets()).map_err(Error::from)?;
            let more = [int(&each), text(&busy), text(&project), text(&targets)];
            pool.query(IN_TURN, &[&common[..], &more].concat()).await?
        }
    };
    rows.iter().map(|row| entry(shared, row)).collect()
}

/// Records the results of deliveries. Those of a caller that lost the lease are ignored.
pub(super) async fn deliver(pool: &Pool, lease: &str, deliveries: Vec<(i64, Delivery)>) -> Result<()> {
    let mut done = Vec::new();
    let mut again: (Vec<i64>, Vec<i64>, Vec<String>) = Default::default();
    let mut dead: (Vec<i64>, Vec<String>) = Default::default();
    for (entry, delivery) in deliveries {
        match delivery {
            Delivery::Done => done.push(entry),
            Delivery::Retry { not_before, error } => {
                again.0.push(entry);
                again.1.push(not_before.as_millis());
                again.2.push(error);
            }
            Delivery::Held { until, lane, why } => {
                let (until, most, lane) = (until.as_millis(), HELD_WORTH.as_millis(), lane.name());
                let params = [int(&entry), text(&lease), int(&until), text(&lane), text(&why), int(&most)];
                pool.query(HELD, &params).await?;
            }
            Delivery::Dead { error } => {
                dead.0.push(entry);
                dead.1.push(error);
            }
            Delivery::Resend { not_after } => {
                let rows = pool.query(RESEND, &[int(&entry), int(&not_after.as_millis())]).await?;
                if rows.is_empty() {
                    let refusal = Refusal::NotFound { what: "outbox row", id: entry.to_string() };
                    return Err(Error::Refused(refusal).into());
                }
            }
        }
    }
    if !done.is_empty() {
        pool.query(DONE, &[ints(&done), text(&lease)]).await?;
    }
    if !again.0.is_empty() {
        let params = [ints(&again.0), ints(&again.1), texts(&again.2), text(&lease)];
        pool.query(RETRY, &params).await?;
    }
    if !dead.0.is_empty() {
        pool.query(DEAD, &[ints(&dead.0), texts(&dead.1), text(&lease)]).await?;
    }
    Ok(())
}

/// Lists rows in a state, oldest first.
pub(super) async fn entries(
    shared: &Shared,
    state: OutboxState,
    lane: Option<Lane>,
    limit: usize,
) -> Result<Vec<OutboxEntry>> {
    let (state, lane, limit) = (state.name(), lane.map(Lane::name), most(limit));
    let rows = shared.pool.query(ENTRIES, &[text(&state), text(&lane), int(&limit)]).await?;
    rows.iter().map(|row| entry(shared, row)).collect()
}

/// Counts the undelivered rows.
pub(super) async fn backlog(pool: &Pool) -> Result<Backlog> {
    let rows = pool.query(BACKLOG, &[]).await?;
    let Some(row) = rows.first() else { return Ok(Backlog::default()) };
    let count = |column| get::<i64>(row, column).map(i64::unsigned_abs);
    Ok(Backlog { queued: count(0)?, dead: count(1)? })
}

fn entry(shared: &Shared, row: &Row) -> Result<OutboxEntry> {
    let lane: &str = get(row, 2)?;
    let unknown = || Error::Corrupt(format!("an outbox row has the lane {lane:?}; run hold doctor"));
    Ok(OutboxEntry {
        id: get(row, 0)?,
        seq: get(row, 1)?,
        lane: Lane::from_name(lane).ok_or_else(unknown)?,
        project: get(row, 3)?,
        target: get(row, 4)?,
        decision: get::<Option<i64>>(row, 5)?.map(|number| shared.numbering.id(number)),
        attempts: u32::try_from(get::<i64>(row, 6)?).unwrap_or(u32::MAX),
        not_after: Timestamp::from_millis(get(row, 7)?),
        last_error: get(row, 8)?,
        held: get(row, 9)?,
    })
}
