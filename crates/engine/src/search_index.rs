//! Keeping the index of searches up with the log, some decisions at a time and off the path of every command.

use std::time::Duration;

use tokio::sync::watch;

use crate::engine::Engine;
use crate::error::Result;

/// How many decisions are indexed in one transaction: others wait for it.
const BATCH: usize = 32;
/// How long others may write between two batches.
const PAUSE: Duration = Duration::from_millis(5);
/// How often a server looks: to be told of every commit costs more.
const LOOK: Duration = Duration::from_millis(500);
/// How long to leave a store alone that could not be written to.
const TROUBLE: Duration = Duration::from_secs(30);
/// How many events the index may lie behind where there is no server. What is behind is found by reading it.
const BEHIND: u64 = 256;

impl Engine {
    /// Indexes what changes, and all that an older program left, until `stop` says so.
    pub async fn run_search_index(self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            let nap = match self.store.index(BATCH).await {
                Ok(0) => LOOK,
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

    /// Indexes a share of what changed, once that is much.
    pub(crate) async fn index_some(&self) -> Result<()> {
        if self.store.index(0).await? >= BEHIND {
            self.store.index(usize::try_from(BEHIND).unwrap_or(BATCH)).await?;
        }
        Ok(())
    }
}
