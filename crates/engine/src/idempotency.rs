//! Forgetting idempotency keys once they are old, a bounded number at a time and off the path of every command.

use std::time::Duration;

use holdpoint_core::Span;
use tokio::sync::watch;

use crate::engine::Engine;
use crate::error::Result;

/// How long a key is kept, at least. After that it is new again.
pub const KEY_LIFETIME: Span = Span::from_secs(7 * 24 * 60 * 60);
/// How many are forgotten in one transaction.
const BATCH: usize = 500;
/// How long others may write between two batches.
const PAUSE: Duration = Duration::from_millis(100);
/// How often a server looks.
const LOOK: Duration = Duration::from_secs(60 * 60);

impl Engine {
    /// Forgets old keys now and then, until `stop` says so.
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

    /// Forgets one batch of old keys; returns how many those were.
    pub(crate) async fn forget_old_keys(&self) -> Result<usize> {
        let now = self.now().await?;
        let lifetime = Span::from_millis(-KEY_LIFETIME.as_millis());
        let Some(before) = now.checked_add(lifetime) else { return Ok(0) };
        Ok(self.store.forget_keys(before, BATCH).await?)
    }
}
