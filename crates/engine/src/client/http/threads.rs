//! Threads, as requests.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::Span;
use serde_json::Value;

use super::HOLD;
use super::wire::{Http, TIMEOUT, random_key};
use crate::api::threads::{
    CREATE_MESSAGE, CREATE_THREAD, DELETE_THREAD, GET_THREAD, LIST_MESSAGES, LIST_THREADS, List, ListParams,
    MessageParams, OpenParams, Order,
};
use crate::client::Threads;
use crate::error::Result;
use crate::thread::{Message, MessagesQuery, View};

#[async_trait]
impl Threads for Http {
    async fn create_thread(&self, body: Value, project: Option<&str>, key: Option<String>) -> Result<View> {
        let query = OpenParams { project: project.map(str::to_owned) };
        let key = key.map_or_else(random_key, Ok)?;
        let make =
            || self.request(&CREATE_THREAD, &[]).query(&query).header("idempotency-key", &key).json(&body);
        self.read(self.persist(make, TIMEOUT).await?).await
    }

    async fn thread(&self, id: &str) -> Result<View> {
        self.call(&GET_THREAD, &[id]).await
    }

    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<View>> {
        let query = ListParams { project: project.map(str::to_owned), limit: Some(limit) };
        Ok(self.query(&LIST_THREADS, &[], &query).await?.data)
    }

    async fn post(&self, id: &str, body: Value, key: Option<String>) -> Result<Message> {
        let key = key.map_or_else(random_key, Ok)?;
        let make = || self.request(&CREATE_MESSAGE, &[id]).header("idempotency-key", &key).json(&body);
        self.read(self.persist(make, TIMEOUT).await?).await
    }

    async fn messages(&self, id: &str, query: &MessagesQuery, wait: Duration) -> Result<Vec<Message>> {
        let millis = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).min(HOLD.as_millis());
        let query = MessageParams {
            limit: Some(query.limit),
            order: Some(if query.newest_first { Order::Desc } else { Order::Asc }),
            after: query.after.clone(),
            before: query.before.clone(),
            wait: (millis > 0).then(|| Span::from_millis(millis)),
        };
        // Keeps following the thread across restarts of the server.
        let make = || self.request(&LIST_MESSAGES, &[id]).query(&query);
        let response = self.persist(make, wait.max(TIMEOUT)).await?;
        Ok(self.read::<List<Message>>(response).await?.data)
    }

    async fn delete_thread(&self, id: &str) -> Result<()> {
        self.call(&DELETE_THREAD, &[id]).await
    }
}
