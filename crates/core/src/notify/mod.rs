//! How a person wants to be told: by which channel for what, when not at all, and what is gathered in one mail.
//!
//! Nothing is sent here. What is due is worked out from what was asked and the time, again whenever somebody looks, so a
//! change of mind counts for what is still held back.

mod digest;
mod hours;
mod rule;

use serde::{Deserialize, Serialize};

pub use digest::Digest;
pub use hours::{DayTime, Quiet};
pub use rule::{Channel, Rule};

use crate::text::{check_name, quote};
use crate::{Decision, FieldError, Lane, Priority, Refusal, Source, Timestamp};

/// At most so many rules are kept for one person, and names of those whose `urgent` counts.
const MOST_RULES: usize = 32;
/// Stands for everybody who asks, where nobody was checked too.
const ANYBODY: &str = "*";

/// How a person wants to be told. By default: by every channel that reaches them, at once, at any hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Notify {
    /// The time zone that hours are meant in, by its IANA name, such as `Europe/Berlin`; UTC if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// When only what is urgent comes through; the rest comes when they end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    /// Whose `urgent` counts as such: names of credentials that ask (`asked_by`), or `*` for anybody's, which it is if not given.
    /// Nobody's if empty.
    pub urgent_from: Vec<String>,
    /// When mail comes about what is not urgent.
    #[serde(skip_serializing_if = "Digest::is_at_once")]
    pub digest: Digest,
    /// Which channels tell what; the first rule that fits counts, and where none does, every channel tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
}

impl Default for Notify {
    fn default() -> Self {
        let urgent_from = vec![ANYBODY.to_owned()];
        Self { zone: None, quiet: None, urgent_from, digest: Digest::default(), rules: Vec::new() }
    }
}

/// What there is to tell, as far as it matters when and how.
#[derive(Clone, Copy, Debug)]
pub struct Matter<'a> {
    /// Why it was asked.
    pub source: Source,
    /// In which project.
    pub project: &'a str,
    /// How urgent it is to who asks.
    pub priority: Priority,
    /// The name of the credential that asked; none where nobody was checked.
    pub asked_by: Option<&'a str>,
    /// Since when there is something to tell.
    pub since: Timestamp,
    /// When it is too late to answer.
    pub deadline: Option<Timestamp>,
}

impl<'a> Matter<'a> {
    /// Says what there is to tell of a decision, since a time.
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

/// Whether somebody is told something now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// They are.
    Now,
    /// Later, by itself.
    Held {
        /// When to look again.
        until: Timestamp,
        /// Why, in words.
        why: String,
    },
    /// In the next mail that gathers several.
    Gathered {
        /// When that mail is due; now or earlier if it is.
        until: Timestamp,
        /// Why, in words.
        why: String,
    },
    /// Not by this channel.
    Not {
        /// Why, in words.
        why: String,
    },
}

impl Notify {
    /// Returns whether nothing was said.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Says whether a person is told something by a channel now.
    pub fn plan(&self, channel: Channel, matter: &Matter<'_>, now: Timestamp) -> Timing {
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
                return Timing::Not { why: "no mail about what is not urgent".into() };
            }
            if let Some(due) = self.digest_after(matter.since)
                // What cannot wait for the digest would only be missed in it.
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

    /// Returns when the first digest after a time is due, outside the quiet hours; none if mail is sent at once or never.
    pub fn digest_after(&self, at: Timestamp) -> Option<Timestamp> {
        let due = self.digest.after(&hours::zone(self.zone.as_deref()), at)?;
        Some(self.quiet_until(due).unwrap_or(due))
    }

    /// Returns whether something is urgent to who asks, and they are one whose word on it counts here.
    fn is_urgent(&self, matter: &Matter<'_>) -> bool {
        let counts = |name: &String| name == ANYBODY || Some(name.as_str()) == matter.asked_by;
        matter.priority == Priority::Urgent && self.urgent_from.iter().any(counts)
    }

    /// Returns a time as the person's clock shows it, to the minute.
    pub fn local(&self, at: Timestamp) -> String {
        hours::local(self.zone.as_deref(), at)
    }

    /// Returns it as it is kept; says what is wrong with it.
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
            let why = format!("{quiet} has no length; to be left alone all day, use rules");
            faults.push(FieldError::new("notify.quiet", why));
        }
        if self.rules.len() > MOST_RULES {
            let why = format!("has {} rules; at most {MOST_RULES} are taken", self.rules.len());
            faults.push(FieldError::new("notify.rules", why));
        }
        if self.urgent_from.len() > MOST_RULES {
            let why = format!("has {} names; at most {MOST_RULES} are taken", self.urgent_from.len());
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
    /// Returns the channel that a lane tells people by, if it does.
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
