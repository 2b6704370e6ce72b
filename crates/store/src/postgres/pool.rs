//! Connections for reading. A few are shared by all readers, which send without waiting for each other; a transaction
//! gets a separate connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_postgres::Row;

use super::address::Address;
use super::connection::{Connection, Param};
use super::error::{PgError, Result};
use super::tls_stream::MakeTls;

/// The maximum number of shared connections.
const SHARED: usize = 4;
/// Another connection is opened when every connection has this many statements in progress.
const CROWDED: usize = 8;
/// How many connections are kept after a transaction for the next one.
const SPARE: usize = 2;
/// How long to retry while the database is out of reach.
pub(super) const RETRY_FOR: Duration = Duration::from_secs(10);

/// The connections to the database.
pub(super) struct Pool {
    pub(super) address: Address,
    tls: MakeTls,
    shared: Mutex<Vec<Arc<Connection>>>,
    spare: Mutex<Vec<Connection>>,
    opening: tokio::sync::Mutex<()>,
}

impl Pool {
    pub(super) fn new(address: Address, tls: MakeTls) -> Self {
        Self {
            address,
            tls,
            shared: Mutex::default(),
            spare: Mutex::default(),
            opening: tokio::sync::Mutex::new(()),
        }
    }

    /// Opens a connection for the caller alone.
    pub(super) async fn open(&self) -> Result<Connection> {
        Connection::open(&self.address, &self.tls).await
    }

    /// Adds a connection to the shared ones.
    pub(super) fn share(&self, connection: Connection) {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(connection));
    }

    pub(super) fn tls(&self) -> &MakeTls {
        &self.tls
    }

    /// Runs one statement that may be repeated, again if the connection was lost.
    pub(super) async fn query(&self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>> {
        let mut backoff = Backoff::new();
        loop {
            let done = match self.shared().await {
                Ok(connection) => connection.query(sql, params).await,
                Err(fault) => Err(fault),
            };
            match done {
                Err(fault) if fault.may_pass() => backoff.nap(fault).await?,
                done => return done,
            }
        }
    }

    /// Takes a connection for a transaction; it is closed unless it is returned.
    pub(super) async fn take(&self) -> Result<Connection> {
        let spare = {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            spare.retain(|connection| !connection.is_closed());
            spare.pop()
        };
        match spare {
            Some(connection) => Ok(connection),
            None => self.open().await,
        }
    }

    /// Returns a connection to the pool after its transaction has ended.
    pub(super) fn put(&self, connection: Connection) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < SPARE {
            spare.push(connection);
        }
    }

    /// Returns a connection that several callers may use at once, for single statements.
    async fn shared(&self) -> Result<Arc<Connection>> {
        if let Some(connection) = self.pick() {
            return Ok(connection);
        }
        let _one_at_a_time = self.opening.lock().await;
        if let Some(connection) = self.pick() {
            return Ok(connection);
        }
        let connection = Arc::new(self.open().await?);
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&connection));
        Ok(connection)
    }

    /// Returns the least busy connection, or none if another one should be opened.
    fn pick(&self) -> Option<Arc<Connection>> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|connection| !connection.is_closed());
        let least = shared.iter().min_by_key(|connection| connection.in_flight())?;
        (shared.len() >= SHARED || least.in_flight() < CROWDED).then(|| Arc::clone(least))
    }
}

/// Waits between retries, a little longer each time, up to a limit.
pub(super) struct Backoff {
    since: Instant,
    nap: Duration,
}

impl Backoff {
    pub(super) fn new() -> Self {
        Self { since: Instant::now(), nap: Duration::from_millis(5) }
    }

    /// Waits before the next retry; returns the error if the time is up.
    pub(super) async fn nap(&mut self, fault: PgError) -> Result<()> {
        if self.since.elapsed() + self.nap >= RETRY_FOR {
            return Err(fault);
        }
        tracing::debug!("Trying again in {} ms: {}", self.nap.as_millis(), crate::Error::from(fault));
        tokio::time::sleep(self.nap).await;
        self.nap = (self.nap * 2).min(Duration::from_millis(500));
        Ok(())
    }
}
