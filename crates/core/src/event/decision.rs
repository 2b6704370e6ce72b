//! The larger event bodies about decisions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::decision::Remark;
use crate::json::Values;
use crate::people::{Needs, Vote};
use crate::{DecisionId, Field};

/// The asker changed what it asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct Revised {
    pub id: DecisionId,
    pub project: String,
    pub title: Option<String>,
    pub prompt: Option<String>,
    pub fields: Vec<Field>,
    pub subject: Option<Value>,
    pub subject_digest: Option<String>,
    pub default: Option<Values>,
    pub draft: Values,
    pub digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Box<Needs>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requester: Option<String>,
    /// The people whose votes no longer count, because they were given to an earlier version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}

/// A person voted, or changed their vote.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct Voted {
    pub id: DecisionId,
    pub project: String,
    pub vote: Vote,
    /// The members of the groups that the vote counts for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Vec<String>>,
}

/// A program from the settings made a remark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct Remarked {
    pub id: DecisionId,
    pub project: String,
    /// The digest of the decision that the program read.
    pub digest: String,
    pub remark: Remark,
}

/// The decision stayed unanswered, and people were notified, reminded or added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct Escalated {
    pub id: DecisionId,
    pub project: String,
    /// The place of the step, from 1.
    pub step: usize,
    /// The round of the step, from 1; rounds that were missed because no server ran are skipped.
    pub round: u32,
    /// How many steps have happened in all.
    pub fired: u32,
    /// The people notified, with stand-ins in place of absent people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
    /// The people added as assignees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigned: Vec<String>,
    /// Whether anyone else may still answer, because nobody was assigned before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// A description of what the step does.
    pub what: String,
}
