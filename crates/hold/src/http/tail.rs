//! The end of the log, read once for all readers that follow it.

use std::sync::Arc;

use holdpoint_store::{EventQuery, Logged, Result, Store};
use tokio::sync::Mutex;

/// How far behind a reader may be to share a read; one that is further behind reads on its own.
const NEAR: usize = 500;

/// The last events that were read.
#[derive(Debug, Default)]
pub(crate) struct LogTail(Mutex<Option<ReadEvents>>);

#[derive(Debug)]
struct ReadEvents {
    after: i64,
    last: i64,
    events: Arc<Vec<Logged>>,
}

impl LogTail {
    /// Returns whether a place is near enough to the end to share.
    pub(crate) fn is_near(after: i64, head: i64) -> bool {
        usize::try_from(head - after).is_ok_and(|behind| behind < NEAR)
    }

    /// Returns what comes after a place in a log that is known to reach `head`. A reader at the same place as the
    /// previous one gets the events read for that one, unless the log has grown since.
    pub(crate) async fn after(&self, store: &dyn Store, after: i64, head: i64) -> Result<Arc<Vec<Logged>>> {
        let mut read = self.0.lock().await;
        if let Some(read) = read.as_ref().filter(|read| read.after == after && read.last >= head) {
            return Ok(Arc::clone(&read.events));
        }
        let query = EventQuery { after, decision: None, project: None, limit: NEAR };
        let events = Arc::new(store.events(&query).await?);
        let last = events.last().map_or(after, |event| event.seq);
        *read = Some(ReadEvents { after, last, events: Arc::clone(&events) });
        Ok(events)
    }
}
