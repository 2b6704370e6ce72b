//! What a writer knows and does, whichever thread has it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::{Batch, Done, Job};
use crate::sqlite::backfill::Backfill;
use crate::sqlite::commit::{Committed, Locked, Memory, Transaction};
use crate::sqlite::file::Identity;
use crate::sqlite::{Shared, backfill, commit, connection, inspect, migrate, presence, watch};
use crate::{Checkpoint, Error, Result, Submission};

/// The connection that writes, and what is known of the store.
pub(super) struct WriterState {
    shared: Arc<Shared>,
    open: Option<Open>,
    backfill: Backfill,
    /// Whether nothing can be written: the disk is full, or the store is gone.
    stopped: bool,
}

/// A connection that writes, and the file it has open.
struct Open {
    connection: Connection,
    numbering: Numbering,
    /// Its write-ahead log, by which others notice a commit.
    log: PathBuf,
    /// Which file that is, once there is one.
    log_file: Option<Identity>,
    /// What is known after the last batch.
    memory: Option<Memory>,
}

/// What is left to do takes longer than a caller has time for.
pub(super) struct TakesLong;

impl WriterState {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let backfill = Backfill::new(Arc::clone(&shared.file));
        Self { shared, open: None, backfill, stopped: false }
    }

    /// Commits one command without waiting for other processes; hands it back where that would take longer.
    pub(super) fn commit_at_once(
        &mut self,
        submission: Box<Submission>,
    ) -> std::result::Result<Result<Done>, Box<Submission>> {
        // Opening the store may take long.
        let Some(open) = &self.open else { return Err(submission) };
        let _ = open.connection.busy_timeout(Duration::ZERO);
        let committed = self.commit(&[&submission], &[], Locked::GiveUp);
        if let Some(open) = &mut self.open
            && connection::wait_for_lock(&mut open.connection).is_err()
        {
            self.open = None;
        }
        match committed {
            Ok(None) => Err(submission),
            Ok(Some(committed)) => {
                let outcome = self.tell(committed).into_iter().next();
                let missing = || Err(Error::Unavailable("nothing became of the command".into()));
                Ok(outcome.unwrap_or_else(missing).map(|decided| (decided, submission)))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Commits a batch and tells every caller the outcome.
    pub(super) fn submit(&mut self, batch: &mut Batch) {
        let Batch { commands, points } = batch;
        if commands.is_empty() && points.is_empty() {
            return;
        }
        let submissions: Vec<&Submission> = commands.iter().map(|(submission, _)| &**submission).collect();
        let signed: Vec<&Checkpoint> = points.iter().map(|(point, _)| &**point).collect();
        let committed = self.commit(&submissions, &signed, Locked::Wait).and_then(|committed| {
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

    /// Commits; nothing if another process has the lock and the connection is not to wait for it.
    fn commit(
        &mut self,
        batch: &[&Submission],
        signed: &[&Checkpoint],
        locked: Locked,
    ) -> Result<Option<Committed>> {
        let shared = Arc::clone(&self.shared);
        self.on(|open| {
            let Open { connection, numbering, memory, log, .. } = open;
            let Some(tx) = Transaction::begin(connection, locked)? else { return Ok(None) };
            let mut committed = commit::commit(tx, *numbering, memory.take(), &shared, batch, signed)?;
            *memory = committed.memory.take();
            if committed.wrote {
                watch::touch(&shared, log);
            }
            Ok(Some(committed))
        })
    }

    /// Tells of a commit; returns the outcome of each command.
    fn tell(&mut self, committed: Committed) -> Vec<Result<crate::plan::Decided>> {
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

    /// Puts a job into the batch, or does it, after what came before it.
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

    /// Runs something on the connection that writes.
    pub(super) fn run<T>(&mut self, work: impl FnOnce(&mut Connection, Numbering) -> Result<T>) -> Result<T> {
        self.on(|open| work(&mut open.connection, open.numbering))
    }

    /// Keeps the write-ahead log short, while nobody waits for an answer.
    pub(super) fn tidy(&mut self) {
        if let Some(open) = &self.open {
            self.backfill.after_commit(&open.connection);
        }
    }

    /// Does the same where it takes no time.
    pub(super) fn tidy_at_once(&mut self) -> std::result::Result<(), TakesLong> {
        if self.backfill.takes_long() {
            return Err(TakesLong);
        }
        self.tidy();
        Ok(())
    }

    /// Closes the connection; it may move the log back.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.backfill.before_close(&open.connection);
        }
    }

    /// Runs something on the open connection; opens it first, and again after any failure.
    fn on<T>(&mut self, work: impl FnOnce(&mut Open) -> Result<T>) -> Result<T> {
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

    /// Refuses to go on where the store or its write-ahead log is not the one that was opened. Both are still open here: what
    /// was committed to the log is moved into its store. So nothing of a store is lost that lies elsewhere now, and nothing of
    /// it is left in the log for what lies in its place. Readers have the log open too, so that no other may take its
    /// place before a new start.
    fn check(&self, open: Option<&Open>) -> Result<()> {
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
        let file = &self.shared.file;
        // The file may be gone by now, or another: then nothing is written, and no new store is made.
        presence::check(file, self.shared.pool.numbering())?;
        let mut connection = connection::writer(file)?;
        let numbering = migrate::ready(&mut connection)?;
        self.backfill.attach(&mut connection)?;
        let log = presence::log_of(file.path());
        Ok(Open { connection, numbering, log, log_file: None, memory: None })
    }
}
