//! Unsubscribing from a digest: a GET changes nothing, a single POST is enough (RFC 8058).

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_core::text::inert_line;
use maud::{Markup, html};

use super::error::Reply;
use super::page::{NavItem, Page};
use super::visitor::links;
use crate::http::app::App;

/// Shows a button: programs that fetch links must not unsubscribe anyone.
pub(super) async fn show(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    let person = app.engine.read_unsubscribe(links(&app)?, &text).await?;
    Ok(send(&html! {
        h1 { "No more digests" }
        p { "Mail to " bdi { (inert_line(&person.name)) } " about non-urgent matters stops. Urgent mail still comes, and everything is in the inbox." }
        form method="post" action={ "/unsubscribe/" (text) } { button .primary { "Unsubscribe" } }
    }))
}

/// Unsubscribes, whatever the body contains: the link is the permission.
pub(super) async fn take(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    let person = app.engine.unsubscribe_from_mail(links(&app)?, &text).await?;
    Ok(send(&html! {
        h1 { "No more digests" }
        p .banner.good role="status" { "No more mail goes to " bdi { (inert_line(&person.name)) } " about what is not urgent." }
        p { "To change it: " a href="/settings/notices" { "Notices" } "." }
    }))
}

fn send(main: &Markup) -> axum::response::Response {
    let main = html! { div .narrow { (main) } };
    let nav = NavItem::Elsewhere;
    Page { title: "Digests", nav, visitor: None, seq: None }.send(StatusCode::OK, &main)
}
