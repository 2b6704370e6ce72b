//! The port: everything the engine asks of a store, in the words of the domain.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{
    Actor, Command, Decision, DecisionId, Item, Lane, Occasion, Owner, Project, Source, Status, Timestamp,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use crate::credentials::{Credentials, LinkUse};
use crate::error::Result;
use crate::transfer::Transfer;

/// A place where decisions are kept. Every driver passes the same suite.
#[async_trait]
pub trait Store: Credentials + Transfer + Send + Sync + std::fmt::Debug {
    /// Decides one command and records what came of it, in one transaction.
    ///
    /// Whatever is overdue in it is expired first. Returns after the commit is durable.
    async fn submit(&self, submission: Submission) -> Result<Outcome>;

    /// Returns a decision as it was last recorded.
    async fn decision(&self, id: DecisionId) -> Result<Option<Decision>>;

    /// Lists the ids that start with a normalised prefix, at most `limit`, in the order they were asked.
    async fn find(&self, prefix: &str, limit: usize) -> Result<Vec<DecisionId>>;

    /// Returns, for each id, how many characters after `dcn-` it takes to name it alone.
    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>>;

    /// Lists decisions a page at a time.
    async fn list(&self, query: &Query) -> Result<Page>;

    /// Reads the log after a sequence number, oldest first.
    async fn events(&self, query: &EventQuery) -> Result<Vec<Logged>>;

    /// Returns where the log ends.
    async fn head(&self) -> Result<Head>;

    /// Returns how many decisions have each status, from kept counters.
    async fn counts(&self, project: Option<&str>) -> Result<Vec<(Status, u64)>>;

    /// Returns the earliest deadline of a pending decision.
    async fn next_deadline(&self) -> Result<Option<Timestamp>>;

    /// Lists pending decisions whose deadline is at or before a time, most overdue first.
    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>>;

    /// Lists settled decisions that were settled before a time, oldest first.
    async fn settled_before(
        &self,
        before: Timestamp,
        project: Option<&str>,
        limit: usize,
    ) -> Result<Vec<DecisionId>>;

    /// Lists work items, by name.
    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>>;

    /// Lists projects that have settings or decisions, by name.
    async fn projects(&self) -> Result<Vec<Project>>;

    /// Returns a signal that carries the last sequence number seen; whoever waits re-reads after it changes.
    ///
    /// Starts looking at what other processes write.
    fn watch(&self) -> Result<watch::Receiver<i64>>;

    /// Returns every commit from now on, with what it changed where this process made it. One caller may have it.
    fn feed(&self) -> Result<mpsc::UnboundedReceiver<Commit>>;

    /// Takes outbox rows that are due, under a lease; a row whose lease ran out is taken again.
    async fn claim(&self, claim: Claim) -> Result<Vec<Parcel>>;

    /// Records how the delivery of a claimed row went.
    async fn deliver(&self, parcel: i64, lease: &str, delivery: Delivery) -> Result<()>;

    /// Lists outbox rows that are not delivered, oldest first.
    async fn parcels(&self, state: ParcelState, limit: usize) -> Result<Vec<Parcel>>;

    /// Reads raw rows of the log, to check the chain.
    async fn links(&self, after: i64, limit: usize) -> Result<Vec<Link>>;

    /// Lists all checkpoints with their keys, oldest first.
    async fn checkpoints(&self) -> Result<Vec<Checkpoint>>;

    /// Signs the head of the log, if it is not signed and the store has a signer.
    async fn checkpoint(&self, now: Timestamp) -> Result<Option<Checkpoint>>;

    /// Copies the whole store to a new file while it is in use.
    async fn backup(&self, to: &Path) -> Result<()>;

    /// Checks the store's own structure and replays the log against the projections; with `rebuild`, mends them.
    async fn inspect(&self, repair: Repair) -> Result<Inspection>;
}

/// A command on its way into the store.
#[derive(Clone, Debug)]
pub struct Submission {
    /// What is asked for.
    pub command: Command,
    /// By whom.
    pub actor: Actor,
    /// What the caller's clock says; the store takes the later of it and the last event.
    pub now: Timestamp,
    /// Makes asking idempotent, within project and credential.
    pub key: Option<String>,
    /// Which outbox rows an occasion makes.
    pub routes: Arc<[Route]>,
    /// Where the credential counts; everywhere if empty.
    pub projects: Vec<String>,
    /// The signed link that this uses up.
    pub link: Option<LinkUse>,
}

impl Submission {
    /// Makes a submission that is bound to no project, key, route or link.
    pub fn new(command: Command, actor: Actor, now: Timestamp) -> Self {
        Self { command, actor, now, key: None, routes: Arc::from([]), projects: Vec::new(), link: None }
    }
}

/// Where word of an occasion goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// On which occasion.
    pub occasion: Occasion,
    /// By which lane.
    pub lane: Lane,
    /// To whom.
    pub target: Target,
    /// In which projects; all if empty.
    pub projects: Vec<String>,
}

impl Route {
    /// Makes a route that counts in all projects.
    pub fn new(occasion: Occasion, lane: Lane, target: impl Into<Target>) -> Self {
        Self { occasion, lane, target: target.into(), projects: Vec::new() }
    }
}

/// To whom a route leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To one place, in the lane's own words.
    Named(String),
    /// To every person the decision is assigned to, by name, an outbox row each; never to an agent.
    EachAssignee,
}

impl From<&str> for Target {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

/// What came of a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The decision it was about, as it is now; none once removed.
    pub decision: Option<Decision>,
    /// The next round, where guidance opened one.
    pub next: Option<Decision>,
    /// How many events were recorded.
    pub events: usize,
    /// Whether it had been done before.
    pub replayed: bool,
    /// The last sequence number once it was recorded.
    pub seq: i64,
    /// The time that counted.
    pub now: Timestamp,
    /// Whether outbox rows were written.
    pub posted: bool,
}

/// A commit, as whoever keeps waiters hears of it.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Where the log ends after it.
    pub seq: i64,
    /// The decisions that it changed, as they are after it.
    pub changed: Vec<Arc<Decision>>,
    /// The decisions that it removed.
    pub removed: Vec<DecisionId>,
    /// Whether another process made it: what it changed is then to be read.
    pub foreign: bool,
}

/// Which decisions to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// In which project; all if none.
    pub project: Option<String>,
    /// In which projects besides, as the credential allows; all if empty.
    pub projects: Vec<String>,
    /// Only what an agent may see.
    pub seen_by: Option<SeenBy>,
    /// In which statuses, as of `now`; all if empty.
    pub statuses: Vec<Status>,
    /// From which source.
    pub source: Option<Source>,
    /// Of which owner.
    pub owner: Option<Owner>,
    /// Asked by whom.
    pub requested_by: Option<String>,
    /// Settled at or after a time.
    pub settled_since: Option<Timestamp>,
    /// Which end comes first.
    pub order: Order,
    /// After which cursor.
    pub cursor: Option<Cursor>,
    /// At most how many.
    pub limit: usize,
    /// The time at which deadlines are looked at.
    pub now: Option<Timestamp>,
}

/// An agent: it sees what it asked, and what is assigned to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenBy {
    /// The credential it asks with.
    pub credential: String,
    /// The assignee that it is, `agent:NAME`.
    pub assignee: String,
}

/// Which end of a list comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one that was asked first.
    #[default]
    OldestFirst,
    /// The one that was asked last.
    NewestFirst,
}

/// A place in a list; opaque to callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(pub i64);

/// One page of decisions, each as of the query's time.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The decisions.
    pub items: Vec<Decision>,
    /// Where the next page starts, if there is one.
    pub next: Option<Cursor>,
}

/// Which events to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// After which sequence number.
    pub after: i64,
    /// Of which decision only.
    pub decision: Option<DecisionId>,
    /// Of which project only.
    pub project: Option<String>,
    /// At most how many.
    pub limit: usize,
}

/// An event as it stands in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Its place in the log.
    pub seq: i64,
    /// The stream it belongs to.
    pub stream: String,
    /// Its place in the stream, from 1.
    pub version: i64,
    /// Its type tag.
    pub tag: String,
    /// When it happened.
    pub at: Timestamp,
    /// What happened; none if it was erased.
    pub body: Option<Value>,
}

/// Where the log ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last sequence number, 0 if there is none.
    pub seq: i64,
    /// When the last event happened.
    pub at: Option<Timestamp>,
    /// What the store's own clock says, where that is the one that counts.
    pub clock: Option<Timestamp>,
}

/// Which outbox rows to take, and for how long.
#[derive(Clone, Debug)]
pub struct Claim {
    /// From which lanes.
    pub lanes: Vec<Lane>,
    /// Who takes them.
    pub lease: String,
    /// Until when they are theirs.
    pub until: Timestamp,
    /// The time now.
    pub now: Timestamp,
    /// At most how many.
    pub limit: usize,
}

/// An outbox row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Parcel {
    /// Its id; receivers de-duplicate on it.
    pub id: i64,
    /// The event that ordered it.
    pub seq: i64,
    /// Its lane.
    pub lane: Lane,
    /// Where it goes.
    pub target: String,
    /// The decision it is about.
    pub decision: Option<DecisionId>,
    /// How often delivery was tried before.
    pub attempts: u32,
    /// When it is too late.
    pub not_after: Timestamp,
    /// What went wrong last.
    pub last_error: Option<String>,
}

/// How a delivery went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It arrived; the row goes.
    Done,
    /// Not yet: again at a time, or dead if that is too late.
    Retry {
        /// When to try again.
        not_before: Timestamp,
        /// What went wrong.
        error: String,
    },
    /// It never will.
    Dead {
        /// What went wrong.
        error: String,
    },
    /// Someone wants it tried again, dead or not, until a time.
    Resend {
        /// When it is too late.
        not_after: Timestamp,
    },
}

/// Where an outbox row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ParcelState {
    /// Waiting to be delivered.
    Queued,
    /// Given up.
    Dead,
}

impl ParcelState {
    /// Returns the name used in JSON and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Dead => "dead",
        }
    }
}

/// A raw row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of the log by their names")]
pub struct Link {
    pub seq: i64,
    pub stream: String,
    pub version: i64,
    pub tag: String,
    pub at: i64,
    pub body: Option<String>,
    pub body_hash: String,
    pub prev: String,
    pub hash: String,
}

/// A signed statement that the log up to an event is as it is.
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
}

/// Signs checkpoints; the key itself stays with the engine.
pub trait Signer: Send + Sync + std::fmt::Debug {
    /// Returns the key's id.
    fn key(&self) -> String;
    /// Returns the public key, in hex.
    fn public_key(&self) -> String;
    /// Signs some bytes; the signature in hex.
    fn sign(&self, message: &[u8]) -> String;
}

/// When checkpoints are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointPolicy {
    /// With every commit, in the same transaction: for a process that writes once and goes.
    EveryCommit,
    /// Every so many events; the long-lived caller also calls `checkpoint` when things are quiet.
    EveryEvents(i64),
}

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who signs checkpoints; nobody if none.
    pub signer: Option<Arc<dyn Signer>>,
    /// When checkpoints are made.
    pub policy: CheckpointPolicy,
}

impl Default for Options {
    fn default() -> Self {
        Self { signer: None, policy: CheckpointPolicy::EveryCommit }
    }
}

/// Whether an inspection mends what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Only look.
    No,
    /// Write the projections anew from the log.
    Rebuild,
}

/// What an inspection found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// How many events were replayed.
    pub events: u64,
    /// How many decisions came of them.
    pub decisions: u64,
    /// What is wrong, in words; empty if nothing is.
    pub findings: Vec<String>,
    /// Whether the projections were written anew.
    pub rebuilt: bool,
    /// What works, but less well than it could, in words.
    pub remarks: Vec<String>,
}
