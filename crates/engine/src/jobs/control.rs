//! Steering jobs: starting, listing, viewing, and the actions of a person on one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use holdpoint_core::job::NewJob;
use holdpoint_core::text::{inert_line, quote};
use holdpoint_core::{Command, Job, JobCommand, JobKind, Owner, OwnerKind, Project, Refusal};
use holdpoint_protocols::runbook::{self, Format};
use holdpoint_store::JobQuery;
use serde::{Deserialize, Serialize};

use super::session_dir;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::run::worktree;
use crate::sessions::{Screen, Session};

/// What is sent to start a job. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StartJob {
    /// The runbook's text; what `file` holds if not given.
    pub runbook: String,
    /// Where the runbook lies on the server's machine. A caller with a credential must name one that the settings
    /// allow, and `runbook`, if given, must be what it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How it is written: `hcl`, `toml` or `json`.
    pub format: String,
    /// Which of its jobs; the only one if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// Which of its agents to start without a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Values for its variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vars: BTreeMap<String, String>,
    /// Where it runs: a folder on the server's machine.
    pub cwd: String,
    /// The work item it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Where it belongs; `default` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// What a person can do with a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steer {
    /// Resume it.
    Resume {
        /// Message to the agent.
        message: Option<String>,
        /// Whether its step starts over.
        restart: bool,
    },
    /// End it.
    Cancel {
        /// Why.
        message: Option<String>,
    },
    /// Suspend it.
    Suspend,
}

impl Engine {
    /// Starts a job, or an agent without one.
    pub async fn start_job(&self, caller: &Caller, mut start: StartJob) -> Result<Job> {
        let project = start.project.take().unwrap_or_else(|| Project::DEFAULT.to_owned());
        caller.may_start(&project)?;
        self.allow_runbook(caller, &mut start)?;
        let format = Format::of(std::path::Path::new(&format!("runbook.{}", start.format)));
        let format = format.ok_or_else(|| Refusal::invalid("format", "must be one of: hcl, toml, json"))?;
        let book = runbook::read(&start.runbook, format).map_err(|mistakes| {
            let fault = |mistake: &runbook::RunbookError| {
                let place = format!("runbook:{}:{}", mistake.line, mistake.column);
                holdpoint_core::FieldError::new(place, mistake.message.clone())
            };
            Refusal::Invalid(mistakes.iter().map(fault).collect())
        })?;
        let jobs: Vec<&String> = book.jobs.keys().collect();
        let (kind, definition) = match (start.job, start.agent, jobs.as_slice()) {
            (Some(_), Some(_), _) => {
                return Err(Refusal::invalid("agent", "give a job or an agent, not both").into());
            }
            (Some(job), None, _) => (JobKind::Job, job),
            (None, Some(agent), _) => (JobKind::Crew, agent),
            (None, None, [only]) => (JobKind::Job, (*only).clone()),
            (None, None, _) => {
                let names: Vec<String> = jobs.iter().map(|name| quote(name)).collect();
                let message = format!("say which of the runbook's jobs: {}", names.join(", "));
                return Err(Refusal::invalid("job", message).into());
            }
        };
        if !std::path::Path::new(&start.cwd).is_absolute() {
            return Err(Refusal::invalid("cwd", "must be an absolute path").into());
        }
        let owner = Owner::new(kind.owner(), random_name(kind.id_prefix())?);
        let new = NewJob {
            kind,
            definition,
            name: start.name,
            runbook: book,
            vars: start.vars,
            cwd: start.cwd,
            item: start.item,
            parent: None,
        };
        let command = Command::Job { project, owner, command: Box::new(JobCommand::Start(Box::new(new))) };
        let outcome = self.submit_for(caller, command, None).await?;
        outcome
            .job
            .map(|job| self.shown(Arc::unwrap_or_clone(job)))
            .ok_or_else(|| not_found("the job that was just started"))
    }

    /// Refuses a runbook that the settings do not let a caller run; reads the runbook if only its path is given.
    fn allow_runbook(&self, caller: &Caller, start: &mut StartJob) -> Result<()> {
        let (folders, setting) = (&self.settings.jobs.folders, "[jobs] folders");
        caller.may_use_place(Path::new(&start.cwd), folders, setting)?;
        let Some(file) = &start.file else {
            return if caller.actor.role.is_none() {
                Ok(())
            } else {
                let why = format!(
                    "over HTTP, name the runbook's file on the server's machine, in one of {setting}"
                );
                Err(Refusal::Forbidden(why).into())
            };
        };
        caller.may_use_place(Path::new(file), folders, setting)?;
        if start.runbook.is_empty() || caller.actor.role.is_some() {
            let text = std::fs::read_to_string(file).map_err(Error::io("cannot read the runbook"))?;
            if !start.runbook.is_empty() && start.runbook != text {
                return Err(
                    Refusal::invalid("runbook", "differs from the file on the server's machine").into()
                );
            }
            let extension = Path::new(file).extension().unwrap_or_default();
            (start.runbook, start.format) = (text, extension.to_string_lossy().into_owned());
        }
        Ok(())
    }

    /// Returns the job that an id, a unique start of one, or a name means.
    pub async fn find_job(&self, caller: &Caller, typed: &str) -> Result<Job> {
        let typed = typed.trim();
        let sees = |job: &Job| {
            caller.may_use(&job.project) && caller.actor.role != Some(holdpoint_core::Role::Agent)
        };
        if let Some(job) = self.store.job(typed).await?.filter(sees) {
            return Ok(self.shown(job));
        }
        if typed.is_empty() {
            return Err(not_found(typed));
        }
        // A complete name takes precedence over the prefix of an id.
        if let Some(job) = self.named_job(caller, typed).await? {
            return Ok(job);
        }
        let mut found = Vec::new();
        for prefix in [typed.to_owned(), format!("job-{typed}"), format!("crw-{typed}")] {
            for id in self.store.find_jobs(&prefix, 9).await? {
                found.extend(self.store.job(&id).await?.filter(sees));
            }
        }
        // A job takes precedence over its own steps.
        let own: Vec<&Job> = found.iter().filter(|job| job.parent.is_none()).collect();
        match (own.as_slice(), found.as_slice()) {
            ([only], _) => Ok(self.shown((*only).clone())),
            ([], [only]) => Ok(self.shown(only.clone())),
            ([], []) => Err(not_found(typed)),
            _ => Err(several(typed, &found)),
        }
    }

    /// Returns the job with a name: the one that has not ended, or else the only one.
    async fn named_job(&self, caller: &Caller, name: &str) -> Result<Option<Job>> {
        /// How many jobs are searched, newest first.
        const LOOKED_AT: usize = 1_000;
        let query = JobQuery { limit: LOOKED_AT, ..JobQuery::default() };
        let mut named = self.list_jobs(caller, &query).await?;
        named.retain(|job| job.name == name);
        if named.iter().any(|job| job.ended_at.is_none()) {
            named.retain(|job| job.ended_at.is_none());
        }
        match named.len() {
            0 | 1 => Ok(named.pop()),
            _ => Err(several(name, &named)),
        }
    }

    /// Lists jobs, newest first.
    pub async fn list_jobs(&self, caller: &Caller, query: &JobQuery) -> Result<Vec<Job>> {
        if caller.actor.role == Some(holdpoint_core::Role::Agent) {
            return Ok(Vec::new());
        }
        let query = JobQuery { projects: caller.projects.clone(), ..query.clone() };
        Ok(self.store.jobs(&query).await?.into_iter().map(|job| self.shown(job)).collect())
    }

    /// Steers a job; returns its new state.
    pub async fn steer_job(&self, caller: &Caller, typed: &str, steer: Steer) -> Result<Job> {
        let job = self.find_job(caller, typed).await?;
        if let Steer::Resume { message: Some(_), restart: false } = steer {
            self.check_listens(&job).await?;
        }
        let command = match steer {
            Steer::Resume { message, restart } => JobCommand::Resume { message, restart },
            Steer::Cancel { message } => JobCommand::Cancel { message },
            Steer::Suspend => JobCommand::Suspend,
        };
        let owner = Owner::new(job.kind.owner(), &job.id);
        let command = Command::Job { project: job.project.clone(), owner, command: Box::new(command) };
        let outcome = self.submit_for(caller, command, None).await?;
        Ok(outcome.job.map_or(job, |job| self.shown(Arc::unwrap_or_clone(job))))
    }

    /// Refuses a message for an agent that reads lines and holds for an answer: its next prompt would read it.
    async fn check_listens(&self, job: &Job) -> Result<()> {
        let Ok(session) = self.session_of(job) else { return Ok(()) };
        if !session.screen().await.is_ok_and(|screen| screen.reads_lines) {
            return Ok(());
        }
        match self.asked_by_session(&session).await? {
            Some(decision) => Err(Refusal::JobAsks { job: job.id.clone(), decision }.into()),
            None => Ok(()),
        }
    }

    /// Returns what the terminal of a job's step shows, or showed last.
    pub async fn job_screen(&self, caller: &Caller, typed: &str) -> Result<Screen> {
        let job = self.find_job(caller, typed).await?;
        self.session_of(&job)?.screen().await.map_err(|why| Error::Session(why.to_string()))
    }

    /// Returns the end of what a job's step wrote to its terminal, unaltered: of a given visit, or else of the last.
    pub async fn job_log(
        &self,
        caller: &Caller,
        typed: &str,
        visit: Option<u32>,
        bytes: u64,
    ) -> Result<Vec<u8>> {
        let job = self.find_job(caller, typed).await?;
        let session = match visit {
            None => self.session_of(&job)?,
            Some(number) => {
                let known = job.history.iter().find(|visit| visit.visit == number);
                let none = || Error::Session(format!("job {} has no visit {number}", job.id));
                let visit = known.ok_or_else(none)?;
                self.terminal(&job, &visit.agent_id, &visit.node)?
            }
        };
        session.tail(bytes).map_err(|why| Error::Session(why.to_string()))
    }

    /// Returns a job as it is shown: without its definition, which is in the runbook, and with its worktree as its
    /// folder.
    fn shown(&self, mut job: Job) -> Job {
        let dir = self.home.as_ref().map(|home| worktree::dir(home, &job)).filter(|dir| dir.is_dir());
        if let Some(dir) = dir {
            job.cwd = dir.to_string_lossy().into_owned();
        }
        job.runbook = holdpoint_core::job::Runbook::default();
        job
    }

    /// Opens the session of a job's step: the running one, or else the last one.
    pub fn session_of(&self, job: &Job) -> Result<Session> {
        let last = job.history.last();
        let agent_id = job.agent_id.as_ref().or(last.map(|visit| &visit.agent_id));
        let none = || Error::Session(format!("job {} has not started a step yet", job.id));
        self.terminal(
            job,
            agent_id.ok_or_else(none)?,
            last.map(|visit| visit.node.as_str()).unwrap_or_default(),
        )
    }

    fn terminal(&self, job: &Job, agent_id: &str, host: &str) -> Result<Session> {
        let home = self.home.as_ref().ok_or_else(|| Error::Session("there is no data folder here".into()))?;
        Session::open(&session_dir(home, agent_id)).map_err(|_| {
            Error::Session(format!(
                "the terminal of job {} is not here: {host} hosts it, and only there it can be seen and joined",
                job.id
            ))
        })
    }
}

fn several(typed: &str, found: &[Job]) -> Error {
    let jobs: Vec<String> = found.iter().map(|job| format!("{} ({})", job.id, job.standing())).collect();
    let message = format!("{} names several jobs: {}", quote(typed), jobs.join(", "));
    Error::SeveralJobs(message)
}

fn not_found(typed: &str) -> Error {
    Refusal::NotFound { what: "job", id: inert_line(typed) }.into()
}

/// Makes a unique name.
pub(super) fn random_name(prefix: &str) -> Result<String> {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|why| Error::Settings(format!("no randomness for a name: {why}")))?;
    let letters = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
    Ok(prefix.chars().chain(letters).collect())
}

/// Returns the owner that decisions of a job have.
pub fn owner_of(job: &Job) -> Owner {
    Owner::new(if job.kind == JobKind::Job { OwnerKind::Job } else { OwnerKind::Crew }, &job.id)
}
