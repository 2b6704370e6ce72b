//! `HumanLayer`: calls of functions that wait for approval and messages to people, as the SDKs of version 0.7 send them.
//!
//! `channel` says whom `HumanLayer`'s own service tells, with tokens of the sender. None of it is kept: whom a decision is told
//! is for the server's settings to say.

mod ask;
mod respond;
mod show;

use holdpoint_core::{Decision, Owner, OwnerKind, Refusal, ShapeError, shape};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use ask::{Asked, ask};
pub use respond::{escalate, is_as_asked, respond};
pub use show::{show, unanswered, webhook};

/// The name that origins have for it.
pub const PROTOCOL: &str = "humanlayer";

/// The field of an approval.
const CHOICE: &str = "choice";
/// The option that consents.
const APPROVE: &str = "approve";
/// The option that refuses where the sender offers none by this name.
const DENY: &str = "deny";
/// The field of a message to a person.
const RESPONSE: &str = "response";
/// Where an origin says which of the two it was.
const KIND: &str = "kind";
/// Where an origin keeps what the sender wants back, as JSON text: numbers stay as they were written.
const STATE: &str = "state";
/// What an option of the sender's has, and none of ours.
const INTERACTIVE: &str = "interactive";

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Whether a function may be called.
    FunctionCall,
    /// Whatever a message says.
    HumanContact,
}

impl CallKind {
    /// Returns the name that origins and webhooks have for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::FunctionCall => "function_call",
            Self::HumanContact => "human_contact",
        }
    }

    /// Returns what a decision is; nothing if it did not come this way.
    pub fn of(decision: &Decision) -> Option<Self> {
        let origin = decision.origin.as_ref().filter(|origin| origin.protocol == PROTOCOL)?;
        let name = origin.extra.get(KIND)?.as_str()?;
        [Self::FunctionCall, Self::HumanContact].into_iter().find(|kind| kind.name() == name)
    }
}

/// Returns who waits for a call: by this a decision is found again.
pub fn owner(call_id: &str) -> Owner {
    Owner::new(OwnerKind::Thread, format!("{PROTOCOL}/{call_id}"))
}

/// Reads a body. Members that are not known are passed over: other versions have others.
fn read<T: DeserializeOwned>(body: Value) -> Result<T, Refusal> {
    if !body.is_object() {
        return Err(Refusal::invalid("body", "must be an object"));
    }
    shape::read(body).map_err(|ShapeError { place, why }| {
        Refusal::invalid(if place.is_empty() { "body" } else { &place }, why.to_string())
    })
}
