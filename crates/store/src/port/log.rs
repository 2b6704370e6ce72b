//! The log: its events, its head, its signatures, and the result of an inspection.

use std::sync::Arc;

use holdpoint_core::rule::TRIP_LIMIT;
use holdpoint_core::{DecisionId, Span, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chain::Hash;
use crate::clock_step::{STEP, skewed};
use crate::error::Result;
use crate::vouch::{Identity, KeyId, Remembered};

/// An event as stored in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Its sequence number.
    pub seq: i64,
    /// The stream it belongs to.
    pub stream: String,
    /// Its place in the stream, from 1.
    pub version: i64,
    /// Its type tag.
    pub tag: String,
    /// When it happened.
    pub at: Timestamp,
    /// The body; none if it was erased.
    pub body: Option<Value>,
}

/// An event without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventHeader {
    /// Its sequence number.
    pub seq: i64,
    /// Its type tag.
    pub tag: String,
    /// The decision it is about, if any.
    pub decision: Option<DecisionId>,
}

/// The head of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last sequence number, 0 if there is none.
    pub seq: i64,
    /// When the last event happened.
    pub at: Option<Timestamp>,
    /// The time of the store's own clock, if that is the one used.
    pub clock: Option<Timestamp>,
    /// How far the log is ahead of the clock after the clock was stepped back, until the clock has passed it.
    pub skew: Span,
}

impl Head {
    /// Returns the time to use for a clock's time: never before the last event.
    pub fn now(&self, clock: Timestamp) -> Timestamp {
        let clock = self.skewed(clock);
        self.at.map_or(clock, |at| at.max(clock))
    }

    /// Returns whether the clock was stepped back and that is not recorded yet: until then time stands still.
    pub fn is_behind(&self, clock: Timestamp) -> bool {
        self.at.is_some_and(|at| at.since(self.skewed(clock)) > STEP)
    }

    fn skewed(&self, clock: Timestamp) -> Timestamp {
        skewed(self.at, self.clock.unwrap_or(clock), self.skew)
    }
}

/// A raw row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of the log by their names")]
pub struct LogRow {
    pub seq: i64,
    pub stream: String,
    pub version: i64,
    pub tag: String,
    pub at: i64,
    pub body: Option<String>,
    pub body_hash: String,
    pub prev: String,
    pub hash: String,
    pub proof: Option<Vec<u8>>,
}

/// A signed statement about the content of the log up to an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The last event it covers.
    pub seq: i64,
    /// That event's hash.
    pub hash: String,
    /// When it was signed.
    pub at: Timestamp,
    /// The key's id.
    pub key: String,
    /// The public key, in hex.
    pub public_key: String,
    /// The signature, in hex.
    pub signature: String,
    /// The root of the Merkle tree over all events up to this one, in hex; the first checkpoints have none.
    #[serde(default)]
    pub root: Option<String>,
    /// The checkpoint that the same key made before this one.
    #[serde(default)]
    pub prior: Option<i64>,
}

/// Signs checkpoints and remembers what it signed; the key itself stays with the engine.
pub trait Signer: Send + Sync + std::fmt::Debug {
    /// Returns the key's id.
    fn key(&self) -> String;
    /// Returns the public key, in hex.
    fn public_key(&self) -> String;
    /// Signs some bytes; returns the signature in hex.
    fn sign(&self, message: &[u8]) -> String;
    /// Returns the key's MAC over a batch, and the id of the key.
    fn seal(&self, batch: &[u8]) -> (KeyId, Hash);
    /// Returns whether no other keys are trusted.
    fn is_alone(&self) -> bool;
    /// Lists the trusted public keys besides its own, in hex.
    fn trusted(&self) -> Vec<String>;
    /// Trusts a key, given in hex, that replaced a trusted one.
    fn trust(&self, public_key: &str) -> Result<()>;
    /// Returns what is remembered of a store, or of another one at the same place.
    fn remembered(&self, store: &Identity) -> Result<Option<Remembered>>;
    /// Remembers how far it has vouched for a store; an earlier state never replaces a later one.
    fn remember(&self, store: &Identity, remembered: &Remembered) -> Result<()>;
}

/// When checkpoints are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointPolicy {
    /// With every commit, in the same transaction: for a process that writes once and exits.
    EveryCommit,
    /// When the long-lived caller requests it.
    ByCaller,
}

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The signer of checkpoints; they are not signed if none.
    pub signer: Option<Arc<dyn Signer>>,
    /// When checkpoints are made.
    pub policy: CheckpointPolicy,
    /// How often an allowing rule may answer in a minute before it trips.
    pub trip_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { signer: None, policy: CheckpointPolicy::EveryCommit, trip_limit: TRIP_LIMIT }
    }
}

/// Whether an inspection repairs what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Only inspect.
    No,
    /// Rebuild the projections from the log.
    Rebuild,
}

/// What an inspection found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// How many events were replayed.
    pub events: u64,
    /// How many decisions resulted from them.
    pub decisions: u64,
    /// Descriptions of what is wrong; empty if nothing is.
    pub findings: Vec<String>,
    /// Whether the projections were rebuilt.
    pub rebuilt: bool,
    /// Descriptions of what works, but could work better.
    pub remarks: Vec<String>,
}
