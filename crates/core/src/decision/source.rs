//! Where decisions come from.

use serde::{Deserialize, Serialize};

/// Why a decision is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// An agent asks something.
    Question,
    /// An agent wants to do something.
    Approval,
    /// An agent shows a plan.
    Plan,
    /// A gate command failed.
    Gate,
    /// An agent is idle.
    Idle,
    /// An agent's process ended.
    Dead,
    /// An agent met an error.
    Error,
    /// Another party asks, over a protocol.
    Request,
    /// A form has to be filled in.
    Form,
    /// A run waits for its verdict.
    Verdict,
}

impl Source {
    /// All sources, in the order they are listed to people.
    pub const ALL: [Self; 10] = [
        Self::Question,
        Self::Approval,
        Self::Plan,
        Self::Gate,
        Self::Idle,
        Self::Dead,
        Self::Error,
        Self::Request,
        Self::Form,
        Self::Verdict,
    ];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Approval => "approval",
            Self::Plan => "plan",
            Self::Gate => "gate",
            Self::Idle => "idle",
            Self::Dead => "dead",
            Self::Error => "error",
            Self::Request => "request",
            Self::Form => "form",
            Self::Verdict => "verdict",
        }
    }

    /// Finds a source by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}
