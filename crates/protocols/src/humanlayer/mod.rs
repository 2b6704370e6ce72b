//! `HumanLayer`: function calls that wait for approval and messages to people, in the format of the SDKs of version
//! 0.7.
//!
//! `channel` tells `HumanLayer`'s own service whom to notify, with tokens of the sender. None of it is stored: the
//! server's settings decide who is notified.

mod ask;
mod respond;
mod show;

use holdpoint_core::{Decision, Owner, OwnerKind, Refusal, ShapeError, shape};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use ask::{KeyedQuestion, ask};
pub use respond::{escalate, is_as_asked, respond};
pub use show::{show, unanswered, webhook};

/// Its name in origins.
pub const PROTOCOL: &str = "humanlayer";

/// The field of an approval.
const CHOICE: &str = "choice";
/// The option that consents.
const APPROVE: &str = "approve";
/// The option that refuses, if the sender offers none of this name.
const DENY: &str = "deny";
/// The field of a message to a person.
const RESPONSE: &str = "response";
/// The member of an origin that names the kind of request.
const KIND: &str = "kind";
/// The member of an origin with the sender's state, as JSON text, so that numbers stay as they were written.
const STATE: &str = "state";
/// A member that only the sender's options have.
const INTERACTIVE: &str = "interactive";

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Asks whether a function may be called.
    FunctionCall,
    /// Sends a message to a person.
    HumanContact,
}

impl CallKind {
    /// Returns its name in origins and webhooks.
    pub fn name(self) -> &'static str {
        match self {
            Self::FunctionCall => "function_call",
            Self::HumanContact => "human_contact",
        }
    }

    /// Returns the kind of a decision; none if it did not come from `HumanLayer`.
    pub fn of(decision: &Decision) -> Option<Self> {
        let origin = decision.origin.as_ref().filter(|origin| origin.protocol == PROTOCOL)?;
        let name = origin.extra.get(KIND)?.as_str()?;
        [Self::FunctionCall, Self::HumanContact].into_iter().find(|kind| kind.name() == name)
    }
}

/// Returns the owner of a call, by which its decision is found again.
pub fn owner(call_id: &str) -> Owner {
    Owner::new(OwnerKind::Thread, format!("{PROTOCOL}/{call_id}"))
}

/// Parses a body. Unknown members are ignored: other versions have others.
fn read<T: DeserializeOwned>(body: Value) -> Result<T, Refusal> {
    if !body.is_object() {
        return Err(Refusal::invalid("body", "must be an object"));
    }
    shape::read(body).map_err(|ShapeError { place, why }| {
        Refusal::invalid(if place.is_empty() { "body" } else { &place }, why.to_string())
    })
}
