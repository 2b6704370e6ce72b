//! Ends an agent and everything that it started.

use std::time::Duration;

use rustix::process::Signal;
use tokio::time::Instant;

use super::connection::Connection;
use super::error::Error;
use super::processes::{self, SessionProcesses};
use super::session::Session;
use super::wire::{self, Frame, Reply, Request};

/// The result of stopping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// Processes that could not be ended, by id: another user's, or stuck in the kernel. Normally empty.
    pub left: Vec<u32>,
}

/// How long it may take beyond the grace period.
const TIMEOUT: Duration = Duration::from_secs(15);
const LOOK: Duration = Duration::from_millis(50);

/// Ends the agent of a session and everything that it started, through its host or, if that is gone, directly.
pub(super) async fn stop(session: &Session, grace: Duration) -> Result<Stopped, Error> {
    match by_host(session, grace).await {
        Ok(left) => Ok(Stopped { left }),
        Err(Error::HostGone) => without_host(session, grace).await,
        Err(other) => Err(other),
    }
}

async fn by_host(session: &Session, grace: Duration) -> Result<Vec<u32>, Error> {
    let mut connection = Connection::open(session.dir()).await?;
    let grace_ms = u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
    connection.writer.send(&wire::json(&Request::Stop { grace_ms })).await?;
    let until = Instant::now() + grace.saturating_add(TIMEOUT);
    loop {
        let next = tokio::time::timeout_at(until, connection.reader.next()).await;
        let Frame::Json(text) = next.map_err(|_| Error::Host("does not end".into()))?? else {
            continue;
        };
        if let Reply::Stopped { left } = super::connection::read(&text)? {
            return Ok(left);
        }
    }
}

async fn without_host(session: &Session, grace: Duration) -> Result<Stopped, Error> {
    let leader = session.about()?.agent.filter(|agent| processes::is_alive(*agent)).map(|agent| agent.pid);
    let start = Instant::now();
    let mut told = std::collections::BTreeSet::new();
    loop {
        let members = processes::members(&SessionProcesses { dir: session.dir(), host: None, leader });
        if members.is_empty() || start.elapsed() > grace + TIMEOUT {
            return Ok(Stopped { left: members.into_iter().collect() });
        }
        if start.elapsed() >= grace {
            processes::signal(&members, leader, Signal::KILL);
        } else {
            let new = members.difference(&told).copied().collect();
            processes::ask_to_end(&new, leader.filter(|leader| new.contains(leader)));
            told.extend(new);
        }
        tokio::time::sleep(LOOK).await;
    }
}
