//! Retries of a job's work: the job is started again, with the same runbook and values.

use std::collections::BTreeMap;

use super::{ObjectId, Run};
use crate::about::OwnerRef;
use crate::job::{Job, JobStatus, RetryOf};
use crate::state::State;
use crate::{Answer, Auth, Event, JobKind, Timestamp, json};

/// The effect of a retry on the job that worked on the run.
#[derive(Default)]
pub(super) struct JobRetry {
    /// The job that works on the following run.
    pub(super) job: Option<String>,
    /// The events that record it.
    pub(super) events: Vec<Event>,
}

/// Returns the id of the job that a retry starts for the following run; it is always the same for one run.
pub fn job_of(next: ObjectId) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let hash = json::sha256_hex(format!("job of run {next}").as_bytes());
    let byte = |digits: &[u8]| u8::from_str_radix(&String::from_utf8_lossy(digits), 16).unwrap_or_default();
    let letters =
        hash.as_bytes().chunks_exact(2).map(byte).map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
    JobKind::Job.id_prefix().chars().chain(letters.take(12)).collect()
}

/// Starts the job of a run again. A job that is still active continues with the next run itself; one that was deleted,
/// or was not recorded with the run, cannot be started.
pub(super) fn retry_job(
    state: &State,
    run: &Run,
    next: ObjectId,
    guidance: Option<&str>,
    parameters: Option<&str>,
    answer: &Answer,
    now: Timestamp,
) -> JobRetry {
    let Some(job) = state.job.as_deref() else { return JobRetry::default() };
    if run.job.as_ref() != Some(&job.id) || job.project != run.project || job.kind != JobKind::Job {
        return JobRetry::default();
    }
    if job.status.is_active() || job.status == JobStatus::Suspended {
        return JobRetry { job: Some(job.id.clone()), events: Vec::new() };
    }
    if job.next.is_some() {
        return JobRetry::default();
    }
    let Some(first) = job.definition().and_then(|definition| definition.steps.first()) else {
        return JobRetry::default();
    };
    let id = job_of(next);
    let again = RetryOf {
        job: job.id.clone(),
        run: next,
        attempt: job.again.as_ref().map_or(1, |again| again.attempt).saturating_add(1),
        guidance: guidance.map(str::to_owned),
        parameters: parameters.map(str::to_owned),
    };
    let started = Job {
        id: id.clone(),
        kind: job.kind,
        project: job.project.clone(),
        name: job.name.clone(),
        definition: job.definition.clone(),
        runbook: job.runbook.clone(),
        // A caller that may not start a program may not choose its parameters either.
        vars: given(&job.vars, parameters.filter(|_| matches!(answer.auth, Auth::Claimed | Auth::Local))),
        cwd: job.cwd.clone(),
        item: job.item.clone(),
        parent: None,
        status: JobStatus::Pending,
        step: first.name.clone(),
        visit: 0,
        agent_id: None,
        waiting_for: None,
        also_waiting_for: Vec::new(),
        words: None,
        cancelling: false,
        again: Some(Box::new(again)),
        next: None,
        order: None,
        attempts: BTreeMap::new(),
        retry: None,
        missed: Vec::new(),
        typed: Vec::new(),
        error: None,
        node: None,
        history: Vec::new(),
        created_at: now,
        ended_at: None,
        by: answer.by.clone(),
    };
    let retried =
        Event::JobRetried { of: OwnerRef::new(job), next: id.clone(), run: next, by: answer.by.clone() };
    JobRetry { job: Some(id), events: vec![retried, Event::JobCreated(Box::new(started))] }
}

/// Sets variables from parameters, if every line reads `NAME=VALUE` with a known name. Otherwise the parameters are
/// only text.
fn given(vars: &BTreeMap<String, String>, parameters: Option<&str>) -> BTreeMap<String, String> {
    let lines = parameters.into_iter().flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let pairs: Option<Vec<(&str, &str)>> = lines
        .map(|line| line.split_once('=').map(|(name, value)| (name.trim(), value.trim())))
        .map(|pair| pair.filter(|(name, _)| vars.contains_key(*name)))
        .collect();
    let mut vars = vars.clone();
    vars.extend(pairs.into_iter().flatten().map(|(name, value)| (name.to_owned(), value.to_owned())));
    vars
}
