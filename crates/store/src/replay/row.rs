//! Compares a decision's row with the log.

use holdpoint_core::decision::brief;
use holdpoint_core::{Decision, DecisionId, Timestamp};

use crate::plan::Stored;

/// A decision's row as stored in the table.
pub(crate) struct Row {
    pub(crate) version: i64,
    pub(crate) doc: String,
    pub(crate) brief: Option<String>,
    pub(crate) columns: Columns,
}

/// The columns that queries use, which must agree with the document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) id: String,
    pub(crate) project: String,
    pub(crate) status: String,
    pub(crate) source: String,
    pub(crate) owner: Option<String>,
    pub(crate) requested_by: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) deadline: Option<i64>,
    pub(crate) escalates_at: Option<i64>,
    pub(crate) settled_at: Option<i64>,
    pub(crate) asked_with: Option<String>,
    pub(crate) assignees: Option<String>,
    pub(crate) digest: String,
}

impl Columns {
    /// Returns the columns that a decision should have.
    pub(crate) fn of(decision: &Decision) -> Self {
        Self {
            id: decision.id.to_string(),
            project: decision.project.clone(),
            status: decision.status.name().to_owned(),
            source: decision.source.name().to_owned(),
            owner: decision.owner.as_ref().map(ToString::to_string),
            requested_by: decision.requested_by.clone(),
            created_at: decision.created_at.as_millis(),
            deadline: decision.deadline.map(Timestamp::as_millis),
            escalates_at: decision.escalates_at().map(Timestamp::as_millis),
            settled_at: decision.settled_at.map(Timestamp::as_millis),
            asked_with: decision.asked_with.clone(),
            assignees: assignees(decision),
            digest: decision.digest.clone(),
        }
    }
}

/// Returns the value of the column of all assignees: a JSON list, or none if there are none.
pub(crate) fn assignees(decision: &Decision) -> Option<String> {
    Some(decision.assignees.as_slice())
        .filter(|all| !all.is_empty())
        .map(|all| serde_json::json!(all).to_string())
}

/// Describes what is wrong with a row, if anything.
pub(super) fn differs(id: DecisionId, right: Option<&Stored>, row: Option<&Row>) -> Option<String> {
    match (row, right) {
        (None, None) => None,
        (None, Some(_)) => Some(format!("decision {id} is in the log, but not in the table")),
        (Some(_), None) => Some(format!("decision {id} was removed, but is still in the table")),
        (Some(row), Some(right)) => match serde_json::from_str::<Decision>(&row.doc) {
            Err(_) => Some(format!("decision {id} cannot be read")),
            Ok(decision) if decision != *right.decision || row.version != right.version => {
                Some(format!("decision {id} does not match the log"))
            }
            Ok(decision) => (Columns::of(&decision) != row.columns
                || brief(&row.doc).ok() != Some(row.brief.clone()))
            .then(|| format!("the index columns of decision {id} do not match its document")),
        },
    }
}
