//! Effects: what should happen outside after a commit. Core only lists them; the outbox stores them, and others carry
//! them out.

use serde::{Deserialize, Serialize};

use crate::DecisionId;

/// Work to be done once the events that ordered it are committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Notify subscribers (hooks, webhooks, mail).
    Tell {
        /// What happened.
        occasion: Occasion,
        /// The decision it happened to.
        id: DecisionId,
    },
    /// Notify these people that a decision is still pending, besides those who were notified when it was asked.
    TellPeople {
        /// The decision.
        id: DecisionId,
        /// Their names.
        people: Vec<String>,
        /// Whether to notify also those who are notified when nobody is assigned.
        others: bool,
    },
    /// Carry out a verdict on its repository.
    CarryOut {
        /// The decision that gave the verdict.
        id: DecisionId,
    },
    /// Type into the session of an owner, or act on it in another way, as the event of this index in the ruling
    /// describes.
    Act {
        /// The index of the action event.
        event: usize,
    },
}

impl Effect {
    /// Returns the effect for a ruling in which this many events come first.
    #[must_use]
    pub fn after(self, events: usize) -> Self {
        match self {
            Self::Act { event } => Self::Act { event: event + events },
            other @ (Self::Tell { .. } | Self::TellPeople { .. } | Self::CarryOut { .. }) => other,
        }
    }
}

/// The occasion of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// A decision was asked.
    Create,
    /// Someone answered, guided or cancelled.
    Respond,
    /// The deadline passed.
    Timeout,
    /// A decision has been unanswered for a while.
    Escalate,
    /// One of several people has voted, and others are still needed.
    Vote,
}

impl Occasion {
    /// All occasions.
    pub const ALL: [Self; 5] = [Self::Create, Self::Respond, Self::Timeout, Self::Escalate, Self::Vote];

    /// Returns the name of the hook that is run.
    pub fn hook(self) -> &'static str {
        match self {
            Self::Create => "on_decision_create",
            Self::Respond => "on_decision_respond",
            Self::Timeout => "on_decision_timeout",
            Self::Escalate => "on_decision_escalate",
            Self::Vote => "on_decision_vote",
        }
    }
}

/// The lane of an outbox row: who processes it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// The host of the owner's session.
    Session,
    /// The process that committed, on a repository.
    Git,
    /// The process that committed, by a command from the settings.
    Hook,
    /// A server, over HTTP.
    Webhook,
    /// A server, over HTTP, to the address that the asker gave.
    Callback,
    /// A server, by mail.
    Mail,
    /// A server, by one mail for several notices.
    Digest,
    /// A server, by ntfy.
    Ntfy,
    /// A server, by Telegram.
    Telegram,
    /// A server, by Slack.
    Slack,
    /// A server, by Web Push.
    Webpush,
    /// A server, on the channels above: messages that were sent change with their decision.
    Follow,
    /// A server, by asking a program from the settings for its opinion.
    Opinion,
}

impl Lane {
    /// All lanes.
    pub const ALL: [Self; 13] = [
        Self::Session,
        Self::Git,
        Self::Hook,
        Self::Webhook,
        Self::Callback,
        Self::Mail,
        Self::Digest,
        Self::Ntfy,
        Self::Telegram,
        Self::Slack,
        Self::Webpush,
        Self::Follow,
        Self::Opinion,
    ];

    /// Returns whether it goes to people.
    pub fn is_personal(self) -> bool {
        self.channel().is_some()
    }

    /// Returns whether it keeps the messages that it sent up to date.
    pub fn follows(self) -> bool {
        matches!(self, Self::Ntfy | Self::Telegram | Self::Slack | Self::Webpush)
    }

    /// Returns whether it notifies other programs.
    pub fn tells_programs(self) -> bool {
        matches!(self, Self::Webhook | Self::Callback)
    }

    /// Returns whether a test message can be sent over it.
    pub fn is_tested(self) -> bool {
        self.tells_programs() || self.is_personal() && self != Self::Digest
    }

    /// Returns whether people link accounts to it.
    pub fn has_accounts(self) -> bool {
        matches!(self, Self::Telegram | Self::Slack)
    }

    /// Returns the name used in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Git => "git",
            Self::Hook => "hook",
            Self::Webhook => "webhook",
            Self::Callback => "callback",
            Self::Mail => "mail",
            Self::Digest => "digest",
            Self::Ntfy => "ntfy",
            Self::Telegram => "telegram",
            Self::Slack => "slack",
            Self::Webpush => "webpush",
            Self::Follow => "follow",
            Self::Opinion => "opinion",
        }
    }

    /// Finds a lane by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lane| lane.name() == name)
    }
}
