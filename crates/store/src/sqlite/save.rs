//! Writes the results of a batch.

use holdpoint_core::Timestamp;
use holdpoint_core::decision::brief;
use rusqlite::{Connection, Statement, params};

use super::{credentials, jobs, runs, search, threads};
use crate::plan::{DecisionWrite, EventRow, ItemWrite, Snapshot, Stored, Usage, Writes};
use crate::replay::assignees;
use crate::{Error, Result};

/// Writes everything; events come before erasures, which may affect them.
pub(super) fn save(connection: &Connection, snapshot: &Snapshot, writes: &Writes) -> Result<()> {
    events(connection, &writes.events)?;
    decisions(connection, snapshot, writes)?;
    if let Some(last) = writes.last_number {
        let mut statement =
            connection.prepare_cached("UPDATE meta SET value = ?1 WHERE name = 'last_number'")?;
        statement.execute([last])?;
    }
    if let Some(skew) = writes.skew {
        let mut statement =
            connection.prepare_cached("INSERT OR REPLACE INTO meta (name, value) VALUES ('skew', ?1)")?;
        statement.execute([skew.as_millis()])?;
    }
    for write in &writes.items {
        item(connection, write)?;
    }
    jobs::save(connection, snapshot, writes)?;
    for (id, thread) in &writes.threads {
        threads::delete(connection, id)?;
        if let Some(thread) = thread {
            threads::insert(connection, thread)?;
        }
    }
    counts(connection, writes)?;
    usage(connection, writes)?;
    outbox(connection, writes)?;
    for id in &writes.runs {
        if let Some(run) = snapshot.run(*id) {
            runs::save(connection, run)?;
        }
    }
    credentials::save(connection, &writes.credentials)?;
    for project in writes.projects.values() {
        let mut statement = connection.prepare_cached(
            "INSERT INTO project (name, min_timeout, verdicts) VALUES (?1, ?2, ?3) \
             ON CONFLICT (name) DO UPDATE SET min_timeout = excluded.min_timeout, verdicts = excluded.verdicts",
        )?;
        statement.execute(params![project.name, project.min_timeout.as_millis(), project.verdicts_text()])?;
    }
    for (scope, used, at) in &writes.keys {
        let mut statement = connection.prepare_cached(
            "INSERT INTO idempotency (project, credential, key, digest, n, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        let (digest, number, at) = (&used.digest, used.number, at.as_millis());
        statement.execute(params![scope.project, scope.credential, scope.key, digest, number, at])?;
    }
    for (stream, before) in &writes.erased {
        let mut statement =
            connection.prepare_cached("UPDATE event SET body = NULL WHERE stream = ?1 AND version < ?2")?;
        statement.execute(params![stream, before])?;
    }
    Ok(())
}

fn events(connection: &Connection, events: &[EventRow]) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash, proof) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for event in events {
        statement.execute(params![
            event.seq,
            event.stream,
            event.version,
            event.tag,
            event.at.as_millis(),
            event.body,
            event.body_hash,
            event.prev,
            event.hash,
            event.proof,
        ])?;
    }
    Ok(())
}

const INSERT: &str = "INSERT INTO decision (n, id, project, status, source, owner, requested_by, created_at, \
    deadline, escalates_at, settled_at, asked_with, assignees, digest, version, brief, doc) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
/// Updates the columns that can change after a decision was asked.
const UPDATE: &str = "UPDATE decision SET status = ?2, escalates_at = ?3, settled_at = ?4, assignees = ?5, digest = ?6, \
    version = ?7, brief = ?8, doc = ?9 WHERE n = ?1";

/// Writes the rows of decisions, with one statement per kind and a shared buffer.
fn decisions(connection: &Connection, snapshot: &Snapshot, writes: &Writes) -> Result<()> {
    let (mut inserts, mut updates) = (connection.prepare_cached(INSERT)?, connection.prepare_cached(UPDATE)?);
    let mut buffer = Vec::with_capacity(4_096);
    for (number, write) in &writes.decisions {
        match (write, snapshot.decision(*number)) {
            (DecisionWrite::Insert { doc: Some(doc) }, Some(stored)) => {
                insert_with(&mut inserts, *number, stored, doc)?;
            }
            (DecisionWrite::Insert { doc: None }, Some(stored)) => {
                insert_with(&mut inserts, *number, stored, doc_of(stored, &mut buffer)?)?;
            }
            (DecisionWrite::Update, Some(stored)) => {
                let doc = doc_of(stored, &mut buffer)?;
                stored.keep_json(doc);
                let (status, settled_at) = (stored.decision.status.name(), stored.decision.settled_at);
                let settled_at = settled_at.map(Timestamp::as_millis);
                let escalates_at = stored.decision.escalates_at().map(Timestamp::as_millis);
                let (assignees, brief) = (assignees(&stored.decision), brief(doc)?);
                let version = stored.version;
                updates.execute(params![
                    number,
                    status,
                    escalates_at,
                    settled_at,
                    assignees,
                    stored.decision.digest,
                    version,
                    brief,
                    doc
                ])?;
            }
            (DecisionWrite::Delete, _) | (_, None) => delete(connection, *number)?,
        }
    }
    Ok(())
}

/// Encodes a decision as the document in its row.
fn doc_of<'a>(stored: &Stored, buffer: &'a mut Vec<u8>) -> Result<&'a str> {
    buffer.clear();
    serde_json::to_writer(&mut *buffer, &*stored.decision)?;
    std::str::from_utf8(buffer).map_err(|why| Error::Corrupt(why.to_string()))
}

/// Writes the row of a new decision.
pub(super) fn insert(connection: &Connection, number: i64, stored: &Stored) -> Result<()> {
    let doc = serde_json::to_string(&*stored.decision)?;
    let mut statement = connection.prepare_cached(INSERT)?;
    insert_with(&mut statement, number, stored, &doc)
}

fn insert_with(statement: &mut Statement<'_>, number: i64, stored: &Stored, doc: &str) -> Result<()> {
    stored.keep_json(doc);
    let decision = &stored.decision;
    statement.execute(params![
        number,
        decision.id.to_string(),
        decision.project,
        decision.status.name(),
        decision.source.name(),
        decision.owner.as_ref().map(ToString::to_string),
        decision.requested_by,
        decision.created_at.as_millis(),
        decision.deadline.map(Timestamp::as_millis),
        decision.escalates_at().map(Timestamp::as_millis),
        decision.settled_at.map(Timestamp::as_millis),
        decision.asked_with,
        assignees(decision),
        decision.digest,
        stored.version,
        brief(doc)?,
        doc,
    ])?;
    Ok(())
}

/// Deletes a decision's row, and its words in the index.
pub(super) fn delete(connection: &Connection, number: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM decision WHERE n = ?1")?.execute([number])?;
    search::erase(connection, number)
}

fn item(connection: &Connection, write: &ItemWrite) -> Result<()> {
    match write {
        ItemWrite::Create(item) => {
            let mut statement = connection.prepare_cached(
                "INSERT INTO item (project, id, title, pending, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            let created_at = item.created_at.as_millis();
            statement.execute(params![item.project, item.id, item.title, item.pending, created_at])?;
        }
        ItemWrite::Delete { project, id } => {
            connection
                .prepare_cached("DELETE FROM item WHERE project = ?1 AND id = ?2")?
                .execute([project, id])?;
        }
        ItemWrite::Pending { project, id, by } => {
            let mut statement = connection.prepare_cached(
                "UPDATE item SET pending = max(pending + ?3, 0) WHERE project = ?1 AND id = ?2",
            )?;
            statement.execute(params![project, id, by])?;
        }
    }
    Ok(())
}

fn counts(connection: &Connection, writes: &Writes) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO counter (project, status, n) VALUES (?1, ?2, ?3) \
         ON CONFLICT (project, status) DO UPDATE SET n = n + excluded.n",
    )?;
    for ((project, status), by) in writes.counts.iter().filter(|(_, by)| **by != 0) {
        statement.execute(params![project, status, by])?;
    }
    Ok(())
}

fn usage(connection: &Connection, writes: &Writes) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO usage (credential, decisions, bytes) VALUES (?1, ?2, ?3) ON CONFLICT (credential) \
         DO UPDATE SET decisions = decisions + excluded.decisions, bytes = bytes + excluded.bytes",
    )?;
    for (credential, change) in writes.usage.iter().filter(|(_, change)| **change != Usage::default()) {
        statement.execute(params![credential, change.decisions, change.bytes])?;
    }
    Ok(())
}

const WITHDRAW: &str = "INSERT INTO outbox (id, seq, lane, project, target, decision, not_before, not_after) \
    SELECT ?4 + row_number() OVER (ORDER BY s.decision DESC, s.channel) - 1, ?3, 'follow', d.project, s.channel, \
    s.decision, ?6, ?7 FROM (SELECT DISTINCT decision, channel FROM sent \
    WHERE address = ?1 AND open AND channel IN (SELECT value FROM json_each(?2))) AS s \
    JOIN decision AS d ON d.n = s.decision AND d.status = 'pending' ORDER BY s.decision DESC LIMIT ?5";

fn outbox(connection: &Connection, writes: &Writes) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO outbox (id, seq, lane, project, target, decision, not_before, not_after) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for entry in &writes.outbox {
        statement.execute(params![
            entry.id,
            entry.seq,
            entry.lane.name(),
            entry.project,
            entry.target,
            entry.decision,
            entry.not_before.as_millis(),
            entry.not_after.as_millis(),
        ])?;
    }
    for withdrawals in &writes.withdrawals {
        connection.prepare_cached(WITHDRAW)?.execute(params![
            withdrawals.person,
            serde_json::to_string(&withdrawals.channels)?,
            withdrawals.seq,
            withdrawals.first,
            withdrawals.most,
            withdrawals.not_before.as_millis(),
            withdrawals.not_after.as_millis(),
        ])?;
    }
    for number in &writes.cleared {
        connection.prepare_cached("DELETE FROM outbox WHERE decision = ?1")?.execute([number])?;
    }
    Ok(())
}
