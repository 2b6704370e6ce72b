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
    /// Requests a second from one address; loopback is not counted.
    rate: Option<Rate>,
}

impl Limits {
    /// Makes limits; `per_second` counts for each address that is not loopback.
    pub(crate) fn new(body: usize, at_once: usize, per_second: Option<u32>) -> Self {
        let rate =
            per_second.map(|per_second| Rate { per_second: f64::from(per_second), seen: Mutex::default() });
        Self { body, at_once: Arc::new(Semaphore::new(at_once)), rate }
    }

    /// Returns whether one more request from an address is within its rate.
    pub(crate) fn admits(&self, from: IpAddr) -> bool {
        match &self.rate {
            Some(rate) if !from.to_canonical().is_loopback() => {
                rate.take(from.to_canonical(), Instant::now())
            }
            _ => true,
        }
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
        let limits = Limits::new(1, 1, Some(1));
        assert!((0..100).all(|_| limits.admits(IpAddr::from([127, 0, 0, 1]))));
        assert!(!(0..100).all(|_| limits.admits(IpAddr::from([192, 0, 2, 1]))));
    }
}
