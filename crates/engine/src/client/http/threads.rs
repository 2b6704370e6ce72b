//! Threads, from a server.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::Span;
use reqwest::Method;
use serde::Deserialize;
use serde_json::Value;

use super::HOLD;
use super::wire::{Http, TIMEOUT, random_key, segment};
use crate::client::Threads;
use crate::error::Result;
use crate::thread::{Message, MessagesQuery, View};

const THREADS: &str = "/aitp/v1/threads";

/// A list, as AITP sends it.
#[derive(Deserialize)]
struct Data<T> {
    data: Vec<T>,
}

#[async_trait]
impl Threads for Http {
    async fn create_thread(&self, body: Value, project: Option<&str>, key: Option<String>) -> Result<View> {
        let query: Vec<_> = project.map(|project| ("project", project)).into_iter().collect();
        self.say(THREADS, &query, &body, key).await
    }

    async fn thread(&self, id: &str) -> Result<View> {
        self.get_json(&format!("{THREADS}/{}", segment(id)), &[]).await
    }

    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<View>> {
        let mut query = vec![("limit", limit.to_string())];
        query.extend(project.map(|project| ("project", project.to_owned())));
        Ok(self.get_json::<Data<View>>(THREADS, &query).await?.data)
    }

    async fn post(&self, id: &str, body: Value, key: Option<String>) -> Result<Message> {
        self.say(&format!("{THREADS}/{}/messages", segment(id)), &[], &body, key).await
    }

    async fn messages(&self, id: &str, query: &MessagesQuery, wait: Duration) -> Result<Vec<Message>> {
        let path = format!("{THREADS}/{}/messages", segment(id));
        let mut pairs = vec![("limit", query.limit.to_string())];
        pairs.extend(query.after.clone().map(|id| ("after", id)));
        pairs.extend(query.before.clone().map(|id| ("before", id)));
        pairs.push(("order", if query.newest_first { "desc" } else { "asc" }.to_owned()));
        let millis = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).min(HOLD.as_millis());
        if millis > 0 {
            pairs.push(("wait", Span::from_millis(millis).to_string()));
        }
        // A follower of a thread follows it across restarts.
        let make = || self.request(Method::GET, &path).query(&pairs);
        let response = self.persist(make, wait.max(TIMEOUT)).await?;
        Ok(self.read::<Data<Message>>(response).await?.data)
    }

    async fn delete_thread(&self, id: &str) -> Result<()> {
        let path = format!("{THREADS}/{}", segment(id));
        let response = self.persist(|| self.request(Method::DELETE, &path), TIMEOUT).await?;
        self.done(response).await
    }
}

impl Http {
    /// Sends something that is taken once, however often it arrives.
    async fn say<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        body: &Value,
        key: Option<String>,
    ) -> Result<T> {
        let key = match key {
            Some(key) => key,
            None => random_key()?,
        };
        let make =
            || self.request(Method::POST, path).query(query).header("idempotency-key", &key).json(body);
        let response = self.persist(make, TIMEOUT).await?;
        self.read(response).await
    }
}
