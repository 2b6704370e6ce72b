//! How a person wants to be notified: by which channel for what, in which hours, and what is gathered in one mail.
//!
//! Nothing is sent here. What is due is computed anew each time, so a changed preference also applies to notices that
//! are still held back.

mod digest;
mod hours;
mod rule;

use serde::{Deserialize, Serialize};

pub use digest::Digest;
pub use hours::{DayTime, Quiet};
pub use rule::{Channel, Rule};

use crate::text::{check_name, quote};
use crate::{Decision, FieldError, Lane, Priority, Refusal, Source, Timestamp};

/// The maximum number of rules per person, and of names in `urgent_from`.
const MOST_RULES: usize = 32;
/// Stands for every asker, authenticated or not.
const ANYBODY: &str = "*";

/// How a person wants to be notified. By default: by every channel that reaches them, at once, at any hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Notify {
    /// The time zone that hours are meant in, by its IANA name, such as `Europe/Berlin`; UTC if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Hours in which only urgent notices are sent; the others are sent when they end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    /// Whose `urgent` priority is respected: names of credentials that ask (`asked_by`), or `*` for all, the default.
    /// If empty, nobody's is.
    pub urgent_from: Vec<String>,
    /// When mail about non-urgent decisions is sent.
    #[serde(skip_serializing_if = "Digest::is_at_once")]
    pub digest: Digest,
    /// Which channels are used for what; the first rule that matches counts, and if none does, all channels are used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
}

impl Default for Notify {
    fn default() -> Self {
        let urgent_from = vec![ANYBODY.to_owned()];
        Self { zone: None, quiet: None, urgent_from, digest: Digest::default(), rules: Vec::new() }
    }
}

/// What a notice is about, as far as it decides when and how to send it.
#[derive(Clone, Copy, Debug)]
pub struct NoticeContext<'a> {
    /// The source of the decision.
    pub source: Source,
    /// The project.
    pub project: &'a str,
    /// How urgent the asker calls it.
    pub priority: Priority,
    /// The name of the credential that asked; none if the asker was not authenticated.
    pub asked_by: Option<&'a str>,
    /// When the occasion of the notice arose.
    pub since: Timestamp,
    /// The deadline for an answer.
    pub deadline: Option<Timestamp>,
}

impl<'a> NoticeContext<'a> {
    /// Describes a notice about a decision, since a time.
    pub fn of(decision: &'a Decision, since: Timestamp) -> Self {
        Self {
            source: decision.source,
            project: &decision.project,
            priority: decision.priority,
            asked_by: decision.asked_by.as_deref(),
            since,
            deadline: decision.deadline,
        }
    }
}

/// When a person is notified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Now.
    Now,
    /// Later, as a separate notice.
    Held {
        /// When to check again.
        until: Timestamp,
        /// The reason, as text.
        why: String,
    },
    /// In the next mail that gathers several notices.
    Gathered {
        /// When that mail is due; now or earlier if it is.
        until: Timestamp,
        /// The reason, as text.
        why: String,
    },
    /// Not by this channel.
    Not {
        /// The reason, as text.
        why: String,
    },
}

impl Notify {
    /// Returns whether there are no preferences.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Decides when a person is notified over a channel.
    pub fn plan(&self, channel: Channel, matter: &NoticeContext<'_>, now: Timestamp) -> Timing {
        let fitting = self.rules.iter().enumerate().find(|(_, rule)| rule.fits(matter));
        if let Some((at, rule)) = fitting
            && !rule.channels.contains(&channel)
        {
            return Timing::Not { why: format!("rule {} sends it {}", at + 1, rule.by()) };
        }
        if self.is_urgent(matter) {
            return Timing::Now;
        }
        let quiet = self.quiet_until(now);
        if channel == Channel::Mail {
            if self.digest == Digest::Never {
                return Timing::Not { why: "no mail about non-urgent matters".into() };
            }
            if let Some(due) = self.digest_after(matter.since)
                // A decision that is due before the digest is sent at once, or it would be missed.
                && matter.deadline.is_none_or(|deadline| deadline > due)
            {
                let until = if due > now { due } else { quiet.unwrap_or(due) };
                let why = format!("for the digest of {}", self.local(until));
                return Timing::Gathered { until, why };
            }
        }
        match quiet {
            Some(until) => Timing::Held { until, why: format!("quiet until {}", self.local(until)) },
            None => Timing::Now,
        }
    }

    /// Returns when the quiet hours end, if a time lies in them.
    pub fn quiet_until(&self, at: Timestamp) -> Option<Timestamp> {
        self.quiet.as_ref()?.until(&hours::zone(self.zone.as_deref()), at)
    }

    /// Returns when the first digest after a time is due, outside the quiet hours; none if mail is sent at once or
    /// never.
    pub fn digest_after(&self, at: Timestamp) -> Option<Timestamp> {
        let due = self.digest.after(&hours::zone(self.zone.as_deref()), at)?;
        Some(self.quiet_until(due).unwrap_or(due))
    }

    /// Returns whether the asker calls it urgent, and is one of those whose urgency counts here.
    fn is_urgent(&self, matter: &NoticeContext<'_>) -> bool {
        let counts = |name: &String| name == ANYBODY || Some(name.as_str()) == matter.asked_by;
        matter.priority == Priority::Urgent && self.urgent_from.iter().any(counts)
    }

    /// Returns a time as the person's clock shows it, to the minute.
    pub fn local(&self, at: Timestamp) -> String {
        hours::local(self.zone.as_deref(), at)
    }

    /// Returns the preferences in normal form, or what is wrong with them.
    pub fn checked(&self) -> Result<Self, Refusal> {
        let mut faults = Vec::new();
        let mut kept = self.clone();
        match self.zone.as_deref().map(hours::known_zone).transpose() {
            Ok(zone) => kept.zone = zone,
            Err(why) => faults.push(FieldError::new("notify.zone", why)),
        }
        if let Some(quiet) = self.quiet
            && quiet.from == quiet.until
        {
            let why = format!("{quiet} has no length; to get no notices all day, use rules");
            faults.push(FieldError::new("notify.quiet", why));
        }
        if self.rules.len() > MOST_RULES {
            let why = format!("has {} rules; at most {MOST_RULES} are allowed", self.rules.len());
            faults.push(FieldError::new("notify.rules", why));
        }
        if self.urgent_from.len() > MOST_RULES {
            let why = format!("has {} names; at most {MOST_RULES} are allowed", self.urgent_from.len());
            faults.push(FieldError::new("notify.urgent_from", why));
        }
        for (at, name) in self.urgent_from.iter().enumerate() {
            if let Err(why) = check_name(name) {
                let place = format!("notify.urgent_from[{at}]");
                faults.push(FieldError::new(place, format!("{} {why}", quote(name))));
            }
        }
        kept.urgent_from.sort_unstable();
        kept.urgent_from.dedup();
        for (at, rule) in kept.rules.iter_mut().enumerate() {
            if let Some(project) = &rule.project
                && let Err(why) = check_name(project)
            {
                let place = format!("notify.rules[{at}].project");
                faults.push(FieldError::new(place, format!("{} {why}", quote(project))));
            }
            rule.channels.sort_unstable();
            rule.channels.dedup();
        }
        if faults.is_empty() { Ok(kept) } else { Err(Refusal::Invalid(faults)) }
    }
}

impl Lane {
    /// Returns the channel of a lane, if the lane notifies people.
    pub fn channel(self) -> Option<Channel> {
        match self {
            Self::Mail | Self::Digest => Some(Channel::Mail),
            Self::Ntfy => Some(Channel::Ntfy),
            Self::Telegram => Some(Channel::Telegram),
            Self::Slack => Some(Channel::Slack),
            Self::Webpush => Some(Channel::Webpush),
            Self::Session
            | Self::Git
            | Self::Hook
            | Self::Webhook
            | Self::Callback
            | Self::Follow
            | Self::Opinion => None,
        }
    }
}
