//! The only task of a process that writes. It commits the queued commands in one transaction and replies.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::commit::{self, Committed, UnconfirmedBatch};
use super::connection::Connection;
use super::error::{PgError, Result};
use super::pool::Backoff;
use super::queue::{BATCH, Group, Queue};
use super::shared::Shared;
use crate::{Error, Outcome, Submission};

/// How long one try may take; a database that does not answer for so long is considered gone.
const TRY: Duration = Duration::from_secs(30);

/// The handle to the writer; once it is dropped, the task finishes the queue and ends.
pub(super) struct Writer(mpsc::UnboundedSender<Group>);

impl Writer {
    /// Starts the task.
    pub(super) fn start(shared: Arc<Shared>) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        tokio::spawn(run(shared, queue));
        Self(jobs)
    }

    /// Sends a command and waits for its outcome.
    pub(super) async fn submit(&self, submission: Submission) -> crate::Result<Outcome> {
        self.submit_all(vec![submission]).await.pop().unwrap_or_else(|| Err(writer_closed()))
    }

    /// Sends commands that go into one transaction, and waits for the outcome of each.
    pub(super) async fn submit_all(&self, submissions: Vec<Submission>) -> Vec<crate::Result<Outcome>> {
        let (mut group, mut results) = (Vec::new(), Vec::new());
        for submission in submissions {
            let (reply, result) = oneshot::channel();
            group.push((submission, reply));
            results.push(result);
        }
        // If sending fails, the reply channels are closed, which each receiver notices below.
        let _ = self.0.send(group);
        let mut outcomes = Vec::with_capacity(results.len());
        for result in results {
            outcomes.push(result.await.unwrap_or_else(|_| Err(writer_closed())));
        }
        outcomes
    }
}

fn writer_closed() -> Error {
    Error::Unavailable("the writing task has ended".into())
}

async fn run(shared: Arc<Shared>, jobs: mpsc::UnboundedReceiver<Group>) {
    let mut writer = WriterTask { shared, connection: None };
    let mut queue = Queue { jobs, replies: Vec::with_capacity(BATCH) };
    let mut batch = Vec::with_capacity(BATCH);
    while queue.first(&mut batch).await {
        let outcomes = writer.submit(&mut batch, &mut queue).await;
        for (reply, outcome) in queue.replies.drain(..).zip(outcomes) {
            let _ = reply.send(outcome);
        }
        batch.clear();
    }
}

/// The task's own state.
struct WriterTask {
    shared: Arc<Shared>,
    connection: Option<Connection>,
}

impl WriterTask {
    /// Commits a batch; returns the outcome of each command.
    async fn submit(
        &mut self,
        batch: &mut Vec<Submission>,
        queue: &mut Queue,
    ) -> Vec<crate::Result<Outcome>> {
        match self.commit(batch, Some(queue)).await {
            Ok(committed) => self.tell(committed),
            // A single command may have made the batch fail, so each is tried alone.
            Err(Error::Corrupt(_) | Error::Refused(_)) if batch.len() > 1 => {
                let mut outcomes = Vec::with_capacity(batch.len());
                for one in batch.drain(..) {
                    match self.commit(&mut vec![one], None).await {
                        Ok(committed) => outcomes.extend(self.tell(committed)),
                        Err(error) => outcomes.push(Err(error)),
                    }
                }
                outcomes
            }
            Err(error) => batch.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    fn tell(&self, committed: Committed) -> Vec<crate::Result<Outcome>> {
        let Committed { seq, news, outcomes } = committed;
        if let Some(news) = news {
            self.shared.feed.own(news, seq);
        }
        self.shared.saw(seq);
        outcomes
    }

    /// Tries until the batch is committed, permanently refused, or the time is up.
    async fn commit(
        &mut self,
        batch: &mut Vec<Submission>,
        mut queue: Option<&mut Queue>,
    ) -> crate::Result<Committed> {
        let mut backoff = Backoff::new();
        let mut doubt = None;
        let mut doubted = false;
        loop {
            match self.attempt(batch, queue.as_deref_mut(), &mut doubt).await {
                Ok(committed) => return Ok(committed),
                Err(fault) if fault.may_pass() => {
                    if doubt.is_some() && !std::mem::replace(&mut doubted, true) {
                        // Whatever time has passed, the outcome of the commit must be found out.
                        backoff = Backoff::new();
                    }
                    if let Err(fault) = backoff.nap(fault).await {
                        return Err(unknown(fault, doubt.as_ref()));
                    }
                }
                Err(fault) => return Err(fault.into()),
            }
        }
    }

    async fn attempt(
        &mut self,
        batch: &mut Vec<Submission>,
        queue: Option<&mut Queue>,
        doubt: &mut Option<UnconfirmedBatch>,
    ) -> Result<Committed> {
        let known = self.connection.take().filter(|connection| !connection.is_closed());
        let connection = match known {
            Some(connection) => connection,
            None => self.shared.pool.open().await?,
        };
        let commit = commit::commit(&connection, &self.shared, batch, queue, doubt);
        let tried = tokio::time::timeout(TRY, commit).await;
        let done = tried.unwrap_or_else(|_| Err(PgError::Lost("the database does not answer".into())));
        match &done {
            Ok(_) => self.connection = Some(connection),
            // The connection is lost or in an unknown state; closing it also ends its transaction.
            Err(PgError::Lost(_)) => {}
            Err(_) => {
                if connection.query("ROLLBACK", &[]).await.is_ok() {
                    self.connection = Some(connection);
                }
            }
        }
        done
    }
}

/// Says that nobody knows, where that is so.
fn unknown(fault: PgError, doubt: Option<&UnconfirmedBatch>) -> Error {
    match (Error::from(fault), doubt) {
        (Error::Unreachable(why), Some(_)) => Error::Unreachable(format!(
            "{why}; the connection was lost while this was committed, so look before you send it again"
        )),
        (error, _) => error,
    }
}
