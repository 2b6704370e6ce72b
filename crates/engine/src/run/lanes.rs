//! Verdicts in progress: one at a time in a repository, several repositories in parallel.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use holdpoint_core::run::Verdict;
use holdpoint_core::{Lane, Span};
use holdpoint_store::{Claim, ClaimOrder, OutboxEntry};
use tokio::task::{Id, JoinSet};

use crate::engine::Engine;
use crate::error::{Error, Result};

/// How long a verdict is leased: longer than git and hooks may take.
const LEASE: Span = Span::from_secs(30 * 60);
/// How many recently started ones are carried out at once: they use the processor.
const AT_ONCE: usize = 8;
/// After this time a verdict counts as waiting, for a hook that hangs or a slow repository, and no longer holds up
/// others.
const SLOW: Duration = Duration::from_secs(3);
/// How many are in progress at once in any case: each has a git, and processes started by its hooks.
const MOST: usize = 256;

/// The outcome of one.
#[derive(Debug)]
pub(super) struct VerdictReport {
    /// A message worth showing.
    pub(super) word: Option<String>,
    /// Whether another process is carrying it out, so that it is checked again soon.
    pub(super) taken: bool,
    /// Whether it is still to be done.
    pub(super) left: bool,
}

/// Claimed verdicts, by repository.
pub(super) struct VerdictQueues {
    lease: String,
    /// The ones that wait behind the one in progress, for each repository that has one.
    behind: HashMap<String, VecDeque<OutboxEntry>>,
    /// The rows that are here. A row that waited longer than its lease is handed out again.
    known: HashSet<i64>,
    at_work: JoinSet<Result<VerdictReport>>,
    whose: HashMap<Id, VerdictInProgress>,
}

/// One that is in progress.
struct VerdictInProgress {
    lane: String,
    entry: OutboxEntry,
    at: Instant,
}

impl VerdictQueues {
    pub(super) fn new(lease: String) -> Self {
        let (behind, known, whose) = (HashMap::new(), HashSet::new(), HashMap::new());
        Self { lease, behind, known, at_work: JoinSet::new(), whose }
    }

    /// Claims waiting verdicts, and starts those whose repository is free.
    pub(super) async fn take(&mut self, engine: &Engine, only: &[String], but: &[String]) -> Result<()> {
        while self.has_room() {
            let now = engine.now().await?;
            let claim = Claim {
                lane: Lane::Git,
                pick: ClaimOrder::Oldest { only: only.to_vec(), but: but.to_vec() },
                lease: self.lease.clone(),
                until: now.checked_add(LEASE).unwrap_or(now),
                now,
                limit: 1,
            };
            let Some(entry) = engine.store.claim(claim).await?.pop() else { break };
            if !self.known.insert(entry.id) {
                continue;
            }
            let lane = lane_of(engine, &entry).await;
            if let Some(behind) = self.behind.get_mut(&lane) {
                behind.push_back(entry);
            } else {
                self.behind.insert(lane.clone(), VecDeque::new());
                self.begin(engine, lane, entry);
            }
        }
        Ok(())
    }

    /// Waits for the next one to finish, and starts the one behind it; returns none if there is none.
    pub(super) async fn next(&mut self, engine: &Engine) -> Option<(OutboxEntry, Result<VerdictReport>)> {
        let (id, told) = match self.at_work.join_next_with_id().await? {
            Ok((id, told)) => (id, told),
            Err(broken) => (broken.id(), Err(Error::Settings(format!("it was aborted: {broken}")))),
        };
        let VerdictInProgress { lane, entry, .. } = self.whose.remove(&id)?;
        self.known.remove(&entry.id);
        match self.behind.get_mut(&lane).and_then(VecDeque::pop_front) {
            Some(next) => self.begin(engine, lane, next),
            None => drop(self.behind.remove(&lane)),
        }
        Some((entry, told))
    }

    /// Returns those that were claimed and not started; they are no longer started here.
    pub(super) fn give_back(&mut self) -> Vec<OutboxEntry> {
        self.behind.values_mut().flat_map(|behind| behind.drain(..)).collect()
    }

    fn begin(&mut self, engine: &Engine, lane: String, entry: OutboxEntry) {
        let (engine, lease, row) = (engine.clone(), self.lease.clone(), entry.clone());
        let task = self.at_work.spawn(async move { engine.carry_out_entry(&row, &lease).await });
        self.whose.insert(task.id(), VerdictInProgress { lane, entry, at: Instant::now() });
    }

    fn has_room(&self) -> bool {
        let quick = self.whose.values().filter(|begun| begun.at.elapsed() < SLOW).count();
        quick < AT_ONCE && self.at_work.len() < MOST
    }
}

/// Returns the lane of a verdict, which is carried out one at a time: its repository, if it needs one.
async fn lane_of(engine: &Engine, entry: &OutboxEntry) -> String {
    let Some(id) = entry.decision else { return entry.target.clone() };
    // Errors are reported by the code that carries it out.
    let Ok(Some(decision)) = engine.store.decision(id).await else { return entry.target.clone() };
    match engine.run_of(&decision).await {
        Ok(Some(run)) if super::carry::verdict_of(&decision) != Some(Verdict::Abandon) => run.repo,
        _ => entry.target.clone(),
    }
}
