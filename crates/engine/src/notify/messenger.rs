//! The port of channels that keep their messages up to date.

use std::fmt;

use async_trait::async_trait;
use holdpoint_core::{Decision, Person, Status};
use holdpoint_protocols::channel::{Controls, TapAction, progress};
use holdpoint_store::TrackedMessage;

use super::channel::DeliveryError;
use super::notice::Notice;
use super::rate_limit::RateLimiter;
use crate::auth::Links;

/// Decisions that share one message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CombinedDecisions<'a> {
    /// How many are still pending.
    pub(crate) waiting: usize,
    /// Where they are listed.
    pub(crate) inbox: Option<&'a str>,
}

/// A message that was sent.
#[derive(Clone, Debug)]
pub(crate) struct SentMessage {
    /// The channel's id for it.
    pub(crate) message: String,
    /// Why it has not arrived everywhere yet. It is told again then, to who has it not.
    pub(crate) rest: Option<DeliveryError>,
}

impl From<String> for SentMessage {
    fn from(message: String) -> Self {
        Self { message, rest: None }
    }
}

/// A channel that can send messages, and change them afterwards.
#[async_trait]
pub(crate) trait Messenger: Send + Sync + fmt::Debug {
    /// Returns where a person is reached, if they are.
    async fn destination(&self, person: &Person) -> Result<Option<String>, DeliveryError>;

    /// Lists the answers that a message about a decision offers as separate links.
    fn acts(&self, _: &Decision) -> Vec<TapAction> {
        Vec::new()
    }

    /// Returns what the controls of a message stand for. It is kept before the message goes out, where others may write: what
    /// comes back must prove that it is the same.
    fn controls(&self, _: &Notice, _: Option<&Links>) -> Result<String, DeliveryError> {
        Ok("[]".into())
    }

    /// Returns whether a message goes to several devices, and may have arrived on only some of them.
    fn tells_in_parts(&self) -> bool {
        false
    }

    /// Returns whether messages about a decision show the remarks of programs.
    fn shows_remarks(&self, decision: &Decision) -> bool;

    /// Sends a message. One that was sent before may come again, with the same id.
    async fn send_message(
        &self,
        notice: &Notice,
        sent: &TrackedMessage,
    ) -> Result<SentMessage, DeliveryError>;

    /// Brings a message up to date with the decision as it is now. Where the same is still asked (see [`is_same_ask`]) that makes
    /// no sound: a message that cannot be changed stays as it is, but for who has voted.
    async fn follow(&self, notice: &Notice, sent: &TrackedMessage) -> Result<(), DeliveryError>;

    /// Withdraws a message: its decision was removed, or is no longer for its reader.
    async fn withdraw(&self, sent: &TrackedMessage) -> Result<(), DeliveryError>;

    /// Looks for a message that arrived without an acknowledgement.
    async fn find(&self, _: &TrackedMessage) -> Result<Option<String>, DeliveryError> {
        Ok(None)
    }

    /// Returns the rate at which places accept messages. Waiting for it is the caller's task, but for replies.
    fn pace(&self) -> &RateLimiter;

    /// Sends the message that stands for decisions which came too fast for one each, or brings it up to date; returns its id.
    async fn gather(
        &self,
        place: &str,
        message: Option<&str>,
        crowd: &CombinedDecisions<'_>,
    ) -> Result<String, DeliveryError>;

    /// Sends a message that only shows that messages arrive.
    async fn test(&self, place: &str) -> Result<(), DeliveryError>;
}

/// Returns whether a message shows the current question, so that only remarks, votes and escalation steps can be new.
pub(super) fn is_same_ask(notice: &Notice, sent: &TrackedMessage) -> bool {
    notice.decision.status == Status::Pending && notice.decision.digest == sent.digest
}

/// Returns the reply to a message that cannot be changed any more, if someone has voted since.
pub(super) fn votes(decision: &Decision) -> Option<String> {
    let has_votes = decision.status == Status::Pending && !decision.votes.is_empty();
    progress(decision).into_iter().next().filter(|_| has_votes)
}

/// Returns controls in their stored form, with a proof over the decision, its reader and the buttons.
pub(super) fn proven(
    mut controls: Controls,
    notice: &Notice,
    links: Option<&Links>,
) -> Result<String, DeliveryError> {
    match (links, &notice.person) {
        (Some(links), Some(person)) => {
            controls.nonce = links.prove_controls(&notice.decision, &person.name, &controls)?;
        }
        // A tap could not be distinguished from a forged one.
        _ => controls.buttons.clear(),
    }
    serde_json::to_string(&controls).map_err(|why| DeliveryError::never(why.to_string()))
}
