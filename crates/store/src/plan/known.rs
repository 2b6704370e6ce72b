//! What the log makes of streams that are read again and again, from one batch to the next: each event is read once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holdpoint_core::people::Roster;
use holdpoint_core::rule::{TRIP_LIMIT, TRIP_WINDOW};
use holdpoint_core::{Event, RuleSet, Timestamp, job};

use crate::Link;
use crate::chain::JOB_DELETED;
use crate::history;
use crate::jobs::StoredJob;

/// How many streams are kept in mind.
const MOST: usize = 4_096;

/// What the events of a stream add up to.
pub(crate) trait Folded: Clone + Default {
    /// The type of event before which bodies may be erased.
    const REMOVED_BY: Option<&str>;

    /// Goes on by an event, which is at a version of its stream.
    #[must_use]
    fn folded(self, version: i64, event: &Event, at: Timestamp) -> Self;
}

impl Folded for Option<StoredJob> {
    const REMOVED_BY: Option<&str> = Some(JOB_DELETED);

    fn folded(self, version: i64, event: &Event, at: Timestamp) -> Self {
        if event.job().is_none() {
            return self;
        }
        let before = self.map(|stored| Arc::unwrap_or_clone(stored.job));
        job::apply(before, event, at).map(|job| StoredJob { job: Arc::new(job), version })
    }
}

impl Folded for Arc<RuleSet> {
    const REMOVED_BY: Option<&str> = None;

    fn folded(mut self, _: i64, event: &Event, _: Timestamp) -> Self {
        Arc::make_mut(&mut self).apply(event);
        self
    }
}

impl Folded for Arc<Roster> {
    const REMOVED_BY: Option<&str> = None;

    fn folded(mut self, _: i64, event: &Event, _: Timestamp) -> Self {
        Arc::make_mut(&mut self).apply(event);
        self
    }
}

/// What a process keeps in mind from one batch to the next.
#[derive(Debug)]
pub(crate) struct Known {
    /// What the log makes of jobs and crews.
    pub(crate) jobs: KnownJobs,
    /// What the log makes of standing rules.
    pub(crate) rules: KnownRules,
    /// What the log makes of the groups of people.
    pub(crate) roster: KnownStreams<Arc<Roster>>,
    /// When rules answered lately.
    pub(crate) uses: RecentUses,
    /// How often one may answer in a minute before it trips.
    pub(crate) trip_limit: usize,
}

impl Default for Known {
    fn default() -> Self {
        Self::new(TRIP_LIMIT)
    }
}

impl Known {
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

/// Jobs and crews, by their streams.
pub(crate) type KnownJobs = KnownStreams<Option<StoredJob>>;
/// Standing rules, by the streams of their projects.
pub(crate) type KnownRules = KnownStreams<Arc<RuleSet>>;

/// What the log makes of some streams, as far as they were read.
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

impl<T: Folded> KnownStreams<T> {
    /// Returns up to which version a stream was read.
    pub(crate) fn version(&self, stream: &str) -> i64 {
        self.all().get(stream).map_or(0, |known| known.version)
    }

    /// Goes on from what is known by later events; returns what the log makes of the stream then, and its version.
    pub(crate) fn go_on(&self, stream: &str, links: &[Link]) -> Result<(i64, T), String> {
        let known = self.all().get(stream).cloned().unwrap_or_default();
        // Someone else may have gone on meanwhile.
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

    /// Forgets a stream.
    pub(crate) fn forget(&self, stream: &str) {
        self.all().remove(stream);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, ReadStream<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When rules answered lately, as far as this process let them: enough to stop one that runs away.
#[derive(Debug, Default)]
pub(crate) struct RecentUses(Mutex<HashMap<String, VecDeque<Timestamp>>>);

impl RecentUses {
    /// Notes that a rule answers.
    pub(super) fn note(&self, rule: &str, now: Timestamp) {
        self.lock().entry(rule.to_owned()).or_default().push_back(now);
    }

    /// Forgets when a rule answered.
    pub(super) fn forget(&self, rule: &str) {
        self.lock().remove(rule);
    }

    /// Returns how often each rule has answered lately.
    pub(super) fn counts(&self, now: Timestamp) -> impl Iterator<Item = (String, usize)> {
        let mut uses = self.lock();
        for times in uses.values_mut() {
            while times.front().is_some_and(|at| now.since(*at) >= TRIP_WINDOW) {
                times.pop_front();
            }
        }
        uses.retain(|_, times| !times.is_empty());
        let counts: Vec<_> = uses.iter().map(|(rule, times)| (rule.clone(), times.len())).collect();
        counts.into_iter()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, VecDeque<Timestamp>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
