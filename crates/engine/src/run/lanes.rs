//! Verdicts under way: one after the other in a repository, several repositories side by side.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use holdpoint_core::run::Verdict;
use holdpoint_core::{Lane, Span};
use holdpoint_store::{Claim, OutboxEntry, Pick};
use tokio::task::{Id, JoinSet};

use crate::engine::Engine;
use crate::error::{Error, Result};

/// How long a verdict is whose who took it: longer than git and hooks may take.
const LEASE: Span = Span::from_secs(30 * 60);
/// How many are carried out at once, of those that were just begun: they cost work.
const AT_ONCE: usize = 8;
/// From when on one only waits, for a hook that hangs or a repository that is slow. It holds up nobody else then.
const SLOW: Duration = Duration::from_secs(3);
/// How many are under way at once in any case: each has a git, and what its hooks start.
const MOST: usize = 256;

/// What became of one.
#[derive(Debug)]
pub(super) struct Told {
    /// What is worth a word.
    pub(super) word: Option<String>,
    /// Whether somebody else is carrying it out, so that it is checked again soon.
    pub(super) taken: bool,
    /// Whether it is still to be done.
    pub(super) left: bool,
}

/// Verdicts that were taken, by repository.
pub(super) struct Lanes {
    lease: String,
    /// Those that come after the one in progress, for each repository that has one.
    behind: HashMap<String, VecDeque<OutboxEntry>>,
    /// The rows that are here. One that waited longer than its lease is given out again.
    known: HashSet<i64>,
    at_work: JoinSet<Result<Told>>,
    whose: HashMap<Id, Begun>,
}

/// One that is in progress.
struct Begun {
    lane: String,
    entry: OutboxEntry,
    at: Instant,
}

impl Lanes {
    pub(super) fn new(lease: String) -> Self {
        let (behind, known, whose) = (HashMap::new(), HashSet::new(), HashMap::new());
        Self { lease, behind, known, at_work: JoinSet::new(), whose }
    }

    /// Takes what waits, and begins with it where its repository is free.
    pub(super) async fn take(&mut self, engine: &Engine, only: &[String], but: &[String]) -> Result<()> {
        while self.has_room() {
            let now = engine.now().await?;
            let claim = Claim {
                lane: Lane::Git,
                pick: Pick::Oldest { only: only.to_vec(), but: but.to_vec() },
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

    /// Waits for the next one to finish, and starts the one behind it; nothing if none is in progress.
    pub(super) async fn next(&mut self, engine: &Engine) -> Option<(OutboxEntry, Result<Told>)> {
        let (id, told) = match self.at_work.join_next_with_id().await? {
            Ok((id, told)) => (id, told),
            Err(broken) => (broken.id(), Err(Error::Settings(format!("it broke off: {broken}")))),
        };
        let Begun { lane, entry, .. } = self.whose.remove(&id)?;
        self.known.remove(&entry.id);
        match self.behind.get_mut(&lane).and_then(VecDeque::pop_front) {
            Some(next) => self.begin(engine, lane, next),
            None => drop(self.behind.remove(&lane)),
        }
        Some((entry, told))
    }

    /// Returns those that were taken and not begun; they are not begun any more.
    pub(super) fn give_back(&mut self) -> Vec<OutboxEntry> {
        self.behind.values_mut().flat_map(|behind| behind.drain(..)).collect()
    }

    fn begin(&mut self, engine: &Engine, lane: String, entry: OutboxEntry) {
        let (engine, lease, row) = (engine.clone(), self.lease.clone(), entry.clone());
        let task = self.at_work.spawn(async move { engine.carry_out_entry(&row, &lease).await });
        self.whose.insert(task.id(), Begun { lane, entry, at: Instant::now() });
    }

    fn has_room(&self) -> bool {
        let quick = self.whose.values().filter(|begun| begun.at.elapsed() < SLOW).count();
        quick < AT_ONCE && self.at_work.len() < MOST
    }
}

/// Says what a verdict may not be carried out beside: others on its repository, where it needs that.
async fn lane_of(engine: &Engine, entry: &OutboxEntry) -> String {
    let Some(id) = entry.decision else { return entry.target.clone() };
    // The code that carries it out reports what is wrong.
    let Ok(Some(decision)) = engine.store.decision(id).await else { return entry.target.clone() };
    match engine.run_of(&decision).await {
        Ok(Some(run)) if super::carry::said(&decision) != Some(Verdict::Abandon) => run.repo,
        _ => entry.target.clone(),
    }
}
