//! Decides whether a person is notified now, by their settings for source, project, priority and hour. Rows that are
//! held back wait in the outbox and are checked again when they are due; questions settled by then are not sent.

use holdpoint_core::notify::{NoticeContext, Timing};
use holdpoint_core::{Decision, Lane, Person, Timestamp};
use holdpoint_store::{Delivery, Happened, OutboxEntry};

use super::channel::DeliveryError;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// Whether a row is sent now.
#[derive(Debug)]
pub(super) enum Gate {
    /// It is sent.
    Open,
    /// It is never sent by this channel.
    Shut,
    /// It is sent later.
    Held(HeldRow),
}

/// A row that is held back, and until when.
#[derive(Debug)]
pub(super) struct HeldRow {
    until: Timestamp,
    lane: Lane,
    why: String,
}

impl From<HeldRow> for Delivery {
    fn from(held: HeldRow) -> Self {
        let HeldRow { until, lane, why } = held;
        Self::Held { until, lane, why }
    }
}

/// Why a row is not finished.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// It did not arrive.
    Failed(DeliveryError),
    /// It is held back.
    Held(HeldRow),
}

impl Engine {
    /// Decides whether a person is notified now, and records it if they are not. `since` is the time of the event.
    pub(super) async fn gate(
        &self,
        entry: &OutboxEntry,
        person: &Person,
        decision: &Decision,
        since: Timestamp,
    ) -> Result<Gate> {
        let Some(channel) = entry.lane.channel().filter(|_| !person.notify.is_default()) else {
            return Ok(Gate::Open);
        };
        let matter = NoticeContext::of(decision, since);
        let now = self.now().await?;
        let (until, lane, why) = match person.notify.plan(channel, &matter, now) {
            Timing::Now => return Ok(Gate::Open),
            Timing::Gathered { until, .. } if entry.lane == Lane::Digest && until <= now => {
                return Ok(Gate::Open);
            }
            Timing::Not { why } => {
                self.skip(entry, &why).await;
                return Ok(Gate::Shut);
            }
            Timing::Held { until, why } => (until, entry.lane, why),
            Timing::Gathered { until, why } => (until, Lane::Digest, why),
        };
        self.log_channel(entry.lane, &entry.target, entry.decision, Happened::Held, &why).await;
        Ok(Gate::Held(HeldRow { until, lane, why }))
    }

    /// Records that a row is not sent.
    pub(super) async fn skip(&self, entry: &OutboxEntry, why: &str) {
        self.log_channel(entry.lane, &entry.target, entry.decision, Happened::Skipped, why).await;
    }
}

impl From<DeliveryError> for Unfinished {
    fn from(trouble: DeliveryError) -> Self {
        Self::Failed(trouble)
    }
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Self {
        // What cannot be read now may be later.
        Self::Failed(DeliveryError::later(error.to_string()))
    }
}

impl From<holdpoint_store::Error> for Unfinished {
    fn from(error: holdpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}
