//! Who waits for a decision.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::text::{check_name, quote};

/// The owner of a decision, which waits for it: `item:bd-abc123`, `job:build`, …
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// The kind of owner.
    pub kind: OwnerKind,
    /// Its id.
    pub id: String,
}

/// What can own a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "the names explain themselves")]
#[serde(rename_all = "snake_case")]
pub enum OwnerKind {
    Item,
    Job,
    Crew,
    Run,
    Thread,
    Chat,
}

impl OwnerKind {
    const ALL: [Self; 6] = [Self::Item, Self::Job, Self::Crew, Self::Run, Self::Thread, Self::Chat];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Job => "job",
            Self::Crew => "crew",
            Self::Run => "run",
            Self::Thread => "thread",
            Self::Chat => "chat",
        }
    }
}

impl Owner {
    /// Makes an owner.
    pub fn new(kind: OwnerKind, id: impl Into<String>) -> Self {
        Self { kind, id: id.into() }
    }

    /// Returns whether a newer decision of this owner replaces the pending one.
    pub fn supersedes(&self) -> bool {
        matches!(self.kind, OwnerKind::Job | OwnerKind::Crew)
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.name(), self.id)
    }
}

impl FromStr for Owner {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{} is not an owner; use item:ID, job:ID, crew:ID, run:ID, thread:ID or chat:ID",
                quote(text)
            )
        };
        let (kind, id) = text.split_once(':').ok_or_else(wrong)?;
        let kind = OwnerKind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(wrong)?;
        check_name(id).map_err(|why| format!("owner id {why}"))?;
        Ok(Self { kind, id: id.to_owned() })
    }
}

impl Serialize for Owner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Owner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
