//! How much a server takes: bodies, requests at once, requests a second.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::Semaphore;

/// What is taken.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Bytes of a body.
    pub(crate) body: usize,
    /// Requests at once, those that hold included.
    pub(crate) at_once: Arc<Semaphore>,
    /// Requests a second from one address that is not loopback.
    rate: Option<Rate>,
    /// Requests a second from loopback.
    local: Option<Rate>,
}

impl Limits {
    /// Makes limits; `per_second` counts for each address that is not loopback, `local_per_second` for loopback. 0 is
    /// no limit.
    pub(crate) fn new(body: usize, at_once: usize, per_second: u32, local_per_second: u32) -> Self {
        let rate = |per_second: u32| {
            (per_second > 0).then(|| Rate { per_second: f64::from(per_second), seen: Mutex::default() })
        };
        let at_once = Arc::new(Semaphore::new(at_once));
        Self { body, at_once, rate: rate(per_second), local: rate(local_per_second) }
    }

    /// Returns whether one more request from an address is within its rate.
    pub(crate) fn admits(&self, from: IpAddr) -> bool {
        let from = from.to_canonical();
        let rate = if from.is_loopback() { &self.local } else { &self.rate };
        rate.as_ref().is_none_or(|rate| rate.take(from, Instant::now()))
    }
}

/// A bucket for each address: it fills by the rate and holds two seconds' worth.
#[derive(Debug)]
struct Rate {
    per_second: f64,
    seen: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rate {
    fn take(&self, from: IpAddr, now: Instant) -> bool {
        const MOST_ADDRESSES: usize = 10_000;
        let full = self.per_second * 2.0;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MOST_ADDRESSES {
            // Whoever was quiet for long enough has a full bucket, which needs no entry.
            seen.retain(|_, (_, last)| now.duration_since(*last).as_secs_f64() < 2.0);
        }
        let (tokens, last) = seen.entry(from).or_insert((full, now));
        *tokens = (*tokens + now.duration_since(*last).as_secs_f64() * self.per_second).min(full);
        *last = now;
        let admitted = *tokens >= 1.0;
        if admitted {
            *tokens -= 1.0;
        }
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills() {
        let rate = Rate { per_second: 2.0, seen: Mutex::default() };
        let (from, start) = (IpAddr::from([10, 0, 0, 1]), Instant::now());
        assert_eq!((0..5).filter(|_| rate.take(from, start)).count(), 4);
        assert!(!rate.take(from, start));
        assert!(rate.take(from, start + Duration::from_secs(1)));
        assert!(rate.take(IpAddr::from([10, 0, 0, 2]), start));
    }

    #[test]
    fn loopback_is_not_counted() {
        let limits = Limits::new(1, 1, 1, 0);
        assert!((0..100).all(|_| limits.admits(IpAddr::from([127, 0, 0, 1]))));
        assert!(!(0..100).all(|_| limits.admits(IpAddr::from([192, 0, 2, 1]))));
    }
}
