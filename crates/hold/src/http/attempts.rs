//! How often a caller may try to sign in: after a few failures each further attempt has to wait, longer each time.
//!
//! Failures of others lock nobody out. The first attempt for a name is always made, whatever else went wrong at the
//! same address, which may be a proxy that everybody comes through. So is one from an address where the name signed
//! in before, whatever failed for that name elsewhere.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Failures are forgotten after this long without another.
const FORGET_AFTER: Duration = Duration::from_secs(30 * 60);
/// How many names and addresses are remembered.
const MOST: usize = 10_000;
/// How many passwords of one address are checked or waiting at once; further ones wait before they join the
/// queue of all addresses.
const AT_ONCE: usize = 4;

/// Who failed, how often, and how long they have to wait.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    failed: Mutex<HashMap<Key, Failures>>,
    turns: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
    /// Which names signed in from which addresses.
    trusted: Mutex<HashSet<Key>>,
}

/// What failures are counted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A name tried from one address, whether the name exists or not.
    Pair(String, IpAddr),
    /// A name tried from any address.
    Name(String),
    /// An address that attempts come from.
    Address(IpAddr),
}

impl Key {
    /// Returns how many failures are free, and the longest wait after more.
    ///
    /// Many people may share an address, and everybody does if loopback is a proxy.
    fn limits(&self) -> (u32, Duration) {
        match self {
            Self::Pair(..) => (5, Duration::from_secs(60)),
            Self::Name(_) => (50, Duration::from_secs(60)),
            Self::Address(address) if address.is_loopback() => (100, Duration::from_secs(5)),
            Self::Address(_) => (20, Duration::from_secs(5 * 60)),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    last: Instant,
    until: Instant,
}

impl Attempts {
    /// Counts an attempt as failed before it is made, so that many at once do not slip through; if refused, returns
    /// how long to wait. `name` is empty if none is given.
    pub(crate) fn begin(&self, name: &str, from: IpAddr, now: Instant) -> Result<(), Duration> {
        let keys = keys(name, from);
        let mut all = self.lock();
        let failed_before = match keys.first() {
            Some(pair @ Key::Pair(..)) => all.contains_key(pair),
            _ => true,
        };
        // A name that signed in from here before is not locked out by failures for it elsewhere.
        let is_trusted = keys.first().is_some_and(|pair| self.trusted().contains(pair));
        let counts = |key: &&Key| match key {
            Key::Pair(..) => true,
            Key::Name(_) => !is_trusted || failed_before,
            Key::Address(_) => failed_before,
        };
        let waits =
            keys.iter().filter(counts).filter_map(|key| all.get(key)?.until.checked_duration_since(now));
        let wait = waits.max();
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        if all.len() >= MOST {
            all.retain(|_, failures| now.duration_since(failures.last) < FORGET_AFTER);
        }
        if all.len() >= MOST {
            // Someone is inventing names. Keep only those that must still wait.
            all.retain(|_, failures| failures.until > now);
        }
        for key in keys {
            let (free, most) = key.limits();
            let failures = all.entry(key).or_insert(Failures { count: 0, last: now, until: now });
            if now.duration_since(failures.last) >= FORGET_AFTER {
                failures.count = 0;
            }
            failures.count = failures.count.saturating_add(1);
            failures.last = now;
            if let Some(beyond) = failures.count.checked_sub(free) {
                failures.until = now + Duration::from_secs(1 << beyond.min(20)).min(most);
            }
        }
        Ok(())
    }

    /// Undoes the count of a failed attempt. The address keeps the failures of others.
    pub(crate) fn succeeded(&self, name: &str, from: IpAddr) {
        let keys = keys(name, from);
        if let Some(pair @ Key::Pair(..)) = keys.first() {
            let mut trusted = self.trusted();
            if trusted.len() >= MOST {
                trusted.clear();
            }
            trusted.insert(pair.clone());
        }
        let mut all = self.lock();
        for key in keys {
            match &key {
                Key::Pair(..) | Key::Name(_) => drop(all.remove(&key)),
                Key::Address(_) => {
                    if let Some(failures) = all.get_mut(&key) {
                        failures.count = failures.count.saturating_sub(1);
                        failures.until = failures.last;
                    }
                }
            }
        }
    }

    /// Waits until another password of this address may be checked; dropping the permit passes the turn on.
    pub(crate) async fn turn(&self, from: IpAddr) -> Option<OwnedSemaphorePermit> {
        let turns = {
            let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, turns| Arc::strong_count(turns) > 1);
            Arc::clone(all.entry(from).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE))))
        };
        turns.acquire_owned().await.ok()
    }

    fn trusted(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.trusted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Failures>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the network that an address belongs to: one customer usually gets a whole IPv6 prefix.
fn network(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V6(own) if !own.is_loopback() => {
            Ipv6Addr::from_bits(own.to_bits() & !u128::from(u64::MAX)).into()
        }
        other => other,
    }
}

fn keys(name: &str, from: IpAddr) -> Vec<Key> {
    /// No real name is longer.
    const LONGEST: usize = 256;
    let name = name.trim();
    let from = network(from);
    if name.is_empty() {
        return vec![Key::Address(from)];
    }
    let name: String = name.chars().take(LONGEST).collect();
    vec![Key::Pair(name.clone(), from), Key::Name(name), Key::Address(from)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const AWAY: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn waits_grow_with_each_failure_and_end_with_success() {
        let (attempts, mut now) = (Attempts::default(), Instant::now());
        for _ in 0..5 {
            attempts.begin("ana", HOME, now).unwrap();
        }
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(attempts.begin("ana", HOME, now), Err(secs(wait)));
            now += secs(wait);
            attempts.begin("ana", HOME, now).unwrap();
        }
        attempts.begin("bo", HOME, now).unwrap();
        now += secs(60);
        attempts.begin("ana", HOME, now).unwrap();
        attempts.succeeded("ana", HOME);
        attempts.begin("ana", HOME, now).unwrap();
        attempts.begin("ana", HOME, now).unwrap();
    }

    #[test]
    fn many_names_from_one_address_have_to_wait_too() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for number in 0..20 {
            attempts.begin(&format!("name-{number}"), HOME, now).unwrap();
        }
        // A name that failed here is also blocked by the other failures, and so is a link.
        assert_eq!(attempts.begin("name-7", HOME, now), Err(secs(1)));
        assert_eq!(attempts.begin("", HOME, now), Err(secs(1)));
        attempts.begin("name-7", AWAY, now).unwrap();
        // A client that did not fail is accepted, however many others did.
        attempts.begin("mine", HOME, now).unwrap();
        attempts.succeeded("mine", HOME);
        attempts.begin("mine", HOME, now).unwrap();
    }

    #[test]
    fn a_name_is_not_guessed_at_from_many_addresses_either() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let from = |number: u8| IpAddr::from([198, 51, 100, number]);
        for number in 0..50 {
            attempts.begin("ana", from(number), now).unwrap();
        }
        assert_eq!(attempts.begin("ana", from(50), now), Err(secs(1)));
        attempts.begin("bo", from(50), now).unwrap();
    }

    #[test]
    fn who_signed_in_from_here_is_not_kept_out_by_what_others_fail() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        attempts.begin("ana", HOME, now).unwrap();
        attempts.succeeded("ana", HOME);
        for number in 0..50 {
            attempts.begin("ana", IpAddr::from([198, 51, 100, number]), now).unwrap();
        }
        assert_eq!(attempts.begin("ana", AWAY, now), Err(secs(1)));
        attempts.begin("ana", HOME, now).unwrap();
        // A name that failed here waits like any other.
        assert!(attempts.begin("ana", HOME, now).is_err());
    }

    #[test]
    fn addresses_of_one_network_are_one() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let from = |number: u16| IpAddr::from([0x2001, 0xdb8, 0, 7, 0, 0, 0, number]);
        for number in 0..5 {
            attempts.begin("ana", from(number), now).unwrap();
        }
        assert_eq!(attempts.begin("ana", from(6), now), Err(secs(1)));
        attempts.begin("ana", IpAddr::from([0x2001, 0xdb8, 0, 8, 0, 0, 0, 1]), now).unwrap();
    }

    #[test]
    fn failures_are_forgotten_and_memory_is_bounded() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for _ in 0..5 {
            attempts.begin("ana", HOME, now).unwrap();
        }
        attempts.begin("ana", HOME, now + FORGET_AFTER).unwrap();
        attempts.begin("ana", HOME, now + FORGET_AFTER).unwrap();
        for number in 0..3 * MOST {
            let from = IpAddr::from(u32::try_from(number).unwrap().to_be_bytes());
            let _ = attempts.begin(&number.to_string(), from, now);
        }
        assert!(attempts.lock().len() <= MOST + 3);
    }
}
