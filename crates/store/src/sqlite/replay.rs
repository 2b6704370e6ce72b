//! Feeds the log to the replay, and rewrites what differs.

use rusqlite::{Connection, OptionalExtension, params};

use super::{credentials, jobs, runs, save, threads};
use crate::replay::{Columns, Entry, Replay, ReplayedRow, Row, Tables};
use crate::{Repair, Result};

/// More events than there can be.
const ALL: usize = u32::MAX as usize;

/// Replays the log stream by stream, and compares all projections.
pub(super) fn replay(connection: &Connection, replay: &mut Replay, repair: Repair) -> Result<()> {
    let mut statement = connection
        .prepare("SELECT seq, stream, version, type, at, body FROM event ORDER BY stream, version")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let entry = Entry {
            seq: row.get(0)?,
            stream: row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?,
            version: row.get(2)?,
            tag: row.get_ref(3)?.as_str().unwrap_or_default(),
            at: row.get(4)?,
            body: row.get_ref(5)?.as_str_or_null().map_err(rusqlite::Error::from)?,
        };
        if let Some(right) = replay.step(&entry) {
            compare(connection, replay, &right, repair)?;
        }
    }
    if let Some(right) = replay.end() {
        compare(connection, replay, &right, repair)?;
    }
    compare_tables(connection, replay, repair)?;
    runs::inspect(connection, replay, repair)?;
    credentials::inspect(connection, replay, repair)?;
    jobs::inspect(connection, replay, repair)
}

fn compare(connection: &Connection, replay: &mut Replay, right: &ReplayedRow, repair: Repair) -> Result<()> {
    if replay.compare(right, row(connection, right.number)?.as_ref()) && repair == Repair::Rebuild {
        save::delete(connection, right.number)?;
        if let Some(stored) = &right.stored {
            save::insert(connection, right.number, stored)?;
        }
    }
    Ok(())
}

fn row(connection: &Connection, number: i64) -> Result<Option<Row>> {
    let mut statement = connection.prepare_cached(
        "SELECT version, doc, id, project, status, source, owner, requested_by, created_at, deadline, settled_at, \
         escalates_at, asked_with, assignees, digest, brief FROM decision WHERE n = ?1",
    )?;
    let row = statement.query_row([number], |row| {
        let columns = Columns {
            id: row.get(2)?,
            project: row.get(3)?,
            status: row.get(4)?,
            source: row.get(5)?,
            owner: row.get(6)?,
            requested_by: row.get(7)?,
            created_at: row.get(8)?,
            deadline: row.get(9)?,
            settled_at: row.get(10)?,
            escalates_at: row.get(11)?,
            asked_with: row.get(12)?,
            assignees: row.get(13)?,
            digest: row.get(14)?,
        };
        Ok(Row { version: row.get(0)?, doc: row.get(1)?, brief: row.get(15)?, columns })
    });
    Ok(row.optional()?)
}

fn compare_tables(connection: &Connection, replay: &mut Replay, repair: Repair) -> Result<()> {
    if repair == Repair::Rebuild {
        connection.execute(
            "DELETE FROM decision WHERE NOT EXISTS (SELECT 1 FROM event WHERE stream = 'decision/' || n)",
            [],
        )?;
    }
    let tables = tables(connection)?;
    let corrections = replay.compare_tables(&tables, repair == Repair::Rebuild);
    if repair == Repair::No {
        return Ok(());
    }
    if let Some(last) = corrections.last_number {
        connection.execute("UPDATE meta SET value = ?1 WHERE name = 'last_number'", [last])?;
    }
    if let Some(items) = corrections.items {
        connection.execute("DELETE FROM item", [])?;
        for ((project, id), (title, at)) in items {
            connection.execute(
                "INSERT INTO item (project, id, title, pending, created_at) VALUES (?1, ?2, ?3, 0, ?4)",
                params![project, id, title, at],
            )?;
        }
    }
    if let Some(projects) = corrections.projects {
        connection.execute("DELETE FROM project", [])?;
        for (name, (min_timeout, verdicts)) in projects {
            let row = params![name, min_timeout, verdicts];
            let insert = "INSERT INTO project (name, min_timeout, verdicts) VALUES (?1, ?2, ?3)";
            connection.execute(insert, row)?;
        }
    }
    if let Some(right) = corrections.threads {
        connection.execute("DELETE FROM thread", [])?;
        for thread in right.values() {
            threads::insert(connection, thread)?;
        }
    }
    Ok(())
}

fn tables(connection: &Connection) -> Result<Tables> {
    let mut items = connection.prepare("SELECT project, id, title, created_at FROM item")?;
    let items = items.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?))))?;
    let mut projects = connection.prepare("SELECT name, min_timeout, verdicts FROM project")?;
    let projects = projects.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    let number = |sql| connection.query_row(sql, [], |row| row.get(0));
    Ok(Tables {
        decisions: number("SELECT count(*) FROM decision")?,
        last_number: number("SELECT value FROM meta WHERE name = 'last_number'")?,
        items: items.collect::<rusqlite::Result<_>>()?,
        projects: projects.collect::<rusqlite::Result<_>>()?,
        threads: threads::threads(connection, None, ALL)?
            .into_iter()
            .map(|thread| (thread.id.clone(), thread))
            .collect(),
    })
}
