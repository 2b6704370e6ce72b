//! All runs, newest first, one page at a time.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::Timestamp;
use holdpoint_core::run::Standing;
use holdpoint_engine::Runs as _;
use holdpoint_engine::run::ShownRun;
use holdpoint_engine::store::{Order, RunQuery};
use maud::{Markup, html};

use crate::http::app::App;
use crate::view_model::run::brief;
use crate::web::error::Reply;
use crate::web::form::Form;
use crate::web::page::{NavItem, Page};
use crate::web::visitor::Visitor;
use crate::web::words;

/// How many runs a page has.
const LISTED: usize = 100;

pub(in crate::web) async fn list(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let form = Form::parse(uri.query().unwrap_or_default());
    let after = form.get("before").parse().ok();
    let query = RunQuery { order: Order::NewestFirst, after, limit: LISTED, ..RunQuery::default() };
    let page = visitor.client(&app).runs(&query).await?;
    let now = app.engine.now().await?;
    let main = html! {
        div .bar { h1 { "Runs" } }
        @if page.items.is_empty() {
            div .empty { p .big { "No runs." } p { "Start one with " code { "hold run start" } ", or with a job that has a worktree." } }
        } @else {
            ol .rows { @for run in &page.items { (row(run, now)) } }
        }
        @if let Some(next) = page.next { p { a .button href={ "/runs?before=" (next) } { "Older" } } }
    };
    let page = Page { title: "Runs", nav: NavItem::Runs, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

fn row(run: &ShownRun, now: Timestamp) -> Markup {
    let waits = matches!(run.standing, Standing::Waiting { .. });
    // The tag says all there is to say before the verdict.
    let is_plain = matches!(run.standing, Standing::Running | Standing::Waiting { trouble: None, .. });
    html! {
        li data-id=(run.id) {
            a .row href={ "/runs/" (run.id) } {
                span .title dir="auto" { (words::short(&run.task.title, 160)) }
                span .meta {
                    span class=(if waits { "tag st-pending" } else { "tag" }) { (super::stands::word(&run.standing)) }
                    @if !is_plain { span dir="auto" { (words::short(&brief(run), 120)) } }
                    @if run.project != "default" { span dir="auto" { (words::short(&run.project, 40)) } }
                }
                span .times { span .age { (words::ago(run.created_at, now)) } }
            }
        }
    }
}
