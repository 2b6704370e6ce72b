//! Deletes old idempotency keys, a bounded number at a time and apart from the commands that use them.

use std::time::Duration;

use holdpoint_core::Span;
use tokio::sync::watch;

use crate::engine::Engine;
use crate::error::Result;

/// How long a key is kept, at least. After that it counts as new.
pub const KEY_LIFETIME: Span = Span::from_secs(7 * 24 * 60 * 60);
/// How many are deleted in one transaction.
const BATCH: usize = 500;
/// The pause between two batches, in which others may write.
const PAUSE: Duration = Duration::from_millis(100);
/// How often a server checks.
const LOOK: Duration = Duration::from_secs(60 * 60);

impl Engine {
    /// Deletes old keys at intervals, until `stop` is set.
    pub async fn run_key_expiry(self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            let nap = match self.forget_old_keys().await {
                Ok(BATCH..) => PAUSE,
                Ok(_) => LOOK,
                Err(error) => {
                    tracing::warn!("Could not forget old idempotency keys: {error}");
                    LOOK
                }
            };
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Deletes one batch of old keys; returns how many there were.
    pub(crate) async fn forget_old_keys(&self) -> Result<usize> {
        let now = self.now().await?;
        let lifetime = Span::from_millis(-KEY_LIFETIME.as_millis());
        let Some(before) = now.checked_add(lifetime) else { return Ok(0) };
        Ok(self.store.forget_keys(before, BATCH).await?)
    }
}
