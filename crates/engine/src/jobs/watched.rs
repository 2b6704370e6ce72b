//! A session that is watched for its job.

use std::time::Duration;

use holdpoint_core::Job;
use holdpoint_core::job::detect::{Detector, ErrorKind, Pattern, Patterns, Timing};

use crate::sessions::{self, Session, Watch};

/// A session that is watched.
pub(super) struct WatchedSession {
    pub(super) agent_id: String,
    pub(super) session: Session,
    pub(super) watch: Watch,
    pub(super) ended: bool,
    /// When to look again at what is still shown there.
    pub(super) look_at: Option<tokio::time::Instant>,
    /// The words that were typed last after a dialog was left for them, and when.
    told: Option<(String, tokio::time::Instant)>,
}

/// An agent that ends so soon after words were typed for it has probably not read them.
const UNREAD: Duration = Duration::from_secs(5);

impl WatchedSession {
    /// Begins to watch the session of a job's agent.
    pub(super) fn new(job: &Job, agent_id: String, session: Session) -> Self {
        let mut timing = Timing::default();
        if let Some(quiet) = job.agent().and_then(|agent| agent.idle_after) {
            let quiet = Duration::from_millis(quiet.as_millis().unsigned_abs());
            timing.idle_quiet = quiet;
            timing.idle_waiting = timing.idle_waiting.min(quiet);
            timing.recheck = timing.recheck.min(quiet);
        }
        let watch = sessions::watch(&session, Detector::new(patterns(job), timing));
        Self { agent_id, session, watch, ended: false, look_at: None, told: None }
    }

    /// Notes words that were typed after a dialog without a place for them was left.
    pub(super) fn told(&mut self, words: String) {
        self.told = Some((words, tokio::time::Instant::now()));
    }

    /// Returns the words that an agent has probably not read if it ends now.
    pub(super) fn unread(&mut self) -> Option<String> {
        self.told.take().filter(|(_, at)| at.elapsed() < UNREAD).map(|(words, _)| words)
    }

    /// Watches it as if for the first time: all current signals are reported again.
    pub(super) fn restart(&mut self, job: &Job) {
        let told = self.told.take();
        *self = Self { told, ..Self::new(job, self.agent_id.clone(), self.session.clone()) };
    }
}

/// Returns what an agent is known by: what all are, and the errors that its runbook names.
pub(super) fn patterns(job: &Job) -> Patterns {
    let mut patterns = Patterns::default();
    for text in job.agent().iter().flat_map(|agent| agent.errors.values()) {
        if let Ok(pattern) = Pattern::new(text) {
            patterns.errors.insert(0, (ErrorKind::Other, pattern));
        }
    }
    patterns
}
