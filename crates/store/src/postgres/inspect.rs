//! Inspects a store: compares projections with the log, and counters with the projections.

use std::collections::HashMap;

use tokio_postgres::Row;

use super::connection::{Connection, get, int, ints, send, text, texts};
use super::decision_rows::Decisions;
use super::error::Result;
use super::shared::Shared;
use super::{credentials, jobs, runs, search, threads, watch};
use crate::replay::{self, Columns, Entry, Replay, ReplayedRow, Tables};
use crate::{Inspection, Repair};

/// How many rows are read at a time.
const PAGE: i64 = 1_000;

const EVENTS: &str = "SELECT seq, stream, version, type, at, body FROM hp.event \
    WHERE (stream, version) > ($1, $2) ORDER BY stream, version LIMIT $3";
const ROWS: &str = "SELECT n, version, doc, id, project, status, source, owner, requested_by, created_at, deadline, \
    settled_at, escalates_at, asked_with, assignees, digest, brief FROM hp.decision WHERE n = ANY($1)";
const ENDS: &str = "SELECT h.seq, e.seq FROM hp.head AS h LEFT JOIN hp.event AS e \
    ON e.seq = (SELECT max(seq) FROM hp.event) AND (e.seq <> h.seq OR e.hash = h.hash)";
const MISCOUNTED: &str = "SELECT count(*) FROM \
        (SELECT project, status, count(*) AS n FROM hp.decision GROUP BY project, status) AS a \
        FULL JOIN (SELECT project, status, n FROM hp.counter WHERE n <> 0) AS b USING (project, status) \
    WHERE a.n IS DISTINCT FROM b.n";
const MISBLOCKED: &str = concat!(
    "WITH wait AS ( \
        SELECT project, substr(owner, 6) AS id FROM hp.decision \
        WHERE status = 'pending' AND owner >= 'item:' AND owner < 'item;' \
        UNION ALL SELECT d.project, b.id FROM hp.decision AS d, \
            json_array_elements_text(",
    document!("d.doc"),
    " -> 'blocks') AS b (id) \
        WHERE d.status = 'pending' AND d.owner IS DISTINCT FROM 'item:' || b.id), \
    total AS (SELECT project, id, count(*) AS n FROM wait GROUP BY project, id) \
    SELECT count(*) FROM hp.item AS i LEFT JOIN total AS t USING (project, id) WHERE i.pending <> coalesce(t.n, 0)"
);
const MISUSED: &str = "SELECT count(*) FROM \
        (SELECT asked_with AS credential, count(*) AS decisions, sum(octet_length(doc)) AS bytes \
         FROM hp.decision WHERE status = 'pending' AND asked_with IS NOT NULL GROUP BY 1) AS a \
        FULL JOIN (SELECT credential, decisions, bytes FROM hp.usage WHERE decisions <> 0 OR bytes <> 0) AS b \
        USING (credential) \
    WHERE a.decisions IS DISTINCT FROM b.decisions OR a.bytes IS DISTINCT FROM b.bytes";
/// How many outbox rows there are of each lane and type of event; no type if the row cannot be its event's.
const ORDERS: &str = "SELECT o.lane, e.type, count(*) FROM hp.outbox AS o LEFT JOIN hp.event AS e \
    ON e.seq = o.seq AND o.id / 10000 = e.seq AND (e.stream NOT LIKE 'decision/%' \
        OR e.stream = 'decision/' || o.decision OR o.decision IS NULL AND e.type = 'decision:removed') \
    GROUP BY 1, 2";
/// Sessions without a recorded sign-in of their person.
const UNKNOWN: &str = concat!(
    "SELECT count(*) FROM hp.session AS s WHERE NOT EXISTS ( \
    SELECT 1 FROM hp.event AS e WHERE e.stream = 'person/' || s.person AND e.type = 'person:signed_in' \
    AND ",
    document!("e.body"),
    " ->> 'session' = substr(encode(s.hash, 'hex'), 1, 32))"
);
const RECOUNT: &str = concat!(
    "DELETE FROM hp.usage; \
    INSERT INTO hp.usage (credential, decisions, bytes) \
        SELECT asked_with, count(*), sum(octet_length(doc)) FROM hp.decision \
        WHERE status = 'pending' AND asked_with IS NOT NULL GROUP BY 1; \
    DELETE FROM hp.counter; \
    INSERT INTO hp.counter (project, status, n) \
        SELECT project, status, count(*) FROM hp.decision GROUP BY project, status; \
    UPDATE hp.item AS i SET pending = (SELECT count(*) FROM hp.decision AS d \
        WHERE d.project = i.project AND d.status = 'pending' AND (d.owner = 'item:' || i.id \
            OR i.id IN (SELECT json_array_elements_text(",
    document!("d.doc"),
    " -> 'blocks'))))"
);

/// Inspects the store and, if requested, rewrites what differs.
pub(super) async fn inspect(shared: &Shared, repair: Repair) -> Result<Inspection> {
    let connection = shared.pool.take().await?;
    let mut walk = Replay::new(shared.numbering);
    match repair {
        Repair::No => {
            // One snapshot for all reads, because other nodes continue to write.
            connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", &[]).await?;
        }
        Repair::Rebuild => {
            let begin = send("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", &[]);
            connection.pipeline(&[begin, send("SELECT 1 FROM hp.head FOR UPDATE", &[])]).await?;
        }
    }
    compare_ends(&connection, &mut walk).await?;
    replay(&connection, &mut walk, repair).await?;
    compare_tables(&connection, &mut walk, repair).await?;
    credentials::inspect(&connection, &mut walk, repair).await?;
    jobs::inspect(&connection, &mut walk, repair).await?;
    runs::inspect(&connection, &mut walk, repair).await?;
    for (what, sql) in
        [("counters", MISCOUNTED), ("work items' counts", MISBLOCKED), ("credentials' usages", MISUSED)]
    {
        let wrong: i64 = one(&connection, sql).await?;
        if wrong > 0 {
            walk.found(format!("{wrong} of the {what} do not fit the decisions"));
        }
    }
    let rows = connection.query(ORDERS, &[]).await?;
    let orders = rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?, get(row, 2)?)));
    walk.unexplained("outbox rows", replay::unordered(&orders.collect::<Result<Vec<_>>>()?));
    walk.unexplained("sessions", one(&connection, UNKNOWN).await?);
    search::inspect(&connection, &mut walk).await?;
    if repair == Repair::Rebuild {
        connection.script(RECOUNT).await?;
        search::rebuild(&connection).await?;
    }
    connection.query("COMMIT", &[]).await?;
    shared.pool.put(connection);
    let mut inspection = walk.finish(repair == Repair::Rebuild);
    if !watch::is_told(shared).await? {
        inspection.remarks.push(watch::DEAF.into());
    }
    Ok(inspection)
}

/// Checks that the head row has the last event and its hash.
async fn compare_ends(connection: &Connection, walk: &mut Replay) -> Result<()> {
    let rows = connection.query(ENDS, &[]).await?;
    let (head, last): (i64, Option<i64>) = match rows.first() {
        Some(row) => (get(row, 0)?, get(row, 1)?),
        None => (0, None),
    };
    if head != last.unwrap_or_default() {
        walk.found(format!("the log should end at event {head}, but does not"));
    }
    Ok(())
}

/// Replays the log stream by stream, and compares decisions a page at a time.
async fn replay(connection: &Connection, walk: &mut Replay, repair: Repair) -> Result<()> {
    let (mut stream, mut version) = (String::new(), 0);
    let mut rights = Vec::new();
    loop {
        let rows = connection.query(EVENTS, &[text(&stream), int(&version), int(&PAGE)]).await?;
        for row in &rows {
            let entry = Entry {
                seq: get(row, 0)?,
                stream: get(row, 1)?,
                version: get(row, 2)?,
                tag: get(row, 3)?,
                at: get(row, 4)?,
                body: get(row, 5)?,
            };
            rights.extend(walk.step(&entry));
        }
        let Some(last) = rows.last() else { break };
        (stream, version) = (get(last, 1)?, get(last, 2)?);
        compare(connection, walk, std::mem::take(&mut rights), repair).await?;
    }
    rights.extend(walk.end());
    compare(connection, walk, rights, repair).await
}

async fn compare(
    connection: &Connection,
    walk: &mut Replay,
    rights: Vec<ReplayedRow>,
    repair: Repair,
) -> Result<()> {
    if rights.is_empty() {
        return Ok(());
    }
    let numbers: Vec<i64> = rights.iter().map(|right| right.number).collect();
    let mut rows = HashMap::new();
    for row in connection.query(ROWS, &[ints(&numbers)]).await? {
        rows.insert(get::<i64>(&row, 0)?, decision_row(&row)?);
    }
    let mut wrong = Vec::new();
    let mut anew = Decisions::default();
    for right in rights {
        if walk.compare(&right, rows.get(&right.number)) {
            wrong.push(right.number);
            if let Some(stored) = &right.stored {
                anew.push(right.number, stored, None)?;
            }
        }
    }
    if repair == Repair::Rebuild && !wrong.is_empty() {
        let delete = send("DELETE FROM hp.decision WHERE n = ANY($1)", &[ints(&wrong)]);
        let sends: Vec<_> = std::iter::once(delete).chain(anew.insert()).collect();
        connection.pipeline(&sends).await?;
    }
    Ok(())
}

fn decision_row(row: &Row) -> Result<replay::Row> {
    let columns = Columns {
        id: get(row, 3)?,
        project: get(row, 4)?,
        status: get(row, 5)?,
        source: get(row, 6)?,
        owner: get(row, 7)?,
        requested_by: get(row, 8)?,
        created_at: get(row, 9)?,
        deadline: get(row, 10)?,
        settled_at: get(row, 11)?,
        escalates_at: get(row, 12)?,
        asked_with: get(row, 13)?,
        assignees: get(row, 14)?,
        digest: get(row, 15)?,
    };
    Ok(replay::Row { version: get(row, 1)?, doc: get(row, 2)?, brief: get(row, 16)?, columns })
}

async fn compare_tables(connection: &Connection, walk: &mut Replay, repair: Repair) -> Result<()> {
    if repair == Repair::Rebuild {
        let sql = "DELETE FROM hp.decision AS d WHERE NOT EXISTS \
                   (SELECT 1 FROM hp.event WHERE stream = 'decision/' || d.n)";
        connection.query(sql, &[]).await?;
    }
    let tables = tables(connection).await?;
    let corrections = walk.compare_tables(&tables, repair == Repair::Rebuild);
    if repair == Repair::No {
        return Ok(());
    }
    if let Some(last) = &corrections.last_number {
        connection.query("UPDATE hp.meta SET value = $1 WHERE name = 'last_number'", &[int(last)]).await?;
    }
    if let Some(items) = corrections.items {
        let projects: Vec<&String> = items.keys().map(|(project, _)| project).collect();
        let ids: Vec<&String> = items.keys().map(|(_, id)| id).collect();
        let titles: Vec<&Option<String>> = items.values().map(|(title, _)| title).collect();
        let times: Vec<i64> = items.values().map(|(_, at)| *at).collect();
        let insert = "INSERT INTO hp.item (project, id, title, pending, created_at) \
                      SELECT project, id, title, 0, at FROM unnest($1, $2, $3, $4) AS u (project, id, title, at)";
        let params = [texts(&projects), texts(&ids), texts(&titles), ints(&times)];
        connection.pipeline(&[send("DELETE FROM hp.item", &[]), send(insert, &params)]).await?;
    }
    if let Some(projects) = corrections.projects {
        let names: Vec<&String> = projects.keys().collect();
        let timeouts: Vec<i64> = projects.values().map(|(timeout, _)| *timeout).collect();
        let verdicts: Vec<&String> = projects.values().map(|(_, verdicts)| verdicts).collect();
        let insert = "INSERT INTO hp.project (name, min_timeout, verdicts) SELECT * FROM unnest($1, $2, $3)";
        let params = [texts(&names), ints(&timeouts), texts(&verdicts)];
        connection.pipeline(&[send("DELETE FROM hp.project", &[]), send(insert, &params)]).await?;
    }
    if let Some(right) = corrections.threads {
        let mut rows = threads::Rows::default();
        for thread in right.values() {
            rows.push(thread)?;
        }
        connection.query("DELETE FROM hp.thread", &[]).await?;
        connection.pipeline(&rows.sends()).await?;
    }
    Ok(())
}

async fn tables(connection: &Connection) -> Result<Tables> {
    let items = connection.query("SELECT project, id, title, created_at FROM hp.item", &[]).await?;
    let items = items.iter().map(|row| Ok(((get(row, 0)?, get(row, 1)?), (get(row, 2)?, get(row, 3)?))));
    let projects = connection.query("SELECT name, min_timeout, verdicts FROM hp.project", &[]).await?;
    let projects = projects.iter().map(|row| Ok((get(row, 0)?, (get(row, 1)?, get(row, 2)?))));
    Ok(Tables {
        decisions: one(connection, "SELECT count(*) FROM hp.decision").await?,
        last_number: one(connection, "SELECT value FROM hp.meta WHERE name = 'last_number'").await?,
        items: items.collect::<Result<_>>()?,
        projects: projects.collect::<Result<_>>()?,
        threads: threads::all(connection).await?,
    })
}

async fn one(connection: &Connection, sql: &str) -> Result<i64> {
    connection.query(sql, &[]).await?.first().map_or(Ok(0), |row| get(row, 0))
}
