//! The one thread of a process that writes. It takes what has queued up, commits it in one transaction, replies,
//! and lets go of the lock before it takes more.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use holdpoint_core::{Numbering, Timestamp};
use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use super::pool::Identity;
use super::{Shared, checkpoints, connection, inspect, load, migrate, outbox, save};
use crate::plan::{self, Decided, Writes};
use crate::{Checkpoint, Claim, Delivery, Error, Inspection, Parcel, Result, Submission};

/// How many commands one transaction takes at most.
const BATCH: usize = 256;

/// A commit that takes this long for each command waits for the disk and not for us.
const SLOW: Duration = Duration::from_micros(100);

/// Where the result of a job goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// Everything that the writer does.
pub(super) enum Job {
    Submit(Box<Submission>, Reply<Decided>),
    Claim(Claim, Reply<Vec<Parcel>>),
    Deliver { parcel: i64, lease: String, delivery: Delivery, reply: Reply<()> },
    Checkpoint(Timestamp, Reply<Option<Checkpoint>>),
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
        let gone = || Error::Unavailable("the writing thread has ended".into());
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        jobs.send(job(reply)).map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A connection that writes, and the file it has open.
struct Open {
    connection: Connection,
    numbering: Numbering,
    file: Option<Identity>,
}

impl Open {
    fn new(path: &Path) -> Result<Self> {
        // The file may be gone by now: it is made anew, where an old connection would write into nothing.
        connection::create(path)?;
        let mut connection = connection::writer(path)?;
        let numbering = migrate::ready(&mut connection)?;
        Ok(Self { connection, numbering, file: Identity::of(path) })
    }
}

fn run(shared: &Shared, queue: &Receiver<Job>) {
    let mut open = None;
    let mut batch = Vec::with_capacity(BATCH);
    let mut pace = Pace::default();
    while let Ok(job) = queue.recv() {
        let mut next = Some(job);
        while let Some(job) = next {
            match job {
                Job::Submit(submission, reply) => batch.push((submission, reply)),
                other => {
                    submit(shared, &mut open, &mut batch);
                    one(shared, &mut open, other);
                }
            }
            next = if batch.len() < BATCH { pace.next(queue, batch.len()) } else { None };
        }
        pace.time(batch.len(), || submit(shared, &mut open, &mut batch));
    }
}

/// How the last commit went, from which is guessed whether it pays to wait for more before the next.
#[derive(Default)]
struct Pace {
    commands: usize,
    took: Duration,
}

impl Pace {
    /// Returns the next job. Where commits are slow, whoever was in the last one is given a moment to send the
    /// next command: it will have to wait for a commit of its own otherwise.
    fn next(&self, queue: &Receiver<Job>, commands: usize) -> Option<Job> {
        let slow =
            self.commands > commands && self.took.as_micros() > SLOW.as_micros() * self.commands as u128;
        let wait = || if slow { queue.recv_timeout(self.took / 16).ok() } else { None };
        queue.try_recv().ok().or_else(wait)
    }

    fn time(&mut self, commands: usize, commit: impl FnOnce()) {
        let start = Instant::now();
        commit();
        *self = Self { commands, took: start.elapsed() };
    }
}

/// Runs something on the open connection; opens it first, and anew after any failure.
fn on<T>(
    shared: &Shared,
    open: &mut Option<Open>,
    work: impl FnOnce(&mut Connection, Numbering) -> Result<T>,
) -> Result<T> {
    let file = Identity::of(&shared.path);
    let known = open.take().filter(|open| open.file == file);
    let mut current = known.map_or_else(|| Open::new(&shared.path), Ok)?;
    let result = work(&mut current.connection, current.numbering);
    if matches!(result, Ok(_) | Err(Error::Refused(_))) {
        *open = Some(current);
    }
    result
}

type Waiting = (Box<Submission>, Reply<Decided>);

fn submit(shared: &Shared, open: &mut Option<Open>, batch: &mut Vec<Waiting>) {
    if batch.is_empty() {
        return;
    }
    let submissions: Vec<&Submission> = batch.iter().map(|(submission, _)| &**submission).collect();
    let mut numbering = Numbering::new(0);
    let committed = on(shared, open, |connection, of_file| {
        numbering = of_file;
        commit(shared, connection, of_file, &submissions)
    });
    match committed {
        Ok((seq, writes, outcomes)) => {
            if !writes.is_empty() {
                shared.feed.own(writes, numbering, seq);
            }
            shared.saw(seq);
            for ((_, reply), outcome) in batch.drain(..).zip(outcomes) {
                let _ = reply.send(outcome);
            }
        }
        // One command may be what the others failed for: each for itself.
        Err(Error::Corrupt(_) | Error::Refused(_)) if batch.len() > 1 => {
            for waiting in std::mem::take(batch) {
                submit(shared, open, &mut vec![waiting]);
            }
        }
        Err(error) => {
            for (_, reply) in batch.drain(..) {
                let _ = reply.send(Err(error.clone()));
            }
        }
    }
}

/// Decides and writes a batch in one transaction; returns where the log then ends, and what was written.
fn commit(
    shared: &Shared,
    connection: &mut Connection,
    numbering: Numbering,
    batch: &[&Submission],
) -> Result<(i64, Writes, Vec<Result<Decided>>)> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let mut snapshot = load::snapshot(&tx, numbering)?;
    for submission in batch {
        load::needs(&tx, &mut snapshot, &plan::needs(submission))?;
    }
    let mut writes = Writes::default();
    let mut told = false;
    if let [first, ..] = batch {
        let now = plan::now(&snapshot, first);
        let overdue = load::overdue(&tx, &mut snapshot, now, plan::OVERDUE)?;
        told = plan::expire_overdue(&mut snapshot, &mut writes, &overdue, now, &first.routes)?;
    }
    let decide = |submission: &&Submission| {
        let mut decided = plan::plan(&mut snapshot, &mut writes, submission)?;
        decided.posted |= told;
        Ok(decided)
    };
    let outcomes = batch.iter().map(decide).collect();
    if !writes.is_empty() {
        save::save(&tx, &writes)?;
        if let Some(at) = snapshot.at() {
            checkpoints::with_commit(&tx, &shared.options, snapshot.seq(), snapshot.hash(), at)?;
        }
        tx.commit()?;
    }
    Ok((snapshot.seq(), writes, outcomes))
}

fn one(shared: &Shared, open: &mut Option<Open>, job: Job) {
    match job {
        Job::Submit(submission, reply) => submit(shared, open, &mut vec![(submission, reply)]),
        Job::Claim(claim, reply) => {
            let _ = reply
                .send(on(shared, open, |connection, numbering| outbox::claim(connection, numbering, &claim)));
        }
        Job::Deliver { parcel, lease, delivery, reply } => {
            let done =
                on(shared, open, |connection, _| outbox::deliver(connection, parcel, &lease, &delivery));
            let _ = reply.send(done);
        }
        Job::Checkpoint(now, reply) => {
            let made =
                on(shared, open, |connection, _| checkpoints::at_head(connection, &shared.options, now));
            let _ = reply.send(made);
        }
        Job::Rebuild(reply) => {
            let _ = reply.send(on(shared, open, inspect::rebuild));
        }
    }
}
