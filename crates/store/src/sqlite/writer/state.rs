//! The state of the writer, used by whichever thread writes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::job::{Batch, FinishedCommand, Job};
use crate::sqlite::backfill::Backfill;
use crate::sqlite::commit::{CommitMemory, Committed, Durability, LockPolicy, Transaction};
use crate::sqlite::file::Identity;
use crate::sqlite::shared::Shared;
use crate::sqlite::{backfill, commit, connection, inspect, migrate, presence, watch};
use crate::{Checkpoint, Error, Result, Submission};

/// The writing connection, and the state kept with it.
pub(super) struct WriterState {
    shared: Arc<Shared>,
    open: Option<OpenWriter>,
    backfill: Backfill,
    /// Whether nothing can be written, because the disk is full or the store is gone.
    stopped: bool,
}

/// A writing connection, and the file it has open.
struct OpenWriter {
    connection: Connection,
    numbering: Numbering,
    /// Its write-ahead log, by which other processes notice a commit.
    log: PathBuf,
    /// The identity of that file, once it exists.
    log_file: Option<Identity>,
    /// The state kept after the last batch.
    memory: Option<CommitMemory>,
}

/// The error if the remaining work takes longer than a caller can wait.
pub(super) struct TakesLong;

impl WriterState {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let backfill = Backfill::new(Arc::clone(&shared.file));
        Self { shared, open: None, backfill, stopped: false }
    }

    /// Commits one command without waiting for other processes; returns the command if that would take longer.
    pub(super) fn commit_at_once(
        &mut self,
        submission: Box<Submission>,
    ) -> std::result::Result<Result<FinishedCommand>, Box<Submission>> {
        match self.at_once(|state| state.commit(&[&submission], &[], LockPolicy::GiveUp)) {
            None => Err(submission),
            Some(Ok(committed)) => {
                let outcome = self.tell(committed).into_iter().next();
                let missing = || Err(Error::Unavailable("the command had no result".into()));
                Ok(outcome.unwrap_or_else(missing).map(|decided| (decided, submission)))
            }
            Some(Err(error)) => Ok(Err(error)),
        }
    }

    /// Runs a write without waiting for other processes; returns none, and leaves the write where it was, if that would
    /// take longer.
    pub(super) fn write_at_once<T>(
        &mut self,
        durability: Durability,
        work: &mut Option<impl FnOnce(&Connection, Numbering) -> Result<T>>,
    ) -> Option<Result<T>> {
        let write = |open: &mut OpenWriter| {
            commit::write(&mut open.connection, open.numbering, durability, LockPolicy::GiveUp, work)
        };
        self.at_once(|state| state.on(write))
    }

    /// Runs a function that gets nothing from a connection that would have to wait for another process; returns none if
    /// it got nothing.
    fn at_once<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<Option<T>>) -> Option<Result<T>> {
        // Opening the store may take long, so it is left to the thread.
        let _ = self.open.as_ref()?.connection.busy_timeout(Duration::ZERO);
        let done = run(self);
        if let Some(open) = &mut self.open
            && connection::wait_for_lock(&mut open.connection).is_err()
        {
            self.open = None;
        }
        done.transpose()
    }

    /// Commits a batch and replies to every caller.
    pub(super) fn submit(&mut self, batch: &mut Batch) {
        let Batch { commands, points } = batch;
        if commands.is_empty() && points.is_empty() {
            return;
        }
        let submissions: Vec<&Submission> = commands.iter().map(|(submission, _)| &**submission).collect();
        let signed: Vec<&Checkpoint> = points.iter().map(|(point, _)| &**point).collect();
        let committed = self.commit(&submissions, &signed, LockPolicy::Wait).and_then(|committed| {
            committed.ok_or_else(|| Error::Unavailable("another process is writing; try again".into()))
        });
        match committed {
            Ok(committed) => {
                let outcomes = self.tell(committed);
                for ((submission, reply), outcome) in commands.drain(..).zip(outcomes) {
                    let _ = reply.send(outcome.map(|decided| (decided, submission)));
                }
                for (_, reply) in points.drain(..) {
                    let _ = reply.send(Ok(()));
                }
            }
            // A single command may have made the batch fail, so each is tried alone.
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

    /// Commits; returns none if another process has the lock and the connection should not wait for it.
    fn commit(
        &mut self,
        batch: &[&Submission],
        signed: &[&Checkpoint],
        locked: LockPolicy,
    ) -> Result<Option<Committed>> {
        let shared = Arc::clone(&self.shared);
        self.on(|open| {
            let OpenWriter { connection, numbering, memory, log, .. } = open;
            let Some(tx) = Transaction::begin(connection, locked)? else { return Ok(None) };
            let mut committed = commit::commit(tx, *numbering, memory.take(), &shared, batch, signed)?;
            *memory = committed.memory.take();
            if committed.wrote {
                watch::touch(&shared, log);
            }
            Ok(Some(committed))
        })
    }

    /// Reports a commit; returns the outcome of each command.
    fn tell(&mut self, committed: Committed) -> Vec<Result<crate::plan::CommandOutcome>> {
        let Committed { seq, news, erased, outcomes, .. } = committed;
        if erased {
            self.backfill.forget();
        }
        if let Some(news) = news {
            self.shared.feed.own(news, seq);
        }
        self.shared.saw(seq);
        outcomes
    }

    /// Adds a job to the batch, or runs it after the batch.
    pub(super) fn take(&mut self, job: Job, batch: &mut Batch) {
        if !matches!(job, Job::Submit(..) | Job::SubmitAll(..) | Job::Checkpoint(..)) {
            self.submit(batch);
        }
        match job {
            Job::Submit(submission, reply) => batch.commands.push((submission, reply)),
            Job::SubmitAll(all) => batch.commands.extend(all),
            Job::Checkpoint(point, reply) => batch.points.push((point, reply)),
            Job::Other(work) => work(self),
            Job::Rebuild(reply) => {
                let rebuilt = self.on(|open| {
                    open.memory = None;
                    inspect::rebuild(&mut open.connection, open.numbering)
                });
                let _ = reply.send(rebuilt);
            }
            Job::Tidy => {}
        }
    }

    /// Runs a function on the writing connection.
    pub(super) fn run<T>(&mut self, work: impl FnOnce(&mut Connection, Numbering) -> Result<T>) -> Result<T> {
        self.on(|open| work(&mut open.connection, open.numbering))
    }

    /// Keeps the write-ahead log short, at a time when no caller waits for a reply.
    pub(super) fn tidy(&mut self) {
        if let Some(open) = &self.open {
            self.backfill.after_commit(&open.connection);
        }
    }

    /// Like [`Self::tidy`], but only if that takes little time.
    pub(super) fn tidy_at_once(&mut self) -> std::result::Result<(), TakesLong> {
        if self.backfill.takes_long() {
            return Err(TakesLong);
        }
        self.tidy();
        Ok(())
    }

    /// Closes the connection, which may checkpoint the log.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.backfill.before_close(&open.connection);
        }
    }

    /// Runs a function on the open connection, which is opened first, and again after any failure.
    fn on<T>(&mut self, work: impl FnOnce(&mut OpenWriter) -> Result<T>) -> Result<T> {
        let known = self.open.take();
        let there = self.check(known.as_ref());
        let open = there.and_then(|()| known.map_or_else(|| self.connect(), Ok));
        let result = open.and_then(|mut open| {
            let result = work(&mut open);
            open.log_file = open.log_file.or_else(|| Identity::of(&open.log));
            if matches!(result, Ok(_) | Err(Error::Refused(_))) {
                self.open = Some(open);
            }
            result
        });
        self.note(result.as_ref().err());
        result
    }

    /// Refuses to continue if the store or its write-ahead log is not the file that was opened. Both files are still
    /// open here, so the log is checkpointed into its own store: a store that was moved loses nothing, and no frames
    /// remain for the file in its place. Readers also have the log open, so no other log can take its place before a
    /// restart.
    fn check(&self, open: Option<&OpenWriter>) -> Result<()> {
        let file = &self.shared.file;
        let there = presence::check_start(file);
        if let Some(open) = open {
            let log = presence::check_log(file.path(), &open.log, open.log_file);
            if log.is_err() {
                self.shared.log_lost.store(true, Ordering::Relaxed);
            }
            if !file.is_in_place() || log.is_err() {
                backfill::rescue(&open.connection);
            }
            there.and(log)
        } else if self.shared.log_lost.load(Ordering::Relaxed) {
            there.and(Err(presence::log_lost(file.path())))
        } else {
            there
        }
    }

    /// Records whether the disk is full; logs once when writing stops, and once when it works again.
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

    fn connect(&self) -> Result<OpenWriter> {
        let file = &self.shared.file;
        // The file may have been removed or replaced; then nothing is written, and no new store is created.
        presence::check(file, self.shared.pool.numbering())?;
        let mut connection = connection::writer(file)?;
        let numbering = migrate::ready(&mut connection)?;
        self.backfill.attach(&mut connection)?;
        let log = presence::log_of(file.path());
        Ok(OpenWriter { connection, numbering, log, log_file: None, memory: None })
    }
}
