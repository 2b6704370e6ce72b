//! Which outbox rows the settings ask for.

use std::sync::Arc;

use holdpoint_store::Route;

use super::{command, mail, ntfy, opinion, slack, telegram, webhook, webpush};
use crate::settings::Settings;

/// Returns which outbox rows the settings ask for. Callbacks have none: the asker of each decision names its own.
pub(crate) fn routes(settings: &Settings) -> Arc<[Route]> {
    let commands = command::routes(&settings.hooks).into_iter();
    commands
        .chain(settings.webhook.iter().flat_map(webhook::Settings::routes))
        .chain(settings.mail.iter().flat_map(mail::Settings::routes))
        .chain(settings.ntfy.iter().flat_map(ntfy::Settings::routes))
        .chain(settings.telegram.iter().flat_map(telegram::Settings::routes))
        .chain(settings.slack.iter().flat_map(slack::Settings::routes))
        .chain(settings.webpush.iter().flat_map(webpush::settings::Settings::routes))
        .chain(settings.opinion.iter().map(opinion::Settings::route))
        .collect()
}
