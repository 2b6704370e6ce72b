//! What a channel is given to tell.

use std::fmt;

use holdpoint_core::decision::Callback;
use holdpoint_core::{Decision, DecisionId, Occasion, Person, Timestamp};
use serde_json::{Map, Value, json};

/// Something to be told to one receiver.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Stays the same however often it is sent; receivers de-duplicate on it.
    pub id: i64,
    /// To whom, in the lane's own words.
    pub target: String,
    /// On which occasion.
    pub occasion: Occasion,
    /// When it is sent.
    pub at: Timestamp,
    /// What happened.
    pub event: Map<String, Value>,
    /// The decision as it is now.
    pub decision: Decision,
    /// The first of the rounds it is one of: all are one conversation.
    pub root: DecisionId,
    /// Where its asker wants to be told.
    pub callback: Option<Box<Callback>>,
    /// Where the decision is shown to those who may see it; not known without a server.
    pub url: Option<String>,
    /// The person it goes to, if they are known and may see the decision.
    pub person: Option<Person>,
    /// Lets that person, and anyone they hand it to, answer without signing in.
    pub link: Option<SignedLink>,
    /// Each settles the decision in one way and no other, as the messenger wished.
    pub acts: Vec<SignedLink>,
}

impl Notice {
    /// Returns what programs are told. A signed link is never in it.
    pub fn body(&self) -> Value {
        json!({ "id": self.id, "event": self.event, "decision": self.decision, "url": self.url })
    }
}

/// An address that is a credential; it shows itself only when asked.
#[derive(Clone)]
pub struct SignedLink(pub(super) String);

impl SignedLink {
    /// Returns the address, to send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SignedLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignedLink(…)")
    }
}
