//! Inspects a store: checks its file, and compares projections with the log, and counters with the projections.

use holdpoint_core::Numbering;
use rusqlite::{Connection, TransactionBehavior};

use super::replay::replay;
use super::{migrate, search};
use crate::replay::{self as log, Replay};
use crate::{Inspection, Repair, Result};

/// Inspects the store without changing anything.
pub(super) fn inspect(connection: &Connection, numbering: Numbering) -> Result<Inspection> {
    // One snapshot for all reads, because other processes continue to write.
    let tx = connection.unchecked_transaction()?;
    let mut walk = Replay::new(numbering);
    check_file(&tx, &mut walk)?;
    replay(&tx, &mut walk, Repair::No)?;
    compare_counts(&tx, &mut walk)?;
    search::inspect(&tx, &mut walk)?;
    Ok(walk.finish(false))
}

/// Inspects the store, and rewrites what differs.
pub(super) fn rebuild(connection: &mut Connection, numbering: Numbering) -> Result<Inspection> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let mut walk = Replay::new(numbering);
    check_file(&tx, &mut walk)?;
    replay(&tx, &mut walk, Repair::Rebuild)?;
    compare_counts(&tx, &mut walk)?;
    search::inspect(&tx, &mut walk)?;
    tx.execute_batch(RECOUNT)?;
    search::rebuild(&tx)?;
    tx.commit()?;
    Ok(walk.finish(true))
}

fn check_file(connection: &Connection, walk: &mut Replay) -> Result<()> {
    for pragma in ["PRAGMA integrity_check(20)", "PRAGMA foreign_key_check"] {
        let mut statement = connection.prepare(pragma)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let word: String = row.get(0)?;
            if word != "ok" {
                walk.found(format!("the file: {word}"));
            }
        }
    }
    Ok(())
}

fn compare_counts(connection: &Connection, walk: &mut Replay) -> Result<()> {
    for (what, sql) in
        [("counters", MISCOUNTED), ("work items' counts", MISBLOCKED), ("credentials' usages", MISUSED)]
    {
        let wrong: i64 = connection.query_row(sql, [], |row| row.get(0))?;
        if wrong > 0 {
            walk.found(format!("{wrong} of the {what} do not fit the decisions"));
        }
    }
    let mut orders = connection.prepare(ORDERS)?;
    let orders = orders.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    walk.unexplained("outbox rows", log::unordered(&orders.collect::<rusqlite::Result<Vec<_>>>()?));
    walk.unexplained("sessions", connection.query_row(UNKNOWN, [], |row| row.get(0))?);
    Ok(())
}

const MISCOUNTED: &str = "\
    SELECT count(*) FROM \
        (SELECT project, status, count(*) AS n FROM decision GROUP BY project, status) AS a \
        FULL JOIN (SELECT project, status, n FROM counter WHERE n <> 0) AS b USING (project, status) \
    WHERE a.n IS NOT b.n";

const MISBLOCKED: &str = "\
    WITH wait AS ( \
        SELECT project, substr(owner, 6) AS id FROM decision \
        WHERE status = 'pending' AND owner >= 'item:' AND owner < 'item;' \
        UNION ALL SELECT d.project, b.value FROM decision AS d, json_each(d.doc, '$.blocks') AS b \
        WHERE d.status = 'pending' AND d.owner IS NOT 'item:' || b.value), \
    total AS (SELECT project, id, count(*) AS n FROM wait GROUP BY project, id) \
    SELECT count(*) FROM item AS i LEFT JOIN total AS t USING (project, id) WHERE i.pending <> coalesce(t.n, 0)";

const MISUSED: &str = "\
    SELECT count(*) FROM \
        (SELECT asked_with AS credential, count(*) AS decisions, sum(octet_length(doc)) AS bytes \
         FROM decision WHERE status = 'pending' AND asked_with IS NOT NULL GROUP BY 1) AS a \
        FULL JOIN (SELECT credential, decisions, bytes FROM usage WHERE decisions <> 0 OR bytes <> 0) AS b \
        USING (credential) \
    WHERE a.decisions IS NOT b.decisions OR a.bytes IS NOT b.bytes";

/// How many outbox rows there are of each lane and type of event; no type if the row cannot be its event's.
const ORDERS: &str = "SELECT o.lane, e.type, count(*) FROM outbox AS o LEFT JOIN event AS e \
    ON e.seq = o.seq AND o.id / 10000 = e.seq AND (e.stream NOT LIKE 'decision/%' \
        OR e.stream = 'decision/' || o.decision OR o.decision IS NULL AND e.type = 'decision:removed') \
    GROUP BY 1, 2";
/// Sessions without a recorded sign-in.
const UNKNOWN: &str = "SELECT count(*) FROM session AS s WHERE NOT EXISTS ( \
    SELECT 1 FROM event AS e WHERE e.stream = 'person/' || s.person AND e.type = 'person:signed_in' \
    AND e.body ->> '$.session' = substr(lower(hex(s.hash)), 1, 32))";

const RECOUNT: &str = "\
    DELETE FROM usage; \
    INSERT INTO usage (credential, decisions, bytes) \
        SELECT asked_with, count(*), sum(octet_length(doc)) FROM decision \
        WHERE status = 'pending' AND asked_with IS NOT NULL GROUP BY 1; \
    DELETE FROM counter; \
    INSERT INTO counter (project, status, n) SELECT project, status, count(*) FROM decision GROUP BY project, status; \
    UPDATE item SET pending = (SELECT count(*) FROM decision AS d \
        WHERE d.project = item.project AND d.status = 'pending' AND (d.owner = 'item:' || item.id \
            OR EXISTS (SELECT 1 FROM json_each(d.doc, '$.blocks') AS b WHERE b.value = item.id)));";
