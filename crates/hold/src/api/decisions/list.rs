//! `GET /v1/decisions`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::{Decision, Owner, Refusal, Source, Status, Timestamp};
use holdpoint_engine::{Client as _, Detail, ListQuery};
use serde::{Deserialize, Serialize};

use crate::api::App;
use crate::api::caller::Caller;
use crate::api::problem::{Answer, Failed};
use crate::api::query::Query;
use crate::api::reply::Reply;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct ListParams {
    /// One status or several with commas between, or `all`; `pending` if not given.
    #[param(
        pattern = "^(all|(pending|answered|refined|timed_out|cancelled|superseded)(,(pending|answered|refined|timed_out|cancelled|superseded))*)$"
    )]
    status: Option<String>,
    /// Only those of this project; otherwise of all that the caller may see.
    project: Option<String>,
    /// Only those of this owner, e.g. `item:bd-abc123`.
    #[param(pattern = "^(item|job|crew|run|thread|chat):.+$")]
    owner: Option<String>,
    /// Only those from this source.
    #[param(value_type = Option<Source>, inline)]
    source: Option<String>,
    /// Only those on work items; these an agent reads in all of its projects, no matter who asked.
    #[param(inline)]
    on: Option<On>,
    /// Only those that this agent or session asked.
    requested_by: Option<String>,
    /// Only those settled at or after a time.
    #[param(inline)]
    settled_since: Option<Timestamp>,
    /// Which come first; the oldest if not given.
    #[param(inline)]
    order: Option<Order>,
    /// At most this many, 50 if not given; fewer where they are long.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Goes on after a page: its `next`.
    cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum On {
    Items,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Order {
    OldestFirst,
    NewestFirst,
}

/// A page of decisions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(in crate::api) struct Page {
    /// The decisions.
    items: Vec<Decision>,
    /// The cursor of the next page, if there is one.
    next: Option<String>,
}

const USUAL: usize = 50;
const MOST: usize = 1000;

/// Lists decisions, oldest first. Of one that is longer than 64 KiB, long members are cut short or left out, and
/// `truncated` names them.
#[utoipa::path(
    get,
    path = "/v1/decisions",
    operation_id = "listDecisions",
    tag = "decisions",
    params(ListParams),
    responses((status = 200, description = "A page of decisions", body = Page))
)]
pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Reply<Page>> {
    let invalid = |field: &str, why: String| Failed::from(Refusal::invalid(field, why));
    let owner =
        params.owner.as_deref().map(str::parse::<Owner>).transpose().map_err(|why| invalid("owner", why))?;
    let known = || format!("use one of {}", Source::ALL.map(Source::name).join(", "));
    let source = params
        .source
        .as_deref()
        .map(|name| Source::from_name(name).ok_or_else(|| invalid("source", known())));
    let limit = params.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(invalid("limit", format!("must be from 1 to {MOST}")));
    }
    if let Some(project) = &params.project {
        caller.may_use_project(project)?;
    }
    let query = ListQuery {
        project: params.project,
        statuses: statuses(params.status.as_deref())?,
        source: source.transpose()?,
        owner,
        on_items: params.on == Some(On::Items),
        requested_by: params.requested_by,
        settled_since: params.settled_since,
        newest_first: params.order == Some(Order::NewestFirst),
        limit,
        cursor: params.cursor,
        detail: Detail::Brief,
    };
    let listed = caller.client(&app).list(&query).await?;
    Ok(Reply(Page { items: listed.items, next: listed.next }))
}

fn statuses(params: Option<&str>) -> Answer<Vec<Status>> {
    let known = || format!("use {} or all", Status::ALL.map(Status::name).join(", "));
    match params {
        None => Ok(vec![Status::Pending]),
        Some("all") => Ok(Vec::new()),
        Some(names) => names
            .split(',')
            .map(|name| Status::from_name(name).ok_or_else(|| Refusal::invalid("status", known()).into()))
            .collect(),
    }
}
