//! The port: everything that the engine needs from a store, in terms of the domain.

mod claim;
mod log;
mod outbox;
mod query;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use holdpoint_core::{
    Actor, Command, Decision, DecisionId, Item, Job, Lane, Occasion, Project, Status, Thread, Timestamp,
};
use tokio::sync::watch;

pub use claim::{Claim, ClaimOrder, Rotation};
pub use log::{
    Checkpoint, CheckpointPolicy, EventHeader, Head, Inspection, LogRow, Logged, Options, Repair, Signer,
};
pub(crate) use outbox::HELD_WORTH;
pub use outbox::{Backlog, Delivery, OutboxEntry, OutboxState};
pub use query::{Cursor, Detail, EventQuery, MessageQuery, Order, Page, Query, SeenBy};
pub(crate) use query::{EVENTS, LOOKED_AT, PageBuilder};

use crate::chain::Hash;
use crate::channels::Channels;
use crate::credentials::{Credentials, LinkUse};
use crate::error::Result;
use crate::feed::Listener;
use crate::jobs::Jobs;
use crate::push::Push;
use crate::runs::Runs;
use crate::shared_decision::SharedDecision;
use crate::transfer::Transfer;
use crate::views::Views;
use crate::vouch::{Identity, Vouching};

/// A store of decisions. Every driver passes the same suite.
#[async_trait]
pub trait Store:
    Channels + Credentials + Jobs + Push + Runs + Transfer + Views + Send + Sync + std::fmt::Debug
{
    /// Decides one command and records the outcome, in one transaction.
    ///
    /// Overdue decisions that it involves are expired first. Returns after the commit is durable.
    async fn submit(&self, submission: Submission) -> Result<Outcome>;

    /// Decides several commands independently and in order, and records the outcomes in one transaction. A refused
    /// command does not keep the others from being recorded.
    async fn submit_all(&self, submissions: Vec<Submission>) -> Result<Vec<Result<Outcome>>>;

    /// Returns a decision as it was last recorded.
    async fn decision(&self, id: DecisionId) -> Result<Option<Decision>>;

    /// Returns the existing ones among some decisions, in no order.
    async fn decisions(&self, ids: &[DecisionId]) -> Result<Vec<Decision>>;

    /// Lists the ids that start with a normalised prefix, at most `limit`, in the order they were asked.
    async fn find(&self, prefix: &str, limit: usize) -> Result<Vec<DecisionId>>;

    /// Returns, for each id, how many characters after `dcn-` are needed to identify it.
    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>>;

    /// Lists decisions a page at a time.
    async fn list(&self, query: &Query) -> Result<Page>;

    /// Indexes decisions that have changed since the last call for searching, at most `most`. Returns how many events
    /// are left. Decisions that are not indexed yet are still found, but more slowly.
    async fn index(&self, most: usize) -> Result<u64>;

    /// Reads the log after a sequence number, oldest first.
    async fn events(&self, query: &EventQuery) -> Result<Vec<Logged>>;

    /// Reads the log after a sequence number, oldest first, without the bodies of events: for callers that need few
    /// events among many.
    async fn traces(&self, after: i64, limit: usize) -> Result<Vec<EventHeader>>;

    /// Returns the head of the log.
    async fn head(&self) -> Result<Head>;

    /// Returns how many decisions have each status, from stored counters.
    async fn counts(&self, project: Option<&str>) -> Result<Vec<(Status, u64)>>;

    /// Returns the earliest deadline of a pending decision.
    async fn next_deadline(&self) -> Result<Option<Timestamp>>;

    /// Returns when the oldest pending decision was asked; decisions that are overdue at the given time do not count.
    async fn oldest_pending(&self, now: Timestamp) -> Result<Option<Timestamp>>;

    /// Lists pending decisions whose deadline is at or before a time, most overdue first.
    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>>;

    /// Returns when the next escalation step of a pending decision is due.
    async fn next_escalation(&self) -> Result<Option<Timestamp>>;

    /// Lists pending decisions with an escalation step due at a time, most overdue first.
    async fn escalating(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>>;

    /// Lists decisions that were settled before a time, oldest first.
    async fn settled_before(
        &self,
        before: Timestamp,
        project: Option<&str>,
        limit: usize,
    ) -> Result<Vec<DecisionId>>;

    /// Lists work items, by name.
    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>>;

    /// Returns a thread.
    async fn thread(&self, id: &str) -> Result<Option<Thread>>;

    /// Lists threads, newest first.
    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<Thread>>;

    /// Reads the messages of a thread: its events after the one that opened it.
    async fn messages(&self, thread: &Thread, query: &MessageQuery) -> Result<Vec<Logged>>;

    /// Lists projects that have settings or decisions, by name.
    async fn projects(&self) -> Result<Vec<Project>>;

    /// Returns a signal that carries the last known sequence number; waiters read again after it changes.
    ///
    /// This starts watching for writes of other processes.
    fn watch(&self) -> Result<watch::Receiver<i64>>;

    /// Reports every commit to a listener from now on, including the changes if this process made it. There is at most
    /// one listener.
    fn subscribe(&self, listener: Arc<dyn Listener>) -> Result<()>;

    /// Claims due outbox rows under a lease; a row whose lease has expired can be claimed again.
    async fn claim(&self, claim: Claim) -> Result<Vec<OutboxEntry>>;

    /// Records the results of delivering claimed rows. Results for rows whose lease was lost are ignored.
    async fn deliver(&self, lease: &str, deliveries: Vec<(i64, Delivery)>) -> Result<()>;

    /// Lists undelivered outbox rows, of one lane or all, oldest first.
    async fn outbox_entries(
        &self,
        state: OutboxState,
        lane: Option<Lane>,
        limit: usize,
    ) -> Result<Vec<OutboxEntry>>;

    /// Counts the undelivered outbox rows.
    async fn backlog(&self) -> Result<Backlog>;

    /// Deletes idempotency keys that were used before a time, at most `limit`; returns how many.
    async fn forget_keys(&self, before: Timestamp, limit: usize) -> Result<usize>;

    /// Reads raw rows of the log, to verify the chain.
    async fn links(&self, after: i64, limit: usize) -> Result<Vec<LogRow>>;

    /// Reads the raw rows of the log that are about one decision, oldest first.
    async fn history(&self, id: DecisionId) -> Result<Vec<LogRow>>;

    /// Reads the raw rows of one stream after a version, oldest first.
    async fn stream(&self, stream: &str, after: i64) -> Result<Vec<LogRow>>;

    /// Lists all checkpoints with their keys, oldest first.
    async fn checkpoints(&self) -> Result<Vec<Checkpoint>>;

    /// Lists checkpoints with a tree that cover an event, oldest first.
    async fn covering(&self, seq: i64, limit: usize) -> Result<Vec<Checkpoint>>;

    /// Returns the last checkpoint with a tree that a key signed; `public_key` is in hex.
    async fn last_checkpoint(&self, public_key: &str) -> Result<Option<Checkpoint>>;

    /// Reads the hashes of events after a sequence number, oldest first.
    async fn hashes(&self, after: i64, limit: usize) -> Result<Vec<(i64, Hash)>>;

    /// Saves a checkpoint of the log.
    async fn put_checkpoint(&self, point: &Checkpoint) -> Result<()>;

    /// Returns the identity of this store.
    async fn identity(&self) -> Result<Identity>;

    /// Returns the signer of checkpoints, if there is one.
    fn signer(&self) -> Option<Arc<dyn Signer>>;

    /// Returns the state of vouching for the log in this process.
    fn vouching(&self) -> &Vouching;

    /// Checks that the store exists and can be written now. Writes nothing to the store itself.
    async fn ready(&self) -> Result<()>;

    /// Copies the whole store to a new file while it is in use.
    async fn backup(&self, to: &Path) -> Result<()>;

    /// Checks the store's own structure, and compares the projections with a replay of the log; with
    /// [`Repair::Rebuild`], rebuilds them.
    async fn inspect(&self, repair: Repair) -> Result<Inspection>;
}

/// A command and its context, submitted to the store.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The command, shared with a caller that may have to submit it again.
    pub command: Arc<Command>,
    /// Who sends it.
    pub actor: Actor,
    /// The time of the caller's clock; the store adds its skew, and uses the last event's time if that is later.
    pub now: Timestamp,
    /// The idempotency key, valid within project and credential.
    pub key: Option<String>,
    /// The routes that create outbox rows.
    pub routes: Arc<[Route]>,
    /// The projects that the credential is valid for; all if empty.
    pub projects: Vec<String>,
    /// The signed link that this command uses up.
    pub link: Option<LinkUse>,
    /// What the credential may have pending; unlimited if none.
    pub quota: Option<Quota>,
    /// The basis on which a settled decision is relied on.
    pub basis: Basis,
}

/// The basis on which a settled decision is relied on.
#[derive(Clone, Debug, Default)]
pub enum Basis {
    /// Its row.
    #[default]
    Row,
    /// Its state according to the log, as read before the submission: the row must match it. None if it was not
    /// answered then.
    Log(Option<Arc<Decision>>),
}

/// How much one credential may have pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The number of decisions.
    pub decisions: u64,
    /// Their total size in bytes.
    pub bytes: u64,
}

impl Submission {
    /// Makes a submission without projects, key, routes, link or quota.
    pub fn new(command: Command, actor: Actor, now: Timestamp) -> Self {
        let (key, routes, projects) = (None, Arc::from([]), Vec::new());
        let basis = Basis::default();
        let command = Arc::new(command);
        Self { command, actor, now, key, routes, projects, link: None, quota: None, basis }
    }
}

/// A route of notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The occasion.
    pub occasion: Occasion,
    /// The lane.
    pub lane: Lane,
    /// The recipients.
    pub target: Target,
    /// The projects it applies to; all if empty.
    pub projects: Vec<String>,
}

impl Route {
    /// Makes a route for all projects.
    pub fn new(occasion: Occasion, lane: Lane, target: impl Into<Target>) -> Self {
        Self { occasion, lane, target: target.into(), projects: Vec::new() }
    }
}

/// The recipients of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One target, in the format of the lane.
    Named(String),
    /// Every person assigned to the decision, by name, with an outbox row each; agents are left out.
    EachAssignee,
    /// Every person assigned to the decision, or these if nobody is.
    EachAssigneeOr(Vec<String>),
    /// The messages about the decision, whatever happened to it: one row in [`Lane::Follow`], whose target is the
    /// channel, followed by the decision's id if the decision was removed.
    Messages,
}

impl From<&str> for Target {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

/// The outcome of a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The decision it was about, after the command; none once removed.
    pub decision: Option<SharedDecision>,
    /// The next round, if guidance opened one.
    pub next: Option<SharedDecision>,
    /// The job it was about, after the command; none once deleted.
    pub job: Option<Arc<Job>>,
    /// How many events were recorded.
    pub events: usize,
    /// Whether it had been done before.
    pub replayed: bool,
    /// The last sequence number after it was recorded.
    pub seq: i64,
    /// The time used for the command.
    pub now: Timestamp,
    /// The position in its thread of a posted message; the first has 1.
    pub place: Option<i64>,
    /// Whether outbox rows were written.
    pub posted: bool,
}

/// A decision that a commit changed.
#[derive(Clone, Debug)]
pub struct ChangedDecision {
    /// The decision after the commit.
    pub decision: SharedDecision,
    /// The size of its document, while it is pending.
    pub bytes: i64,
}

/// A commit, as reported to the listener.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The last event that was reported before.
    pub after: i64,
    /// The last event after it.
    pub seq: i64,
    /// The decisions that it changed, in their new state.
    pub changed: Vec<ChangedDecision>,
    /// The decisions that it removed.
    pub removed: Vec<DecisionId>,
    /// The lanes of the outbox to which it added rows.
    pub lanes: HashSet<Lane>,
    /// When deciding it began, if this process made it.
    pub begun: Option<Instant>,
    /// Whether it may be about jobs or crews.
    pub of_jobs: bool,
    /// Whether another process made it or the commits just before it, so that their changes must be read.
    pub foreign: bool,
}
