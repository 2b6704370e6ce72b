//! Inspecting the outbox, and resending what was given up. For admins.

use holdpoint_core::Span;
use holdpoint_store::{Delivery, OutboxEntry, OutboxState};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How long a resent notice is worth sending.
const WORTH_SENDING: Span = Span::from_secs(60 * 60);

/// An outbox row that was not delivered, with where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Undelivered {
    /// Whether it waits or was given up.
    pub state: OutboxState,
    /// The row.
    #[serde(flatten)]
    pub entry: OutboxEntry,
}

impl Engine {
    /// Lists undelivered notices, oldest first: waiting ones, those given up, or both.
    pub async fn outbox(
        &self,
        caller: &Caller,
        state: Option<OutboxState>,
        limit: usize,
    ) -> Result<Vec<Undelivered>> {
        caller.administers()?;
        let states = state.map_or(vec![OutboxState::Queued, OutboxState::Dead], |state| vec![state]);
        let mut all = Vec::new();
        for state in states {
            let entries = self.store.outbox_entries(state, None, limit).await?;
            all.extend(entries.into_iter().map(|entry| Undelivered { state, entry }));
        }
        all.sort_by_key(|one| one.entry.id);
        all.truncate(limit);
        Ok(all)
    }

    /// Resends a notice, for up to an hour from now; its id stays the same.
    pub async fn resend(&self, caller: &Caller, id: i64) -> Result<()> {
        caller.administers()?;
        let now = self.now().await?;
        let not_after = now.checked_add(WORTH_SENDING).unwrap_or(now);
        Ok(self.store.deliver("", vec![(id, Delivery::Resend { not_after })]).await?)
    }
}
