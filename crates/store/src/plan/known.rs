//! State that is computed from streams which are read again and again: it is kept between batches, so that each event
//! is read once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holdpoint_core::people::Roster;
use holdpoint_core::rule::{TRIP_LIMIT, TRIP_WINDOW};
use holdpoint_core::{Event, RuleSet, Timestamp, job};

use crate::LogRow;
use crate::chain::JOB_DELETED;
use crate::history;
use crate::jobs::StoredJob;

/// The maximum number of streams that are kept.
const MOST: usize = 4_096;

/// A state computed from the events of a stream.
pub(crate) trait StreamState: Clone + Default {
    /// The type of event before which bodies may be erased.
    const REMOVED_BY: Option<&str>;

    /// Applies an event, which is at a version of its stream.
    #[must_use]
    fn folded(self, version: i64, event: &Event, at: Timestamp) -> Self;
}

impl StreamState for Option<StoredJob> {
    const REMOVED_BY: Option<&str> = Some(JOB_DELETED);

    fn folded(self, version: i64, event: &Event, at: Timestamp) -> Self {
        if event.job().is_none() {
            return self;
        }
        let before = self.map(|stored| Arc::unwrap_or_clone(stored.job));
        job::apply(before, event, at).map(|job| StoredJob { job: Arc::new(job), version })
    }
}

impl StreamState for Arc<RuleSet> {
    const REMOVED_BY: Option<&str> = None;

    fn folded(mut self, _: i64, event: &Event, _: Timestamp) -> Self {
        Arc::make_mut(&mut self).apply(event);
        self
    }
}

impl StreamState for Arc<Roster> {
    const REMOVED_BY: Option<&str> = None;

    fn folded(mut self, _: i64, event: &Event, _: Timestamp) -> Self {
        Arc::make_mut(&mut self).apply(event);
        self
    }
}

/// The state that a process keeps between batches.
#[derive(Debug)]
pub(crate) struct BatchCache {
    /// Jobs and crews, according to the log.
    pub(crate) jobs: KnownJobs,
    /// Standing rules, according to the log.
    pub(crate) rules: KnownRules,
    /// The groups of people, according to the log.
    pub(crate) roster: KnownStreams<Arc<Roster>>,
    /// Recent answers of rules.
    pub(crate) uses: RecentUses,
    /// How often a rule may answer in a minute before it trips.
    pub(crate) trip_limit: usize,
}

impl Default for BatchCache {
    fn default() -> Self {
        Self::new(TRIP_LIMIT)
    }
}

impl BatchCache {
    pub(crate) fn new(trip_limit: usize) -> Self {
        Self {
            jobs: KnownJobs::default(),
            rules: KnownRules::default(),
            roster: KnownStreams::default(),
            uses: RecentUses::default(),
            trip_limit,
        }
    }
}

/// The state of jobs and crews, by stream.
pub(crate) type KnownJobs = KnownStreams<Option<StoredJob>>;
/// The state of standing rules, by the streams of their projects.
pub(crate) type KnownRules = KnownStreams<Arc<RuleSet>>;

/// The state of some streams, as far as they were read.
#[derive(Debug)]
pub(crate) struct KnownStreams<T>(Mutex<HashMap<String, ReadStream<T>>>);

#[derive(Clone, Debug, Default)]
struct ReadStream<T> {
    version: i64,
    value: T,
}

impl<T> Default for KnownStreams<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: StreamState> KnownStreams<T> {
    /// Returns the version up to which a stream was read.
    pub(crate) fn version(&self, stream: &str) -> i64 {
        self.all().get(stream).map_or(0, |known| known.version)
    }

    /// Continues from the known state by later events; returns the version and the state after them.
    pub(crate) fn go_on(&self, stream: &str, links: &[LogRow]) -> Result<(i64, T), String> {
        let known = self.all().get(stream).cloned().unwrap_or_default();
        // Another caller may have continued meanwhile.
        let links =
            links.iter().position(|link| link.version > known.version).map_or(&[][..], |at| &links[at..]);
        let Some(last) = links.last() else { return Ok((known.version, known.value)) };
        if links.first().is_some_and(|first| first.version != known.version + 1) {
            return Err(format!("{stream} lacks events"));
        }
        let events = history::events(links, T::REMOVED_BY)?;
        let value = events
            .into_iter()
            .fold(known.value, |value, (version, event, at)| value.folded(version, &event, at));
        let mut all = self.all();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(stream.to_owned(), ReadStream { version: last.version, value: value.clone() });
        Ok((last.version, value))
    }

    /// Drops a stream.
    pub(crate) fn forget(&self, stream: &str) {
        self.all().remove(stream);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, ReadStream<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Recent answers of rules in this process: enough to stop a rule that runs away.
#[derive(Debug, Default)]
pub(crate) struct RecentUses(Mutex<RuleUses>);

#[derive(Debug, Default)]
struct RuleUses {
    /// The rules and when they answered, oldest first.
    times: VecDeque<(Timestamp, String)>,
    /// The number of answers of each rule.
    counts: HashMap<String, usize>,
}

impl RecentUses {
    /// Records that a rule answers.
    pub(super) fn note(&self, rule: &str, now: Timestamp) {
        let mut uses = self.lock();
        uses.times.push_back((now, rule.to_owned()));
        *uses.counts.entry(rule.to_owned()).or_default() += 1;
    }

    /// Drops the answers of a rule.
    pub(super) fn forget(&self, rule: &str) {
        let mut uses = self.lock();
        uses.times.retain(|(_, used)| used != rule);
        uses.counts.remove(rule);
    }

    /// Returns how often each rule has answered recently, for rules that did so at least this often.
    pub(super) fn counts(&self, now: Timestamp, at_least: usize) -> Vec<(String, usize)> {
        let mut uses = self.lock();
        while uses.times.front().is_some_and(|(at, _)| now.since(*at) >= TRIP_WINDOW) {
            let Some((_, rule)) = uses.times.pop_front() else { break };
            if let Some(count) = uses.counts.get_mut(&rule) {
                *count -= 1;
                if *count == 0 {
                    uses.counts.remove(&rule);
                }
            }
        }
        let often = uses.counts.iter().filter(|(_, count)| **count >= at_least);
        often.map(|(rule, count)| (rule.clone(), *count)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, RuleUses> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
