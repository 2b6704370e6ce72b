//! Inspecting channels: which there are, whether a message arrives, and what they did. For admins.

use holdpoint_core::notify::{Digest, NoticeContext, Timing};
use holdpoint_core::{Lane, Occasion, Person, Priority, Project, Refusal, Source};
use holdpoint_store::{ChannelNote, Happened, OutboxEntry, OutboxState};
use serde::{Deserialize, Serialize};

use super::channel::DeliveryError;
use super::outlet::{ChannelKind, Outlet};
use super::probe::Probe;
use crate::auth::Caller;
use crate::auth::random;
use crate::engine::Engine;
use crate::error::Result;

/// The most undelivered notices that are counted.
const COUNTED: usize = 1_000;

/// A channel that the settings name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelState {
    /// Which.
    pub channel: Lane,
    /// Whom it reaches, by name: people, or webhooks.
    pub reaches: Vec<String>,
    /// How many notices wait, at most a thousand.
    pub queued: usize,
    /// How many of those are held back, because people want them later.
    #[serde(default)]
    pub held: usize,
    /// How many were given up, at most a thousand.
    pub dead: usize,
    /// What it did last, where that is known.
    pub last: Option<ChannelNote>,
}

/// A test message that was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelTested {
    /// What would become of a question of normal priority now, where it would not be sent at once.
    pub otherwise: Option<String>,
}

impl Engine {
    /// Lists the channels that the settings name.
    pub async fn channels(&self, caller: &Caller) -> Result<Vec<ChannelState>> {
        caller.administers()?;
        let mut states = Vec::new();
        let rows = async |state, lane| self.store.outbox_entries(state, Some(lane), COUNTED).await;
        let changes =
            (rows(OutboxState::Queued, Lane::Follow).await?, rows(OutboxState::Dead, Lane::Follow).await?);
        for channel in Lane::ALL {
            let Some(reaches) = self.reaches(channel).await? else { continue };
            let of_it = |rows: &[OutboxEntry]| rows.iter().filter(|row| row.channel() == channel).count();
            let asked = rows(OutboxState::Queued, channel).await?;
            let held = asked.iter().filter(|row| row.held.is_some()).count();
            let queued = asked.len() + of_it(&changes.0);
            let dead = rows(OutboxState::Dead, channel).await?.len() + of_it(&changes.1);
            let last = self.store.notes(Some(channel), 1).await?.pop();
            states.push(ChannelState { channel, reaches, queued, held, dead, last });
        }
        Ok(states)
    }

    /// Sends a message to a person, or to a program of the settings, that only shows that messages arrive. It ignores
    /// quiet hours.
    pub async fn test_channel(&self, caller: &Caller, channel: &str, name: &str) -> Result<ChannelTested> {
        caller.administers()?;
        let wrong = |why: String| Refusal::invalid("channel", why);
        let lane = Lane::from_name(channel).filter(|lane| lane.is_tested());
        let names = || Lane::ALL.into_iter().filter(|lane| lane.is_tested()).map(Lane::name);
        let no_test =
            || wrong(format!("a test message goes by {}", names().collect::<Vec<_>>().join(" or ")));
        let lane = lane.ok_or_else(no_test)?;
        let outlets = self.notices("", None)?.outlets;
        if lane.tells_programs() {
            return self.probe(lane, &outlets, name).await;
        }
        let way = outlets.into_iter().find(|outlet| outlet.lane == lane).map(|outlet| outlet.way);
        let way = way.ok_or_else(|| wrong(format!("config.toml has no [{channel}] section")))?;
        let known = self.store.person(name).await?.map(|known| known.person);
        let missing = || Refusal::NotFound { what: "person", id: name.to_owned() };
        let known = known.ok_or_else(missing)?;
        let sent = match way {
            ChannelKind::Once(channel) => channel.test(&known).await,
            ChannelKind::Followed(messenger) => {
                let place =
                    messenger.destination(&known).await.map_err(|trouble| wrong(trouble.why().to_owned()))?;
                let place = place.ok_or_else(|| wrong(unreached(lane, &known)))?;
                messenger.test(&place).await
            }
        };
        self.note_test(lane, &known.name, sent).await?;
        Ok(ChannelTested { otherwise: self.otherwise(lane, &known).await? })
    }

    async fn probe(&self, lane: Lane, outlets: &[Outlet], name: &str) -> Result<ChannelTested> {
        let id = i64::try_from(u64::from_le_bytes(random()?) >> 1).unwrap_or_default();
        let probe = Probe { name, id, at: self.now().await? };
        for outlet in outlets.iter().filter(|outlet| outlet.lane == lane) {
            if let ChannelKind::Once(channel) = &outlet.way
                && let Some(sent) = channel.probe(&probe).await
            {
                self.note_test(lane, name, sent).await?;
                return Ok(ChannelTested { otherwise: None });
            }
        }
        Err(Refusal::NotFound { what: lane.name(), id: name.to_owned() }.into())
    }

    async fn note_test(
        &self,
        lane: Lane,
        name: &str,
        sent: std::result::Result<(), DeliveryError>,
    ) -> Result<()> {
        let (what, words) = match &sent {
            Ok(()) => (Happened::Sent, "a test"),
            Err(trouble) => (Happened::Failed, trouble.why()),
        };
        self.log_channel(lane, name, None, what, words).await;
        let failed = |trouble: DeliveryError| {
            Refusal::invalid("channel", format!("the test message did not arrive: {}", trouble.why()))
        };
        Ok(sent.map_err(failed)?)
    }

    /// Returns what would happen to an ordinary question to a person now, unless it would be sent at once.
    async fn otherwise(&self, lane: Lane, person: &Person) -> Result<Option<String>> {
        let now = self.now().await?;
        let matter = NoticeContext {
            source: Source::Question,
            project: Project::DEFAULT,
            priority: Priority::Normal,
            asked_by: None,
            since: now,
            deadline: None,
        };
        let told = lane.channel().map(|channel| person.notify.plan(channel, &matter, now));
        Ok(match told {
            None | Some(Timing::Now) => None,
            Some(Timing::Held { why, .. } | Timing::Gathered { why, .. }) => Some(format!("held: {why}")),
            Some(Timing::Not { why }) => Some(format!("not sent: {why}")),
        })
    }

    /// Lists what channels did, newest first.
    pub async fn channel_log(
        &self,
        caller: &Caller,
        channel: Option<Lane>,
        limit: usize,
    ) -> Result<Vec<ChannelNote>> {
        caller.administers()?;
        Ok(self.store.notes(channel, limit).await?)
    }

    /// Returns whether the settings have a bot for a channel.
    fn talks(&self, channel: Lane) -> bool {
        match channel {
            Lane::Telegram => self.settings.telegram.is_some(),
            Lane::Slack => self.settings.slack.is_some(),
            _ => false,
        }
    }

    /// Returns the people or programs that a channel reaches; none if it is not in the settings.
    async fn reaches(&self, channel: Lane) -> Result<Option<Vec<String>>> {
        let settings = &self.settings;
        let occasions = Occasion::ALL;
        Ok(match channel {
            Lane::Hook => {
                let hooks = occasions.into_iter().filter(|one| settings.hooks.command(*one).is_some());
                let hooks: Vec<String> = hooks.map(|one| one.hook().to_owned()).collect();
                Some(hooks).filter(|hooks| !hooks.is_empty())
            }
            Lane::Webhook => {
                let names: Vec<String> = settings.webhook.iter().map(|hook| hook.name.clone()).collect();
                Some(names).filter(|names| !names.is_empty())
            }
            Lane::Callback => {
                let names: Vec<String> = settings.callback.iter().map(|one| one.name.clone()).collect();
                Some(names).filter(|names| !names.is_empty())
            }
            Lane::Opinion => {
                let names: Vec<String> = settings.opinion.iter().map(|one| one.name.clone()).collect();
                Some(names).filter(|names| !names.is_empty())
            }
            Lane::Mail if settings.mail.is_some() => {
                let people = self.store.people().await?.into_iter();
                Some(people.filter(|person| person.email.is_some()).map(|person| person.name).collect())
            }
            Lane::Digest if settings.mail.is_some() => {
                let gathers =
                    |person: &Person| matches!(person.notify.digest, Digest::Hourly | Digest::Daily(_));
                let people = self.store.people().await?.into_iter();
                let people = people.filter(|person| person.email.is_some() && gathers(person));
                let names: Vec<String> =
                    people.map(|person| format!("{} ({})", person.name, person.notify.digest)).collect();
                Some(names).filter(|names| !names.is_empty())
            }
            Lane::Ntfy => settings.ntfy.as_ref().map(super::ntfy::Settings::people),
            Lane::Telegram | Lane::Slack if self.talks(channel) => {
                let linked = |person: &Person| person.accounts.contains_key(channel.name());
                let people = self.store.people().await?.into_iter().filter(linked);
                Some(people.map(|person| person.name).collect())
            }
            Lane::Webpush if settings.webpush.is_some() => {
                let mut people: Vec<String> =
                    self.store.subscriptions(None).await?.into_iter().map(|browser| browser.person).collect();
                people.sort();
                people.dedup();
                Some(people)
            }
            Lane::Session
            | Lane::Git
            | Lane::Mail
            | Lane::Digest
            | Lane::Telegram
            | Lane::Slack
            | Lane::Webpush
            | Lane::Follow => None,
        })
    }
}

/// Describes that a channel does not reach a person, and what would help.
fn unreached(channel: Lane, person: &Person) -> String {
    let (name, channel_name) = (&person.name, channel.name());
    let missing = format!("{name} has no {channel_name} account");
    if channel.has_accounts() {
        return format!("{missing}; `hold person link {name} {channel_name}` makes a code that links one");
    }
    missing
}
