//! A person's browser notifications: whether this browser has them, which others do, and a test.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Refusal, Timestamp};
use holdpoint_engine::Error;
use holdpoint_engine::notify::webpush::{PushBrowser, PushState};
use maud::{Markup, html};
use serde_json::json;

use super::error::Reply;
use super::filter::Filter;
use super::form::Posted;
use super::inbox;
use super::page::{NavItem, Page, see_other};
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor) -> Reply {
    page(&app, &visitor, StatusCode::OK, &html! {}).await
}

/// Turns notifications off in a browser, this one or another.
pub(super) async fn remove(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    match app.engine.unsubscribe(&visitor.caller, form.get("id")).await {
        Ok(()) => Ok(see_other("/notifications")),
        Err(error) => refused(&app, &visitor, error).await,
    }
}

/// Sends a test notification.
pub(super) async fn test(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    match app.engine.test_push(&visitor.caller, form.get("id")).await {
        Ok(()) => {
            let notice = html! { p .banner.good role="status" { "Sent. It should appear there within a few seconds." } };
            page(&app, &visitor, StatusCode::OK, &notice).await
        }
        Err(error) => refused(&app, &visitor, error).await,
    }
}

/// Gives a service worker, which has no page, the session data that a page would have.
pub(super) async fn session(State(app): State<Arc<App>>, visitor: Visitor) -> Reply {
    let found = inbox::ranked(&app, &visitor, &Filter::default(), Some(&visitor.caller.actor.by), 0).await?;
    Ok(crate::http::reply::Reply(json!({ "csrf": visitor.csrf(), "waiting": found.count() })).into_response())
}

async fn refused(app: &App, visitor: &Visitor, error: Error) -> Reply {
    let Error::Refused(refusal @ (Refusal::Invalid(_) | Refusal::NotFound { .. })) = error else {
        return Err(error.into());
    };
    let notice = html! { p .banner.bad role="alert" dir="auto" { (inert_line(&refusal.to_string())) } };
    page(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, &notice).await
}

async fn page(app: &App, visitor: &Visitor, status: StatusCode, notice: &Markup) -> Reply {
    let mut panels = html! {};
    if visitor.can_be_notified {
        let (state, now) = (app.engine.push_state(&visitor.caller).await?, app.engine.now().await?);
        panels = html! { (this_browser(visitor, &state)) (browsers(visitor, &state.browsers, now)) };
    }
    let main = html! {
        h1 { "Notifications" }
        (notice)
        @if !visitor.signed_in {
            p { "Notifications go to people who sign in, and this server was started with " code { "--no-auth" } "." }
        } @else if !visitor.can_be_notified {
            p { "Browser notifications are off: add " code { "[webpush]" } " to the settings." }
        }
        (panels)
    };
    Ok(Page { title: "Notifications", nav: NavItem::Elsewhere, visitor: Some(visitor), seq: None }
        .send(status, &main))
}

fn this_browser(visitor: &Visitor, state: &PushState) -> Markup {
    let known: Vec<&str> = state.browsers.iter().map(|browser| browser.id.as_str()).collect();
    html! {
        section #push .panel aria-labelledby="push-title" data-key=(state.public_key) data-browsers=(known.join(" ")) {
            h2 #push-title { "This browser" }
            p #push-state { "Needs JavaScript." }
            (visitor.token())
            p .acts {
                button #push-on .primary type="button" hidden { "Turn on" }
                button #push-off type="button" hidden { "Turn off" }
            }
            p .hint {
                "A notification says who asks what, and where. On it you can refuse, or answer a question that has no subject, "
                "while you are signed in here. Approve a command, a plan or a change on its card."
            }
        }
    }
}

fn browsers(visitor: &Visitor, browsers: &[PushBrowser], now: Timestamp) -> Markup {
    html! {
        section .panel aria-labelledby="browsers-title" {
            h2 #browsers-title { "Where notifications are on" }
            @if browsers.is_empty() { p .hint { "Not on in any browser." } }
            ul .things {
                @for browser in browsers {
                    li {
                        span .thing {
                            strong dir="auto" { (inert_line(&browser.browser)) }
                            span .hint { "since " (words::ago(browser.created_at, now)) " ago" }
                        }
                        span .acts {
                            form method="post" action="/notifications/test" {
                                (visitor.token()) input type="hidden" name="id" value=(browser.id);
                                button { "Send a test" span .quiet { " to " (inert_line(&browser.browser)) } }
                            }
                            form method="post" action="/notifications/remove" {
                                (visitor.token()) input type="hidden" name="id" value=(browser.id);
                                button .no { "Remove" span .quiet { " " (inert_line(&browser.browser)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
