//! Events from a store in this process, as far as the caller may see them.

use std::time::Duration;

use holdpoint_core::DecisionId;
use holdpoint_store::EventQuery;

use super::Embedded;
use crate::client::EventPage;
use crate::error::Result;

/// How many events are read at a time.
const EVENTS: usize = 500;

impl Embedded {
    /// Reads events, and waits for the first if there are none yet.
    pub(super) async fn follow_events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage> {
        self.engine.check_place(after).await?;
        if wait.is_zero() {
            return self.read_events(after, decision, project).await;
        }
        let mut changed = self.engine.store().watch()?;
        let give_up = tokio::time::Instant::now() + wait;
        let mut after = after;
        loop {
            changed.mark_unchanged();
            let page = self.read_events(after, decision, project).await?;
            if !page.events.is_empty() {
                return Ok(page);
            }
            // Events that this caller may not see are skipped; later ones may be visible.
            if page.last > after {
                after = page.last;
                continue;
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = tokio::time::sleep_until(give_up) => return Ok(page),
            }
        }
    }

    async fn read_events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
    ) -> Result<EventPage> {
        let query = EventQuery { after, decision, project: project.map(str::to_owned), limit: EVENTS };
        let logged = self.engine.store().events(&query).await?;
        let last = logged.last().map_or(after, |event| event.seq);
        let mut events = Vec::with_capacity(logged.len());
        for event in &logged {
            events.extend(self.engine.event_for(&self.caller, event).await?);
        }
        Ok(EventPage { events, last })
    }
}
