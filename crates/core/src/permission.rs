//! Permissions: what an admin lets a token do beyond its role.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a token allows beyond its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// Answer questions of its projects that have no assignee and that it did not ask itself.
    Answer,
    /// No longer has any effect: tokens in older logs name it.
    InClient,
    /// Start jobs, runs and imports, which run programs as the server.
    Jobs,
}

impl Permission {
    /// All permissions that can be granted.
    pub const ALL: [Self; 2] = [Self::Answer, Self::Jobs];

    /// Returns the name used in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::InClient => "in_client",
            Self::Jobs => "jobs",
        }
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Permission {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|permission| permission.name() == text);
        found.ok_or_else(|| format!("unknown permission; use one of {}", known()))
    }
}
