//! The part of the port about channels: what was sent where, what channels did, and which node listens.
//!
//! None of it is in the log, and no decision depends on it: if it is lost, some messages are no longer kept up to date.

use async_trait::async_trait;
use holdpoint_core::{DecisionId, Lane, Span, Timestamp};
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// How long notes about channels are kept.
pub(crate) const REMEMBERED: Span = Span::from_secs(30 * 24 * 60 * 60);

/// What a store records about channels.
#[async_trait]
pub trait Channels: Send + Sync {
    /// Saves a message, new or changed, under its id.
    async fn put_sent(&self, sent: &TrackedMessage) -> Result<()>;

    /// Returns a message by its id.
    async fn sent(&self, id: i64) -> Result<Option<TrackedMessage>>;

    /// Lists the messages about a decision on one channel, newest first.
    async fn sent_about(&self, channel: Lane, decision: DecisionId) -> Result<Vec<TrackedMessage>>;

    /// Returns the newest message with a place and a message id on a channel.
    async fn sent_at(&self, channel: Lane, place: &str, message: &str) -> Result<Option<TrackedMessage>>;

    /// Counts the pending decisions among those that one message on a channel stands for.
    async fn waiting_at(&self, channel: Lane, place: &str, message: &str) -> Result<usize>;

    /// Deletes a message.
    async fn forget_sent(&self, id: i64) -> Result<()>;

    /// Records what a channel did. Notes older than a month are deleted.
    async fn note(&self, note: &ChannelNote) -> Result<()>;

    /// Lists what channels did, newest first.
    async fn notes(&self, channel: Option<Lane>, limit: usize) -> Result<Vec<ChannelNote>>;

    /// Makes everything that is held back from a person due for another check, because their preferences changed.
    async fn release(&self, person: &str) -> Result<()>;

    /// Takes or renews the exclusive right of a node to listen to a channel, if no other node has it. The holder's
    /// position never goes back. Returns the position reached if the right is the holder's.
    async fn listen(
        &self,
        channel: Lane,
        holder: &str,
        now: Timestamp,
        lasts: Span,
        position: i64,
    ) -> Result<Option<i64>>;
}

/// A message that a channel keeps up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackedMessage {
    /// The outbox row that ordered it; the same on every attempt to send it.
    pub id: i64,
    /// The decision it is about.
    pub decision: DecisionId,
    /// The channel.
    pub channel: Lane,
    /// The recipient: the name of a person.
    pub address: String,
    /// The place on the channel, as the channel calls it.
    pub place: String,
    /// The channel's id for it; none until it has arrived.
    pub message: Option<String>,
    /// The digest of what it shows.
    pub digest: String,
    /// The number of remarks that it shows, or another measure of what it shows beside the question.
    pub remarks: usize,
    /// Whether it shows a pending decision.
    pub open: bool,
    /// What its controls stand for, in the channel's own format.
    pub controls: String,
    /// When it was last written.
    pub at: Timestamp,
}

/// A note about what a channel did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelNote {
    /// The id.
    pub id: i64,
    /// When it happened.
    pub at: Timestamp,
    /// The channel.
    pub channel: Lane,
    /// The other end: the name of a person, or an account that is not linked.
    pub address: String,
    /// The decision it is about.
    pub decision: Option<DecisionId>,
    /// What happened.
    pub what: Happened,
    /// A longer description.
    pub words: String,
}

/// The actions of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// A message arrived.
    Sent,
    /// A message was updated.
    Followed,
    /// An answer was accepted.
    Taken,
    /// An answer was refused.
    Refused,
    /// Something could not be delivered.
    Failed,
    /// An account was linked, or a browser turned on.
    Linked,
    /// An account was unlinked, or a browser turned off.
    Unlinked,
    /// A message waits, because its recipient prefers so.
    Held,
    /// A message was not sent: the decision was settled before, or it goes another way.
    Skipped,
    /// It can be listened to again, after a failure.
    Connected,
}

impl Happened {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Sent,
        Self::Followed,
        Self::Taken,
        Self::Refused,
        Self::Failed,
        Self::Linked,
        Self::Unlinked,
        Self::Held,
        Self::Skipped,
        Self::Connected,
    ];

    /// Returns the name used in JSON and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Followed => "followed",
            Self::Taken => "taken",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Linked => "linked",
            Self::Unlinked => "unlinked",
            Self::Held => "held",
            Self::Skipped => "skipped",
            Self::Connected => "connected",
        }
    }

    /// Finds an action by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|what| what.name() == name)
    }
}
