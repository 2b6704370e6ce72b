//! Where a decision came from, if it came by a foreign protocol.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The key in an origin's `extra` which says that the agent itself waits for the answer and receives it. Then nothing
/// is typed, and only the waiter, or the agent's end, withdraws the question.
pub const HELD: &str = "held";

/// The key in an origin's `extra` for the fingerprint of a prompt that a terminal shows. An answer is typed only to
/// that prompt.
pub const SHOWN: &str = "shown";

/// What a foreign message needs to be answered in kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The protocol's name.
    pub protocol: String,
    /// The foreign request's id.
    #[serde(default)]
    pub id: Option<String>,
    /// The schema it named.
    #[serde(default)]
    pub schema: Option<String>,
    /// The thread it came in.
    #[serde(default)]
    pub thread: Option<String>,
    /// Whatever else the answer must repeat.
    #[serde(default)]
    pub extra: Map<String, Value>,
}

impl super::Decision {
    /// Returns whether the agent itself holds for the answer.
    pub fn is_held(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.extra.get(HELD) == Some(&Value::Bool(true)))
    }

    /// Returns whether the answer is typed to an agent in a terminal.
    pub fn is_in_terminal(&self) -> bool {
        self.owner.as_ref().is_some_and(super::Owner::supersedes) && !self.is_held()
    }

    /// Returns whether it asks about a prompt that a terminal shows.
    pub fn is_on_screen(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.extra.contains_key(SHOWN))
    }
}
