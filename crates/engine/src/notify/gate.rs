//! Whether a person is told now: as they want it, by source, project, priority and hour. What is held back waits in the
//! outbox and is looked at again when it is due; what was settled by then is not sent.

use holdpoint_core::notify::{Matter, Timing};
use holdpoint_core::{Decision, Lane, Person, Timestamp};
use holdpoint_store::{Delivery, Happened, OutboxEntry};

use super::Trouble;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// Whether a row is sent now.
#[derive(Debug)]
pub(super) enum Gate {
    /// It is.
    Open,
    /// It is not, and never by this channel.
    Shut,
    /// Later.
    Held(Held),
}

/// Until when a row is held back.
#[derive(Debug)]
pub(super) struct Held {
    until: Timestamp,
    lane: Lane,
    why: String,
}

impl From<Held> for Delivery {
    fn from(held: Held) -> Self {
        let Held { until, lane, why } = held;
        Self::Held { until, lane, why }
    }
}

/// Why a row is not done with.
#[derive(Debug)]
pub(super) enum Halt {
    /// It did not arrive.
    Trouble(Trouble),
    /// It is held back.
    Held(Held),
}

impl Engine {
    /// Says whether a person is told something now, and notes it where they are not. `since` is when there was something to tell.
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
        let matter = Matter::of(decision, since);
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
        Ok(Gate::Held(Held { until, lane, why }))
    }

    /// Notes that a row is not sent.
    pub(super) async fn skip(&self, entry: &OutboxEntry, why: &str) {
        self.log_channel(entry.lane, &entry.target, entry.decision, Happened::Skipped, why).await;
    }
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        // What cannot be read now may be later.
        Self::Trouble(Trouble::later(error.to_string()))
    }
}

impl From<holdpoint_store::Error> for Halt {
    fn from(error: holdpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}
