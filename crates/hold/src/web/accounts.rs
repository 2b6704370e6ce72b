//! Linked channel accounts on the settings page: a code links an account, a button unlinks it.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Lane, Person};
use holdpoint_engine::auth::AccountCode;
use maud::{Markup, html};

use super::visitor::Visitor;
use crate::http::app::App;

/// Shows, once, the code for linking a person's account.
pub(super) fn new_code(made: &AccountCode, name: &str, channel: &str) -> Markup {
    html! {
        section .panel.good aria-labelledby="new-code" {
            h2 #new-code { "Code for " bdi { (inert_line(name)) } " on " (title(channel)) }
            p { "Send this to the bot within 15 minutes. Works once; the sender answers as them." }
            p { code .secret #secret tabindex="0" { (made.code) } " " button type="button" data-copy="secret" hidden { "Copy" } }
        }
    }
}

/// Lists the configured channels on which accounts can be linked.
pub(super) fn channels(app: &App) -> Vec<Lane> {
    let settings = app.engine.settings();
    let named = [(Lane::Telegram, settings.telegram.is_some()), (Lane::Slack, settings.slack.is_some())];
    named.into_iter().filter(|(_, is_named)| *is_named).map(|(channel, _)| channel).collect()
}

/// Shows the buttons for a person's accounts.
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
