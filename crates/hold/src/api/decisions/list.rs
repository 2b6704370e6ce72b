//! `GET /v1/decisions`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::{Decision, Owner, Source, Status, Timestamp};
use holdpoint_engine::{Client as _, ListQuery};
use serde::{Deserialize, Serialize};

use crate::api::App;
use crate::api::caller::Caller;
use crate::api::problem::{Answer, Failed};
use crate::api::query::Query;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Asked {
    status: Option<String>,
    project: Option<String>,
    owner: Option<String>,
    source: Option<String>,
    requested_by: Option<String>,
    assignee: Option<String>,
    settled_since: Option<Timestamp>,
    order: Option<Order>,
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Order {
    OldestFirst,
    NewestFirst,
}

/// A page of decisions.
#[derive(Debug, Serialize)]
pub(in crate::api) struct Page {
    items: Vec<Decision>,
    next: Option<String>,
}

const USUAL: usize = 50;
const MOST: usize = 1000;

pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Answer<Json<Page>> {
    let invalid = |field: &str, why: String| Failed::new(422, "invalid", format!("{field}: {why}"));
    let owner = asked.owner.as_deref().map(str::parse::<Owner>).transpose().map_err(|why| invalid("owner", why))?;
    let source = match asked.source.as_deref() {
        Some(name) => Some(Source::from_name(name).ok_or_else(|| {
            invalid("source", format!("use one of {}", Source::ALL.map(Source::name).join(", ")))
        })?),
        None => None,
    };
    let limit = asked.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(invalid("limit", format!("must be from 1 to {MOST}")));
    }
    let mut query = ListQuery {
        project: caller.project_to_read(asked.project)?,
        statuses: statuses(asked.status.as_deref())?,
        source,
        owner,
        requested_by: asked.requested_by,
        settled_since: asked.settled_since,
        newest_first: asked.order == Some(Order::NewestFirst),
        limit,
        cursor: asked.cursor,
    };
    // What the caller may not see is passed over, page by page, so that no page tells how much that is.
    let client = caller.client(&app);
    let mut items = Vec::new();
    for _ in 0..MOST {
        let page = client.list(&query).await?;
        let assigned = |decision: &Decision| asked.assignee.as_ref().is_none_or(|who| decision.assignees.contains(who));
        items.extend(page.items.into_iter().filter(|decision| caller.sees(decision) && assigned(decision)));
        query.cursor = page.next;
        if query.cursor.is_none() || items.len() >= limit {
            break;
        }
        query.limit = limit - items.len();
    }
    let items = items.into_iter().map(|decision| caller.view(decision)).collect();
    Ok(Json(Page { items, next: query.cursor }))
}

fn statuses(asked: Option<&str>) -> Answer<Vec<Status>> {
    let known = || format!("status: use {} or all", Status::ALL.map(Status::name).join(", "));
    match asked {
        None => Ok(vec![Status::Pending]),
        Some("all") => Ok(Vec::new()),
        Some(names) => names
            .split(',')
            .map(|name| Status::from_name(name).ok_or_else(|| Failed::new(422, "invalid", known())))
            .collect(),
    }
}
