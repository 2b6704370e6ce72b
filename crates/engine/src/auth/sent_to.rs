//! Where a link was sent.

use holdpoint_core::json::sha256_hex;
use holdpoint_core::{Lane, Person};
use serde::{Deserialize, Serialize};

/// The account or address of a person that a link was sent to. Its later owner may be someone else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentTo {
    pub(super) channel: Lane,
    /// The start of a hash of it: a link is forwarded more readily than an address.
    fingerprint: String,
}

impl SentTo {
    pub(super) fn of(person: &Person, channel: Lane) -> Option<Self> {
        let mut fingerprint = sha256_hex(person.reached_at(channel)?.as_bytes());
        fingerprint.truncate(16);
        Some(Self { channel, fingerprint })
    }
}
