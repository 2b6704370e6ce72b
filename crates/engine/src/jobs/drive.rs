//! Supervises one job: carries out the order in its row, and reports the outcome.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::job::detect::Signal;
use holdpoint_core::job::{JobCommand, Report, Run};
use holdpoint_core::{Actor, Command, Job, JobStatus, Timestamp};
use tokio::sync::Notify;

use super::account::AccountCommand;
use super::act::unread;
use super::watched::WatchedSession;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::home::Home;
use crate::sessions::{self, Screen, State};

/// How long a process that is told to end may take.
pub(super) const GRACE: Duration = Duration::from_secs(5);
/// How long to wait after an unexpected failure.
const AGAIN: Duration = Duration::from_millis(500);

/// The supervisor of one job.
pub(super) struct Driver {
    pub(super) engine: Engine,
    pub(super) home: Home,
    pub(super) node: String,
    pub(super) host: Option<std::path::PathBuf>,
    /// Where sessions reach the server.
    pub(super) url: Option<String>,
    /// The account that sessions run under.
    pub(super) account: AccountCommand,
}

/// What woke the supervisor of a job.
enum WakeReason {
    Job,
    Seen(Signal, Box<Screen>),
    Loss,
    Time,
    Look,
}

impl Driver {
    /// Supervises a job until it has ended or belongs to another node.
    pub(super) async fn run(self, id: String, wake: Arc<Notify>) {
        let mut watched = None;
        loop {
            match self.turn(&id, &wake, &mut watched).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(Error::Store(why @ holdpoint_store::Error::Corrupt(_))) => {
                    tracing::error!(job.id = %id, "Job {id} is not supervised: {why}");
                    return;
                }
                Err(why) => {
                    tracing::warn!(job.id = %id, "Job {id} could not be supervised: {why}");
                    // Events that were seen but could not be recorded must be seen again.
                    watched = None;
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    /// Returns a job as it is in the log, since what it names is run.
    pub(super) async fn job(&self, id: &str) -> Result<Option<Job>> {
        Ok(holdpoint_store::proven_job(self.engine.store().as_ref(), id).await?)
    }

    /// Carries out one action, or waits until there is one. Returns whether there may be more.
    async fn turn(&self, id: &str, wake: &Notify, watched: &mut Option<WatchedSession>) -> Result<bool> {
        let Some(job) = self.job(id).await? else { return Ok(false) };
        if job.node.as_deref() != Some(&self.node) || !job.status.is_active() {
            self.leave(&job).await;
            return Ok(false);
        }
        if let Some(order) = job.order.clone() {
            return self.carry_out(&job, order, wake, watched).await;
        }
        if job.status == JobStatus::Pending {
            self.begin(&job).await?;
            return Ok(true);
        }
        if let Some(Run::Job { name, vars }) = job.run() {
            if !self.child(&job, &name, &vars).await? {
                wake.notified().await;
            }
            return Ok(true);
        }
        if !self.open(&job, watched).await? {
            // Nothing can run here: only a person can decide how to continue.
            wake.notified().await;
            return Ok(true);
        }
        let session = watched.as_ref().map(|watched| watched.session.clone());
        let typing = self.type_orders(&job, session.as_ref()).await?;
        if let Some(watched) = watched {
            if let Some(words) = typing.told.clone() {
                watched.told(words);
            }
            if let Some(after) = typing.look_after() {
                watched.look_at = Some(tokio::time::Instant::now() + after);
            }
            // Its end was reported before. A person who sent it a message all the same, or resumed the job after
            // dismissing the end, must be told again.
            let goes_on = job.status == JobStatus::Running && job.agent().is_some() && job.retry.is_none();
            if typing.ended || (watched.ended && goes_on) {
                watched.restart(&job);
            }
        }
        if typing.any {
            return Ok(true);
        }
        let due = job.retry.as_ref().map(|retry| retry.at);
        match self.woken(wake, watched, due).await? {
            WakeReason::Job => {}
            WakeReason::Time => self.try_again(&job, watched).await?,
            WakeReason::Look => {
                if let Some(watched) = watched {
                    watched.look_at = None;
                    watched.watch.look_again();
                }
            }
            WakeReason::Seen(signal, screen) => {
                if signal == Signal::Idle && self.tell_first(&job, watched).await? {
                    return Ok(true);
                }
                if matches!(signal, Signal::Dead { .. }) && self.note_unread(&job, watched).await? {
                    return Ok(true);
                }
                self.report_signal(&job, &signal, &screen).await?;
            }
            WakeReason::Loss => {
                let why = "The process that held its terminal is gone.".to_owned();
                if let Some(watched) = watched {
                    if matches!(watched.session.state().await, Ok(State::Exited(_))) {
                        // It left because its agent has ended, and said how.
                        watched.restart(&job);
                        return Ok(true);
                    }
                    watched.ended = true;
                    let _ = watched.session.stop(GRACE).await;
                }
                self.lost(&job, &why).await?;
            }
        }
        Ok(true)
    }

    /// Records what a person said that an agent did not read before it ended. Returns whether to look at its end again.
    async fn note_unread(&self, job: &Job, watched: &mut Option<WatchedSession>) -> Result<bool> {
        let Some(watched) = watched else { return Ok(false) };
        // It may have been said since this turn began.
        if self.type_orders(job, Some(&watched.session)).await?.any {
            watched.restart(job);
            return Ok(true);
        }
        if let Some(words) = watched.unread() {
            self.report(job, Report::Missed { what: unread(words), escalation: None }).await?;
        }
        Ok(false)
    }

    /// Waits for the next event.
    async fn woken(
        &self,
        wake: &Notify,
        watched: &mut Option<WatchedSession>,
        due: Option<Timestamp>,
    ) -> Result<WakeReason> {
        let timer = async {
            match due {
                Some(due) => {
                    let now = self.engine.now().await.unwrap_or_else(|_| self.engine.clock());
                    let left = due.since(now).as_millis();
                    tokio::time::sleep(Duration::from_millis(u64::try_from(left).unwrap_or_default())).await;
                }
                None => std::future::pending().await,
            }
        };
        let look_at = watched.as_ref().and_then(|watched| watched.look_at);
        let look = async {
            match look_at {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        let signal = async {
            match watched {
                Some(watched) if !watched.ended => {
                    let next = watched.watch.next().await;
                    watched.ended = matches!(next, Ok((Signal::Dead { .. }, _)));
                    next
                }
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            () = wake.notified() => Ok(WakeReason::Job),
            () = timer => Ok(WakeReason::Time),
            () = look => Ok(WakeReason::Look),
            next = signal => match next {
                Ok((signal, screen)) => Ok(WakeReason::Seen(signal, Box::new(screen))),
                Err(sessions::Error::HostGone) => Ok(WakeReason::Loss),
                Err(why) => {
                    tracing::warn!("A session could not be watched: {why}");
                    *watched = None;
                    tokio::time::sleep(AGAIN).await;
                    Ok(WakeReason::Job)
                }
            },
        }
    }

    pub(super) async fn report(&self, job: &Job, report: Report) -> Result<()> {
        let command = JobCommand::Report { node: self.node.clone(), visit: job.visit, report };
        let command =
            Command::Job { project: job.project.clone(), owner: job.owner(), command: Box::new(command) };
        self.engine.submit(Actor::supervisor(), command).await.map(drop)
    }
}
