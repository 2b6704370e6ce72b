//! Who writes in a process: one thread, which takes what has queued up, commits it in one transaction, replies, and lets go
//! of the lock before it takes more. A command that comes while nothing else is under way is committed by its caller's
//! thread: to wake another and to be woken by it may take longer than the commit.

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

use self::state::WriterState;
use super::{Shared, migrate};
use crate::plan::Decided;
use crate::{Checkpoint, Error, Inspection, Result, Submission};

/// How many commands one transaction takes at most.
const BATCH: usize = 256;
/// From how many commands in one transaction on there is so much to do that callers leave it to the thread.
const MANY: usize = 3;
/// How long a commit may have taken for the next to be made on a thread that serves others, too.
const SHORT: Duration = Duration::from_millis(2);

/// Where the result of a job goes.
type Reply<T> = oneshot::Sender<Result<T>>;

/// The outcome of a command, and the command itself: the caller drops it, which the writer has no time for.
pub(super) type Done = (Decided, Box<Submission>);

/// Everything that the writer does.
enum Job {
    Submit(Box<Submission>, Reply<Done>),
    /// Several, which go into one transaction.
    SubmitAll(Vec<(Box<Submission>, Reply<Done>)>),
    Checkpoint(Box<Checkpoint>, Reply<()>),
    /// Something else that writes.
    Other(Box<dyn FnOnce(&mut WriterState) + Send>),
    Rebuild(Reply<Inspection>),
    /// Nothing but what is done after every transaction.
    Tidy,
}

/// The handle to the writer; dropping it ends the thread once it has done what was asked.
pub(super) struct Writer {
    common: Arc<Common>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread and the callers that write have in common.
struct Common {
    state: Mutex<WriterState>,
    /// How many jobs wait for the thread.
    queued: AtomicUsize,
    /// Whether the last commit was short and of few commands.
    calm: AtomicBool,
}

impl Common {
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
        let common = Arc::new(Common {
            state: Mutex::new(WriterState::new(shared)),
            queued: AtomicUsize::default(),
            calm: AtomicBool::default(),
        });
        let of_thread = Arc::clone(&common);
        let thread =
            std::thread::Builder::new().name("hold-writer".into()).spawn(move || run(&of_thread, &queue));
        // Without a thread the queue is closed, and every job is told so.
        Self { common, jobs: Some(jobs), thread: thread.ok() }
    }

    /// Commits a command and returns its outcome.
    pub(super) async fn submit(&self, submission: Submission) -> Result<Done> {
        match self.commit_here(Box::new(submission)) {
            Ok(done) => done,
            Err(submission) => self.ask(|reply| Job::Submit(submission, reply)).await,
        }
    }

    /// Commits a command on this thread, if nobody else writes and it is likely to be short; hands it back otherwise.
    fn commit_here(&self, submission: Box<Submission>) -> std::result::Result<Result<Done>, Box<Submission>> {
        let Common { state, queued, calm } = &*self.common;
        // A runtime with one thread would do nothing else meanwhile, and so never have two commands in one transaction.
        let has_others = || Handle::try_current().is_ok_and(|runtime| runtime.metrics().num_workers() > 1);
        if !calm.load(Ordering::Relaxed) || queued.load(Ordering::Relaxed) > 0 || !has_others() {
            return Err(submission);
        }
        let Ok(mut state) = state.try_lock() else { return Err(submission) };
        let begun = Instant::now();
        let done = state.commit_at_once(submission);
        self.common.note(1, begun);
        if state.tidy_at_once().is_err() {
            let _ = self.send(Job::Tidy);
        }
        done
    }

    /// Writes in a transaction of its own.
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

    /// Runs something on the connection that writes.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection, Numbering) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let job = |reply: Reply<T>| {
            Job::Other(Box::new(move |state: &mut WriterState| drop(reply.send(state.run(work)))))
        };
        self.ask(job).await
    }

    /// Writes a checkpoint, with the commands of the next transaction.
    pub(super) async fn put_checkpoint(&self, point: Checkpoint) -> Result<()> {
        self.ask(|reply| Job::Checkpoint(Box::new(point), reply)).await
    }

    /// Makes everything again that is projected from the log.
    pub(super) async fn rebuild(&self) -> Result<Inspection> {
        self.ask(Job::Rebuild).await
    }

    /// Sends a job and waits for its result.
    async fn ask<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T> {
        let (reply, result) = oneshot::channel();
        self.send(job(reply))?;
        result.await.map_err(|_| gone())?
    }

    /// Sends commands that go into one transaction, and waits for the outcome of each.
    pub(super) async fn submit_all(&self, submissions: Vec<Submission>) -> Vec<Result<Done>> {
        let (mut jobs, mut results) = (Vec::new(), Vec::new());
        for submission in submissions {
            let (reply, result) = oneshot::channel();
            jobs.push((Box::new(submission), reply));
            results.push(result);
        }
        // What is not sent closes its channels, by which each learns of it.
        let _ = self.send(Job::SubmitAll(jobs));
        let mut outcomes = Vec::with_capacity(results.len());
        for result in results {
            outcomes.push(result.await.unwrap_or_else(|_| Err(gone())));
        }
        outcomes
    }

    fn send(&self, job: Job) -> Result<()> {
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        self.common.queued.fetch_add(1, Ordering::Relaxed);
        jobs.send(job).map_err(|_| gone())
    }
}

fn gone() -> Error {
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

/// What goes into one transaction: commands, and checkpoints, which so cost no sync of their own.
#[derive(Default)]
struct Batch {
    commands: Vec<(Box<Submission>, Reply<Done>)>,
    points: Vec<(Box<Checkpoint>, Reply<()>)>,
}

fn run(common: &Common, queue: &Receiver<Job>) {
    let mut batch = Batch::default();
    while let Ok(job) = queue.recv() {
        // A caller that writes itself meanwhile lets more queue up.
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
