//! The state that a client returns: which decision it waits for, since when, for which call. It passes through the
//! client, so the server signs it; this module defines the signed content and its checks on return.

use holdpoint_core::json::digest;
use holdpoint_core::{DecisionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rpc::RpcError;

/// How many rounds a client waits; most give up after ten.
pub const MOST_ROUNDS: u32 = 9;

/// The state that a client returns to continue where it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The decision that is waited for.
    pub decision: DecisionId,
    /// The digest of the call, so that the state is valid for no other.
    pub call: String,
    /// The caller.
    pub caller: String,
    /// The number of rounds so far.
    pub round: u32,
    /// When it expires.
    pub expires: i64,
}

/// Returns the digest of a call: its tool and arguments.
pub fn call_digest(params: &Map<String, Value>) -> String {
    let call = [params.get("name"), params.get("arguments")];
    digest(&call).unwrap_or_default()
}

impl State {
    /// Checks that a state with a valid signature is for this call, this caller and this time.
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
