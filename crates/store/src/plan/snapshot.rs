//! The snapshot: everything loaded for a batch, updated as its commands are decided one after the other.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use holdpoint_core::people::Roster;
use holdpoint_core::run::{ObjectId, Run, Task};
use holdpoint_core::{Item, Numbering, Owner, OwnerKind, Project, RuleSet, Span, Status, Thread, Timestamp};

use super::bind::RowChecks;
use super::known::BatchCache;
use super::{KeyScope, Loaded, Stored, Usage};
use crate::chain::Hash;
use crate::jobs::StoredJob;
use crate::vouch::Vouching;

/// The longest decision that is kept between batches, in bytes.
const REMEMBERED: i64 = 64 << 10;

/// Everything loaded for a batch, updated as its commands are decided.
#[derive(Debug)]
pub(crate) struct Snapshot {
    numbering: Numbering,
    seq: i64,
    hash: Hash,
    at: Option<Timestamp>,
    last_number: i64,
    /// How far the log is ahead of the clock.
    pub(crate) skew: Span,
    /// Whether the present log is not vouched for.
    pub(crate) unvouched: bool,
    decisions: HashMap<i64, Option<Stored>>,
    owners: HashMap<(String, Owner), BTreeSet<i64>>,
    items: HashMap<(String, String), Option<Item>>,
    jobs: HashMap<String, Option<StoredJob>>,
    runs: HashMap<ObjectId, Option<Arc<Run>>>,
    tasks: HashMap<ObjectId, Option<Task>>,
    threads: HashMap<String, Option<Thread>>,
    projects: HashMap<String, Project>,
    /// Standing rules, by project.
    pub(super) rules: HashMap<String, Arc<RuleSet>>,
    /// The groups of people.
    pub(super) roster: Option<Arc<Roster>>,
    /// The decisions whose voters or absences matter.
    pub(super) voted: Vec<i64>,
    keys: HashMap<KeyScope, Option<KeyUse>>,
    versions: HashMap<String, i64>,
    usage: HashMap<String, Usage>,
    /// The loaded credentials.
    pub(crate) credentials: Loaded,
    /// The results of comparing rows with the log.
    pub(super) bound: RowChecks,
    /// The state kept between batches.
    pub(crate) known: Arc<BatchCache>,
    /// What this process has verified of the log.
    pub(crate) vouching: Arc<Vouching>,
}

/// What an idempotency key was used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyUse {
    pub(crate) digest: String,
    pub(crate) number: i64,
}

impl Snapshot {
    /// Makes a snapshot from the head of the log and the last row number in use.
    pub(crate) fn new(
        numbering: Numbering,
        seq: i64,
        hash: Hash,
        at: Option<Timestamp>,
        last_number: i64,
    ) -> Self {
        Self {
            numbering,
            seq,
            hash,
            at,
            last_number,
            skew: Span::from_millis(0),
            unvouched: false,
            decisions: HashMap::new(),
            owners: HashMap::new(),
            items: HashMap::new(),
            jobs: HashMap::new(),
            runs: HashMap::new(),
            tasks: HashMap::new(),
            threads: HashMap::new(),
            projects: HashMap::new(),
            rules: HashMap::new(),
            roster: None,
            voted: Vec::new(),
            keys: HashMap::new(),
            versions: HashMap::new(),
            usage: HashMap::new(),
            credentials: Loaded::default(),
            bound: RowChecks::default(),
            known: Arc::default(),
            vouching: Arc::default(),
        }
    }

    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    pub(crate) fn seq(&self) -> i64 {
        self.seq
    }

    pub(crate) fn hash(&self) -> &Hash {
        &self.hash
    }

    pub(crate) fn at(&self) -> Option<Timestamp> {
        self.at
    }

    pub(crate) fn last_number(&self) -> i64 {
        self.last_number
    }

    /// Continues numbering after this number, if it is higher.
    pub(crate) fn skip_to(&mut self, number: i64) {
        self.last_number = self.last_number.max(number);
    }

    /// Moves the head of the log.
    pub(super) fn advance(&mut self, hash: Hash, at: Timestamp) {
        self.seq += 1;
        self.hash = hash;
        self.at = Some(at);
    }

    /// Returns whether the row was loaded, found or not.
    pub(crate) fn has_decision(&self, number: i64) -> bool {
        self.decisions.contains_key(&number)
    }

    pub(crate) fn decision(&self, number: i64) -> Option<&Stored> {
        self.decisions.get(&number).and_then(Option::as_ref)
    }

    /// Iterates over all decisions that were loaded and found.
    #[cfg(feature = "postgres")]
    pub(crate) fn decisions(&self) -> impl Iterator<Item = &Stored> {
        self.decisions.values().flatten()
    }

    /// Takes a decision out, to be put back once it is changed.
    pub(super) fn take_decision(&mut self, number: i64) -> Option<Stored> {
        self.decisions.remove(&number).flatten()
    }

    /// Puts a changed decision.
    pub(super) fn put_decision(&mut self, number: i64, stored: Option<Stored>) {
        if let Some(Stored { decision, .. }) = &stored {
            self.last_number = self.last_number.max(number);
            if let Some(owner) = &decision.owner {
                self.owners.entry((decision.project.clone(), owner.clone())).or_default().insert(number);
            }
        }
        self.decisions.insert(number, stored);
    }

    /// Prepares the snapshot for the next batch after a commit: keeps only the head and pending decisions.
    ///
    /// It is valid only as long as no other process has written meanwhile.
    pub(crate) fn keep(&mut self, changed: impl Iterator<Item = i64>, most: usize) {
        let auth_required = self.credentials.auth_required;
        self.credentials = Loaded { auth_required, ..Loaded::default() };
        self.items.clear();
        self.jobs.clear();
        self.runs.clear();
        self.tasks.clear();
        self.projects.clear();
        self.rules.clear();
        self.roster = None;
        self.voted.clear();
        self.keys.clear();
        self.usage.clear();
        for number in self.forget_doubts() {
            self.forget(number);
        }
        for number in changed {
            // Long ones are read again when they are needed, because many of them would fill the memory.
            let waits =
                |stored: &Stored| stored.decision.status == Status::Pending && stored.bytes <= REMEMBERED;
            if !self.decision(number).is_some_and(waits) {
                self.forget(number);
            }
        }
        // Settling a decision may write to its owner's stream, so versions and threads are kept as long as decisions.
        if self.decisions.len().max(self.versions.len()) > most {
            self.decisions.clear();
            self.owners.clear();
            self.threads.clear();
            self.versions.clear();
        }
    }

    fn forget(&mut self, number: i64) {
        let Some(Stored { decision, .. }) = self.decisions.remove(&number).flatten() else { return };
        let Some(owner) = &decision.owner else { return };
        let of_owner = (decision.project.clone(), owner.clone());
        if let Some(numbers) = self.owners.get_mut(&of_owner) {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.owners.remove(&of_owner);
            }
        }
    }

    /// Returns the row numbers of an owner's decisions, in the order they were asked.
    pub(super) fn siblings(&self, project: &str, owner: &Owner) -> Vec<i64> {
        let numbers = self.owners.get(&(project.to_owned(), owner.clone()));
        numbers.into_iter().flatten().copied().collect()
    }

    pub(crate) fn has_item(&self, project: &str, id: &str) -> bool {
        self.items.contains_key(&(project.to_owned(), id.to_owned()))
    }

    pub(super) fn item(&self, project: &str, id: &str) -> Option<&Item> {
        self.items.get(&(project.to_owned(), id.to_owned())).and_then(Option::as_ref)
    }

    pub(crate) fn put_item(&mut self, project: &str, id: &str, item: Option<Item>) {
        self.items.insert((project.to_owned(), id.to_owned()), item);
    }

    /// Returns whether a job was loaded, found or not.
    pub(crate) fn has_job(&self, stream: &str) -> bool {
        self.jobs.contains_key(stream)
    }

    pub(crate) fn job(&self, stream: &str) -> Option<&StoredJob> {
        self.jobs.get(stream).and_then(Option::as_ref)
    }

    pub(super) fn put_job(&mut self, stream: String, stored: Option<StoredJob>) {
        self.jobs.insert(stream, stored);
    }

    pub(crate) fn has_run(&self, id: ObjectId) -> bool {
        self.runs.contains_key(&id)
    }

    pub(crate) fn run(&self, id: ObjectId) -> Option<&Arc<Run>> {
        self.runs.get(&id)?.as_ref()
    }

    /// Puts a changed run.
    pub(super) fn put_run(&mut self, id: ObjectId, run: Option<Arc<Run>>) {
        if let Some(run) = &run {
            self.tasks.insert(run.task.id, Some(run.task.clone()));
        }
        self.runs.insert(id, run);
    }

    pub(crate) fn has_task(&self, id: ObjectId) -> bool {
        self.tasks.contains_key(&id)
    }

    pub(super) fn task(&self, id: ObjectId) -> Option<&Task> {
        self.tasks.get(&id)?.as_ref()
    }

    /// Puts a loaded task.
    pub(crate) fn put_task(&mut self, id: ObjectId, task: Option<Task>) {
        self.tasks.insert(id, task);
    }

    pub(crate) fn has_thread(&self, id: &str) -> bool {
        self.threads.contains_key(id)
    }

    /// Returns the thread of an owner, if the owner is a thread that exists.
    pub(super) fn thread_of(&self, project: &str, owner: Option<&Owner>) -> Option<&Thread> {
        let owner = owner.filter(|owner| owner.kind == OwnerKind::Thread)?;
        self.threads.get(&owner.id)?.as_ref().filter(|thread| thread.project == project)
    }

    /// Returns a thread by its id.
    pub(super) fn thread(&self, id: &str) -> Option<&Thread> {
        self.threads.get(id)?.as_ref()
    }

    pub(crate) fn put_thread(&mut self, id: String, thread: Option<Thread>) {
        self.threads.insert(id, thread);
    }

    pub(crate) fn has_project(&self, name: &str) -> bool {
        self.projects.contains_key(name)
    }

    /// Returns a project's settings, or the default ones.
    pub(super) fn project(&self, name: &str) -> Project {
        self.projects.get(name).cloned().unwrap_or_else(|| Project::new(name))
    }

    pub(crate) fn put_project(&mut self, project: Project) {
        self.projects.insert(project.name.clone(), project);
    }

    pub(crate) fn has_key(&self, scope: &KeyScope) -> bool {
        self.keys.contains_key(scope)
    }

    pub(super) fn key(&self, scope: &KeyScope) -> Option<KeyUse> {
        self.keys.get(scope).cloned().flatten()
    }

    pub(crate) fn put_key(&mut self, scope: KeyScope, used: Option<KeyUse>) {
        self.keys.insert(scope, used);
    }

    pub(crate) fn has_usage(&self, credential: &str) -> bool {
        self.usage.contains_key(credential)
    }

    /// Returns what a credential had pending before this batch.
    pub(super) fn usage(&self, credential: &str) -> Usage {
        self.usage.get(credential).copied().unwrap_or_default()
    }

    pub(crate) fn put_usage(&mut self, credential: String, usage: Usage) {
        self.usage.insert(credential, usage);
    }

    pub(crate) fn has_version(&self, stream: &str) -> bool {
        self.versions.contains_key(stream)
    }

    /// Puts the number of events of a loaded stream.
    pub(crate) fn put_version(&mut self, stream: String, version: i64) {
        self.versions.insert(stream, version);
    }

    /// Returns how many events a stream has had.
    pub(super) fn version(&self, stream: &str) -> i64 {
        self.versions.get(stream).copied().unwrap_or_default()
    }

    /// Returns the version of the next event in a stream other than a decision's.
    pub(super) fn next_version(&mut self, stream: &str) -> i64 {
        let version = self.versions.entry(stream.to_owned()).or_default();
        *version += 1;
        *version
    }
}
