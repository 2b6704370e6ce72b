//! The rate of messages to one place: one a second, new messages before updates, and after a burst they share one
//! message.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The pause between messages to one place: Slack and Telegram accept about one a second.
pub(super) const BETWEEN: Duration = Duration::from_secs(1);
/// How long an update lets new messages pass: a burst must not keep messages from showing their outcome.
const PATIENCE: Duration = Duration::from_secs(8);
/// How soon a waiter that is not next checks again, once a place accepts a message.
const SOON: Duration = Duration::from_millis(10);
/// After this many messages about decisions within a minute, further ones share one.
const MANY: usize = 5;
const LATELY: Duration = Duration::from_secs(60);

/// Limits the rate of messages.
#[derive(Debug, Default)]
pub(super) struct Pace {
    lines: Mutex<Lines>,
    /// When each place recently got messages about decisions.
    told: Mutex<HashMap<String, VecDeque<Instant>>>,
}

#[derive(Debug, Default)]
struct Lines {
    /// How many waiters have queued up so far.
    count: u64,
    places: HashMap<String, Line>,
}

/// The waiters for a place.
#[derive(Debug, Default)]
struct Line {
    /// When it accepts the next message.
    free: Option<Instant>,
    waiting: BTreeSet<Rank>,
}

/// The order of waiters: new messages in their order; then updates, of the newest message first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    New(u64),
    Change(Reverse<i64>, u64),
}

impl Pace {
    /// Waits until a place accepts a new message.
    pub(super) async fn turn(&self, place: &str) {
        self.wait(place, Rank::New).await;
    }

    /// Waits until a place accepts an update of a message, behind new messages, though not for long.
    pub(super) async fn turn_to_change(&self, place: &str, message: i64) {
        let change = self.wait(place, |count| Rank::Change(Reverse(message), count));
        if tokio::time::timeout(PATIENCE, change).await.is_err() {
            self.turn(place).await;
        }
    }

    async fn wait(&self, place: &str, rank: impl FnOnce(u64) -> Rank) {
        let ticket = self.queue(place, rank);
        while let Some(at) = self.next_look(&ticket, Instant::now()) {
            tokio::time::sleep_until(at.into()).await;
        }
    }

    fn queue<'a>(&'a self, place: &'a str, rank: impl FnOnce(u64) -> Rank) -> Ticket<'a> {
        let mut lines = self.lines();
        lines.count += 1;
        let rank = rank(lines.count);
        lines.places.entry(place.to_owned()).or_default().waiting.insert(rank);
        Ticket { pace: self, place, rank }
    }

    /// Takes the turn, or returns when to check again.
    fn next_look(&self, ticket: &Ticket<'_>, now: Instant) -> Option<Instant> {
        let mut lines = self.lines();
        let line = lines.places.entry(ticket.place.to_owned()).or_default();
        match line.free {
            Some(free) if free > now => Some(free),
            _ if line.waiting.first() == Some(&ticket.rank) => {
                line.free = Some(now + BETWEEN);
                line.waiting.remove(&ticket.rank);
                None
            }
            _ => Some(now + SOON),
        }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a place gets a message about a decision.
    pub(super) fn tells(&self, place: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, times| times.back().is_some_and(|last| last.elapsed() < LATELY));
        told.entry(place.to_owned()).or_default().push_back(Instant::now());
    }

    /// Returns whether a place recently got messages about many decisions.
    pub(super) fn is_crowded(&self, place: &str) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(times) = told.get_mut(place) else { return false };
        while times.front().is_some_and(|first| first.elapsed() >= LATELY) {
            times.pop_front();
        }
        times.len() >= MANY
    }
}

/// A position in the queue. Dropping it leaves the queue.
struct Ticket<'a> {
    pace: &'a Pace,
    place: &'a str,
    rank: Rank,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let (mut lines, now) = (self.pace.lines(), Instant::now());
        if let Some(line) = lines.places.get_mut(self.place) {
            line.waiting.remove(&self.rank);
        }
        let is_needed = |line: &Line| !line.waiting.is_empty() || line.free.is_some_and(|free| free > now);
        lines.places.retain(|_, line| is_needed(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_goes_first_and_then_changes_newest_first() {
        let (pace, start) = (Pace::default(), Instant::now());
        let change = |message| pace.queue("ana", move |count| Rank::Change(Reverse(message), count));
        let first = pace.queue("ana", Rank::New);
        assert_eq!(pace.next_look(&first, start), None, "nobody waits");
        let waiting =
            [change(1), change(3), change(2), pace.queue("ana", Rank::New), pace.queue("ana", Rank::New)];
        let (mut order, mut now) = (Vec::new(), start);
        while order.len() < waiting.len() {
            now += BETWEEN;
            let taken = (0..waiting.len())
                .find(|at| !order.contains(at) && pace.next_look(&waiting[*at], now).is_none());
            order.push(taken.unwrap());
        }
        assert_eq!(order, [3, 4, 1, 2, 0]);
        // Each place has its own queue, and a waiter that gives up leaves it.
        let other = pace.queue("bo", Rank::New);
        let behind = pace.queue("bo", Rank::New);
        assert_eq!(pace.next_look(&behind, now), Some(now + SOON));
        drop(other);
        assert_eq!(pace.next_look(&behind, now), None);
        assert_eq!(pace.next_look(&behind, now), Some(now + BETWEEN), "a place takes one at a time");
    }

    #[test]
    fn nothing_is_remembered_of_places_that_nobody_waits_for() {
        let pace = Pace::default();
        for place in 0..1_000 {
            drop(pace.queue(&place.to_string(), Rank::New));
        }
        assert!(pace.lines().places.is_empty());
    }
}
