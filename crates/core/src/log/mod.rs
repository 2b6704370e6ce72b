//! The log itself: breaks that an admin accepts, and the keys that vouch for it.

mod decide;

use serde::{Deserialize, Serialize};

pub(crate) use decide::decide;

/// The content of the log up to an event, at some time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogDigest {
    /// The last event.
    pub seq: i64,
    /// SHA-256 over the content of all events up to it, in hex.
    pub digest: String,
}

/// A command about the log itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogCommand {
    /// Continue from the log as it is, although it does not match what was signed.
    Accept {
        /// Why that is acceptable.
        reason: String,
        /// A description of what was found.
        found: String,
        /// The log as it was then.
        log: Option<LogDigest>,
    },
    /// Introduce the key that replaces another.
    RotateKey {
        /// The id of the old key.
        from: String,
        /// The id of the new key.
        to: String,
        /// The public half of the new key, in hex.
        public_key: String,
    },
    /// Ignore what a key signs from now on.
    RevokeKey {
        /// The key's id.
        key: String,
        /// The reason.
        reason: String,
    },
}
