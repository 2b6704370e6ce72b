//! The port: everything the engine asks of a store, in the words of the domain.

mod claim;
mod log;
mod outbox;
mod query;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use holdpoint_core::{
    Actor, Command, Decision, DecisionId, Item, Job, Lane, Occasion, Project, Status, Thread, Timestamp,
};
use tokio::sync::watch;

pub use claim::{Claim, Pick, Turns};
pub use log::{Checkpoint, CheckpointPolicy, Head, Inspection, Link, Logged, Options, Repair, Signer, Trace};
pub(crate) use log::{STEP, skewed};
pub(crate) use outbox::HELD_WORTH;
pub use outbox::{Backlog, Delivery, OutboxEntry, OutboxState};
pub use query::{Cursor, Detail, EventQuery, MessageQuery, Order, Page, Query, SeenBy};
pub(crate) use query::{EVENTS, Filling, LOOKED_AT};

use crate::chain::Hash;
use crate::channels::Channels;
use crate::credentials::{Credentials, LinkUse};
use crate::error::Result;
use crate::feed::Listener;
use crate::jobs::Jobs;
use crate::push::Push;
use crate::runs::Runs;
use crate::transfer::Transfer;
use crate::views::Views;
use crate::vouch::{Identity, Vouching};

/// A place where decisions are kept. Every driver passes the same suite.
#[async_trait]
pub trait Store:
    Channels + Credentials + Jobs + Push + Runs + Transfer + Views + Send + Sync + std::fmt::Debug
{
    /// Decides one command and records the outcome, in one transaction.
    ///
    /// Whatever is overdue in it is expired first. Returns after the commit is durable.
    async fn submit(&self, submission: Submission) -> Result<Outcome>;

    /// Decides several commands, each by itself and in their order, and records the outcomes in one transaction. What is
    /// refused keeps nothing else from being recorded.
    async fn submit_all(&self, submissions: Vec<Submission>) -> Result<Vec<Result<Outcome>>>;

    /// Returns a decision as it was last recorded.
    async fn decision(&self, id: DecisionId) -> Result<Option<Decision>>;

    /// Returns those of some decisions that there are, in no order.
    async fn decisions(&self, ids: &[DecisionId]) -> Result<Vec<Decision>>;

    /// Lists the ids that start with a normalised prefix, at most `limit`, in the order they were asked.
    async fn find(&self, prefix: &str, limit: usize) -> Result<Vec<DecisionId>>;

    /// Returns, for each id, how many characters after `dcn-` it takes to name it alone.
    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>>;

    /// Lists decisions a page at a time.
    async fn list(&self, query: &Query) -> Result<Page>;

    /// Puts decisions into the index of searches that changed since it was last called, at most this many; none with 0. Returns
    /// how many events are left; what is not in the index yet is found all the same, more slowly.
    async fn index(&self, most: usize) -> Result<u64>;

    /// Reads the log after a sequence number, oldest first.
    async fn events(&self, query: &EventQuery) -> Result<Vec<Logged>>;

    /// Reads the log after a sequence number, oldest first, without the bodies of its events: for callers that look for
    /// few among many.
    async fn traces(&self, after: i64, limit: usize) -> Result<Vec<Trace>>;

    /// Returns where the log ends.
    async fn head(&self) -> Result<Head>;

    /// Returns how many decisions have each status, from kept counters.
    async fn counts(&self, project: Option<&str>) -> Result<Vec<(Status, u64)>>;

    /// Returns the earliest deadline of a pending decision.
    async fn next_deadline(&self) -> Result<Option<Timestamp>>;

    /// Returns when the decision was asked that has been pending for longest; one whose deadline has passed at a time is not.
    async fn oldest_pending(&self, now: Timestamp) -> Result<Option<Timestamp>>;

    /// Lists pending decisions whose deadline is at or before a time, most overdue first.
    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>>;

    /// Returns when the next step of a pending decision's escalation is due.
    async fn next_escalation(&self) -> Result<Option<Timestamp>>;

    /// Lists pending decisions of whose escalation a step is due at a time, most overdue first.
    async fn escalating(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>>;

    /// Lists settled decisions that were settled before a time, oldest first.
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

    /// Lists threads, the one that was opened last first.
    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<Thread>>;

    /// Reads what was said in a thread: its events after the one that opened it.
    async fn messages(&self, thread: &Thread, query: &MessageQuery) -> Result<Vec<Logged>>;

    /// Lists projects that have settings or decisions, by name.
    async fn projects(&self) -> Result<Vec<Project>>;

    /// Returns a signal that carries the last sequence number seen; waiters re-read after it changes.
    ///
    /// Starts looking at what other processes write.
    fn watch(&self) -> Result<watch::Receiver<i64>>;

    /// Tells a listener of every commit from now on, with what it changed where this process made it. There is one
    /// listener at most.
    fn subscribe(&self, listener: Arc<dyn Listener>) -> Result<()>;

    /// Takes outbox rows that are due, under a lease; a row whose lease ran out is taken again.
    async fn claim(&self, claim: Claim) -> Result<Vec<OutboxEntry>>;

    /// Records how the deliveries of claimed rows went. Deliveries of rows whose lease was lost are ignored.
    async fn deliver(&self, lease: &str, deliveries: Vec<(i64, Delivery)>) -> Result<()>;

    /// Lists outbox rows that are not delivered, of one lane or all, oldest first.
    async fn outbox_entries(
        &self,
        state: OutboxState,
        lane: Option<Lane>,
        limit: usize,
    ) -> Result<Vec<OutboxEntry>>;

    /// Counts the outbox rows that are not delivered.
    async fn backlog(&self) -> Result<Backlog>;

    /// Forgets idempotency keys that were used before a time, at most `limit`; returns how many.
    async fn forget_keys(&self, before: Timestamp, limit: usize) -> Result<usize>;

    /// Reads raw rows of the log, to check the chain.
    async fn links(&self, after: i64, limit: usize) -> Result<Vec<Link>>;

    /// Reads the raw rows of the log that are about one decision, oldest first.
    async fn history(&self, id: DecisionId) -> Result<Vec<Link>>;

    /// Reads the raw rows of one stream after a version, oldest first.
    async fn stream(&self, stream: &str, after: i64) -> Result<Vec<Link>>;

    /// Lists all checkpoints with their keys, oldest first.
    async fn checkpoints(&self) -> Result<Vec<Checkpoint>>;

    /// Lists checkpoints with a tree that cover an event, the first ones first.
    async fn covering(&self, seq: i64, limit: usize) -> Result<Vec<Checkpoint>>;

    /// Returns the last checkpoint with a tree that a key signed; `public_key` is in hex.
    async fn last_checkpoint(&self, public_key: &str) -> Result<Option<Checkpoint>>;

    /// Reads the hashes of events after a sequence number, oldest first.
    async fn hashes(&self, after: i64, limit: usize) -> Result<Vec<(i64, Hash)>>;

    /// Keeps a checkpoint that was made of the log.
    async fn put_checkpoint(&self, point: &Checkpoint) -> Result<()>;

    /// Returns which store this is.
    async fn identity(&self) -> Result<Identity>;

    /// Returns who signs checkpoints, if anybody does.
    fn signer(&self) -> Option<Arc<dyn Signer>>;

    /// Returns what this process knows about vouching for the log.
    fn vouching(&self) -> &Vouching;

    /// Checks that the store is there and can be written now; says why not. Writes nothing to the store itself.
    async fn ready(&self) -> Result<()>;

    /// Copies the whole store to a new file while it is in use.
    async fn backup(&self, to: &Path) -> Result<()>;

    /// Checks the store's own structure and replays the log against the projections; with `rebuild`, repairs them.
    async fn inspect(&self, repair: Repair) -> Result<Inspection>;
}

/// A command on its way into the store.
#[derive(Clone, Debug)]
pub struct Submission {
    /// What is asked for.
    pub command: Command,
    /// By whom.
    pub actor: Actor,
    /// What the caller's clock says; the store adds its skew, and takes the last event's time if that is later.
    pub now: Timestamp,
    /// Makes asking idempotent, within project and credential.
    pub key: Option<String>,
    /// Which outbox rows an occasion makes.
    pub routes: Arc<[Route]>,
    /// Where the credential counts; everywhere if empty.
    pub projects: Vec<String>,
    /// The signed link that this uses up.
    pub link: Option<LinkUse>,
    /// What the credential may have pending; anything if none.
    pub quota: Option<Quota>,
    /// What an answer that is used must be known by.
    pub basis: Basis,
}

/// What a settled decision is known by.
#[derive(Clone, Debug, Default)]
pub enum Basis {
    /// By its row.
    #[default]
    Row,
    /// By what the log makes of it, as it was read before: the row must say the same. None if it was not answered then.
    Log(Option<Arc<Decision>>),
}

/// What one credential may have pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// How many decisions.
    pub decisions: u64,
    /// How many bytes these have together.
    pub bytes: u64,
}

impl Submission {
    /// Makes a submission that is bound to no project, key, route or link.
    pub fn new(command: Command, actor: Actor, now: Timestamp) -> Self {
        let (key, routes, projects) = (None, Arc::from([]), Vec::new());
        let basis = Basis::default();
        Self { command, actor, now, key, routes, projects, link: None, quota: None, basis }
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
    /// To every person the decision is assigned to, and to these where it is assigned to nobody.
    EachAssigneeOr(Vec<String>),
    /// To the messages that were sent about the decision, whatever happened to it: one row in [`Lane::Follow`], whose target is the
    /// channel, with the decision's id behind it where the decision is gone.
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
    /// The decision it was about, as it is now; none once removed.
    pub decision: Option<Arc<Decision>>,
    /// The next round, where guidance opened one.
    pub next: Option<Arc<Decision>>,
    /// The job it was about, as it is now; none once deleted.
    pub job: Option<Arc<Job>>,
    /// How many events were recorded.
    pub events: usize,
    /// Whether it had been done before.
    pub replayed: bool,
    /// The last sequence number once it was recorded.
    pub seq: i64,
    /// The time that counted.
    pub now: Timestamp,
    /// The place of a message in its thread, where one was posted; the first has 1.
    pub place: Option<i64>,
    /// Whether outbox rows were written.
    pub posted: bool,
}

/// A decision that a commit changed.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The decision as it is after the commit.
    pub decision: Arc<Decision>,
    /// How many bytes its document has, while it is pending.
    pub bytes: i64,
}

/// A commit, as told to the listener that keeps the waiters.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Up to where the listener had been told before.
    pub after: i64,
    /// Where the log ends after it.
    pub seq: i64,
    /// The decisions that it changed, as they are after it.
    pub changed: Vec<Changed>,
    /// The decisions that it removed.
    pub removed: Vec<DecisionId>,
    /// When deciding on it began, where this process made it.
    pub begun: Option<Instant>,
    /// Whether it may be about jobs or crews.
    pub of_jobs: bool,
    /// Whether another process made it, or what came just before it: what that changed is then to be read.
    pub foreign: bool,
}
