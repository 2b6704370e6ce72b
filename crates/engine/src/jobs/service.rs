//! Finds the jobs that need supervision, and runs a task for each.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Actor, Command, Job, JobCommand, JobStatus, Span};
use holdpoint_store::{EventQuery, JobQuery};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::account::AccountCommand;
use super::drive::Driver;
use super::node::{self, NodeId};
use super::session_dir;
use crate::engine::Engine;
use crate::error::Result;
use crate::home::Home;
use crate::sessions::{Session, State};

/// How long a node counts as alive without a heartbeat.
const LEASE: Span = Span::from_secs(10);
/// How often a heartbeat is sent while jobs are supervised.
const BEAT: Duration = Duration::from_secs(3);
/// How often all jobs are checked, including those of other nodes, which may be gone.
const SWEEP: Duration = Duration::from_secs(2);
/// How often they are checked if no other node has any: the log has all events, and reading hundreds of rows is
/// expensive.
const SELDOM: Duration = Duration::from_secs(30);
/// How many jobs one node supervises.
const MOST: usize = 10_000;
const EVENTS: usize = 500;
const GRACE: Duration = Duration::from_secs(5);

/// The options of the supervisor.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data folder, where sessions and worktrees are kept.
    pub home: Home,
    /// The program that hosts sessions; this one if none.
    pub host: Option<PathBuf>,
    /// Where programs on this machine reach the server.
    pub url: Option<String>,
}

/// Supervises jobs until it is stopped. Agents continue without it.
#[derive(Debug)]
pub struct Supervisor {
    engine: Engine,
    options: Options,
    node: NodeId,
    name: String,
    tasks: HashMap<String, Task>,
    seen: i64,
    scan: JobScan,
}

/// The result of the last check of all jobs.
#[derive(Debug, Default)]
struct JobScan {
    at: Option<tokio::time::Instant>,
    /// Whether there were jobs of this node, or of none.
    ours: bool,
    /// Whether there were jobs of other nodes.
    elsewhere: bool,
    /// Whether an unsupervised job has changed since.
    stale: bool,
}

impl JobScan {
    fn is_fresh(&self) -> bool {
        let lasts = if self.elsewhere { SWEEP } else { SELDOM };
        !self.stale && self.at.is_some_and(|at| at.elapsed() < lasts)
    }
}

#[derive(Debug)]
struct Task {
    wake: Arc<Notify>,
    handle: JoinHandle<()>,
}

impl Supervisor {
    /// Makes a supervisor for the node of a data folder.
    pub fn new(engine: Engine, options: Options) -> Result<Self> {
        let node = NodeId::load_or_make(&options.home)?;
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let name = holdpoint_core::text::inert_line(&name);
        let name = if name.is_empty() { node.as_str().to_owned() } else { name };
        Ok(Self { engine, options, node, name, tasks: HashMap::new(), seen: 0, scan: JobScan::default() })
    }

    /// Supervises jobs until `stop` is set.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        // Another server of the same folder may be supervising its jobs; when it ends, this one takes over.
        let _lock = loop {
            match node::lock(&self.options.home) {
                Ok(Some(lock)) => break lock,
                Ok(None) => {}
                Err(why) => tracing::warn!("Jobs are not supervised: {why}"),
            }
            tokio::select! {
                () = tokio::time::sleep(SWEEP) => {}
                _ = stop.changed() => return,
            }
        };
        let Some(hub) = self.engine.hub.clone() else { return };
        self.seen = *hub.head().borrow();
        if let Err(why) = self.fence().await {
            tracing::warn!("Could not look for agents that nobody needs: {why}");
        }
        if let Err(why) = super::attempt::settle(&self.engine, &self.options.home, self.node.as_str()).await {
            tracing::warn!("Could not look for runs of jobs that ended: {why}");
        }
        let mut beaten = None;
        let mut sweep = tokio::time::interval(SWEEP);
        while !*stop.borrow() {
            let looked = tokio::select! {
                _ = sweep.tick() => self.sweep(&mut beaten).await,
                after = hub.jobs().after() => {
                    let followed = self.follow(after).await;
                    if followed.is_err() {
                        hub.jobs().again_from(self.seen);
                    }
                    followed
                },
                _ = stop.changed() => break,
            };
            if let Err(why) = looked {
                tracing::warn!("Could not read the jobs: {why}");
            }
        }
        for task in self.tasks.values() {
            task.handle.abort();
        }
    }

    /// Checks all jobs, and takes over those of this node or of none.
    async fn sweep(&mut self, beaten: &mut Option<tokio::time::Instant>) -> Result<()> {
        let before = self.tasks.len();
        self.tasks.retain(|_, task| !task.handle.is_finished());
        // One that ended by mistake is taken up again.
        self.scan.stale |= self.tasks.len() < before;
        if self.scan.is_fresh() {
            return self.beat(beaten).await;
        }
        let statuses = vec![JobStatus::Pending, JobStatus::Running, JobStatus::Waiting];
        let query = JobQuery { statuses, limit: MOST, ..JobQuery::default() };
        let jobs = self.engine.store().jobs(&query).await?;
        let mine = |job: &Job| job.node.as_deref().is_none_or(|node| node == self.node.as_str());
        let elsewhere = jobs.iter().any(|job| !mine(job));
        self.scan = JobScan {
            at: Some(tokio::time::Instant::now()),
            ours: jobs.iter().any(mine),
            elsewhere,
            stale: false,
        };
        self.beat(beaten).await?;
        if jobs.is_empty() {
            return Ok(());
        }
        let now = self.engine.now().await?;
        let nodes = if elsewhere { self.engine.store().nodes(now).await? } else { Vec::new() };
        for job in jobs {
            let held = |node: &String| {
                node == self.node.as_str() || nodes.iter().any(|known| known.id == *node && known.alive)
            };
            match &job.node {
                Some(node) if node == self.node.as_str() => self.take_up(&job.id),
                Some(node) if held(node) => {}
                _ => {
                    // A job that cannot be taken over must not keep the others from being checked.
                    if let Err(why) = self.claim(&job).await {
                        tracing::warn!(job.id = %job.id, "Job {} could not be taken over: {why}", job.id);
                    }
                }
            }
        }
        Ok(())
    }

    /// Sends a heartbeat, if the last one is old and other nodes may need it.
    async fn beat(&self, beaten: &mut Option<tokio::time::Instant>) -> Result<()> {
        let due = beaten.is_none_or(|at: tokio::time::Instant| at.elapsed() >= BEAT);
        if due && (self.scan.ours || self.scan.elsewhere || !self.tasks.is_empty()) {
            let now = self.engine.now().await?;
            self.engine.store().renew_lease(self.node.as_str(), &self.name, now, LEASE).await?;
            *beaten = Some(tokio::time::Instant::now());
        }
        Ok(())
    }

    /// Reads the events after a position, and wakes the tasks that they concern.
    async fn follow(&mut self, after: i64) -> Result<()> {
        self.seen = self.seen.max(after);
        loop {
            let query = EventQuery { after: self.seen, limit: EVENTS, ..EventQuery::default() };
            let events = self.engine.store().events(&query).await?;
            for event in &events {
                self.seen = event.seq;
                let mut parts = event.stream.splitn(3, '/');
                let (Some("job" | "crew"), Some(_), Some(id)) = (parts.next(), parts.next(), parts.next())
                else {
                    continue;
                };
                if event.tag == "job:created" || event.tag == "crew:created" || event.tag.ends_with(":resume")
                {
                    self.created(id).await?;
                }
                self.scan.stale |= !self.tasks.contains_key(id);
                self.wake(id);
                // The job is a step of another, which waits for its end.
                if let Some((parent, _)) = id.rsplit_once('.') {
                    self.wake(parent);
                }
            }
            if events.len() < EVENTS {
                return Ok(());
            }
        }
    }

    async fn created(&mut self, id: &str) -> Result<()> {
        let Some(job) = self.engine.store().job(id).await?.filter(|job| job.status.is_active()) else {
            return Ok(());
        };
        match &job.node {
            None => self.claim(&job).await,
            Some(node) if node == self.node.as_str() => {
                self.take_up(id);
                Ok(())
            }
            Some(_) => Ok(()),
        }
    }

    /// Takes a job that belongs to no node, unless another node was faster.
    async fn claim(&mut self, job: &Job) -> Result<()> {
        let node = self.node.as_str().to_owned();
        let now = self.engine.now().await?;
        // A node must be known to be alive before others see that it took a job.
        if !self.engine.store().nodes(now).await?.iter().any(|known| known.id == node && known.alive) {
            self.engine.store().renew_lease(&node, &self.name, now, LEASE).await?;
        }
        let command = JobCommand::Claim { node, from: job.node.clone() };
        let command =
            Command::Job { project: job.project.clone(), owner: job.owner(), command: Box::new(command) };
        let taken = self.engine.submit(Actor::supervisor(), command).await?;
        if taken.job.is_some_and(|job| job.node.as_deref() == Some(self.node.as_str())) {
            self.take_up(&job.id);
        }
        Ok(())
    }

    fn take_up(&mut self, id: &str) {
        if self.tasks.get(id).is_some_and(|task| !task.handle.is_finished()) {
            return;
        }
        let driver = Driver {
            engine: self.engine.clone(),
            home: self.options.home.clone(),
            node: self.node.as_str().to_owned(),
            host: self.options.host.clone(),
            url: self.options.url.clone(),
            account: AccountCommand(self.engine.settings.jobs.account.clone()),
        };
        let wake = Arc::new(Notify::new());
        let handle = tokio::spawn(driver.run(id.to_owned(), Arc::clone(&wake)));
        self.tasks.insert(id.to_owned(), Task { wake, handle });
    }

    fn wake(&self, id: &str) {
        if let Some(task) = self.tasks.get(id) {
            task.wake.notify_one();
        }
    }

    /// Ends agents that still run here although another node has taken their job, or the job has continued without
    /// them.
    async fn fence(&self) -> Result<()> {
        let folder = self.options.home.path().join("sessions");
        let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(()) };
        let statuses = vec![JobStatus::Pending, JobStatus::Running, JobStatus::Waiting];
        let query = JobQuery { statuses, limit: MOST, ..JobQuery::default() };
        let jobs = self.engine.store().jobs(&query).await?;
        let ours = |job: &&Job| job.node.as_deref() == Some(self.node.as_str());
        let current: HashSet<String> =
            jobs.iter().filter(ours).filter_map(|job| job.agent_id.clone()).collect();
        for entry in entries.flatten() {
            let agent_id = entry.file_name().to_string_lossy().into_owned();
            if current.contains(&agent_id) {
                continue;
            }
            if let Ok(session) = Session::open(&session_dir(&self.options.home, &agent_id))
                && !matches!(session.state().await, Ok(State::Exited(_)))
            {
                let _ = session.stop(GRACE).await;
            }
        }
        Ok(())
    }
}
