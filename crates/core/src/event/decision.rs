//! What is recorded of a decision where it is more than a few members.

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
    /// The people whose votes do not count any more: they were given to what was asked before.
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
    /// Who was in the groups that the vote counts for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Vec<String>>,
}

/// A program of the settings remarked on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct Remarked {
    pub id: DecisionId,
    pub project: String,
    /// The digest of what it looked at.
    pub digest: String,
    pub remark: Remark,
}

/// Nobody has answered, and somebody is told, reminded or asked too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct Escalated {
    pub id: DecisionId,
    pub project: String,
    /// The place of the step, from 1.
    pub step: usize,
    /// Which time it happens, from 1; those before it that nobody was there for are left out.
    pub round: u32,
    /// How many times in all something has happened.
    pub fired: u32,
    /// Who is told, stand-ins in place of those who are away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
    /// Who is asked too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigned: Vec<String>,
    /// Whether anyone else may answer still, because nobody was asked in particular before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// What the step does, in words.
    pub what: String,
}
