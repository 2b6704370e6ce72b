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
    let known = || format!("use one of {}", Source::ALL.map(Source::name).join(", "));
    let source = asked.source.as_deref().map(|name| Source::from_name(name).ok_or_else(|| invalid("source", known())));
    let limit = asked.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(invalid("limit", format!("must be from 1 to {MOST}")));
    }
    if let Some(project) = &asked.project {
        caller.may_use_project(project)?;
    }
    let query = ListQuery {
        project: asked.project,
        statuses: statuses(asked.status.as_deref())?,
        source: source.transpose()?,
        owner,
        requested_by: asked.requested_by,
        settled_since: asked.settled_since,
        newest_first: asked.order == Some(Order::NewestFirst),
        limit,
        cursor: asked.cursor,
    };
    let listed = caller.client(&app).list(&query).await?;
    Ok(Json(Page { items: listed.items, next: listed.next }))
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
