//! One job: does what its row says is to be done, and reports what came of it.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::job::detect::{Detector, ErrorKind, Pattern, Patterns, Signal, Timing};
use holdpoint_core::job::{JobCommand, NewJob, Order, Report, Run};
use holdpoint_core::{Actor, Command, Job, JobKind, JobStatus, Owner, OwnerKind, Timestamp};
use tokio::sync::Notify;

use super::{escalation, gate, launch, session_dir, worktree};
use crate::engine::Engine;
use crate::error::Result;
use crate::home::Home;
use crate::sessions::{self, Screen, Session, Watch};

/// How long what is told to end may take.
const GRACE: Duration = Duration::from_secs(5);
/// How long after something was typed it is looked at anew.
const AFTER_TYPING: Duration = Duration::from_millis(700);
/// How long to wait after something that should not have failed.
const AGAIN: Duration = Duration::from_millis(500);

/// What looks after one job.
pub(super) struct Driver {
    pub(super) engine: Engine,
    pub(super) home: Home,
    pub(super) node: String,
    pub(super) host: Option<std::path::PathBuf>,
}

/// A session that is watched.
struct Watched {
    agent_id: String,
    session: Session,
    watch: Watch,
    ended: bool,
    /// When to look anew at what still stands there.
    look_at: Option<tokio::time::Instant>,
}

/// What woke the one who looks after a job.
enum Woken {
    ByJob,
    BySignal(Signal, Box<Screen>),
    ByLoss,
    ByTime,
    ByLook,
}

impl Driver {
    /// Looks after a job until it has come to its end or is another node's.
    pub(super) async fn run(self, id: String, wake: Arc<Notify>) {
        let mut watched = None;
        let mut message = None;
        loop {
            match self.turn(&id, &wake, &mut watched, &mut message).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(why) => {
                    tracing::warn!(job.id = %id, "Job {id} could not be looked after: {why}");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    /// Does one thing, or waits until there is one to do. Returns whether there may be more.
    async fn turn(
        &self,
        id: &str,
        wake: &Notify,
        watched: &mut Option<Watched>,
        message: &mut Option<String>,
    ) -> Result<bool> {
        let Some(job) = self.engine.store().job(id).await? else { return Ok(false) };
        if job.node.as_deref() != Some(&self.node) || !job.status.is_active() {
            self.leave(&job).await;
            return Ok(false);
        }
        if let Some(order) = job.order.clone() {
            return self.carry_out(&job, order, wake, watched, message).await;
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
        if !self.open(&job, watched, message).await? {
            // Nothing runs here: only a person can say how it goes on.
            wake.notified().await;
            return Ok(true);
        }
        let session = watched.as_ref().map(|watched| watched.session.clone());
        if self.type_orders(&job, session.as_ref()).await? {
            if let Some(watched) = watched {
                watched.look_at = Some(tokio::time::Instant::now() + AFTER_TYPING);
            }
            return Ok(true);
        }
        let due = job.retry.as_ref().map(|retry| retry.at);
        match self.woken(wake, watched, due).await? {
            Woken::ByJob => {}
            Woken::ByTime => self.try_again(&job, watched).await?,
            Woken::ByLook => {
                if let Some(watched) = watched {
                    watched.look_at = None;
                    watched.watch.look_again();
                }
            }
            Woken::BySignal(signal, screen) => self.saw(&job, &signal, &screen).await?,
            Woken::ByLoss => {
                if let Some(watched) = watched {
                    watched.ended = true;
                    let _ = watched.session.stop(GRACE).await;
                }
                self.lost(&job, "The process that held its terminal is gone.").await?;
            }
        }
        Ok(true)
    }

    /// Waits for the next thing to happen.
    async fn woken(
        &self,
        wake: &Notify,
        watched: &mut Option<Watched>,
        due: Option<Timestamp>,
    ) -> Result<Woken> {
        let timer = async {
            match due {
                Some(due) => {
                    let left = due.since(self.engine.clock()).as_millis();
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
            () = wake.notified() => Ok(Woken::ByJob),
            () = timer => Ok(Woken::ByTime),
            () = look => Ok(Woken::ByLook),
            next = signal => match next {
                Ok((signal, screen)) => Ok(Woken::BySignal(signal, Box::new(screen))),
                Err(sessions::Error::HostGone) => Ok(Woken::ByLoss),
                Err(why) => {
                    tracing::warn!("A session could not be watched: {why}");
                    *watched = None;
                    tokio::time::sleep(AGAIN).await;
                    Ok(Woken::ByJob)
                }
            },
        }
    }

    async fn begin(&self, job: &Job) -> Result<()> {
        if let Err(why) = self.ready(job).await {
            return self.report(job, Report::Broken { why }).await;
        }
        let agent_id = super::control::random_name("agt-")?;
        if job.visit == 0 {
            self.tell(job, |notify| notify.on_start.as_ref());
        }
        self.report(job, Report::Began { agent_id }).await
    }

    async fn ready(&self, job: &Job) -> std::result::Result<(), String> {
        let (home, job) = (self.home.clone(), job.clone());
        let done = tokio::task::spawn_blocking(move || worktree::ensure(&home, &job)).await;
        done.unwrap_or_else(|why| Err(why.to_string()))
    }

    /// Sees to it that the session of the step is there and watched. Returns false if it cannot be.
    async fn open(
        &self,
        job: &Job,
        watched: &mut Option<Watched>,
        message: &mut Option<String>,
    ) -> Result<bool> {
        let Some(agent_id) = job.agent_id.clone() else { return Ok(false) };
        if watched.as_ref().is_some_and(|watched| watched.agent_id == agent_id) {
            return Ok(true);
        }
        let visit = job.history.last().filter(|visit| visit.agent_id == agent_id);
        if let Some(elsewhere) = visit.filter(|visit| visit.node != self.node) {
            if job.status == JobStatus::Running {
                let why =
                    format!("It ran on {}, which is gone. It may still be running there.", elsewhere.node);
                self.unsure_end(job, &why).await?;
                return Ok(true);
            }
            return Ok(false);
        }
        let message = message.take();
        let mut spec = match launch::spec(&self.home, job, &agent_id, message.as_deref()) {
            Ok(spec) => spec,
            Err(why) => {
                // What is there already needs no folder to be found again.
                match Session::open(&session_dir(&self.home, &agent_id)) {
                    Ok(session) => {
                        *watched = Some(watch(job, agent_id, session));
                        return Ok(true);
                    }
                    Err(_) => {
                        self.report(job, Report::Broken { why }).await?;
                        return Ok(true);
                    }
                }
            }
        };
        spec.host.clone_from(&self.host);
        match sessions::start(&session_dir(&self.home, &agent_id), &spec).await {
            Ok(session) => {
                let typed = message.filter(|_| job.agent().is_some_and(|agent| agent.prompt.is_none()));
                if let Some(words) = typed {
                    let keys = sessions::Keys::Line(words);
                    if let Err(why) = session.input(&format!("{agent_id}.first"), &keys).await {
                        tracing::warn!(job.id = %job.id, "Words for {agent_id} were not typed: {why}");
                    }
                }
                *watched = Some(watch(job, agent_id, session));
                Ok(true)
            }
            Err(why) => {
                self.report(job, Report::Broken { why: why.to_string() }).await?;
                Ok(true)
            }
        }
    }

    /// Does what was ordered. Returns whether there may be more.
    async fn carry_out(
        &self,
        job: &Job,
        order: Order,
        wake: &Notify,
        watched: &mut Option<Watched>,
        message: &mut Option<String>,
    ) -> Result<bool> {
        match order {
            Order::Gate { run } => {
                self.gate(job, &run, wake).await?;
                return Ok(true);
            }
            Order::Restart { message: words } => {
                *watched = None;
                self.stop(job).await;
                // What is said where nobody said anything is for one who is still there.
                *message = words.filter(|words| words != "Please continue with the task.");
                let agent_id = super::control::random_name("agt-")?;
                self.report(job, Report::Began { agent_id }).await?;
            }
            Order::Cancel | Order::Suspend | Order::Advance => {
                *watched = None;
                // What was decided with it is still to be typed, so that the agent hears it before it ends.
                let session = self.session(job);
                self.type_orders(job, session.as_ref()).await?;
                self.end_child(job, &order).await?;
                self.stop(job).await;
                self.report(job, Report::Carried).await?;
            }
        }
        Ok(true)
    }

    async fn gate(&self, job: &Job, run: &str, wake: &Notify) -> Result<()> {
        let agent_id = job.agent_id.clone().unwrap_or_default();
        let known = launch::known(&self.home, job, &agent_id);
        let ended = match holdpoint_core::job::interpolate::shell(run, &known) {
            Ok(command) => {
                let dir = worktree::dir(&self.home, job);
                let running = gate::run(&command, &dir);
                tokio::pin!(running);
                loop {
                    tokio::select! {
                        ended = &mut running => break ended,
                        () = wake.notified() => {}
                    }
                    // Whoever orders something else meanwhile does not wait for the gate.
                    let now = self.engine.store().job(&job.id).await?;
                    if now.is_none_or(|now| now.order != job.order || now.visit != job.visit) {
                        return Ok(());
                    }
                }
            }
            Err(why) => gate::Gated { code: 2, stderr: why.to_string() },
        };
        let escalation = escalation::gate(job, run, ended.code, &ended.stderr)?;
        if ended.code == 0 {
            self.stop(job).await;
        }
        self.report(job, Report::Gated { passed: ended.code == 0, escalation }).await
    }

    async fn saw(&self, job: &Job, signal: &Signal, screen: &Screen) -> Result<()> {
        let is_agent = matches!(job.run(), Some(Run::Agent(_)));
        match signal {
            Signal::Dead { code, signal } if !is_agent => {
                let detail = match (code, signal) {
                    (Some(code), _) => format!("exit code {code}"),
                    (None, Some(signal)) => format!("ended by signal {signal}"),
                    (None, None) => "ended".to_owned(),
                };
                self.report(job, Report::Ended { ok: *code == Some(0), detail }).await
            }
            _ if !is_agent => Ok(()),
            Signal::Working => self.report(job, Report::Active).await,
            other => match escalation::of_signal(job, other, screen) {
                Some(escalation) => self.happened(job, escalation?).await,
                None => Ok(()),
            },
        }
    }

    async fn happened(&self, job: &Job, escalation: escalation::Escalation) -> Result<()> {
        let escalation::Escalation { trigger, detail, new } = escalation;
        self.report(job, Report::Happened { trigger, detail, escalation: new }).await
    }

    /// Says that a session is gone without a word of how it ended.
    async fn lost(&self, job: &Job, why: &str) -> Result<()> {
        if job.agent().is_some() {
            self.happened(job, escalation::lost(job, why)?).await
        } else {
            self.unsure_end(job, why).await
        }
    }

    async fn unsure_end(&self, job: &Job, why: &str) -> Result<()> {
        let escalation = escalation::lost(job, why)?.new;
        self.report(job, Report::Unsure { escalation }).await
    }

    /// The time for another try has come.
    async fn try_again(&self, job: &Job, watched: &mut Option<Watched>) -> Result<()> {
        let escalation = escalation::lost(job, "It was tried again and again.")?.new;
        self.report(job, Report::Due { escalation }).await?;
        if let Some(watched) = watched {
            watched.watch.look_again();
        }
        Ok(())
    }

    /// Starts the job that a step is, and reports its end. Returns whether it has ended.
    async fn child(
        &self,
        job: &Job,
        name: &str,
        vars: &std::collections::BTreeMap<String, String>,
    ) -> Result<bool> {
        let id = child_id(job);
        let known = launch::known(&self.home, job, job.agent_id.as_deref().unwrap_or_default());
        let Some(child) = self.engine.store().job(&id).await? else {
            let value = |(name, text): (&String, &String)| {
                let text =
                    holdpoint_core::job::interpolate::plain(text, &known).unwrap_or_else(|_| text.clone());
                (name.clone(), text)
            };
            let new = NewJob {
                kind: JobKind::Job,
                definition: name.to_owned(),
                name: Some(format!("{}: {name}", job.name)),
                runbook: job.runbook.clone(),
                vars: vars.iter().map(value).collect(),
                cwd: worktree::dir(&self.home, job).display().to_string(),
                item: job.item.clone(),
                parent: Some((job.id.clone(), job.visit)),
            };
            let started = self.ask(&job.project, &id, JobCommand::Start(Box::new(new))).await;
            if let Err(why) = started {
                self.report(job, Report::Broken { why: why.to_string() }).await?;
            }
            return Ok(true);
        };
        match child.status {
            JobStatus::Done => {
                self.report(job, Report::Ended { ok: true, detail: format!("job {id} is done") }).await?
            }
            JobStatus::Failed | JobStatus::Cancelled => {
                let detail = format!("job {id} is {}", child.status.name());
                self.report(job, Report::Ended { ok: false, detail }).await?;
            }
            JobStatus::Pending | JobStatus::Running | JobStatus::Waiting | JobStatus::Suspended => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn end_child(&self, job: &Job, order: &Order) -> Result<()> {
        if matches!(job.run(), Some(Run::Job { .. })) {
            let command = match order {
                Order::Suspend => JobCommand::Suspend,
                _ => JobCommand::Cancel { message: None },
            };
            // Where it has ended already there is nothing to end.
            let _ = self.ask(&job.project, &child_id(job), command).await;
        }
        Ok(())
    }

    fn session(&self, job: &Job) -> Option<Session> {
        let agent_id = job.agent_id.as_ref()?;
        Session::open(&session_dir(&self.home, agent_id)).ok()
    }

    async fn stop(&self, job: &Job) {
        if let Some(session) = self.session(job) {
            match session.stop(GRACE).await {
                Ok(stopped) if stopped.left.is_empty() => {}
                Ok(stopped) => tracing::warn!(job.id = %job.id, "Could not end processes {:?}", stopped.left),
                Err(why) => tracing::debug!(job.id = %job.id, "The session of job {}: {why}", job.id),
            }
        }
    }

    /// What is left to do once a job is nobody's any more.
    async fn leave(&self, job: &Job) {
        let mine = job.history.last().filter(|visit| visit.node == self.node);
        if let Some(visit) = mine
            && let Ok(session) = Session::open(&session_dir(&self.home, &visit.agent_id))
        {
            let _ = session.stop(GRACE).await;
        }
        match job.status {
            JobStatus::Done => self.tell(job, |notify| notify.on_done.as_ref()),
            JobStatus::Failed | JobStatus::Cancelled => self.tell(job, |notify| notify.on_fail.as_ref()),
            _ => return,
        }
        let (home, job) = (self.home.clone(), job.clone());
        let _ = tokio::task::spawn_blocking(move || worktree::remove(&home, &job)).await;
    }

    /// Runs a command that tells of a beginning or an end, and does not wait for it.
    fn tell(&self, job: &Job, which: impl Fn(&holdpoint_core::job::Notify) -> Option<&String>) {
        let notify = match job.kind {
            JobKind::Job => job.definition().map(|definition| &definition.notify),
            JobKind::Crew => job.agent().map(|agent| &agent.notify),
        };
        let Some(command) = notify.and_then(which) else { return };
        let known = launch::known(&self.home, job, job.agent_id.as_deref().unwrap_or_default());
        let Ok(command) = holdpoint_core::job::interpolate::shell(command, &known) else { return };
        let dir = worktree::dir(&self.home, job);
        tokio::spawn(async move { gate::run(&command, &dir).await });
    }

    pub(super) async fn report(&self, job: &Job, report: Report) -> Result<()> {
        let command = JobCommand::Report { node: self.node.clone(), visit: job.visit, report };
        let command =
            Command::Job { project: job.project.clone(), owner: job.owner(), command: Box::new(command) };
        self.engine.submit(Actor::supervisor(), command).await.map(drop)
    }

    async fn ask(&self, project: &str, id: &str, command: JobCommand) -> Result<()> {
        let owner = Owner::new(OwnerKind::Job, id);
        let command = Command::Job { project: project.to_owned(), owner, command: Box::new(command) };
        self.engine.submit(Actor::supervisor(), command).await.map(drop)
    }
}

/// Returns the id of the job that a visit of a step starts; the same however often it is asked.
fn child_id(job: &Job) -> String {
    format!("{}.{}", job.id, job.visit)
}

fn watch(job: &Job, agent_id: String, session: Session) -> Watched {
    let mut patterns = Patterns::default();
    let mut timing = Timing::default();
    if let Some(agent) = job.agent() {
        for text in agent.errors.values() {
            if let Ok(pattern) = Pattern::new(text) {
                patterns.errors.insert(0, (ErrorKind::Other, pattern));
            }
        }
        if let Some(quiet) = agent.idle_after {
            let quiet = Duration::from_millis(quiet.as_millis().unsigned_abs());
            timing.idle_quiet = quiet;
            timing.idle_waiting = timing.idle_waiting.min(quiet);
            timing.recheck = timing.recheck.min(quiet);
        }
    }
    let watch = sessions::watch(&session, Detector::new(patterns, timing));
    Watched { agent_id, session, watch, ended: false, look_at: None }
}
