//! What is done about the log itself: breaks that an admin accepts, and the keys that vouch for it.

mod decide;

use serde::{Deserialize, Serialize};

pub(crate) use decide::decide;

/// The log up to an event, as it stood at some time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogDigest {
    /// The last event.
    pub seq: i64,
    /// SHA-256 over what every event up to there says, in hex.
    pub digest: String,
}

/// A command about the log itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogCommand {
    /// Go on from the log as it is, although it does not run through what was signed.
    Accept {
        /// Why that is right.
        reason: String,
        /// What was found, in words.
        found: String,
        /// The log as it was then.
        log: Option<LogDigest>,
    },
    /// Introduce the key that takes the place of another.
    RotateKey {
        /// The id of the key that goes.
        from: String,
        /// The id of the key that comes.
        to: String,
        /// The public half of the key that comes, in hex.
        public_key: String,
    },
    /// What a key writes from now on no longer counts.
    RevokeKey {
        /// The key's id.
        key: String,
        /// Why.
        reason: String,
    },
}
