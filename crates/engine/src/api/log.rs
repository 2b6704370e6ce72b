//! The log itself and its keys.

use serde::{Deserialize, Serialize};

#[cfg(feature = "openapi")]
use super::Nullable;
use super::{Empty, NoParams, endpoints};
use crate::log::{AcceptedLog, LogPath};
use crate::log_proof::SignedHead;
use crate::rotation::RotatedKey;

endpoints! {
    "log" {
        /// Continues from a log that does not match what was signed.
        ACCEPT_LOG = acceptLog Admins Post "/v1/log/accept"
            (NoParams, Reason) => 200 AcceptedLog, "What was accepted";
        /// Returns the last signed head of the log.
        GET_LOG_HEAD = getLogHead Known Get "/v1/log/head"
            (NoParams, ()) => 200 Option<SignedHead> as Nullable<SignedHead>, "The head; null if nothing is signed yet";
        /// Proves that one head of the log is the start of another.
        GET_LOG_CONSISTENCY = getLogConsistency Known Get "/v1/log/consistency"
            (Heads, ()) => 200 LogPath, "The proof, as RFC 9162 has it";
        /// Puts a new signing key in the place of the present one.
        ROTATE_KEY = rotateKey Admins Post "/v1/keys/rotate"
            (NoParams, Empty) => 200 RotatedKey, "The new state of the key";
        /// Revokes a key: what it writes from now on is not trusted.
        REVOKE_KEY = revokeKey Admins Post "/v1/keys/{id}/revoke"
            (NoParams, Reason) => 200 Empty, "It is revoked";
    }
}

/// Why something is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The reason, which stays in the log forever.
    pub reason: String,
}

/// Which heads are compared.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct Heads {
    /// The last event of the earlier head.
    pub from: i64,
    /// The last event of the later head.
    pub to: i64,
}
