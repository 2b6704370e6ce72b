//! The header of every object: its id, type, version, time and maker.

#![expect(missing_docs, reason = "fields and variants are named as on the wire")]

use std::fmt;
use std::str::FromStr;

use holdpoint_core::run::ObjectId;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The keys that every object starts with, in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub object_id: ObjectId,
    pub object_type: ObjectType,
    pub version: u8,
    pub created_at: Moment,
    pub created_by: ActorRef,
}

impl Header {
    /// Makes the header of a new object.
    pub fn new(object_id: ObjectId, object_type: ObjectType, created_at: Moment, by: ActorRef) -> Self {
        Self { object_id, object_type, version: 1, created_at, created_by: by }
    }
}

/// Passes every type of object, with the name of its folder in a tree, to a macro. Three of the names differ from those
/// in the JSON.
macro_rules! object_types {
    ($use:ident) => {
        $use! {
            ContextSnapshot "snapshot",
            Decision "decision",
            Evidence "evidence",
            PatchSet "patchset",
            Plan "plan",
            Provenance "provenance",
            Run "run",
            Task "task",
            Intent "intent",
            ToolInvocation "invocation",
            ContextFrame "context_frame",
            IntentEvent "intent_event",
            TaskEvent "task_event",
            RunEvent "run_event",
            PlanStepEvent "plan_step_event",
            RunUsage "run_usage",
        }
    };
}
pub(super) use object_types;

macro_rules! object_type {
    ($($name:ident $folder:literal,)*) => {
        /// The type of an object.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ObjectType {
            $($name,)*
        }

        impl ObjectType {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the name of its folder in a tree.
            pub fn folder(self) -> &'static str {
                match self { $(Self::$name => $folder,)* }
            }
        }
    };
}

object_types!(object_type);

impl ObjectType {
    /// Finds a type by the name of its folder.
    pub fn from_folder(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.folder() == name)
    }
}

/// Who made an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorRef {
    pub kind: ActorKind,
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

/// The kind of a maker; any other word is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    Human,
    Agent,
    System,
    McpClient,
    #[serde(untagged)]
    Other(String),
}

/// Content that is stored elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRef {
    pub store: String,
    pub key: String,
}

/// A point in time with nanoseconds. As text it ends in `Z` and has 0, 3, 6 or 9 digits after the second, as few as are
/// needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(jiff::Timestamp);

impl From<holdpoint_core::Timestamp> for Moment {
    fn from(at: holdpoint_core::Timestamp) -> Self {
        Self(jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or_default())
    }
}

impl Moment {
    /// Returns it to the millisecond.
    pub fn timestamp(self) -> holdpoint_core::Timestamp {
        holdpoint_core::Timestamp::from_millis(self.0.as_millisecond())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.subsec_nanosecond();
        let digits = match nanos {
            0 => 0,
            _ if nanos % 1_000_000 == 0 => 3,
            _ if nanos % 1_000 == 0 => 6,
            _ => 9,
        };
        write!(f, "{:.digits$}", self.0)
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(Self)
            .map_err(|_| format!("{text:?} is not a time; use RFC 3339, such as 2026-11-15T00:39:11Z"))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
