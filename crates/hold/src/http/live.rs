//! State that a server's open pages share: a beat, lists that look the same to several viewers, and suggested rules.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use holdpoint_engine::rules::SuggestedRule;
use tokio::sync::watch;

/// The state that open pages share.
#[derive(Debug, Default)]
pub(crate) struct LivePages {
    pub(crate) beat: LogTicker,
    pub(crate) rows: SharedLists,
    pub(crate) suggested: Suggested,
}

/// A page shows what is new within 200 ms; this leaves it part of that time to fetch it.
const PAUSE: Duration = Duration::from_millis(120);
/// How much each listening page slows the beat down.
const EACH: Duration = Duration::from_micros(500);
const LONGEST: Duration = Duration::from_secs(1);

/// Broadcasts the end of the log to open pages.
#[derive(Debug, Default)]
pub(crate) struct LogTicker(watch::Sender<i64>);

impl LogTicker {
    /// Tells everybody who listens where the log ends.
    pub(crate) fn publish(&self, head: i64) {
        self.0.send_replace(head);
    }

    /// Returns how long to wait before the next beat.
    pub(crate) fn pause(&self) -> Duration {
        let listeners = u32::try_from(self.0.receiver_count()).unwrap_or(u32::MAX);
        PAUSE.saturating_add(EACH.saturating_mul(listeners)).min(LONGEST)
    }

    pub(crate) fn listen(&self) -> watch::Receiver<i64> {
        self.0.subscribe()
    }
}

/// The maximum age of a list: it shows how long each decision has waited.
const FRESH: Duration = Duration::from_secs(1);
/// How many lists are kept before old ones are dropped.
const KEPT: usize = 64;

/// The lists that open inboxes share.
#[derive(Debug, Default)]
pub(crate) struct SharedLists(Mutex<HashMap<Key, Arc<tokio::sync::Mutex<Option<RenderedList>>>>>);

/// Identifies a list: viewers who see the same rows use the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// None if the viewer sees all projects.
    pub(crate) projects: Option<Vec<String>>,
    pub(crate) filter: String,
    pub(crate) shown: usize,
    /// The viewer, if that makes a difference.
    pub(crate) who: Option<String>,
}

#[derive(Debug)]
pub(crate) struct RenderedList {
    /// The log had reached at least this place when the list was read.
    pub(crate) seq: i64,
    pub(crate) at: Instant,
    pub(crate) markup: Bytes,
    pub(crate) snoozed_by: Arc<BTreeSet<String>>,
}

impl RenderedList {
    /// Returns whether the list may be shown to a viewer who knows the log up to a place.
    pub(crate) fn is_fresh(&self, needed: i64) -> bool {
        self.seq >= needed && self.at.elapsed() < FRESH
    }
}

impl SharedLists {
    pub(crate) fn slot(&self, key: &Key) -> Arc<tokio::sync::Mutex<Option<RenderedList>>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() >= KEPT && !places.contains_key(key) {
            // Keeps the lists that a request is drawing or waiting for.
            places.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(places.entry(key.clone()).or_default())
    }
}

/// How long a suggestion is kept before it is computed again.
const SUGGESTED_FOR: Duration = Duration::from_secs(10 * 60);
/// For how many people a suggestion is kept.
const MOST: usize = 1_000;

/// The rule suggested to each person, by credential.
#[derive(Debug, Default)]
pub(crate) struct Suggested(Mutex<HashMap<String, CachedSuggestion>>);

#[derive(Debug)]
struct CachedSuggestion {
    since: Instant,
    rule: Option<Box<SuggestedRule>>,
}

impl Suggested {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, CachedSuggestion>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a computed suggestion, unless it was forgotten in the meantime.
    pub(crate) fn learn(&self, who: &str, rule: Option<SuggestedRule>) {
        if let Some(known) = self.lock().get_mut(who) {
            known.rule = rule.map(Box::new);
        }
    }

    /// Has a person's suggestion computed again: they made a rule, or do not want one.
    pub(crate) fn forget(&self, credential: Option<&str>) {
        if let Some(who) = credential {
            self.lock().remove(who);
        }
    }

    /// Returns the known suggestion, and whether the caller is to compute it again; no other caller is told so
    /// meanwhile.
    pub(crate) fn cached(&self, who: &str) -> (Option<SuggestedRule>, bool) {
        let mut all = self.lock();
        let known = all.get(who);
        let rule = known.and_then(|known| known.rule.as_deref().cloned());
        let is_fresh = known.is_some_and(|known| known.since.elapsed() < SUGGESTED_FOR);
        if !is_fresh {
            if all.len() >= MOST {
                all.clear();
            }
            let kept = rule.clone().map(Box::new);
            all.insert(who.to_owned(), CachedSuggestion { since: Instant::now(), rule: kept });
        }
        (rule, !is_fresh)
    }
}
