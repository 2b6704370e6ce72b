//! Settled decisions, newest first, with search.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::Status;
use holdpoint_engine::{Client as _, Detail, ListQuery, Projects as _};
use maud::html;

use super::error::Reply;
use super::filter::Filter;
use super::form::Form;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::{settled, views};
use crate::http::app::App;
use crate::view_model::owners::OwnerNames;

/// How many are shown per page.
const PAGE: usize = 50;
/// How many are searched for one page; the visitor continues beyond these by hand.
const LOOKED_AT: usize = 2_000;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = uri.query().unwrap_or_default();
    let filter = Filter::read(query);
    let form = Form::parse(query);
    let client = visitor.client(&app);
    let mut cursor = Some(form.get("cursor").to_owned()).filter(|cursor| !cursor.is_empty());
    let (mut found, mut looked_at) = (Vec::new(), 0);
    let statuses: Vec<Status> = Status::ALL.into_iter().filter(|status| *status != Status::Pending).collect();
    loop {
        let asked = ListQuery {
            project: filter.project(),
            statuses: statuses.clone(),
            source: filter.source(),
            owner: filter.owner(),
            search: filter.search(),
            newest_first: true,
            limit: PAGE,
            cursor: cursor.clone(),
            detail: Detail::Brief,
            ..ListQuery::default()
        };
        let listed = client.list(&asked).await?;
        looked_at += listed.items.len();
        cursor = listed.next;
        let by = &visitor.caller.actor.by;
        found.extend(listed.items.into_iter().filter(|decision| filter.fits(decision, by)));
        if cursor.is_none() || found.len() >= PAGE || looked_at >= LOOKED_AT {
            break;
        }
    }
    let now = app.engine.now().await?;
    let names = OwnerNames::of(&client, &found).await;
    let projects: Vec<String> = client.projects().await?.into_iter().map(|project| project.name).collect();
    let views = views::markup(&app, &visitor, &filter, views::ViewedList::History).await?;
    let main = html! {
        div .bar { h1 { "History" } (filter.controls("/history", &projects, &[])) (views) }
        div #found {
            @if found.is_empty() {
                div .empty { p .big { @if cursor.is_some() { "Nothing yet." } @else { "No matches." } } }
            } @else {
                p .hint.count { (found.len()) @if cursor.is_some() { "+" } " settled" }
                ol .rows { @for decision in &found { (settled::row(decision, names.name(decision), now)) } }
            }
            @if let Some(cursor) = &cursor {
                @let query = filter.query();
                p { a .button href={ "/history?" (query) @if !query.is_empty() { "&" } "cursor=" (cursor) } { "Older" } }
            }
        }
    };
    Ok(Page { title: "History", nav: NavItem::History, visitor: Some(&visitor), seq: None }
        .send(StatusCode::OK, &main))
}
