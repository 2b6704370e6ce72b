//! Several notices that are sent to one person together.

use holdpoint_core::{Person, Timestamp};

use super::notice::{Notice, SignedLink};

/// Several notices to one person.
#[derive(Clone, Debug)]
pub struct GatheredNotices {
    /// The id of the first.
    pub id: i64,
    /// When they are sent.
    pub at: Timestamp,
    /// The recipient.
    pub person: Person,
    /// The notices, oldest first.
    pub notices: Vec<Notice>,
    /// The address of the list of everything that is pending.
    pub inbox: Option<String>,
    /// The link that unsubscribes the person from digests.
    pub unsubscribe: Option<SignedLink>,
}
