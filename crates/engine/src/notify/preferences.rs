//! How a person wants to be notified: shown with its current effect, and changed by them or an admin.

use holdpoint_core::notify::{Channel, Digest, Notify};
use holdpoint_core::{Actor, Auth, Command, Lane, Person, Refusal, Timestamp, access};
use serde::{Deserialize, Serialize};

use crate::auth::{Caller, Links};
use crate::engine::Engine;
use crate::error::Result;

/// A person's notification settings, and their current effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotifyView {
    /// Who.
    pub person: String,
    /// How they want it.
    pub notify: Notify,
    /// The channels that reach them.
    pub reached_by: Vec<Channel>,
    /// When the quiet hours end, where they have begun.
    #[serde(default)]
    pub quiet_until: Option<Timestamp>,
    /// When the next digest is due, where mail is gathered.
    #[serde(default)]
    pub next_digest: Option<Timestamp>,
    /// What may not be as they meant it.
    #[serde(default)]
    pub warnings: Vec<String>,
}

impl Engine {
    /// Returns how a person wants to be notified. For that person, and for admins of all projects.
    pub async fn notify_of(&self, caller: &Caller, name: &str) -> Result<NotifyView> {
        let asked = Command::SetNotify { name: name.to_owned(), notify: Box::default() };
        access::admit(&caller.actor, &caller.projects, &asked, None)?;
        let missing = || Refusal::NotFound { what: "person", id: name.to_owned() };
        let person = self.store.person(name).await?.ok_or_else(missing)?.person;
        let now = self.now().await?;
        let reached_by = self.reached_by(&person).await?;
        let warnings = warnings(&person.notify, &reached_by);
        let (quiet_until, next_digest) = (person.notify.quiet_until(now), person.notify.digest_after(now));
        let Person { name: person, notify, .. } = person;
        Ok(NotifyView { person, notify, reached_by, quiet_until, next_digest, warnings })
    }

    /// Sets how a person wants to be notified. Notices that are held back are checked again.
    pub async fn set_notify(&self, caller: &Caller, name: &str, notify: Notify) -> Result<NotifyView> {
        let command = Command::SetNotify { name: name.to_owned(), notify: Box::new(notify) };
        self.submit_for(caller, command, None).await?;
        self.store.release(name).await?;
        self.notify_of(caller, name).await
    }

    /// Reads the unsubscribe link of a digest; returns the person. This changes nothing.
    pub async fn read_unsubscribe(&self, links: &Links, text: &str) -> Result<Person> {
        let (name, issued) = links.read_unsubscribe(text, self.now().await?)?;
        self.addressee(&name, issued).await
    }

    /// Unsubscribes the owner of a digest's link from digests, and from all mail about what is not urgent.
    pub async fn unsubscribe_from_mail(&self, links: &Links, text: &str) -> Result<Person> {
        let person = self.read_unsubscribe(links, text).await?;
        let notify = Notify { digest: Digest::Never, ..person.notify.clone() };
        let actor = Actor { auth: Auth::System, ..Actor::claimed(&person.name, "unsubscribe") };
        let caller = Caller { actor, projects: Vec::new() };
        self.set_notify(&caller, &person.name, notify).await?;
        Ok(person)
    }

    /// Lists the channels that reach a person.
    pub(super) async fn reached_by(&self, person: &Person) -> Result<Vec<Channel>> {
        let settings = &self.settings;
        let has_browsers =
            settings.webpush.is_some() && !self.store.subscriptions(Some(&person.name)).await?.is_empty();
        let has = |lane: Lane| person.accounts.contains_key(lane.name());
        let reaches = |channel: &Channel| match channel {
            Channel::Mail => settings.mail.is_some() && person.email.is_some(),
            Channel::Ntfy => settings.ntfy.as_ref().is_some_and(|ntfy| ntfy.reaches(&person.name)),
            Channel::Telegram => settings.telegram.is_some() && has(Lane::Telegram),
            Channel::Slack => settings.slack.is_some() && has(Lane::Slack),
            Channel::Webpush => has_browsers,
            // Whether `hold notify` is running is not known here, so it is assumed.
            Channel::Desktop => true,
        };
        Ok(Channel::ALL.into_iter().filter(reaches).collect())
    }
}

fn warnings(notify: &Notify, reached_by: &[Channel]) -> Vec<String> {
    let mut warnings = Vec::new();
    let has_hours = notify.quiet.is_some() || matches!(notify.digest, Digest::Daily(_));
    if has_hours && notify.zone.is_none() {
        warnings.push("set a time zone: without one, hours are in UTC".to_owned());
    }
    if !notify.digest.is_at_once() && !reached_by.contains(&Channel::Mail) {
        warnings.push("no mail reaches them: there is no digest".to_owned());
    }
    for (at, rule) in notify.rules.iter().enumerate() {
        if !rule.channels.is_empty() && !rule.channels.iter().any(|channel| reached_by.contains(channel)) {
            let names: Vec<_> = rule.channels.iter().map(|channel| channel.name()).collect();
            warnings.push(format!("rule {}: {} does not reach them", at + 1, names.join(" or ")));
        }
    }
    warnings
}
