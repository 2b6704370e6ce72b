//! Starts a step, and makes sure that its session exists and is watched.

use holdpoint_core::job::Report;
use holdpoint_core::{Job, JobStatus};

use super::act::AFTER_TYPING;
use super::control::random_name;
use super::drive::Driver;
use super::watched::WatchedSession;
use super::{attempt, launch, session_dir};
use crate::auth::local;
use crate::error::Result;
use crate::run::worktree;
use crate::sessions::{self, Keys, ScreenCondition, Session, TypingStatus};

impl Driver {
    pub(super) async fn begin(&self, job: &Job) -> Result<()> {
        if let Err(why) = self.ready(job).await {
            return self.report(job, Report::Broken { why }).await;
        }
        let agent_id = random_name("agt-")?;
        self.begin_attempt(job).await;
        if job.visit == 0 {
            self.tell(job, |notify| notify.on_start.as_ref());
        }
        self.report(job, Report::Began { agent_id, own_account: self.account.is_own() }).await
    }

    pub(super) async fn ready(&self, job: &Job) -> std::result::Result<(), String> {
        let base = attempt::base(&self.engine, job).await.map_err(|why| why.to_string())?;
        let (home, wanted) = (self.home.clone(), job.clone());
        let done =
            tokio::task::spawn_blocking(move || worktree::ensure(&home, &wanted, base.as_deref())).await;
        match done.unwrap_or_else(|why| Err(why.to_string()))? {
            worktree::WorktreeOrigin::New => self.account.take_over(&worktree::dir(&self.home, job)).await,
            worktree::WorktreeOrigin::Before => Ok(()),
        }
    }

    /// Makes sure that the session of the step exists and is watched. Returns false if that fails.
    pub(super) async fn open(&self, job: &Job, watched: &mut Option<WatchedSession>) -> Result<bool> {
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
        let message = visit.and_then(|visit| visit.words.clone());
        let mut spec = match launch::spec(&self.home, job, &agent_id, message.as_deref()) {
            Ok(spec) => spec,
            Err(why) => {
                // An existing session needs no folder.
                if let Ok(session) = Session::open(&session_dir(&self.home, &agent_id)) {
                    *watched = Some(WatchedSession::new(job, agent_id, session));
                } else {
                    self.report(job, Report::Broken { why }).await?;
                }
                return Ok(true);
            }
        };
        if let Ok(session) = Session::open(&session_dir(&self.home, &agent_id)) {
            *watched = Some(WatchedSession::new(job, agent_id, session));
            return Ok(true);
        }
        spec.host.clone_from(&self.host);
        // A runbook that sets a server means that one; ours may come back at another address while the agent runs.
        if !spec.env.contains_key("HOLD_URL") {
            let file = local::file_of(&self.home).into_os_string().into_string().ok();
            spec.env.insert("HOLD_SERVER_FILE".into(), file.filter(|_| self.url.is_some()));
            spec.env.insert("HOLD_URL".into(), self.url.clone());
        }
        let token = self.session_token(job, &agent_id).await?;
        spec.env.entry("HOLD_TOKEN".into()).or_insert(Some(token));
        if let Some(run) = self.attempt(job).await? {
            spec.env.entry("HOLD_RUN".into()).or_insert_with(|| Some(run.to_string()));
        }
        if let Err(why) = self.account.wrap(&mut spec).await {
            self.report(job, Report::Broken { why }).await?;
            return Ok(true);
        }
        match sessions::start(&session_dir(&self.home, &agent_id), &spec).await {
            Ok(session) => {
                *watched = Some(WatchedSession::new(job, agent_id, session));
                Ok(true)
            }
            Err(why) => {
                self.report(job, Report::Broken { why: why.to_string() }).await?;
                Ok(true)
            }
        }
    }
}

impl Driver {
    /// Types the first message of a step, once, to an agent that takes no prompt as an argument and now waits for
    /// input: typed earlier, it would answer whatever the agent asks first. Returns whether it was typed.
    pub(super) async fn tell_first(&self, job: &Job, watched: &mut Option<WatchedSession>) -> Result<bool> {
        let words = job.history.last().and_then(|visit| visit.words.clone());
        let takes_prompt = job.agent().is_none_or(|agent| agent.prompt.is_some());
        let (Some(words), Some(watched), false) = (words, watched, takes_prompt) else { return Ok(false) };
        let effect = format!("{}.first", watched.agent_id);
        let typed = watched.session.input_on(&effect, &Keys::Line(words), ScreenCondition::NoPrompt).await;
        if matches!(typed, Ok(TypingStatus::Now)) {
            watched.look_at = Some(tokio::time::Instant::now() + AFTER_TYPING);
            return Ok(true);
        }
        Ok(false)
    }
}
