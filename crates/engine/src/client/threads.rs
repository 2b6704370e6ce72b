//! Threads, from this process.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::Refusal;
use holdpoint_protocols::aitp::thread::MessageBody;
use serde_json::Value;

use super::Embedded;
use crate::error::Result;
use crate::thread::{Message, MessagesQuery, View};

/// The operations on threads.
#[async_trait]
pub trait Threads: Send + Sync {
    /// Opens a thread from the body of an AITP request. Under a known key, returns what was opened the first time.
    async fn create_thread(&self, body: Value, project: Option<&str>, key: Option<String>) -> Result<View>;

    /// Returns a thread with its messages.
    async fn thread(&self, id: &str) -> Result<View>;

    /// Lists threads without their messages, the most recently opened first.
    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<View>>;

    /// Posts a message from the body of an AITP request. Under a known key, returns what was posted the first time.
    async fn post(&self, id: &str, body: Value, key: Option<String>) -> Result<Message>;

    /// Reads messages; if there are none, holds up to `wait` for the first.
    async fn messages(&self, id: &str, query: &MessagesQuery, wait: Duration) -> Result<Vec<Message>>;

    /// Ends a thread: its decisions and its messages are deleted.
    async fn delete_thread(&self, id: &str) -> Result<()>;
}

#[async_trait]
impl Threads for Embedded {
    async fn create_thread(&self, body: Value, project: Option<&str>, key: Option<String>) -> Result<View> {
        Ok(self.engine().open_thread(self.caller(), body, project, key.as_deref()).await?.0)
    }

    async fn thread(&self, id: &str) -> Result<View> {
        self.engine().thread_for(self.caller(), id).await
    }

    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<View>> {
        self.engine().threads_for(self.caller(), project, limit).await
    }

    async fn post(&self, id: &str, body: Value, key: Option<String>) -> Result<Message> {
        let spoken = MessageBody::read(body).map_err(|fault| Refusal::Invalid(vec![fault]))?;
        self.engine().post(self.caller(), id, spoken, key).await
    }

    async fn messages(&self, id: &str, query: &MessagesQuery, wait: Duration) -> Result<Vec<Message>> {
        self.engine().messages_for(self.caller(), id, query, wait).await
    }

    async fn delete_thread(&self, id: &str) -> Result<()> {
        self.engine().delete_thread(self.caller(), id).await
    }
}
