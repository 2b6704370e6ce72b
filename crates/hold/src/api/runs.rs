//! Runs over HTTP. A repository is on the server's machine; commands are run by the caller, never here.

use std::num::NonZeroUsize;

use holdpoint_core::run::ObjectId;
use holdpoint_core::{Refusal, Span};
use holdpoint_engine::Runs as _;
use holdpoint_engine::api::runs::{
    ADD_EVIDENCE, ADD_USAGE, CARRY_RUN, COMMENT_RUN, DiffParams, EXPORT_RUN, FINISH_RUN, GET_RUN,
    IMPORT_RUNS, LIST_RUNS, ListParams, PATCH_RUN, Patch, RECORD_OBJECT, RESUME_RUN, ROLLBACK_RUN, RUN_DIFF,
    RUN_LOG, RUN_OBJECTS, RUN_OUTPUT, RunObject, START_RUN, WAIT_FOR_RUN,
};
use holdpoint_engine::api::{HoldParams, Items, Page};
use holdpoint_engine::run::{RunPart, ShownRun};
use holdpoint_engine::store::{Order, RunQuery};

use super::routes::{Call, Routes};
use crate::http::caller::{ENDED, unknown};
use crate::http::problem::HandlerResult;
use crate::http::query;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&LIST_RUNS, list)
        .on(&START_RUN, |call| async move { call.client().start_run(call.body).await })
        .on(&GET_RUN, |call| async move { call.client().run(&call.name).await })
        .on(&PATCH_RUN, |call| async move {
            let (client, Patch { diff, rationale }) = (call.client(), call.body);
            client.patch_run(&call.name, diff.into_bytes(), rationale).await
        })
        .on(
            &ADD_EVIDENCE,
            |call| async move { call.client().add_evidence(&call.name, call.body, None).await },
        )
        .on(&ADD_USAGE, |call| async move { call.client().use_in_run(&call.name, call.body).await })
        .on(&RECORD_OBJECT, |call| async move { call.client().record_in_run(&call.name, call.body).await })
        .on(&COMMENT_RUN, |call| async move { call.client().comment_run(&call.name, call.body).await })
        .on(&FINISH_RUN, |call| async move { call.client().finish_run(&call.name, call.body).await })
        .on(&CARRY_RUN, |call| async move { call.client().carry_run(&call.name).await })
        .on(&WAIT_FOR_RUN, wait)
        .on(&RESUME_RUN, |call| async move { call.client().resume_run(&call.name).await })
        .on(&ROLLBACK_RUN, |call| async move { call.client().rollback_run(&call.name).await })
        .on(&EXPORT_RUN, |call| async move { call.client().export_run(&call.name).await })
        .on(&IMPORT_RUNS, |call| async move { call.client().import_runs(call.body).await })
        .on(&RUN_LOG, |call| async move { call.client().run_log(&call.name).await })
        .on(&RUN_OBJECTS, |call| async move {
            let objects = call.client().run_objects(&call.name).await;
            objects.map(|objects| Items { items: objects.into_iter().map(RunObject).collect() })
        })
        .bytes(&RUN_DIFF, diff)
        .bytes(&RUN_OUTPUT, |call| async move {
            call.client().run_part(&call.name, RunPart::Evidence(call.query.evidence)).await
        })
}

async fn list(call: Call<ListParams>) -> HandlerResult<Page<ShownRun>> {
    let (client, params) = (call.client(), call.query);
    if let Some(project) = &params.project {
        call.caller.may_use_project(project)?;
    }
    let read = |place: &str, id: Option<String>| -> Result<Option<ObjectId>, Refusal> {
        id.map(|id| id.parse().map_err(|why: String| Refusal::invalid(place, why))).transpose()
    };
    let order = match params.order.as_deref() {
        None | Some("newest_first") => Order::NewestFirst,
        Some("oldest_first") => Order::OldestFirst,
        Some(_) => return Err(Refusal::invalid("order", "must be newest_first or oldest_first").into()),
    };
    let limit = query::limit(params.limit, 100)?;
    let (task, after) = (read("task", params.task)?, read("cursor", params.cursor)?);
    let page = client.runs(&RunQuery { project: params.project, task, order, after, limit }).await?;
    Ok(Page { items: page.items, next: page.next.map(|id| id.to_string()) })
}

async fn wait(call: Call<HoldParams>) -> HandlerResult<ShownRun> {
    let (app, caller) = (call.app, call.caller);
    let run = app.engine.find_run(&caller.0, &call.name).await?.id;
    let timeout = query::hold(call.query.timeout.unwrap_or(Span::from_secs(30)));
    app.held.check_room(caller.1)?;
    let held = app.held.register(&caller.0, caller.1);
    Ok(tokio::select! {
        () = held.over() => return Err(unknown(ENDED)),
        ended = app.engine.wait_for_run(&caller.0, run, Some(timeout)) => ended?,
        () = app.stops() => app.engine.wait_for_run(&caller.0, run, Some(std::time::Duration::ZERO)).await?,
    })
}

async fn diff(call: Call<DiffParams>) -> HandlerResult<Vec<u8>> {
    let patchset = call.query.patchset.map_or(0, NonZeroUsize::get);
    let part = match call.query.against.as_deref().map(patch_named).transpose()? {
        Some(from) => RunPart::Between { from, to: patchset },
        None => RunPart::Patch(patchset),
    };
    Ok(call.client().run_part(&call.name, part).await?)
}

/// Reads `RUN:NUMBER`; without a number it means the last one.
pub(crate) fn patch_named(text: &str) -> Result<(ObjectId, usize), Refusal> {
    let (run, number) = text.split_once(':').unwrap_or((text, "0"));
    let run = run.parse().map_err(|why: String| Refusal::invalid("against", why))?;
    let number = number.parse().map_err(|_| Refusal::invalid("against", "must be RUN or RUN:NUMBER"))?;
    Ok((run, number))
}
