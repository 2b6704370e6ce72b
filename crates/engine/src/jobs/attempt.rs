//! Jobs with a worktree are runs: the content of the worktree is the patch set, gates are evidence, and the end of the
//! job asks for the verdict.
//!
//! The ids of run and task are derived from the job, so a process that starts after a kill continues the same run. A
//! job that resumes after its end begins another run of the same task, and the question about the earlier state is
//! cancelled. Errors here are logged and do not harm the job.

use std::path::Path;

use holdpoint_core::run::{NewRun, ObjectId, RunCommand, Task};
use holdpoint_core::{Actor, Command, Job, JobKind, JobStatus, Refusal, Run, RunStatus, Span, json};
use holdpoint_store::JobQuery;

use super::account::AccountCommand;
use super::drive::Driver;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::home::Home;
use crate::run::worktree;
use crate::run::{FinishRun, Judged, NewEvidence, PatchFrom, ShownRun};

/// How many ended jobs are checked for runs that have not ended.
const LOOKED_AT: usize = 200;
/// How many runs one job may have, one after the other.
const MOST: u32 = 1_000;

/// Returns whether a job is a run.
fn is_attempt(job: &Job) -> bool {
    let definition = job.definition().filter(|_| job.kind == JobKind::Job);
    definition.is_some_and(|definition| definition.worktree && definition.verdict != Some(false))
}

/// Returns the id of a job's run with a number, from 1.
fn numbered(job: &Job, number: u32) -> ObjectId {
    match (number, &job.again) {
        // A job that retries another works on the run that was opened for it.
        (1, Some(again)) => again.run,
        // The first run had no number before there could be others; each is newer than those before it.
        (1, None) => derived(job, "run", 1),
        _ => derived(job, &format!("run {number}"), number),
    }
}

/// Returns the last run of a job, if it has one.
pub(super) async fn last_run(engine: &Engine, job: &Job) -> Result<Option<Run>> {
    if is_attempt(job) { Ok(last(engine, job).await?.0) } else { Ok(None) }
}

/// Returns the last run of a job, and the id of the one that would follow.
async fn last(engine: &Engine, job: &Job) -> Result<(Option<Run>, ObjectId)> {
    let mut last: Option<Run> = None;
    for number in 1..MOST {
        let id = numbered(job, number);
        let own = engine.store().run(id).await?;
        let found = match (own, &last) {
            (Some(run), _) => Some(run),
            (None, Some(before)) => opened(engine, job, before).await?,
            (None, None) => None,
        };
        match found {
            Some(run) => last = Some(run),
            None => return Ok((last, id)),
        }
    }
    Ok((last, numbered(job, MOST)))
}

/// Returns the run that a retry opened after another, if this job is to work on it.
async fn opened(engine: &Engine, job: &Job, before: &Run) -> Result<Option<Run>> {
    let next = before.verdict.as_ref().and_then(|verdict| verdict.next);
    let Some(next) = next else { return Ok(None) };
    let next = engine.store().run(next).await?;
    Ok(next.filter(|run| run.job.as_ref().is_none_or(|named| *named == job.id)))
}

/// Returns the commit that the worktree of a job starts from, if the job is the next attempt of another.
pub(super) async fn base(engine: &Engine, job: &Job) -> Result<Option<String>> {
    match &job.again {
        Some(again) => Ok(engine.store().run(again.run).await?.map(|run| run.base)),
        None => Ok(None),
    }
}

impl Engine {
    /// Returns the current or last run of a job, if it has one.
    pub async fn job_run(&self, caller: &Caller, typed: &str) -> Result<Option<ShownRun>> {
        let shown = self.find_job(caller, typed).await?;
        // The shown job lacks its definition, which is needed to see whether it is a run.
        let Some(job) = self.store().job(&shown.id).await?.filter(is_attempt) else { return Ok(None) };
        match last(self, &job).await?.0 {
            Some(run) => Ok(Some(self.seen_run(run).await?)),
            None => Ok(None),
        }
    }
}

impl Driver {
    /// Returns the current run of a job, if it is one.
    pub(super) async fn attempt(&self, job: &Job) -> Result<Option<ObjectId>> {
        if !is_attempt(job) {
            return Ok(None);
        }
        let (last, next) = last(&self.engine, job).await?;
        Ok(Some(last.map_or(next, |run| run.id)))
    }

    /// Begins the run of a job whose worktree has just been made, or the next one of a job that resumes after its end.
    pub(super) async fn begin_attempt(&self, job: &Job) {
        if !is_attempt(job) {
            return;
        }
        let begun = async {
            match last(&self.engine, job).await? {
                (None, id) => begin(&self.engine, job, id).await,
                (Some(before), id) => begin_again(&self.engine, job, &before, id).await,
            }
        };
        if let Err(why) = begun.await {
            tracing::warn!(job.id = %job.id, "Job {} is no run: {why}", job.id);
        }
    }

    /// Adds the result of a gate as evidence about the content of the worktree.
    pub(super) async fn prove_attempt(&self, job: &Job, command: &str, code: i32, took_ms: u64, said: &str) {
        let proved = async {
            let Some(run) = under_way(&self.engine, job).await? else { return Ok(()) };
            let run = propose(&self.engine, &self.home, &self.account, job, run).await?;
            let new = NewEvidence {
                kind: "gate".into(),
                tool: "sh".into(),
                command: Some(command.to_owned()),
                exit_code: Some(code),
                took_ms: Some(took_ms),
                patchset: None,
                log: Some(said.to_owned()),
            };
            self.engine.add_evidence(&caller(job), &run, new, None).await.map(drop)
        };
        if let Err::<(), crate::error::Error>(why) = proved.await {
            tracing::warn!(job.id = %job.id, "A gate of job {} is no evidence: {why}", job.id);
        }
    }

    /// Ends the run of a job that has ended.
    pub(super) async fn end_attempt(&self, job: &Job) {
        end_logged(&self.engine, &self.home, job).await;
    }
}

/// Ends the runs of jobs of this node that ended while no server was running.
pub(super) async fn settle(engine: &Engine, home: &Home, node: &str) -> Result<()> {
    let statuses = vec![JobStatus::Done, JobStatus::Failed, JobStatus::Cancelled];
    let query = JobQuery { statuses, limit: LOOKED_AT, ..JobQuery::default() };
    for job in engine.store().jobs(&query).await? {
        if job.history.last().is_some_and(|visit| visit.node == node) {
            end_logged(engine, home, &job).await;
        }
    }
    Ok(())
}

async fn end_logged(engine: &Engine, home: &Home, job: &Job) {
    if let Err(why) = end(engine, home, job).await {
        tracing::warn!(job.id = %job.id, "The run of job {} has not ended: {why}", job.id);
    }
}

/// Begins another run if the job's end has ended the previous one, and cancels its question.
async fn begin_again(engine: &Engine, job: &Job, before: &Run, id: ObjectId) -> Result<()> {
    if before.status == RunStatus::Running {
        return Ok(());
    }
    let asked = match before.decision {
        Some(decision) => engine.store().decision(decision).await?,
        None => None,
    };
    // The agent of a step may have finished the run itself, and may wait for its verdict in the next step.
    let left_at = job.history.last().and_then(|visit| visit.ended_at);
    let by_its_end = |asked: &holdpoint_core::Decision| left_at.is_none_or(|left| asked.created_at >= left);
    if !asked.as_ref().is_none_or(by_its_end) {
        return Ok(());
    }
    if let Some(asked) = asked.filter(|asked| asked.status == holdpoint_core::Status::Pending) {
        let why = format!("Job {} goes on; its end asks again, in run {}.", job.id, id.short());
        let command = Command::Cancel { id: asked.id, reason: Some(why) };
        match engine.submit_for(&caller(job), command, None).await {
            // An answer given meanwhile counts; the new state is proposed all the same.
            Ok(_) | Err(Error::Refused(Refusal::Settled(_))) => {}
            Err(other) => return Err(other),
        }
    }
    engine.retry_run(&caller(job), before, id, Some(job.id.clone())).await.map(drop)
}

async fn begin(engine: &Engine, job: &Job, id: ObjectId) -> Result<()> {
    let repo = Repo::open(&worktree::cwd(job)).await?;
    let base = repo.commit_named("HEAD").await?;
    let task = Task {
        id: derived(job, "task", 1),
        title: job.name.clone(),
        description: None,
        created_by: job.by.clone(),
        created_at: job.created_at,
    };
    let branch = crate::run::own_branch(&repo, task.id).await?;
    repo.keep(&format!("refs/holdpoint/runs/{id}/base"), &base).await?;
    let new = NewRun {
        task,
        intent: None,
        repo: repo.folder().to_string_lossy().into_owned(),
        base,
        branch,
        origin: None,
        reverts: None,
        guidance: None,
        parameters: None,
        job: Some(job.id.clone()),
        saved: None,
    };
    let command = Box::new(RunCommand::Start(Box::new(new)));
    let command = Command::Run { project: job.project.clone(), id, command };
    engine.submit_for(&caller(job), command, None).await.map(drop)
}

async fn end(engine: &Engine, home: &Home, job: &Job) -> Result<()> {
    let Some(run) = under_way(engine, job).await? else { return Ok(()) };
    let account = AccountCommand(engine.settings.jobs.account.clone());
    let run = propose(engine, home, &account, job, run).await?;
    let how = match (job.status, &job.error) {
        (JobStatus::Done, _) => format!("Job {} is done.", job.name),
        (status, Some(error)) => format!("Job {} is {}: {error}", job.name, status.name()),
        (status, None) => format!("Job {} is {}.", job.name, status.name()),
    };
    let verdict = if run.patchsets.is_empty() { Judged::Auto } else { Judged::Ask };
    // The item of the job waits for the verdict, as for every question of the job.
    let blocks = job.item.iter().cloned().collect();
    let finish = FinishRun { verdict, message: Some(how), blocks, ..FinishRun::default() };
    engine.finish_run(&caller(job), &run, finish).await.map(drop)
}

/// Returns the run of a job if it is still open.
async fn under_way(engine: &Engine, job: &Job) -> Result<Option<Run>> {
    if !is_attempt(job) {
        return Ok(None);
    }
    Ok(last(engine, job).await?.0.filter(|run| run.status == RunStatus::Running))
}

/// Proposes the content of the worktree, if there is any that has not been proposed yet.
async fn propose(engine: &Engine, home: &Home, account: &AccountCommand, job: &Job, run: Run) -> Result<Run> {
    let folder = worktree::dir(home, job);
    if !folder.join(".git").exists() {
        return Ok(run);
    }
    let repo = Repo::open(Path::new(&run.repo)).await?;
    let bytes = if account.is_own() {
        // The account's git reads the agents' files; its output is checked like any diff that is sent.
        account.diff(&folder, &run.base, &repo.objects()).await.map_err(Error::Settings)?
    } else if repo.differs(&folder, &run.base).await? {
        repo.patch_from_worktree(&folder, &run.base).await?.bytes
    } else {
        Vec::new()
    };
    let known = run.patchsets.last().is_some_and(|last| last.artifact.sha256 == json::sha256_hex(&bytes));
    let known = known || bytes.is_empty();
    if known {
        return Ok(run);
    }
    let why = format!("What the worktree of job {} held in step {}.", job.name, job.step);
    engine.patch_run(&caller(job), &run, PatchFrom::Bytes(bytes), Some(why)).await
}

fn caller(job: &Job) -> Caller {
    Caller { actor: Actor { by: job.owner().to_string(), ..Actor::supervisor() }, projects: Vec::new() }
}

/// Returns an id derived from a job.
fn derived(job: &Job, what: &str, number: u32) -> ObjectId {
    let hash = json::sha256_hex(format!("{what} of job {} in {}", job.id, job.project).as_bytes());
    let mut chance = [0; 10];
    for (byte, digits) in chance.iter_mut().zip(hash.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(&String::from_utf8_lossy(digits), 16).unwrap_or_default();
    }
    let later = Span::from_millis(i64::from(number) - 1);
    ObjectId::at(job.created_at.checked_add(later).unwrap_or(job.created_at), chance)
}
