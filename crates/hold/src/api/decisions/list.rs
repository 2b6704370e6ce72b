//! `GET /v1/decisions`

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use holdpoint_core::{Owner, Refusal, Search, Source, Status};
use holdpoint_engine::api::decisions::{ListParams, On, Order};
use holdpoint_engine::{Detail, ListQuery, VisibleDecision};

use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::{HandlerError, HandlerResult};
use crate::http::query;
use crate::http::query::Query;
use crate::http::reply::respond;

pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> HandlerResult<Response> {
    let invalid = |field: &str, why: String| HandlerError::from(Refusal::invalid(field, why));
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
    let (items, next) = caller.client(&app).list_shown(&query).await?;
    Ok(respond(page(&items, next.as_deref())))
}

/// Writes a [`Page`] of decisions whose JSON is written already.
///
/// [`Page`]: holdpoint_engine::api::Page
fn page(items: &[VisibleDecision], next: Option<&str>) -> serde_json::Result<Bytes> {
    let items = items.iter().map(VisibleDecision::json).collect::<Result<Vec<_>, _>>()?;
    let mut page = Vec::with_capacity(items.iter().map(|item| item.len() + 1).sum::<usize>() + 64);
    page.extend_from_slice(b"{\"items\":[");
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            page.push(b',');
        }
        page.extend_from_slice(item);
    }
    page.extend_from_slice(b"],\"next\":");
    serde_json::to_writer(&mut page, &next)?;
    page.push(b'}');
    Ok(Bytes::from(page))
}
