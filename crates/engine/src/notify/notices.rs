//! The channels of a process, opened as the settings name them.

#[cfg(feature = "notify")]
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::Lane;
use holdpoint_store::OutboxEntry;

#[cfg(feature = "notify")]
use super::combined_message::CombinedMessages;
use super::command;
use super::outlet::Outlet;
#[cfg(feature = "notify")]
use super::slack::channel::Slack;
#[cfg(feature = "notify")]
use super::telegram::channel::Telegram;
#[cfg(feature = "notify")]
use super::turns::MessageLocks;
#[cfg(feature = "notify")]
use super::{callback, mail, ntfy, opinion, slack, telegram, webhook, webpush};
use crate::auth::Links;
use crate::engine::Engine;
use crate::error::Result;

/// All channels of a process, and what goes into what they send.
#[derive(Debug)]
pub struct OpenChannels {
    pub(super) outlets: Vec<Outlet>,
    pub(super) public_url: Option<String>,
    pub(super) links: Option<Links>,
    #[cfg(feature = "notify")]
    pub(super) turns: MessageLocks,
    #[cfg(feature = "notify")]
    pub(super) crowds: CombinedMessages,
    /// The app that listens to Slack, if the settings name one: what it says and what it hears share one pace.
    #[cfg(feature = "notify")]
    pub(super) slack: Option<Arc<Slack>>,
    /// The bot that listens to Telegram, likewise.
    #[cfg(feature = "notify")]
    pub(super) telegram: Option<Arc<Telegram>>,
}

impl OpenChannels {
    pub(super) fn new(outlets: Vec<Outlet>, public_url: Option<&str>, links: Option<Links>) -> Self {
        Self {
            outlets,
            public_url: public_url.map(|url| url.trim_end_matches('/').to_owned()),
            links,
            #[cfg(feature = "notify")]
            turns: MessageLocks::default(),
            #[cfg(feature = "notify")]
            crowds: CombinedMessages::default(),
            #[cfg(feature = "notify")]
            slack: None,
            #[cfg(feature = "notify")]
            telegram: None,
        }
    }

    pub(super) fn outlet(&self, entry: &OutboxEntry) -> Option<&Outlet> {
        let fits = |target: &Option<String>| target.as_ref().is_none_or(|target| *target == entry.target);
        self.outlets.iter().find(|outlet| outlet.lane == entry.channel() && fits(&outlet.target))
    }

    /// Lists the channels that rows of a lane go by.
    pub(super) fn of(&self, lane: Lane) -> impl Iterator<Item = &Outlet> {
        let goes_by =
            move |outlet: &&Outlet| outlet.lane == lane || lane == Lane::Follow && outlet.lane.follows();
        self.outlets.iter().filter(goes_by)
    }

    /// Returns how many channels a lane has.
    pub(super) fn count(&self, lane: Lane) -> usize {
        self.of(lane).count()
    }

    /// Returns the longest that one sending in a lane may take.
    pub(super) fn timeout(&self, lane: Lane) -> Duration {
        self.of(lane).map(|outlet| outlet.timeout).max().unwrap_or_default()
    }
}

impl Engine {
    /// Opens all channels that the settings name, and reports what is missing, such as a secret.
    ///
    /// Without `links`, no signed links are sent.
    pub fn notices(&self, public_url: &str, links: Option<Links>) -> Result<OpenChannels> {
        let mut notices = OpenChannels::new(command::open(&self.settings.hooks), Some(public_url), links);
        self.open_channels(&mut notices)?;
        Ok(notices)
    }

    /// Makes what a process without a server tells: commands only.
    pub(super) fn own_notices(&self) -> OpenChannels {
        let public_url = self.settings.server.public_url.as_deref();
        OpenChannels::new(command::open(&self.settings.hooks), public_url, None)
    }

    /// Opens no channel but commands: what is to be sent by another stays in the outbox, for a process that can.
    #[cfg(not(feature = "notify"))]
    #[expect(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "channels that are compiled in may fail to open"
    )]
    fn open_channels(&self, _: &mut OpenChannels) -> Result<()> {
        Ok(())
    }

    /// Opens the channels that the settings name, secrets and all.
    #[cfg(feature = "notify")]
    fn open_channels(&self, notices: &mut OpenChannels) -> Result<()> {
        let settings = &self.settings;
        let outlets = &mut notices.outlets;
        for webhook in &settings.webhook {
            outlets.push(webhook::channel::open(webhook)?);
        }
        outlets.extend(callback::channel::open(&settings.callback)?);
        if let Some(mail) = &settings.mail {
            outlets.push(mail::channel::open(mail, &settings.show_in)?);
        }
        if let Some(ntfy) = &settings.ntfy {
            outlets.push(ntfy::channel::open(ntfy, &settings.show_in)?);
        }
        if let Some(telegram) = &settings.telegram {
            let (bot, outlet) = telegram::channel::open(telegram, &settings.show_in)?;
            outlets.push(outlet);
            notices.telegram = Some(bot);
        }
        if let Some(slack) = &settings.slack {
            let (app, outlet) = slack::channel::open(slack, &settings.show_in)?;
            outlets.push(outlet);
            notices.slack = Some(app);
        }
        outlets.extend(webpush::channel::open(self)?);
        for opinion in &settings.opinion {
            outlets.push(opinion::channel::open(self, opinion)?);
        }
        Ok(())
    }
}
