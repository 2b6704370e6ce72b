//! The state that a client hands back: which decision it waits for, since when, for which call. It passes through
//! the client's hands, so the door signs it; here is what is signed and what must fit when it comes back.

use holdpoint_core::json::digest;
use holdpoint_core::{DecisionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rpc::RpcError;

/// How many times a client is sent round; most give up after ten.
pub const MOST_ROUNDS: u32 = 9;

/// What a client hands back to go on where it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The decision that is waited for.
    pub decision: DecisionId,
    /// The digest of the call, so that it is for no other.
    pub call: String,
    /// Who calls.
    pub caller: String,
    /// How often it went round.
    pub round: u32,
    /// Until when it counts.
    pub expires: i64,
}

/// Returns the digest of a call: its tool and arguments.
pub fn call_digest(params: &Map<String, Value>) -> String {
    let call = [params.get("name"), params.get("arguments")];
    digest(&call).unwrap_or_default()
}

impl State {
    /// Checks that a state whose signature holds is for this call, this caller and this time.
    pub fn check(self, params: &Map<String, Value>, caller: &str, now: Timestamp) -> Result<Self, RpcError> {
        let wrong = |why: &str| Err(RpcError::params(format!("requestState {why}")));
        if self.call != call_digest(params) {
            return wrong("is for another call");
        }
        if self.caller != caller {
            return wrong("is for another caller");
        }
        if self.expires < now.as_millis() {
            return wrong("is too old; call again without it");
        }
        Ok(self)
    }
}
