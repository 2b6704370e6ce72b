//! The one thread of a process that writes. It takes what has queued up, commits it in one transaction, replies,
//! and lets go of the lock before it takes more.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use holdpoint_core::{Numbering, Span, Timestamp};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::backfill::Backfill;
use super::commit::{Committed, Memory};
use super::pool::Identity;
use super::{
    Shared, backfill, channels, commit, connection, credentials, idempotency, inspect, jobs, migrate, outbox,
    presence, watch,
};
use crate::plan::Decided;
use crate::{Checkpoint, Claim, Delivery, Error, Inspection, OutboxEntry, Result, Submission};

/// How many commands one transaction takes at most.
const BATCH: usize = 256;

/// Where the result of a job goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// The outcome of a command, and the command itself: the caller drops it, which the writer has no time for.
pub(super) type Done = (Decided, Box<Submission>);

/// Everything that the writer does.
pub(super) enum Job {
    Submit(Box<Submission>, Reply<Done>),
    /// Several, which go into one transaction.
    SubmitAll(Vec<(Box<Submission>, Reply<Done>)>),
    Claim {
        claim: Claim,
        found: outbox::Found,
        reply: Reply<Vec<OutboxEntry>>,
    },
    Deliver {
        lease: String,
        deliveries: Vec<(i64, Delivery)>,
        reply: Reply<()>,
    },
    ForgetKeys {
        before: Timestamp,
        limit: usize,
        reply: Reply<usize>,
    },
    Checkpoint(Box<Checkpoint>, Reply<()>),
    Credential(credentials::Write, Reply<usize>),
    Channel(Box<channels::Write>, Reply<Option<i64>>),
    Beat {
        node: String,
        name: String,
        now: Timestamp,
        lease: Span,
        reply: Reply<()>,
    },
    Rebuild(Reply<Inspection>),
}

/// The handle to the writer; dropping it ends the thread once it has done what was asked.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(shared: Arc<Shared>) -> Self {
        let (jobs, queue) = channel();
        let thread =
            std::thread::Builder::new().name("hold-writer".into()).spawn(move || run(&shared, &queue));
        // Without a thread the queue is closed, and every job is told so.
        Self { jobs: Some(jobs), thread: thread.ok() }
    }

    /// Sends a job and waits for its result.
    pub(super) async fn ask<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T> {
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
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())
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

/// The thread's own state.
struct WriterThread<'a> {
    shared: &'a Shared,
    open: Option<Open>,
    backfill: Backfill,
    /// Whether nothing can be written: the disk is full, or the store is gone.
    stopped: bool,
}

/// A connection that writes, and the file it has open.
struct Open {
    connection: Connection,
    numbering: Numbering,
    file: Option<Identity>,
    /// Its write-ahead log, by which others notice a commit.
    log: PathBuf,
    /// Which file that is, once there is one.
    log_file: Option<Identity>,
    /// What is known after the last batch.
    memory: Option<Memory>,
}

/// What goes into one transaction: commands, and checkpoints, which so cost no sync of their own.
#[derive(Default)]
struct Batch {
    commands: Vec<(Box<Submission>, Reply<Done>)>,
    points: Vec<(Box<Checkpoint>, Reply<()>)>,
}

fn run(shared: &Shared, queue: &Receiver<Job>) {
    let backfill = Backfill::new(shared.path.clone());
    let mut writer = WriterThread { shared, open: None, backfill, stopped: false };
    let mut batch = Batch::default();
    while let Ok(job) = queue.recv() {
        let mut next = Some(job);
        while let Some(job) = next {
            writer.take(job, &mut batch);
            next = if batch.commands.len() < BATCH { queue.try_recv().ok() } else { None };
        }
        writer.submit(&mut batch);
        writer.tidy();
    }
    if let Some(open) = writer.open {
        writer.backfill.before_close(&open.connection);
    }
}

impl WriterThread<'_> {
    /// Commits a batch and tells every caller the outcome.
    fn submit(&mut self, batch: &mut Batch) {
        let Batch { commands, points } = batch;
        if commands.is_empty() && points.is_empty() {
            return;
        }
        let submissions: Vec<&Submission> = commands.iter().map(|(submission, _)| &**submission).collect();
        let signed: Vec<&Checkpoint> = points.iter().map(|(point, _)| &**point).collect();
        let shared = self.shared;
        let feed = &shared.feed;
        let committed = self.on(|open| {
            let memory = open.memory.take();
            let mut committed =
                commit::commit(&mut open.connection, open.numbering, memory, shared, &submissions, &signed)?;
            open.memory = committed.memory.take();
            if committed.wrote {
                watch::touch(&open.log);
            }
            Ok(committed)
        });
        match committed {
            Ok(Committed { seq, news, erased, outcomes, .. }) => {
                if erased {
                    self.backfill.forget();
                }
                if let Some(news) = news {
                    feed.own(news, seq);
                }
                self.shared.saw(seq);
                for ((submission, reply), outcome) in commands.drain(..).zip(outcomes) {
                    let _ = reply.send(outcome.map(|decided| (decided, submission)));
                }
                for (_, reply) in points.drain(..) {
                    let _ = reply.send(Ok(()));
                }
            }
            // One command may be what the others failed for: each for itself.
            Err(Error::Corrupt(_) | Error::Refused(_)) if commands.len() + points.len() > 1 => {
                for command in std::mem::take(commands) {
                    self.submit(&mut Batch { commands: vec![command], ..Batch::default() });
                }
                for point in std::mem::take(points) {
                    self.submit(&mut Batch { points: vec![point], ..Batch::default() });
                }
            }
            Err(error) => {
                for (_, reply) in commands.drain(..) {
                    let _ = reply.send(Err(error.clone()));
                }
                for (_, reply) in points.drain(..) {
                    let _ = reply.send(Err(error.clone()));
                }
            }
        }
    }

    /// Puts a job into the batch, or does it, after what came before it.
    fn take(&mut self, job: Job, batch: &mut Batch) {
        if !matches!(job, Job::Submit(..) | Job::SubmitAll(..) | Job::Checkpoint(..)) {
            self.submit(batch);
        }
        match job {
            Job::Submit(submission, reply) => batch.commands.push((submission, reply)),
            Job::SubmitAll(all) => batch.commands.extend(all),
            Job::Checkpoint(point, reply) => batch.points.push((point, reply)),
            Job::Claim { claim, found, reply } => {
                let claimed =
                    self.on(|open| outbox::lease(&mut open.connection, open.numbering, &claim, &found));
                let _ = reply.send(claimed);
            }
            Job::Deliver { lease, deliveries, reply } => {
                let delivered = self.on(|open| outbox::deliver(&mut open.connection, &lease, &deliveries));
                let _ = reply.send(delivered);
            }
            Job::ForgetKeys { before, limit, reply } => {
                let _ = reply.send(self.on(|open| idempotency::forget(&mut open.connection, before, limit)));
            }
            Job::Credential(write, reply) => {
                let _ = reply.send(self.on(|open| credentials::carry_out(&mut open.connection, &write)));
            }
            Job::Channel(write, reply) => {
                let kept = self.on(|open| channels::carry_out(&mut open.connection, open.numbering, &write));
                let _ = reply.send(kept);
            }
            Job::Beat { node, name, now, lease, reply } => {
                let _ =
                    reply.send(self.on(|open| jobs::beat(&mut open.connection, &node, &name, now, lease)));
            }
            Job::Rebuild(reply) => {
                let rebuilt = self.on(|open| {
                    open.memory = None;
                    inspect::rebuild(&mut open.connection, open.numbering)
                });
                let _ = reply.send(rebuilt);
            }
        }
    }

    /// Keeps the write-ahead log short, while nobody waits for an answer.
    fn tidy(&mut self) {
        if let Some(open) = &self.open {
            self.backfill.after_commit(&open.connection);
        }
    }

    /// Runs something on the open connection; opens it first, and again after any failure.
    fn on<T>(&mut self, work: impl FnOnce(&mut Open) -> Result<T>) -> Result<T> {
        let file = Identity::of(&self.shared.path);
        let known = self.open.take().filter(|open| open.file == file);
        let there = presence::check_start(&self.shared.path).and_then(|()| self.check_log(known.as_ref()));
        let open = there.and_then(|()| known.map_or_else(|| self.connect(), Ok));
        let result = open.and_then(|mut open| {
            let result = work(&mut open);
            open.log_file = open.log_file.or_else(|| Identity::of_any(&open.log));
            if matches!(result, Ok(_) | Err(Error::Refused(_))) {
                self.open = Some(open);
            }
            result
        });
        self.note(result.as_ref().err());
        result
    }

    /// Refuses to go on without the write-ahead log. Its file is still open here: what was committed to it is moved into the
    /// store, and nothing is lost. Readers have it open too, so that no other may take its place before a new start.
    fn check_log(&self, open: Option<&Open>) -> Result<()> {
        if let Some(open) = open
            && let Err(error) = presence::check_log(&self.shared.path, open.log_file)
        {
            self.shared.log_lost.store(true, Ordering::Relaxed);
            backfill::rescue(&open.connection);
            return Err(error);
        }
        if self.shared.log_lost.load(Ordering::Relaxed) {
            return Err(presence::log_lost(&self.shared.path));
        }
        Ok(())
    }

    /// Remembers whether the disk is full, and logs once that nothing can be written, and once that it can again.
    fn note(&mut self, error: Option<&Error>) {
        let stopped = matches!(error, Some(Error::Full(_) | Error::Gone(_)));
        self.shared.full.store(matches!(error, Some(Error::Full(_))), Ordering::Relaxed);
        match error {
            Some(error) if stopped && !self.stopped => tracing::error!("Nothing is written: {error}"),
            None if self.stopped => tracing::info!("The store is written again"),
            _ => {}
        }
        self.stopped = stopped || (self.stopped && error.is_some());
    }

    fn connect(&self) -> Result<Open> {
        let path = &self.shared.path;
        // The file may be gone by now, or another: then nothing is written, and no new store is made.
        presence::check(path, self.shared.pool.numbering())?;
        let mut connection = connection::writer(path)?;
        let numbering = migrate::ready(&mut connection)?;
        self.backfill.attach(&mut connection)?;
        let (file, log) = (Identity::of(path), watch::log_of(path));
        Ok(Open { connection, numbering, file, log, log_file: None, memory: None })
    }
}
