//! The rate of messages to one place: at most one a second if its channel asks for that, what is urgent first, and after a
//! burst decisions share one message.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_core::Priority;

/// The pause between messages to one place: Slack and Telegram accept about one a second.
pub(super) const BETWEEN: Duration = Duration::from_secs(1);
/// How long an update lets newer ones pass: a burst must not keep a message from showing its outcome.
const PATIENCE: Duration = Duration::from_secs(8);
/// How soon a waiter that is not next checks again, once a place accepts a message.
const SOON: Duration = Duration::from_millis(10);
/// After this many messages about decisions within a minute, further ones share one; urgent ones are counted separately.
const MANY: usize = 5;
const LATELY: Duration = Duration::from_secs(60);

/// Limits the rate of messages.
#[derive(Debug, Default)]
pub(super) struct RateLimiter {
    /// The pause between messages to one place.
    between: Duration,
    lines: Mutex<PlaceQueues>,
    /// When each place recently got messages about decisions, and whether these were urgent.
    told: Mutex<HashMap<(String, bool), VecDeque<Instant>>>,
}

#[derive(Debug, Default)]
struct PlaceQueues {
    /// How many waiters have queued up so far.
    count: u64,
    places: HashMap<String, PlaceQueue>,
}

/// The waiters for a place.
#[derive(Debug, Default)]
struct PlaceQueue {
    /// When it accepts the next message.
    free: Option<Instant>,
    /// Whether the last message was a new one.
    was_new: bool,
    waiting: BTreeSet<Rank>,
}

/// The order of waiters: what is urgent; new messages in their order; updates, of the newest message first; and how many
/// decisions share a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Urgent(u64),
    New(u64),
    Change(Reverse<i64>, u64),
    Count(u64),
}

impl PlaceQueue {
    /// Returns who is next. New messages and updates take turns, so that neither waits for all of the others.
    fn next(&self) -> Option<&Rank> {
        let first = self.waiting.first()?;
        let mut updates = self.waiting.range(Rank::Change(Reverse(i64::MAX), 0)..);
        if self.was_new && matches!(first, Rank::New(_)) {
            updates.next().or(Some(first))
        } else {
            Some(first)
        }
    }
}

impl RateLimiter {
    /// Returns the pace of a channel that accepts one message a second for each place.
    pub(super) fn of_messengers() -> Self {
        Self { between: BETWEEN, ..Self::default() }
    }

    /// Waits until a place accepts a message that someone is waiting for.
    pub(super) async fn first(&self, place: &str) {
        self.wait(place, Rank::Urgent).await;
    }

    /// Waits until a place accepts a new message.
    pub(super) async fn turn(&self, place: &str) {
        self.wait(place, Rank::New).await;
    }

    /// Waits until a place accepts a message about a decision; returns whether it had to wait.
    pub(super) async fn turn_to_tell(&self, place: &str, priority: Priority) -> bool {
        match priority {
            Priority::Urgent => self.wait(place, Rank::Urgent).await,
            Priority::Low | Priority::Normal | Priority::High => self.wait(place, Rank::New).await,
        }
    }

    /// Waits until a place accepts an update of a message: newer messages are updated first, though not for long.
    pub(super) async fn turn_to_change(&self, place: &str, message: i64) {
        self.patiently(place, |count| Rank::Change(Reverse(message), count)).await;
    }

    /// Waits until a place accepts an update of a message that stands for many decisions.
    pub(super) async fn turn_to_count(&self, place: &str) {
        self.patiently(place, Rank::Count).await;
    }

    async fn patiently(&self, place: &str, rank: impl FnOnce(u64) -> Rank) {
        if tokio::time::timeout(PATIENCE, self.wait(place, rank)).await.is_err() {
            self.turn(place).await;
        }
    }

    async fn wait(&self, place: &str, rank: impl FnOnce(u64) -> Rank) -> bool {
        let ticket = self.queue(place, rank);
        let mut waited = false;
        while let Some(at) = self.next_look(&ticket, Instant::now()) {
            waited = true;
            tokio::time::sleep_until(at.into()).await;
        }
        waited
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
            _ if line.next() == Some(&ticket.rank) => {
                // Whatever a channel accepts, a number need not change more often.
                let pause = if let Rank::Count(_) = ticket.rank { BETWEEN } else { self.between };
                line.free = Some(now + pause);
                line.was_new = matches!(ticket.rank, Rank::New(_));
                line.waiting.remove(&ticket.rank);
                None
            }
            _ => Some(now + SOON),
        }
    }

    fn lines(&self) -> MutexGuard<'_, PlaceQueues> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a decision gets a message of its own, and counts it: after a burst, further ones share a message.
    pub(super) fn is_own(&self, place: &str, priority: Priority) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, times| times.back().is_some_and(|last| last.elapsed() < LATELY));
        let times = told.entry((place.to_owned(), priority == Priority::Urgent)).or_default();
        while times.front().is_some_and(|first| first.elapsed() >= LATELY) {
            times.pop_front();
        }
        let is_own = times.len() < MANY;
        if is_own {
            times.push_back(Instant::now());
        }
        is_own
    }
}

/// A position in the queue. Dropping it leaves the queue.
struct Ticket<'a> {
    pace: &'a RateLimiter,
    place: &'a str,
    rank: Rank,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let (mut lines, now) = (self.pace.lines(), Instant::now());
        if let Some(line) = lines.places.get_mut(self.place) {
            line.waiting.remove(&self.rank);
        }
        let is_needed =
            |line: &PlaceQueue| !line.waiting.is_empty() || line.free.is_some_and(|free| free > now);
        lines.places.retain(|_, line| is_needed(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the order in which waiters get their turns, by their places in the list.
    fn order(pace: &RateLimiter, waiting: &[Ticket<'_>], mut now: Instant) -> Vec<usize> {
        let mut order = Vec::new();
        while order.len() < waiting.len() {
            now += BETWEEN;
            let taken = (0..waiting.len())
                .find(|at| !order.contains(at) && pace.next_look(&waiting[*at], now).is_none());
            order.push(taken.unwrap());
        }
        order
    }

    #[test]
    fn the_urgent_goes_first_and_new_messages_take_turns_with_the_newest_changes() {
        let (pace, start) = (RateLimiter::of_messengers(), Instant::now());
        let change = |message| pace.queue("ana", move |count| Rank::Change(Reverse(message), count));
        let new = || pace.queue("ana", Rank::New);
        let first = new();
        assert_eq!(pace.next_look(&first, start), None, "nobody waits");
        let waiting = [
            change(1),
            pace.queue("ana", Rank::Count),
            change(3),
            change(2),
            new(),
            new(),
            pace.queue("ana", Rank::Urgent),
        ];
        assert_eq!(order(&pace, &waiting, start), [6, 4, 2, 5, 3, 0, 1]);
        // Each place has its own queue, and a waiter that gives up leaves it.
        let now = start + BETWEEN * 60;
        let other = pace.queue("bo", Rank::New);
        let behind = pace.queue("bo", Rank::New);
        assert_eq!(pace.next_look(&behind, now), Some(now + SOON));
        drop(other);
        assert_eq!(pace.next_look(&behind, now), None);
        assert_eq!(pace.next_look(&behind, now), Some(now + BETWEEN), "a place takes one at a time");
    }

    #[test]
    fn a_channel_without_a_limit_counts_no_faster() {
        let (pace, now) = (RateLimiter::default(), Instant::now());
        for _ in 0..3 {
            assert_eq!(pace.next_look(&pace.queue("ana", Rank::New), now), None);
        }
        assert_eq!(pace.next_look(&pace.queue("ana", Rank::Count), now), None);
        assert_eq!(pace.next_look(&pace.queue("ana", Rank::Count), now), Some(now + BETWEEN));
    }

    #[test]
    fn after_a_burst_messages_are_shared_and_the_urgent_have_a_burst_of_their_own() {
        let pace = RateLimiter::default();
        let own = |priority| (0..MANY * 2).filter(|_| pace.is_own("ana", priority)).count();
        assert_eq!((own(Priority::Normal), own(Priority::High), own(Priority::Urgent)), (MANY, 0, MANY));
        assert!(pace.is_own("bo", Priority::Low));
    }

    #[test]
    fn nothing_is_remembered_of_places_that_nobody_waits_for() {
        let pace = RateLimiter::default();
        for place in 0..1_000 {
            drop(pace.queue(&place.to_string(), Rank::New));
        }
        assert!(pace.lines().places.is_empty());
    }
}
