//! How much a server takes: bodies, requests at once, requests a second.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use holdpoint_engine::settings;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::Semaphore;

/// What is taken.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Bytes of a body.
    pub(crate) body: usize,
    /// Requests at once, those that hold included.
    pub(crate) at_once: Arc<Semaphore>,
    /// How long the head of a request may take to arrive, and its body.
    pub(crate) patience: Duration,
    /// Requests a second from one address that is not loopback.
    rate: Option<Rate>,
    /// Requests a second from loopback.
    local: Option<Rate>,
}

impl Limits {
    /// Makes the limits that the settings name.
    pub(crate) fn new(settings: &settings::Server) -> Self {
        let rate = |per_second: u32| {
            (per_second > 0).then(|| Rate { per_second: f64::from(per_second), seen: Mutex::default() })
        };
        Self {
            body: settings.body_limit,
            at_once: Arc::new(Semaphore::new(settings.at_once)),
            patience: Duration::from_millis(settings.patience.as_millis().unsigned_abs().max(1)),
            rate: rate(settings.per_second),
            local: rate(settings.local_per_second),
        }
    }

    /// Reads a body to its end.
    pub(crate) async fn read(&self, body: Body) -> Result<Bytes, Unread> {
        match tokio::time::timeout(self.patience, Limited::new(body, self.body).collect()).await {
            Err(_) => Err(Unread::TooSlow),
            Ok(Ok(read)) => Ok(read.to_bytes()),
            Ok(Err(why)) if why.is::<LengthLimitError>() => Err(Unread::TooLarge),
            Ok(Err(_)) => Err(Unread::Broken),
        }
    }

    /// Returns whether one more request from an address is within its rate.
    pub(crate) fn admits(&self, from: IpAddr) -> bool {
        let from = from.to_canonical();
        let rate = if from.is_loopback() { &self.local } else { &self.rate };
        rate.as_ref().is_none_or(|rate| rate.take(from, Instant::now()))
    }
}

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    TooLarge,
    TooSlow,
    Broken,
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
        let limits = Limits::new(&settings::Server { per_second: 1, ..settings::Server::default() });
        assert!((0..100).all(|_| limits.admits(IpAddr::from([127, 0, 0, 1]))));
        assert!(!(0..100).all(|_| limits.admits(IpAddr::from([192, 0, 2, 1]))));
    }
}
