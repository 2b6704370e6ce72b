//! Event bodies about tokens and people.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Notify, Permission, Role, Timestamp};

/// A token was created. `fingerprint` is the beginning of the hash of its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct TokenCreated {
    pub id: String,
    pub name: String,
    pub role: Role,
    pub projects: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<Permission>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The person it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    pub by: String,
}

/// A person was added, or their data changed. `fingerprint` is that of the hash of a new password.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct PersonUpdated {
    pub id: String,
    pub role: Role,
    pub email: Option<String>,
    pub projects: Vec<String>,
    pub has_password: bool,
    pub new_password: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accounts: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Notify::is_default")]
    pub notify: Notify,
    pub by: String,
}
