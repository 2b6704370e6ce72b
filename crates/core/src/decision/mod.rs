//! The decision: what is asked, of whom, until when, and the outcome. Most files hold one verb.

mod accept;
mod action;
mod answer;
mod answer_input;
mod asked;
mod asker;
mod attention;
mod brief;
mod callback;
mod cancel;
mod consume;
mod create;
mod digest;
mod draft;
mod escalate;
mod expire;
mod fitting;
mod given;
mod guide;
mod may_answer;
pub mod number;
mod origin;
mod outcome;
mod owner;
mod priority;
pub mod refusing;
mod remark;
mod remove;
mod revise;
mod same;
mod silence;
mod source;
mod supersede;
mod vote;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use action::needs_words;
pub(crate) use answer::answer;
pub use answer_input::AnswerInput;
pub use asker::Asker;
pub(crate) use attention::attend;
pub use attention::{Attention, Taken};
pub use brief::{brief, from_brief};
pub use callback::{Callback, CallbackBody};
pub(crate) use cancel::cancel;
pub use consume::Requirements;
pub(crate) use consume::consume;
pub use create::New;
pub(crate) use create::{check, create};
pub use digest::subject_digest;
pub use draft::DraftInput;
pub(crate) use draft::draft;
pub(crate) use escalate::escalate;
pub(crate) use expire::expire;
pub use fitting::fitting_option;
pub use guide::opens_next;
pub use origin::{HELD, Origin, SHOWN};
pub(crate) use outcome::would_refuse;
pub use outcome::{ChosenOption, chosen, consents_to_subject, is_refusal};
pub use owner::{Owner, OwnerKind};
pub use priority::Priority;
pub(crate) use remark::remark;
pub use remark::{LONGEST_REMARK, NewRemark, Remark};
pub(crate) use remove::{end_owner, prune};
pub use revise::Revision;
pub(crate) use revise::revise;
pub use source::Source;
pub(crate) use vote::{clear as clear_votes, record_vote as put_vote, votes_no};

use crate::json::Values;
use crate::people::{Escalation, Needs, Vote};
use crate::{DecisionId, Field, Opt, Timestamp};

/// A question asked of someone, and its outcome.
///
/// Its JSON is the resource that every interface shows: all keys are present, null where empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Decision {
    /// The id.
    pub id: DecisionId,
    /// The project it belongs to.
    pub project: String,
    /// Its status.
    pub status: Status,
    /// Why it is asked.
    pub source: Source,
    /// A line for lists.
    pub title: Option<String>,
    /// The question in full, as markdown from an untrusted agent.
    pub prompt: Option<String>,
    /// What is asked.
    pub fields: Vec<Field>,
    /// Options that can be taken instead of answering.
    pub outs: Vec<Opt>,
    /// Who waits for it.
    pub owner: Option<Owner>,
    /// The agent or session to wake, as it calls itself; this name is not checked.
    pub requested_by: Option<String>,
    /// The name of the credential it was asked with; null if the asker was not authenticated.
    #[serde(default)]
    pub asked_by: Option<String>,
    /// Who should answer; anyone if empty.
    pub assignees: Vec<String>,
    /// How urgent it is.
    pub priority: Priority,
    /// The round of guidance, from 1.
    pub iteration: u32,
    /// The last round.
    pub max_iterations: u32,
    /// The round before.
    pub prior: Option<DecisionId>,
    /// The round after.
    pub next: Option<DecisionId>,
    /// What the person said to open this round.
    pub guidance: Option<String>,
    /// The answer that silence gives, if any.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub default: Option<Values>,
    /// When silence settles it.
    pub deadline: Option<Timestamp>,
    /// How silence settles it.
    pub on_timeout: OnTimeout,
    /// Values given so far.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub draft: Values,
    /// The exact thing decided on.
    pub subject: Option<Value>,
    /// SHA-256 of the subject's canonical text.
    pub subject_digest: Option<String>,
    /// SHA-256 of everything that was asked.
    pub digest: String,
    /// What a foreign message needs to be answered in kind.
    pub origin: Option<Origin>,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When it was settled.
    pub settled_at: Option<Timestamp>,
    /// The decision that replaced it.
    pub superseded_by: Option<DecisionId>,
    /// When the approval was used.
    pub consumed_at: Option<Timestamp>,
    /// Why it was cancelled.
    pub reason: Option<String>,
    /// What was answered, by whom.
    pub answer: Option<Answer>,
    /// After which an approval can no longer be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Work items that are blocked while it is pending, besides the one that owns it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// The asker's own texts, by name; not part of any digest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Where the asker is notified that it is settled; stored, but never shown.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback: Option<Box<Callback>>,
    /// How many people must consent, and which; where absent, one person who may answer is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Box<Needs>>,
    /// Whether only a person who is signed in, or uses a token of their own, may answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// The votes so far, if several people must answer; one per person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<Vote>,
    /// The person who owns the token that asked, where they may not vote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requester: Option<String>,
    /// What happens while nobody answers, and which steps were taken; not part of any digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Box<Escalation>>,
    /// The person who has taken it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Taken>,
    /// Who has snoozed it, and until when.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub snoozed: BTreeMap<String, Timestamp>,
    /// Outcomes that other parties have reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<crate::thread::Report>,
    /// Remarks by programs from the settings; not part of any digest, and never shown to agents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// Members that this list leaves out or cuts short, because the decision is long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<String>,
    /// The standing rule that Holdpoint itself asks about: a yes continues it, a no ends it. Never set by a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whether the agent that asks runs under the server's own account, and so could answer in a person's place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_account: bool,
    /// SHA-256 of the idempotency key, where one is used, and of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_digest: Option<String>,
    /// The same digest for the request that used the approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consumed_request_digest: Option<String>,
    /// The credential it was asked with; stored, but never shown.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_with: Option<String>,
}

impl Decision {
    /// Returns the decision as it stands at a time: one whose deadline has passed is timed out, recorded or not.
    #[must_use]
    pub fn as_of(self, now: Timestamp) -> Self {
        if self.is_due(now) { silence::settle(self, now) } else { self }
    }

    /// Returns whether the deadline has passed and the timeout is not recorded yet.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.status == Status::Pending && self.deadline.is_some_and(|deadline| deadline <= now)
    }

    /// Returns the title, or else the prompt.
    pub fn summary(&self) -> &str {
        self.title.as_deref().or(self.prompt.as_deref()).unwrap_or_default()
    }

    /// Returns the work items that are blocked while it is pending.
    pub fn blocked_items(&self) -> impl Iterator<Item = &str> {
        let owner = self.owner.iter().filter(|owner| owner.kind == OwnerKind::Item);
        let others = self.blocks.iter().map(String::as_str).filter(|item| !self.is_of_item(item));
        owner.map(|owner| owner.id.as_str()).chain(others)
    }

    /// Returns whether a work item owns it.
    pub fn is_of_item(&self, item: &str) -> bool {
        self.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Item && owner.id == item)
    }

    /// Returns whether its answer was given to another version of the decision.
    pub fn answers_another(&self) -> bool {
        let answered = self.answer.as_ref().and_then(|answer| answer.digest.as_ref());
        answered.is_some_and(|digest| *digest != self.digest)
    }

    /// Finds a field by its id.
    pub fn field(&self, id: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.id == id)
    }
}

/// What was answered, by whom, and how surely that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// The values of the visible fields.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: Values,
    /// The out that was taken instead.
    pub out: Option<String>,
    /// An accompanying message.
    pub message: Option<String>,
    /// How numbers were written, by field, where they were given as text that says more: `1.50`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub written: BTreeMap<String, String>,
    /// For a consent to a subject: whether the answerer had the whole subject on the screen. `false` if they consented
    /// unread; absent if the client did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<bool>,
    /// The digest of the decision as it was when this was answered; absent in answers from before this was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Who answered.
    pub by: String,
    /// The person it was given for, if someone or something else gave it: the author of a rule, for example.
    #[serde(rename = "for", default, skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<String>,
    /// The entry point it came through.
    pub via: String,
    /// The account and the message it came by, if that was a channel with accounts; never shown to agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Box<crate::ChannelMessage>>,
    /// How surely the answerer's identity is known.
    pub auth: crate::Auth,
    /// When it was given.
    pub at: Timestamp,
}

impl Answer {
    /// Returns the answer as a short text.
    pub fn brief(&self) -> String {
        fn words(value: &Value) -> String {
            let plain = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
            match value {
                Value::String(text) => text.clone(),
                Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
                Value::Object(_) if value.get("quantity").is_some() => {
                    format!("{} × {}", value["quantity"], plain("id").unwrap_or_default())
                }
                other => plain("text").unwrap_or_else(|| other.to_string()),
            }
        }
        let text = match (&self.out, self.values.len()) {
            (Some(out), _) => out.clone(),
            (None, 0) => self.message.clone().unwrap_or_default(),
            (None, 1) => self.values.values().map(words).collect(),
            (None, _) => self
                .values
                .iter()
                .map(|(id, value)| format!("{id}={}", words(value)))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let mut line = crate::text::inert_line(&text);
        if let Some((cut, _)) = line.char_indices().nth(80) {
            line.truncate(cut);
            line.push('…');
        }
        line
    }
}

/// The status of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is waiting for an answer.
    Pending,
    /// It was answered.
    Answered,
    /// A person gave guidance; the next round is open.
    Refined,
    /// The deadline passed; no person's answer ever has this status.
    TimedOut,
    /// It was withdrawn.
    Cancelled,
    /// A newer decision replaced it.
    Superseded,
}

impl Status {
    /// All statuses, in the order they are listed to people.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Answered, Self::Refined, Self::TimedOut, Self::Cancelled, Self::Superseded];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered => "answered",
            Self::Refined => "refined",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Superseded => "superseded",
        }
    }

    /// Finds a status by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Reads one status, several separated by commas, or `all`, which gives an empty list.
    ///
    /// # Errors
    /// Lists the known statuses.
    pub fn read_several(text: &str) -> Result<Vec<Self>, String> {
        if text == "all" {
            return Ok(Vec::new());
        }
        let known = || format!("use {} or all", Self::ALL.map(Self::name).join(", "));
        text.split(',').map(|name| Self::from_name(name).ok_or_else(known)).collect()
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What silence until the deadline means. It is never consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnTimeout {
    /// No answer.
    Expire,
    /// The declared default.
    Default,
    /// The one refusing option.
    Deny,
    /// No answer, and the owner is cancelled.
    Cancel,
}
