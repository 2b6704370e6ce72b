//! The part of the port that is about Web Push: the key pair of the store, and the browsers of people.
//!
//! None of it is in the log, and no decision depends on it: who loses it turns notifications on again.

use std::fmt;

use async_trait::async_trait;
use holdpoint_core::Timestamp;

use crate::error::Result;

/// What a store knows of Web Push.
#[async_trait]
pub trait Push: Send + Sync {
    /// Returns the key pair by which push services know this store, if it has one.
    async fn push_key(&self) -> Result<Option<Vec<u8>>>;

    /// Keeps a key pair, unless there is one already.
    async fn keep_push_key(&self, pkcs8: &[u8]) -> Result<()>;

    /// Keeps a browser, unless its person has so many already. A browser that is known by its endpoint and keys goes over to
    /// the person, under the id that it had. Returns whether it is kept.
    async fn put_subscription(&self, subscription: &PushSubscription, most: usize) -> Result<bool>;

    /// Lists the browsers of a person, or of all, in the order in which they came.
    async fn subscriptions(&self, person: Option<&str>) -> Result<Vec<PushSubscription>>;

    /// Forgets a browser; returns whether there was one.
    async fn forget_subscription(&self, id: &str) -> Result<bool>;
}

/// A browser that a person is notified in.
#[derive(Clone, PartialEq, Eq)]
pub struct PushSubscription {
    /// Names it.
    pub id: String,
    /// Whose it is.
    pub person: String,
    /// Where messages to it go. Who knows it can send to it, so it is shown nowhere.
    pub endpoint: String,
    /// The browser's public key, in base64url.
    pub p256dh: String,
    /// The secret that it shares with us, in base64url.
    pub auth: String,
    /// What the person knows it by.
    pub browser: String,
    /// Since when.
    pub created_at: Timestamp,
}

impl fmt::Debug for PushSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PushSubscription");
        shown.field("id", &self.id).field("person", &self.person).finish_non_exhaustive()
    }
}
