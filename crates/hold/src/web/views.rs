//! Saved views: links to the visitor's searches beside the search box, and a small form to save another.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse as _;
use holdpoint_core::Status;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Views as _;
use holdpoint_engine::views::NewView;
use holdpoint_store::View;
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::filter::Filter;
use super::form::Posted;
use super::page::{self, see_other};
use super::visitor::Visitor;
use crate::http::app::App;

/// The list that a view belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewedList {
    /// Pending decisions.
    Inbox,
    /// Settled decisions.
    History,
}

impl ViewedList {
    fn path(self) -> &'static str {
        match self {
            Self::Inbox => "/",
            Self::History => "/history",
        }
    }

    /// Returns the statuses that the list shows.
    fn status(self) -> String {
        let settled = || Status::ALL.into_iter().filter(|status| *status != Status::Pending);
        match self {
            Self::Inbox => Status::Pending.name().to_owned(),
            Self::History => settled().map(Status::name).collect::<Vec<_>>().join(","),
        }
    }
}

/// Renders the visitor's views alone, for the palette on a page without a list.
pub(super) async fn links(State(app): State<Arc<App>>, visitor: Visitor) -> Reply {
    let views = visitor.client(&app).views().await?;
    let markup =
        html! { @for view in &views { a href=(address(view)) dir="auto" { (inert_line(&view.name)) } } };
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind)], markup.into_string()).into_response();
    page::guard(response.headers_mut());
    Ok(response)
}

/// Renders the visitor's views, and a form that saves the current filter.
pub(super) async fn markup(
    app: &App,
    visitor: &Visitor,
    filter: &Filter,
    of: ViewedList,
) -> Result<Markup, PageError> {
    let views = visitor.client(app).views().await?;
    let query = filter.query();
    let (here, now) = (filter.as_search(&visitor.caller.actor.by), of.status());
    let is_here = |view: &View| view.q == here && list_of(view) == of;
    Ok(html! {
        div .views {
            @if !views.is_empty() {
                nav aria-label="Saved views" {
                    @for view in &views {
                        a .tag href=(address(view)) aria-current=[is_here(view).then_some("true")] dir="auto" { (inert_line(&view.name)) }
                    }
                }
            }
            @if let Some(view) = views.iter().find(|view| is_here(view)) {
                form method="post" action="/views/remove" {
                    (visitor.token())
                    input type="hidden" name="name" value=(view.name);
                    button .plain { "Remove view" }
                }
            } @else {
                // Snoozed decisions are no search: they come back by themselves.
                details #save-view hidden[query.is_empty() || filter.shows_snoozed()] {
                    summary { "Save view" }
                    form method="post" action="/views" {
                        (visitor.token())
                        input type="hidden" name="query" value=(query);
                        input type="hidden" name="status" value=(now);
                        label { span .quiet { "Name of the view" } input name="name" required maxlength="100" placeholder="Name"; }
                        button { "Save" }
                    }
                }
            }
        }
    })
}

pub(super) async fn save(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let filter = Filter::read(form.get("query"));
    let new = NewView {
        q: filter.as_search(&visitor.caller.actor.by),
        status: Some(form.get("status").to_owned()).filter(|status| !status.is_empty()),
    };
    let view = visitor.client(&app).save_view(form.get("name"), new).await?;
    Ok(see_other(&address(&view)))
}

pub(super) async fn remove(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let client = visitor.client(&app);
    let name = form.get("name");
    let view = client.views().await?.into_iter().find(|view| view.name == name);
    client.remove_view(name).await?;
    Ok(see_other(view.as_ref().map_or("/", |view| list_of(view).path())))
}

/// Returns the list that shows a view.
fn list_of(view: &View) -> ViewedList {
    if view.status == Status::Pending.name() { ViewedList::Inbox } else { ViewedList::History }
}

fn address(view: &View) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", &view.q).finish();
    format!("{}?{query}", list_of(view).path())
}
