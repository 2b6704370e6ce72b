//! `GET /v1/decisions`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::{Decision, Owner, Refusal, Search, Source, Status};
use holdpoint_engine::api::Page;
use holdpoint_engine::api::decisions::{ListParams, On, Order};
use holdpoint_engine::{Client as _, Detail, ListQuery};

use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::{Answer, Failed};
use crate::http::query;
use crate::http::query::Query;
use crate::http::reply::Reply;

pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Reply<Page<Decision>>> {
    let invalid = |field: &str, why: String| Failed::from(Refusal::invalid(field, why));
    let owner =
        params.owner.as_deref().map(str::parse::<Owner>).transpose().map_err(|why| invalid("owner", why))?;
    let known = || format!("use one of {}", Source::ALL.map(Source::name).join(", "));
    let source = params
        .source
        .as_deref()
        .map(|name| Source::from_name(name).ok_or_else(|| invalid("source", known())));
    let search = params.q.as_deref().map(Search::read).transpose();
    let limit = query::limit(params.limit, 50)?;
    if let Some(project) = &params.project {
        caller.may_use_project(project)?;
    }
    let query = ListQuery {
        project: params.project,
        statuses: Status::read_several(params.status.as_deref().unwrap_or("pending"))
            .map_err(|why| invalid("status", why))?,
        source: source.transpose()?,
        owner,
        on_items: params.on == Some(On::Items),
        requested_by: params.requested_by,
        digest: params.digest,
        settled_since: params.settled_since,
        search: search.map_err(|why| invalid("q", why))?,
        newest_first: params.order == Some(Order::NewestFirst),
        limit,
        cursor: params.cursor,
        detail: Detail::Brief,
        unchecked: false,
    };
    let listed = caller.client(&app).list(&query).await?;
    Ok(Reply(Page { items: listed.items, next: listed.next }))
}
