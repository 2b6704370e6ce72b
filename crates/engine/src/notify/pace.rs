//! How fast messages go to one place: one a second, and after a burst they are gathered.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long one place is left alone between messages: Slack takes about one a second, and so does Telegram.
pub(super) const BETWEEN: Duration = Duration::from_secs(1);
/// After so many messages about decisions within a minute, further ones are gathered.
const MANY: usize = 5;
const LATELY: Duration = Duration::from_secs(60);

/// Keeps the pace.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// When each place takes the next message.
    free: Mutex<HashMap<String, Instant>>,
    /// When each place was told of a decision lately.
    told: Mutex<HashMap<String, VecDeque<Instant>>>,
}

impl Pace {
    /// Waits until a place takes the next message.
    pub(super) async fn turn(&self, place: &str) {
        let at = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            free.retain(|_, at| *at > now);
            let at = free.get(place).copied().unwrap_or(now);
            free.insert(place.to_owned(), at + BETWEEN);
            at
        };
        tokio::time::sleep_until(at.into()).await;
    }

    /// Notes that a place is told of a decision.
    pub(super) fn tells(&self, place: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, times| times.back().is_some_and(|last| last.elapsed() < LATELY));
        told.entry(place.to_owned()).or_default().push_back(Instant::now());
    }

    /// Returns whether a place was told of many decisions lately.
    pub(super) fn is_crowded(&self, place: &str) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(times) = told.get_mut(place) else { return false };
        while times.front().is_some_and(|first| first.elapsed() >= LATELY) {
            times.pop_front();
        }
        times.len() >= MANY
    }
}
