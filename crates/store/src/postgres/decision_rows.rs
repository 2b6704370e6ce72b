//! Writes decisions: one statement for the new ones of a batch, and one for the changed ones.

use holdpoint_core::decision::brief;

use super::connection::{Send, ints, send, texts};
use super::error::Result;
use crate::plan::Stored;
use crate::replay::Columns;

const INSERT: &str = "INSERT INTO hp.decision (n, id, project, status, source, owner, requested_by, created_at, \
    deadline, escalates_at, settled_at, asked_with, assignees, digest, version, brief, doc) \
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
const UPDATE: &str = "UPDATE hp.decision AS d SET status = u.status, escalates_at = u.escalates_at, \
    settled_at = u.settled_at, assignees = u.assignees, digest = u.digest, version = u.version, brief = u.brief, \
    doc = u.doc FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) \
    AS u (n, status, escalates_at, settled_at, assignees, digest, version, brief, doc) WHERE d.n = u.n";

/// Decisions' rows, column by column.
#[derive(Default)]
pub(super) struct Decisions {
    n: Vec<i64>,
    id: Vec<String>,
    project: Vec<String>,
    status: Vec<String>,
    source: Vec<String>,
    owner: Vec<Option<String>>,
    requested_by: Vec<Option<String>>,
    created_at: Vec<i64>,
    deadline: Vec<Option<i64>>,
    escalates_at: Vec<Option<i64>>,
    settled_at: Vec<Option<i64>>,
    asked_with: Vec<Option<String>>,
    assignees: Vec<Option<String>>,
    digest: Vec<String>,
    version: Vec<i64>,
    brief: Vec<Option<String>>,
    doc: Vec<String>,
}

impl Decisions {
    /// Adds a decision; its document is given if it has not changed since it was asked.
    pub(super) fn push(&mut self, number: i64, stored: &Stored, doc: Option<String>) -> Result<()> {
        let columns = Columns::of(&stored.decision);
        self.n.push(number);
        self.id.push(columns.id);
        self.project.push(columns.project);
        self.status.push(columns.status);
        self.source.push(columns.source);
        self.owner.push(columns.owner);
        self.requested_by.push(columns.requested_by);
        self.created_at.push(columns.created_at);
        self.deadline.push(columns.deadline);
        self.escalates_at.push(columns.escalates_at);
        self.settled_at.push(columns.settled_at);
        self.asked_with.push(columns.asked_with);
        self.assignees.push(columns.assignees);
        self.digest.push(columns.digest);
        self.version.push(stored.version);
        let doc = match doc {
            Some(doc) => doc,
            None => serde_json::to_string(&*stored.decision)?,
        };
        stored.keep_json(&doc);
        self.brief.push(brief(&doc)?);
        self.doc.push(doc);
        Ok(())
    }

    /// Returns the statement that writes them as new rows, if there are any.
    pub(super) fn insert(&self) -> Option<Send<'_>> {
        let columns = [
            ints(&self.n),
            texts(&self.id),
            texts(&self.project),
            texts(&self.status),
            texts(&self.source),
            texts(&self.owner),
            texts(&self.requested_by),
            ints(&self.created_at),
            ints(&self.deadline),
            ints(&self.escalates_at),
            ints(&self.settled_at),
            texts(&self.asked_with),
            texts(&self.assignees),
            texts(&self.digest),
            ints(&self.version),
            texts(&self.brief),
            texts(&self.doc),
        ];
        (!self.n.is_empty()).then(|| send(INSERT, &columns))
    }

    /// Returns the statement that updates the columns that can change, if there are any rows.
    pub(super) fn update(&self) -> Option<Send<'_>> {
        let columns = [
            ints(&self.n),
            texts(&self.status),
            ints(&self.escalates_at),
            ints(&self.settled_at),
            texts(&self.assignees),
            texts(&self.digest),
            ints(&self.version),
            texts(&self.brief),
            texts(&self.doc),
        ];
        (!self.n.is_empty()).then(|| send(UPDATE, &columns))
    }
}
