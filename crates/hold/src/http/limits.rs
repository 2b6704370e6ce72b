//! Limits of a server: body size, concurrent requests, requests per second, bytes in flight.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use holdpoint_engine::settings;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::Semaphore;

use crate::http::in_flight::{BudgetOwner, InFlight};
use crate::http::problem::HandlerError;

/// The limits.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Maximum size of a body in bytes.
    pub(crate) body: usize,
    /// Concurrent requests, including held ones.
    pub(crate) at_once: Arc<Semaphore>,
    /// Timeout for a request's head, for its body, and for a client that does not read its answer.
    pub(crate) timeout: Duration,
    /// Bytes in flight for each caller.
    pub(crate) in_flight: InFlight,
    /// Requests per second from one address other than loopback.
    rate: Option<Rate<IpAddr>>,
    /// Requests per second from loopback.
    local: Option<Rate<IpAddr>>,
    /// Requests per second with one credential.
    credential: Option<Rate<String>>,
    /// Request bytes per hour with one credential.
    bytes: Option<Rate<String>>,
}

impl Limits {
    /// Creates the limits from the settings.
    pub(crate) fn new(settings: &settings::Server, limits: settings::Limits) -> Self {
        Self {
            body: settings.body_limit,
            at_once: Arc::new(Semaphore::new(settings.at_once)),
            timeout: Duration::from_millis(settings.timeout.as_millis().unsigned_abs().max(1)),
            in_flight: InFlight::new(limits.in_flight_bytes),
            rate: Rate::new(settings.per_second.into(), BURST),
            local: Rate::new(settings.local_per_second.into(), BURST),
            credential: Rate::new(limits.per_second.into(), BURST),
            bytes: Rate::new(f64::from(limits.megabytes_per_hour) * 1e6 / HOUR, HOUR),
        }
    }

    /// Reads a body to its end.
    pub(crate) async fn read(&self, body: Body) -> Result<Bytes, BodyError> {
        match tokio::time::timeout(self.timeout, Limited::new(body, self.body).collect()).await {
            Err(_) => Err(BodyError::TooSlow),
            Ok(Ok(read)) => Ok(read.to_bytes()),
            Ok(Err(why)) if why.is::<LengthLimitError>() => Err(BodyError::TooLarge),
            Ok(Err(_)) => Err(BodyError::Broken),
        }
    }

    /// Returns whether another request from an address is within its rate.
    pub(crate) fn admits(&self, from: IpAddr) -> bool {
        let from = from.to_canonical();
        let rate = if from.is_loopback() { &self.local } else { &self.rate };
        rate.as_ref().is_none_or(|rate| rate.take(from, 1.0, Instant::now()))
    }

    /// Refuses a request that exceeds its credential's rate, wherever it comes from.
    pub(crate) fn admit_credential(&self, credential: Option<&str>) -> Result<(), HandlerError> {
        let (Some(rate), Some(credential)) = (&self.credential, credential) else { return Ok(()) };
        if rate.take(credential.to_owned(), 1.0, Instant::now()) {
            return Ok(());
        }
        Err(HandlerError::new(429, "too_fast", "too many requests with this credential; slow down"))
    }

    /// Refuses a body if its credential has sent too much in the last hour: settled decisions take up space as well.
    pub(crate) fn admit_bytes(&self, payer: Option<BudgetOwner>, bytes: usize) -> Result<(), HandlerError> {
        let (Some(rate), Some(BudgetOwner::Credential(credential))) = (&self.bytes, payer) else {
            return Ok(());
        };
        if rate.take(credential, f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)), Instant::now()) {
            return Ok(());
        }
        Err(HandlerError::new(
            429,
            "too_much",
            "too many bytes with this credential in the last hour; try again later",
        ))
    }
}

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyError {
    TooLarge,
    TooSlow,
    Broken,
}

/// How many seconds' worth of requests may arrive at once.
const BURST: f64 = 2.0;
const HOUR: f64 = 3600.0;

/// Token buckets by address or credential: each fills at the rate and holds a few seconds' worth.
#[derive(Debug)]
struct Rate<K> {
    per_second: f64,
    seconds: f64,
    seen: Mutex<HashMap<K, (f64, Instant)>>,
}

impl<K: Eq + Hash> Rate<K> {
    /// Creates buckets for a rate; 0 means no limit.
    fn new(per_second: f64, seconds: f64) -> Option<Self> {
        (per_second > 0.0).then(|| Self { per_second, seconds, seen: Mutex::default() })
    }

    fn take(&self, from: K, amount: f64, now: Instant) -> bool {
        const MOST: usize = 10_000;
        let full = self.per_second * self.seconds;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MOST {
            // A full bucket needs no entry, and a caller that was quiet for long enough has one.
            seen.retain(|_, (_, last)| now.duration_since(*last).as_secs_f64() < self.seconds);
        }
        let (tokens, last) = seen.entry(from).or_insert((full, now));
        *tokens = (*tokens + now.duration_since(*last).as_secs_f64() * self.per_second).min(full);
        *last = now;
        let admitted = *tokens >= amount;
        if admitted {
            *tokens -= amount;
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
        let rate = Rate { per_second: 2.0, seconds: 2.0, seen: Mutex::default() };
        let (from, start) = (IpAddr::from([10, 0, 0, 1]), Instant::now());
        assert_eq!((0..5).filter(|_| rate.take(from, 1.0, start)).count(), 4);
        assert!(!rate.take(from, 1.0, start));
        assert!(rate.take(from, 1.0, start + Duration::from_secs(1)));
        assert!(rate.take(IpAddr::from([10, 0, 0, 2]), 1.0, start));
    }

    #[test]
    fn loopback_is_not_counted() {
        let limits = Limits::new(
            &settings::Server { per_second: 1, ..settings::Server::default() },
            settings::Limits { per_second: 1, ..settings::Limits::default() },
        );
        assert!((0..100).all(|_| limits.admits(IpAddr::from([127, 0, 0, 1]))));
        assert!(!(0..100).all(|_| limits.admits(IpAddr::from([192, 0, 2, 1]))));
        assert!((0..100).all(|_| limits.admit_credential(None).is_ok()));
        assert!(!(0..100).all(|_| limits.admit_credential(Some("tok-1")).is_ok()));
        assert!(limits.admit_credential(Some("tok-2")).is_ok());
    }
}
