//! Jobs over HTTP.

use holdpoint_core::{JobStatus, Refusal};
use holdpoint_engine::Jobs as _;
use holdpoint_engine::api::Items;
use holdpoint_engine::api::jobs::{
    CANCEL_JOB, Cancel, DELETE_JOB, GET_JOB, JOB_LOG, JOB_RUN, JOB_SCREEN, LIST_JOBS, ListParams, RESUME_JOB,
    Resume, START_JOB, SUSPEND_JOB, ShownJob,
};
use holdpoint_engine::jobs::Steer;
use holdpoint_engine::store::JobQuery;

use super::routes::{Call, Routes};
use crate::http::problem::HandlerResult;

/// How many bytes of a log are sent at most.
const MOST_LOG: u64 = 8 << 20;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&LIST_JOBS, list)
        .on(&START_JOB, |call| async move { call.client().start_job(call.body).await.map(ShownJob) })
        .on(&GET_JOB, |call| async move { call.client().job(&call.name).await.map(ShownJob) })
        .on(&RESUME_JOB, |call| async move {
            let (client, Resume { message, restart }) = (call.client(), call.body);
            client.steer_job(&call.name, Steer::Resume { message, restart }).await.map(ShownJob)
        })
        .on(&CANCEL_JOB, |call| async move {
            let (client, Cancel { message }) = (call.client(), call.body);
            client.steer_job(&call.name, Steer::Cancel { message }).await.map(ShownJob)
        })
        .on(&SUSPEND_JOB, |call| async move {
            call.client().steer_job(&call.name, Steer::Suspend).await.map(ShownJob)
        })
        .on(&DELETE_JOB, |call| async move { call.client().delete_job(&call.name).await })
        .on(&JOB_RUN, |call| async move { call.client().job_run(&call.name).await })
        .on(&JOB_SCREEN, |call| async move { call.client().job_screen(&call.name).await })
        .bytes(&JOB_LOG, |call| async move {
            let bytes = call.query.bytes.unwrap_or(64 << 10).min(MOST_LOG);
            call.client().job_log(&call.name, call.query.visit, bytes).await
        })
}

async fn list(call: Call<ListParams>) -> HandlerResult<Items<ShownJob>> {
    if let Some(project) = &call.query.project {
        call.caller.may_use_project(project)?;
    }
    let query = JobQuery {
        project: call.query.project.clone(),
        statuses: statuses(call.query.status.as_deref().unwrap_or("all"))?,
        limit: call.query.limit.unwrap_or(100).clamp(1, 1000),
        ..JobQuery::default()
    };
    let jobs = call.client().jobs(&query).await?;
    Ok(Items { items: jobs.into_iter().map(ShownJob).collect() })
}

/// Reads a filter of statuses.
pub(crate) fn statuses(text: &str) -> Result<Vec<JobStatus>, Refusal> {
    match text {
        "all" => Ok(Vec::new()),
        "active" => Ok(JobStatus::ALL.into_iter().filter(|status| status.is_active()).collect()),
        "open" => {
            let open = |status: &JobStatus| status.is_active() || *status == JobStatus::Suspended;
            Ok(JobStatus::ALL.into_iter().filter(open).collect())
        }
        names => {
            let wrong = |name: &str| {
                let known: Vec<&str> = JobStatus::ALL.iter().map(|status| status.name()).collect();
                let name = holdpoint_core::text::quote(name);
                Refusal::invalid(
                    "status",
                    format!("{name} is none of: open, active, all, {}", known.join(", ")),
                )
            };
            names
                .split(',')
                .map(|name| JobStatus::from_name(name.trim()).ok_or_else(|| wrong(name)))
                .collect()
        }
    }
}
