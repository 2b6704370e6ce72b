//! The part of the port that is about channels: what was sent where, what came of it, and which node listens.
//!
//! None of it is in the log, and no decision depends on it: losing it costs messages that are not kept up to date.

use async_trait::async_trait;
use holdpoint_core::{DecisionId, Lane, Span, Timestamp};
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// How long what channels did is remembered.
pub(crate) const REMEMBERED: Span = Span::from_secs(30 * 24 * 60 * 60);

/// What a store knows of channels.
#[async_trait]
pub trait Channels: Send + Sync {
    /// Keeps a message, new or changed; its id names it.
    async fn put_sent(&self, sent: &Sent) -> Result<()>;

    /// Returns a message by its id.
    async fn sent(&self, id: i64) -> Result<Option<Sent>>;

    /// Lists the messages about a decision on one channel, newest first.
    async fn sent_about(&self, channel: Lane, decision: DecisionId) -> Result<Vec<Sent>>;

    /// Returns the newest message that has a place and a message id on a channel.
    async fn sent_at(&self, channel: Lane, place: &str, message: &str) -> Result<Option<Sent>>;

    /// Counts the decisions that wait among those for which one message on a channel stands.
    async fn waiting_at(&self, channel: Lane, place: &str, message: &str) -> Result<usize>;

    /// Forgets a message.
    async fn forget_sent(&self, id: i64) -> Result<()>;

    /// Notes what a channel did. What is older than a month is forgotten.
    async fn note(&self, note: &ChannelNote) -> Result<()>;

    /// Lists what channels did, newest first.
    async fn notes(&self, channel: Option<Lane>, limit: usize) -> Result<Vec<ChannelNote>>;

    /// Has what is held back from a person looked at again: they want to be told in another way.
    async fn release(&self, person: &str) -> Result<()>;

    /// Takes or keeps the right to listen to a channel for some time from now, if no other node has it. A holder that says
    /// how far it has come never goes back. Returns how far the channel was listened to, if the right is the holder's.
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
pub struct Sent {
    /// The outbox row that ordered it; the same however often it is sent.
    pub id: i64,
    /// What it is about.
    pub decision: DecisionId,
    /// On which channel.
    pub channel: Lane,
    /// To whom: the name of a person.
    pub address: String,
    /// Where on the channel, in its own words.
    pub place: String,
    /// The channel's id for it; none until it has arrived.
    pub message: Option<String>,
    /// The digest of what it shows.
    pub digest: String,
    /// What it shows beside what is asked: as many remarks of programs, or what stands for them and for how far it has come.
    pub remarks: usize,
    /// Whether it shows a decision that waits.
    pub open: bool,
    /// What its controls stand for, in the channel's own words.
    pub controls: String,
    /// When it was last written.
    pub at: Timestamp,
}

/// Something that a channel did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelNote {
    /// Tells it from others.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Which channel.
    pub channel: Lane,
    /// With whom: the name of a person, or an account that nobody has linked.
    pub address: String,
    /// About which decision.
    pub decision: Option<DecisionId>,
    /// What.
    pub what: Happened,
    /// More about it, in words.
    pub words: String,
}

/// What a channel can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// A message arrived.
    Sent,
    /// A message was brought up to date.
    Followed,
    /// An answer was taken.
    Taken,
    /// An answer was refused.
    Refused,
    /// Something could not be delivered.
    Failed,
    /// An account was linked, or a browser turned on.
    Linked,
    /// An account is linked no more, or a browser turned off.
    Unlinked,
    /// A message waits, because its receiver wants it so.
    Held,
    /// A message was not sent: it was settled before, or goes another way.
    Skipped,
}

impl Happened {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Sent,
        Self::Followed,
        Self::Taken,
        Self::Refused,
        Self::Failed,
        Self::Linked,
        Self::Unlinked,
        Self::Held,
        Self::Skipped,
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
        }
    }

    /// Finds one by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|what| what.name() == name)
    }
}
