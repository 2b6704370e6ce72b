//! The writer of a process: one thread commits the queued commands in one transaction, replies, and releases the lock
//! before it takes more. A command that arrives while nothing else is in progress is committed by its caller's thread,
//! because switching to another thread and back may take longer than the commit.

mod job;
mod state;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use holdpoint_core::Numbering;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::job::{Batch, FinishedCommand, Job, Reply};
use self::state::WriterState;
use super::commit::{self, Durability, LockPolicy};
use super::migrate;
use super::shared::Shared;
use crate::{Checkpoint, Error, Inspection, Result, Submission};

/// The maximum number of commands in one transaction.
const BATCH: usize = 256;
/// From how many commands per transaction the load is high enough for callers to leave commits to the thread.
const MANY: usize = 3;
/// The longest duration of a commit after which the next may run on a thread that serves others, too.
const SHORT: Duration = Duration::from_millis(2);

/// The handle to the writer; dropping it ends the thread after it has finished the queue.
pub(super) struct Writer {
    common: Arc<WriterShared>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// The state shared by the thread and the callers that write.
struct WriterShared {
    state: Mutex<WriterState>,
    /// How many jobs are queued for the thread.
    queued: AtomicUsize,
    /// Whether the last commit was short and had few commands.
    calm: AtomicBool,
}

impl WriterShared {
    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, commands: usize, begun: Instant) {
        self.calm.store(commands < MANY && begun.elapsed() < SHORT, Ordering::Relaxed);
    }
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(shared: Arc<Shared>) -> Self {
        let (jobs, queue) = channel();
        let common = Arc::new(WriterShared {
            state: Mutex::new(WriterState::new(shared)),
            queued: AtomicUsize::default(),
            calm: AtomicBool::default(),
        });
        let of_thread = Arc::clone(&common);
        let thread =
            std::thread::Builder::new().name("hold-writer".into()).spawn(move || run(&of_thread, &queue));
        // Without a thread the queue is closed, and every job fails.
        Self { common, jobs: Some(jobs), thread: thread.ok() }
    }

    /// Commits a command and returns its outcome.
    pub(super) async fn submit(&self, submission: Submission) -> Result<FinishedCommand> {
        match self.commit_here(Box::new(submission)) {
            Ok(done) => done,
            Err(submission) => self.ask(|reply| Job::Submit(submission, reply)).await,
        }
    }

    /// Commits a command on this thread, if no other thread writes and it is likely to be short; returns the command
    /// otherwise.
    fn commit_here(
        &self,
        submission: Box<Submission>,
    ) -> std::result::Result<Result<FinishedCommand>, Box<Submission>> {
        let Some(mut state) = self.calm_state() else { return Err(submission) };
        let begun = Instant::now();
        let done = state.commit_at_once(submission);
        self.common.note(1, begun);
        self.tidy_after(&mut state);
        done
    }

    /// Returns the writer's state, if this thread may write: no other thread writes, and it is likely to be short.
    fn calm_state(&self) -> Option<MutexGuard<'_, WriterState>> {
        let WriterShared { state, queued, calm } = &*self.common;
        // A runtime with one thread would be blocked meanwhile, and so would never have two commands in one
        // transaction.
        let has_others = || Handle::try_current().is_ok_and(|runtime| runtime.metrics().num_workers() > 1);
        if !calm.load(Ordering::Relaxed) || queued.load(Ordering::Relaxed) > 0 || !has_others() {
            return None;
        }
        state.try_lock().ok()
    }

    fn tidy_after(&self, state: &mut WriterState) {
        if state.tidy_at_once().is_err() {
            let _ = self.send(Job::Tidy);
        }
    }

    /// Runs a write in a separate transaction.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>, Numbering) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run(move |connection, numbering| {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            migrate::check(&tx)?;
            let done = work(&tx, numbering)?;
            tx.commit()?;
            Ok(done)
        })
        .await
    }

    /// Does the same for a short write that a caller waits for: on this thread, if no other thread or process writes.
    pub(super) async fn write_short<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection, Numbering) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut work = Some(work);
        if let Some(mut state) = self.calm_state() {
            let done = state.write_at_once(durability, &mut work);
            self.tidy_after(&mut state);
            if let Some(done) = done {
                return done;
            }
        }
        let write = move |connection: &mut Connection, numbering| {
            let done = commit::write(connection, numbering, durability, LockPolicy::Wait, &mut work)?;
            done.ok_or_else(|| Error::Unavailable("another process is writing; try again".into()))
        };
        self.run(write).await
    }

    /// Runs a function on the writing connection.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection, Numbering) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let job = |reply: Reply<T>| {
            Job::Other(Box::new(move |state: &mut WriterState| drop(reply.send(state.run(work)))))
        };
        self.ask(job).await
    }

    /// Writes a checkpoint with the next transaction.
    pub(super) async fn put_checkpoint(&self, point: Checkpoint) -> Result<()> {
        self.ask(|reply| Job::Checkpoint(Box::new(point), reply)).await
    }

    /// Rebuilds the projections from the log.
    pub(super) async fn rebuild(&self) -> Result<Inspection> {
        self.ask(Job::Rebuild).await
    }

    /// Sends a job and waits for its result.
    async fn ask<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T> {
        let (reply, result) = oneshot::channel();
        self.send(job(reply))?;
        result.await.map_err(|_| writer_closed())?
    }

    /// Sends commands that go into one transaction, and waits for the outcome of each.
    pub(super) async fn submit_all(&self, submissions: Vec<Submission>) -> Vec<Result<FinishedCommand>> {
        let (mut jobs, mut results) = (Vec::new(), Vec::new());
        for submission in submissions {
            let (reply, result) = oneshot::channel();
            jobs.push((Box::new(submission), reply));
            results.push(result);
        }
        // If sending fails, the reply channels are closed, which each receiver notices below.
        let _ = self.send(Job::SubmitAll(jobs));
        let mut outcomes = Vec::with_capacity(results.len());
        for result in results {
            outcomes.push(result.await.unwrap_or_else(|_| Err(writer_closed())));
        }
        outcomes
    }

    fn send(&self, job: Job) -> Result<()> {
        let jobs = self.jobs.as_ref().ok_or_else(writer_closed)?;
        self.common.queued.fetch_add(1, Ordering::Relaxed);
        jobs.send(job).map_err(|_| writer_closed())
    }
}

fn writer_closed() -> Error {
    Error::Unavailable("the writing thread has ended".into())
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(common: &WriterShared, queue: &Receiver<Job>) {
    let mut batch = Batch::default();
    while let Ok(job) = queue.recv() {
        // While a caller writes by itself, more jobs queue up.
        let mut state = common.lock();
        let begun = Instant::now();
        let mut next = Some(job);
        while let Some(job) = next {
            common.queued.fetch_sub(1, Ordering::Relaxed);
            state.take(job, &mut batch);
            next = if batch.commands.len() < BATCH { queue.try_recv().ok() } else { None };
        }
        let commands = batch.commands.len();
        state.submit(&mut batch);
        common.note(commands, begun);
        state.tidy();
    }
    common.lock().close();
}
