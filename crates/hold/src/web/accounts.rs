//! Accounts of channels that answer for a person, on the settings page: a code links one, a button unlinks it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Lane, Person};
use holdpoint_engine::Channels as _;
use maud::{Markup, html};

use super::error::Reply;
use super::form::Posted;
use super::page::see_other;
use super::settings::{page, refused};
use super::sign_in::doors;
use super::visitor::Visitor;
use crate::api::App;

/// Makes a code by which a person links an account.
pub(super) async fn link(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let (name, channel) = (form.get("name"), form.get("channel"));
    let made = app.engine.account_code(&visitor.caller, &doors(&app)?.links, name, channel).await;
    let made = match made {
        Ok(made) => made,
        Err(error) => return refused(&app, &visitor, error).await,
    };
    let notice = html! {
        section .panel.good aria-labelledby="new-code" {
            h2 #new-code { "Code for " bdi { (inert_line(name)) } " on " (title(channel)) }
            p { "They send it to the bot as a message. It works once, within 15 minutes; who sends it answers as them:" }
            p { code .secret #secret tabindex="0" { (made.code) } " " button type="button" data-copy="secret" hidden { "Copy" } }
        }
    };
    page(&app, &visitor, StatusCode::OK, &notice).await
}

/// Lets no account of a channel answer for a person any more.
pub(super) async fn unlink(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    match visitor.client(&app).unlink_account(form.get("name"), form.get("channel")).await {
        Ok(()) => Ok(see_other("/settings#people")),
        Err(error) => refused(&app, &visitor, error).await,
    }
}

/// Lists the channels on which accounts can be linked: those that the settings name.
pub(super) fn channels(app: &App) -> Vec<Lane> {
    let settings = app.engine.settings();
    let named = [(Lane::Telegram, settings.telegram.is_some()), (Lane::Slack, settings.slack.is_some())];
    named.into_iter().filter(|(_, is_named)| *is_named).map(|(channel, _)| channel).collect()
}

/// Shows what can be done with a person's accounts.
pub(super) fn buttons(visitor: &Visitor, person: &Person, channels: &[Lane]) -> Markup {
    html! {
        @for channel in channels {
            @let linked = person.accounts.contains_key(channel.name());
            form method="post" action=(if linked { "/settings/accounts/unlink" } else { "/settings/accounts" }) {
                (visitor.token()) input type="hidden" name="name" value=(person.name);
                input type="hidden" name="channel" value=(channel.name());
                button .no[linked] {
                    (if linked { "Unlink " } else { "Link " }) (title(channel.name()))
                    span .quiet { " for " (inert_line(&person.name)) }
                }
            }
        }
    }
}

fn title(channel: &str) -> &str {
    match channel {
        "telegram" => "Telegram",
        "slack" => "Slack",
        other => other,
    }
}
