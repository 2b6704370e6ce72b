//! Decisions that come too fast for a message each: one message stands for them, and shows how many are still pending.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_core::{Decision, Lane};
use holdpoint_store::{Happened, OutboxEntry, TrackedMessage};

use super::channel::DeliveryError;
use super::messenger::{CombinedDecisions, Messenger};
use super::notices::OpenChannels;
use super::turns::MessageLocks;
use crate::engine::Engine;

/// The value in place of controls for a message about many decisions.
const GATHERED: &str = "gathered";
/// How long decisions join the same message: devices do not ring when a message only changes.
const JOINED: Duration = Duration::from_secs(60);

type DeliveryResult<T> = std::result::Result<T, DeliveryError>;
type MessagePlace = (Lane, String);

/// The messages that stand for many decisions, as far as this process knows.
#[derive(Debug, Default)]
pub(super) struct CombinedMessages {
    turns: MessageLocks,
    /// The message that further decisions join, by place.
    current: Mutex<HashMap<MessagePlace, (String, Instant)>>,
    /// The messages that are about to be updated.
    refreshing: Mutex<HashMap<MessagePlace, Vec<String>>>,
}

impl CombinedMessages {
    fn current(&self, place: &MessagePlace) -> Option<String> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.retain(|_, (_, since)| since.elapsed() < JOINED);
        current.get(place).map(|(message, _)| message.clone())
    }

    fn begin(&self, place: MessagePlace, message: String) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.insert(place, (message, Instant::now()));
    }

    /// Ends a message, so that the next decision begins a new one: none of its decisions is pending any more.
    fn end(&self, place: &MessagePlace, message: &str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.get(place).is_some_and(|(known, _)| known == message) {
            current.remove(place);
        }
    }

    /// Returns whether the caller has to update a message, because no other task is about to.
    fn claims(&self, place: &MessagePlace, message: &str) -> bool {
        let mut refreshing = self.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        let messages = refreshing.entry(place.clone()).or_default();
        let free = !messages.iter().any(|known| known == message);
        if free {
            messages.push(message.to_owned());
        }
        free
    }

    fn release(&self, place: &MessagePlace, message: &str) {
        let mut refreshing = self.refreshing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(messages) = refreshing.get_mut(place) {
            messages.retain(|known| known != message);
            if messages.is_empty() {
                refreshing.remove(place);
            }
        }
    }
}

/// Returns whether a message stands for many decisions.
pub(super) fn is_gathered(sent: &TrackedMessage) -> bool {
    sent.controls == GATHERED
}

impl Engine {
    /// Adds a decision to a message that stands for many.
    pub(super) async fn join_crowd(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
        decision: &Decision,
        place: String,
    ) -> DeliveryResult<()> {
        let key = (entry.lane, place);
        let message = {
            let number =
                key.1.bytes().fold(0_i64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            let _turn = notices.crowds.turns.of(number).await;
            if let Some(message) = notices.crowds.current(&key) {
                message
            } else {
                messenger.pace().turn_to_tell(&key.1, decision.priority).await;
                let inbox = notices.public_url.as_deref();
                let message =
                    messenger.gather(&key.1, None, &CombinedDecisions { waiting: 1, inbox }).await?;
                notices.crowds.begin(key.clone(), message.clone());
                message
            }
        };
        let sent = TrackedMessage {
            id: entry.id,
            decision: decision.id,
            channel: entry.lane,
            address: entry.target.clone(),
            place: key.1,
            message: Some(message),
            digest: decision.digest.clone(),
            remarks: 0,
            open: true,
            controls: GATHERED.into(),
            at: self.now().await?,
        };
        self.store.put_sent(&sent).await?;
        self.log_channel(entry.lane, &entry.target, Some(decision.id), Happened::Sent, "with others").await;
        // If it was settled meanwhile, there was no message to follow yet.
        let now = self.decision(decision.id).await?;
        let waits = now.is_some_and(|now| now.status == holdpoint_core::Status::Pending);
        self.leave_crowd(notices, messenger, sent, waits).await
    }

    /// Updates the message that stands for a decision among others.
    pub(super) async fn leave_crowd(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        sent: TrackedMessage,
        waits: bool,
    ) -> DeliveryResult<()> {
        if !waits {
            self.store.put_sent(&TrackedMessage { open: false, ..sent.clone() }).await?;
        }
        let Some(message) = sent.message else { return Ok(()) };
        let key = (sent.channel, sent.place);
        if !notices.crowds.claims(&key, &message) {
            return Ok(());
        }
        messenger.pace().turn_to_count(&key.1).await;
        // Later changes are for the next update.
        notices.crowds.release(&key, &message);
        let waiting = self.store.waiting_at(key.0, &key.1, &message).await?;
        if waiting == 0 {
            notices.crowds.end(&key, &message);
        }
        let inbox = notices.public_url.as_deref();
        match messenger.gather(&key.1, Some(&message), &CombinedDecisions { waiting, inbox }).await {
            // A number that is not right any more is no reason to send something again.
            Ok(_) | Err(DeliveryError::Never { .. }) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }
}
