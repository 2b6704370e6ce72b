//! Events from a server: those that exist, or the next one.

use std::time::Duration;

use reqwest::header;
use serde_json::{Map, Value};

use super::wire::{Http, TIMEOUT, pause};
use crate::api::decisions::{EventParams, LIST_EVENTS};
use crate::client::EventPage;
use crate::error::Result;

/// The header for the last event that the server has read: events that the caller may not see are left out.
const LOOKED: &str = "hold-last-seq";

impl Http {
    pub(super) async fn read_events(&self, mut params: EventParams, wait: Duration) -> Result<EventPage> {
        let give_up = tokio::time::Instant::now() + wait;
        // Keeps following the log across restarts of the server.
        let timeout = wait.max(TIMEOUT);
        loop {
            let after = params.after.unwrap_or(0);
            let make = || self.request(&LIST_EVENTS, &[]).query(&params);
            let response = self.persist(make, timeout).await?;
            if !response.status().is_success() {
                return self.read::<Value>(response).await.map(|_| EventPage::default());
            }
            let looked = response.headers().get(LOOKED).and_then(|seq| seq.to_str().ok()?.parse().ok());
            let text = response.text().await.map_err(|error| self.unreachable(&error))?;
            let events: Vec<Map<String, Value>> =
                text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            let seen = events.last().and_then(|event| event.get("seq")?.as_i64());
            let last = looked.or(seen).unwrap_or(after);
            if !events.is_empty() || tokio::time::Instant::now() >= give_up {
                return Ok(EventPage { events, last });
            }
            if last == after {
                self.first_event(&params, give_up).await?;
            }
            params.after = Some(last);
        }
    }

    /// Requests a stream, which states where it begins, and closes it.
    pub(super) async fn last_event(&self) -> Result<i64> {
        let make = || self.request(&LIST_EVENTS, &[]).header(header::ACCEPT, "text/event-stream");
        let response = self.persist(make, TIMEOUT).await?;
        if !response.status().is_success() {
            return self.read::<Value>(response).await.map(|_| 0);
        }
        let looked = response.headers().get(LOOKED).and_then(|seq| seq.to_str().ok()?.parse().ok());
        Ok(looked.unwrap_or(0))
    }

    /// Holds until the server has an event, its connection ends, or the time is up.
    async fn first_event(&self, params: &EventParams, give_up: tokio::time::Instant) -> Result<()> {
        let make =
            || self.request(&LIST_EVENTS, &[]).query(params).header(header::ACCEPT, "text/event-stream");
        let mut response = self.persist(make, TIMEOUT).await?;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(give_up) => return Ok(()),
                chunk = response.chunk() => match chunk {
                    Ok(Some(bytes)) if !bytes.starts_with(b":") => return Ok(()),
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => {
                        pause().await;
                        return Ok(());
                    }
                },
            }
        }
    }
}
