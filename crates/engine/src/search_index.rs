//! Keeps the search index up to date with the log, some decisions at a time and off the path of every command.

use std::time::Duration;

use tokio::sync::watch;

use crate::engine::Engine;
use crate::error::Result;

/// How many decisions are indexed in one transaction, during which others wait.
const BATCH: usize = 32;
/// The pause between two batches, in which others may write.
const PAUSE: Duration = Duration::from_millis(5);
/// How often a server catches up. Being notified of every commit would cost more, and most decisions that are answered
/// at once are then indexed only once, as answered: changing what is indexed costs many times as much as adding it.
const LOOK: Duration = Duration::from_millis(500);
/// From how many events on it goes on without a longer pause.
const MANY: u64 = 2 * BATCH as u64;
/// How long to pause after the store could not be written to.
const TROUBLE: Duration = Duration::from_secs(30);
/// How many events the index may lag behind without a server. Searches read the rest from the log.
const BEHIND: u64 = 256;

impl Engine {
    /// Indexes changes, and everything that an older version left, until `stop` is set.
    pub async fn run_search_index(self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            let nap = match self.store.index(BATCH).await {
                Ok(left) if left < MANY => LOOK,
                Ok(_) => PAUSE,
                Err(error) => {
                    tracing::warn!("Could not index decisions for searches: {error}");
                    TROUBLE
                }
            };
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Indexes some of the changes, if there are many.
    pub(crate) async fn index_some(&self) -> Result<()> {
        if self.store.index(0).await? >= BEHIND {
            self.store.index(usize::try_from(BEHIND).unwrap_or(BATCH)).await?;
        }
        Ok(())
    }
}
