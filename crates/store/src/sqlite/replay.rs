//! Replays the log, and compares what comes of it with the projections.

use std::collections::BTreeMap;
use std::sync::Arc;

use holdpoint_core::{Decision, Event, Numbering, Timestamp, apply};
use rusqlite::{Connection, OptionalExtension, params};

use super::save;
use crate::plan::{Stored, number_of};
use crate::{Inspection, Result, body};

/// Whether what differs is written anew.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mend {
    /// Only look.
    No,
    /// Write it.
    Yes,
}

/// Walks the log stream by stream, so that only one decision is in memory at a time.
pub(super) fn replay(
    connection: &Connection,
    numbering: Numbering,
    inspection: &mut Inspection,
    mend: Mend,
) -> Result<()> {
    let mut statement = connection
        .prepare("SELECT seq, stream, version, type, at, body FROM event ORDER BY stream, version")?;
    let mut rows = statement.query([])?;
    let mut stream = Stream::default();
    let mut seen = Seen::default();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        if name != stream.name {
            let done = std::mem::replace(&mut stream, Stream { name: name.to_owned(), ..Stream::default() });
            done.compare(connection, numbering, inspection, &mut seen, mend)?;
        }
        let body = row.get_ref(5)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        stream.step(
            row.get(0)?,
            row.get(2)?,
            row.get_ref(3)?.as_str().unwrap_or_default(),
            row.get(4)?,
            body,
            inspection,
        );
        inspection.events += 1;
    }
    stream.compare(connection, numbering, inspection, &mut seen, mend)?;
    seen.compare(connection, inspection, mend)
}

/// One stream, as far as it was replayed.
#[derive(Default)]
struct Stream {
    name: String,
    version: i64,
    decision: Option<Decision>,
    /// The item that the stream makes known: its title and since when.
    item: Option<(String, String, Option<String>, Timestamp)>,
    project: Option<(String, i64)>,
    removed: bool,
    /// An event could not be read: nothing can be said about what came of it.
    broken: bool,
    /// Events without a body, which only a removal explains.
    gone: Vec<i64>,
}

impl Stream {
    fn step(
        &mut self,
        seq: i64,
        version: i64,
        tag: &str,
        at: i64,
        text: Option<&str>,
        inspection: &mut Inspection,
    ) {
        if version != self.version + 1 {
            inspection
                .findings
                .push(format!("event {seq}: {} goes from version {} to {version}", self.name, self.version));
        }
        self.version = version;
        let Some(text) = text else {
            self.gone.push(seq);
            return;
        };
        match body::decode(tag, text) {
            Ok(event) => self.apply(&event, Timestamp::from_millis(at)),
            Err(error) => {
                inspection.findings.push(format!("event {seq} cannot be read: {error}"));
                self.broken = true;
            }
        }
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::ItemCreated { id, project, title } => {
                self.item = Some((project.clone(), id.clone(), title.clone(), at));
            }
            Event::ItemDeleted { .. } => self.item = None,
            Event::ProjectUpdated { project, min_timeout, .. } => {
                self.project = Some((project.clone(), min_timeout.as_millis()));
            }
            Event::Removed { .. } => self.removed = true,
            _ => {}
        }
        self.decision = apply(self.decision.take(), event, at);
    }

    fn compare(
        self,
        connection: &Connection,
        numbering: Numbering,
        inspection: &mut Inspection,
        seen: &mut Seen,
        mend: Mend,
    ) -> Result<()> {
        if let Some((project, id, title, at)) = self.item {
            seen.items.insert((project, id), (title, at.as_millis()));
        }
        if let Some((name, min_timeout)) = self.project {
            seen.projects.insert(name, min_timeout);
        }
        let Some(number) = number_of(&self.name) else { return Ok(()) };
        seen.last = seen.last.max(number);
        if !self.removed {
            for seq in &self.gone {
                inspection
                    .findings
                    .push(format!("event {seq} has no body, but its decision was not removed"));
            }
        }
        if self.broken || (!self.removed && !self.gone.is_empty()) {
            // Its row is all that is left of it.
            seen.decisions += 1;
            return Ok(());
        }
        let id = numbering.id(number);
        let stored = row(connection, number)?;
        let right =
            self.decision.map(|decision| Stored { decision: Arc::new(decision), version: self.version });
        seen.decisions += i64::from(right.is_some());
        inspection.decisions += u64::from(right.is_some());
        let finding = match (&stored, &right) {
            (Row::Readable(stored), Some(right)) if **stored == *right => {
                return columns(connection, number, right, inspection, mend);
            }
            (Row::None, None) => return Ok(()),
            (Row::None, Some(_)) => format!("decision {id} is in the log, but not in the table"),
            (_, None) => format!("decision {id} was removed, but is still in the table"),
            (Row::Unreadable, Some(_)) => format!("decision {id} cannot be read"),
            (Row::Readable(_), Some(_)) => format!("decision {id} is not what the log makes of it"),
        };
        inspection.findings.push(finding);
        if mend == Mend::Yes {
            write(connection, number, right.as_ref())?;
        }
        Ok(())
    }
}

enum Row {
    None,
    Unreadable,
    Readable(Box<Stored>),
}

fn row(connection: &Connection, number: i64) -> Result<Row> {
    let mut statement = connection.prepare_cached("SELECT version, doc FROM decision WHERE n = ?1")?;
    let found = statement
        .query_row([number], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    Ok(match found {
        None => Row::None,
        Some((version, doc)) => match serde_json::from_str(&doc) {
            Ok(decision) => Row::Readable(Box::new(Stored { decision: Arc::new(decision), version })),
            Err(_) => Row::Unreadable,
        },
    })
}

/// The columns that are searched must say what the document says.
fn columns(
    connection: &Connection,
    number: i64,
    right: &Stored,
    inspection: &mut Inspection,
    mend: Mend,
) -> Result<()> {
    let decision = &right.decision;
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM decision WHERE n = ?1 AND id = ?2 AND project = ?3 AND status = ?4 AND source = ?5 \
         AND owner IS ?6 AND requested_by IS ?7 AND created_at = ?8 AND deadline IS ?9 AND settled_at IS ?10",
    )?;
    let same = statement.exists(params![
        number,
        decision.id.to_string(),
        decision.project,
        decision.status.name(),
        decision.source.name(),
        decision.owner.as_ref().map(ToString::to_string),
        decision.requested_by,
        decision.created_at.as_millis(),
        decision.deadline.map(Timestamp::as_millis),
        decision.settled_at.map(Timestamp::as_millis),
    ])?;
    if !same {
        inspection.findings.push(format!("decision {} is listed as something else than it is", decision.id));
        if mend == Mend::Yes {
            write(connection, number, Some(right))?;
        }
    }
    Ok(())
}

fn write(connection: &Connection, number: i64, right: Option<&Stored>) -> Result<()> {
    save::delete(connection, number)?;
    right.map_or(Ok(()), |stored| save::insert(connection, number, stored, None))
}

/// What the log as a whole makes known.
#[derive(Default)]
struct Seen {
    last: i64,
    decisions: i64,
    items: BTreeMap<(String, String), (Option<String>, i64)>,
    projects: BTreeMap<String, i64>,
}

impl Seen {
    fn compare(self, connection: &Connection, inspection: &mut Inspection, mend: Mend) -> Result<()> {
        let rows: i64 = connection.query_row("SELECT count(*) FROM decision", [], |row| row.get(0))?;
        if rows != self.decisions && mend == Mend::No {
            inspection.findings.push(format!("the table has {rows} decisions, the log {}", self.decisions));
        }
        if mend == Mend::Yes {
            connection.execute(
                "DELETE FROM decision WHERE NOT EXISTS (SELECT 1 FROM event WHERE stream = 'decision/' || n)",
                [],
            )?;
        }
        let last: i64 =
            connection
                .query_row("SELECT value FROM meta WHERE name = 'last_number'", [], |row| row.get(0))?;
        if last < self.last {
            inspection.findings.push(format!("the last number is {last}, but {} was given", self.last));
            if mend == Mend::Yes {
                connection.execute("UPDATE meta SET value = ?1 WHERE name = 'last_number'", [self.last])?;
            }
        }
        let mut statement = connection.prepare("SELECT project, id, title, created_at FROM item")?;
        let items =
            statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?))))?;
        let items: BTreeMap<_, _> = items.collect::<rusqlite::Result<_>>()?;
        if items != self.items {
            inspection.findings.push("the work items are not those of the log".into());
            if mend == Mend::Yes {
                connection.execute("DELETE FROM item", [])?;
                for ((project, id), (title, at)) in &self.items {
                    connection.execute(
                        "INSERT INTO item (project, id, title, pending, created_at) VALUES (?1, ?2, ?3, 0, ?4)",
                        params![project, id, title, at],
                    )?;
                }
            }
        }
        let mut statement = connection.prepare("SELECT name, min_timeout FROM project")?;
        let projects = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let projects: BTreeMap<String, i64> = projects.collect::<rusqlite::Result<_>>()?;
        if projects != self.projects {
            inspection.findings.push("the projects are not those of the log".into());
            if mend == Mend::Yes {
                connection.execute("DELETE FROM project", [])?;
                for (name, min_timeout) in &self.projects {
                    connection.execute(
                        "INSERT INTO project (name, min_timeout) VALUES (?1, ?2)",
                        params![name, min_timeout],
                    )?;
                }
            }
        }
        Ok(())
    }
}
