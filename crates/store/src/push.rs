//! The part of the port about Web Push: the key pair of the store, and people's browsers.
//!
//! None of it is in the log, and no decision depends on it: if it is lost, people turn notifications on again.

use std::fmt;

use async_trait::async_trait;
use holdpoint_core::Timestamp;

use crate::error::Result;

/// What a store knows about Web Push.
#[async_trait]
pub trait Push: Send + Sync {
    /// Returns the key pair by which push services know this store, if it has one.
    async fn push_key(&self) -> Result<Option<Vec<u8>>>;

    /// Saves a key pair, unless there is one already.
    async fn keep_push_key(&self, pkcs8: &[u8]) -> Result<()>;

    /// Saves a browser, unless its person has the maximum already. A browser with a known endpoint and keys is moved to
    /// the person and keeps its id. Returns whether it was saved.
    async fn put_subscription(&self, subscription: &PushSubscription, most: usize) -> Result<bool>;

    /// Lists the browsers of a person, or of all people, oldest first.
    async fn subscriptions(&self, person: Option<&str>) -> Result<Vec<PushSubscription>>;

    /// Deletes a browser; returns whether there was one.
    async fn forget_subscription(&self, id: &str) -> Result<bool>;
}

/// A browser that a person is notified in.
#[derive(Clone, PartialEq, Eq)]
pub struct PushSubscription {
    /// The id.
    pub id: String,
    /// The person who uses it.
    pub person: String,
    /// The address for messages to it. Knowing it is enough to send messages, so it is never shown.
    pub endpoint: String,
    /// The browser's public key, in base64url.
    pub p256dh: String,
    /// The secret shared with the browser, in base64url.
    pub auth: String,
    /// The name of the browser for the person.
    pub browser: String,
    /// When it was added.
    pub created_at: Timestamp,
}

impl fmt::Debug for PushSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PushSubscription");
        shown.field("id", &self.id).field("person", &self.person).finish_non_exhaustive()
    }
}
