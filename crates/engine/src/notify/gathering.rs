//! Several notices that go to one person together.

use holdpoint_core::{Person, Timestamp};

use super::{Notice, SignedLink};

/// Several notices to one person.
#[derive(Clone, Debug)]
pub struct Gathering {
    /// The id of the first.
    pub id: i64,
    /// When they are sent.
    pub at: Timestamp,
    /// To whom.
    pub person: Person,
    /// What is told, the oldest first.
    pub notices: Vec<Notice>,
    /// Where all that waits is listed.
    pub inbox: Option<String>,
    /// Ends the digests of that person.
    pub unsubscribe: Option<SignedLink>,
}
