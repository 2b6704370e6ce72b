//! What is recorded of a decision where it is more than a few members.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::Values;
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
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}
