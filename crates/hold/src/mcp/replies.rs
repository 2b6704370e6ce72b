//! What we ask of a client that shook hands: it answers by a message of its own, while the call that made us ask is
//! still held. Clients of revision 2026-07-28 are asked in results instead, and nothing is kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holdpoint_core::Decision;
use holdpoint_protocols::mcp::form;
use holdpoint_protocols::mcp::rpc::{self, Response};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::McpServer;
use super::holding::Waiting;

/// Who was asked, and the id of what they were asked.
type Key = (String, String);
type Waits = HashMap<Key, oneshot::Sender<Option<Value>>>;

/// Those who wait for an answer, by who was asked and the id of what they were asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    waiting: Arc<Mutex<Waits>>,
    next: Arc<AtomicU64>,
}

/// Something that we asked; forgotten when this is dropped.
pub(super) struct Expected {
    replies: Replies,
    key: Key,
    reply: oneshot::Receiver<Option<Value>>,
}

impl Replies {
    /// Takes an answer; one that nobody waits for, or that another was asked for, is left aside.
    pub(crate) fn hear(&self, caller: &str, response: Response) {
        let Value::String(id) = response.id else { return };
        let waits = self.lock().remove(&(caller.to_owned(), id));
        if let Some(waits) = waits {
            let _ = waits.send(response.result);
        }
    }

    fn expect(&self, caller: &str) -> Expected {
        let id = format!("hold-{}", self.next.fetch_add(1, Ordering::Relaxed) + 1);
        let key = (caller.to_owned(), id);
        let (sender, reply) = oneshot::channel();
        self.lock().insert(key.clone(), sender);
        Expected { replies: self.clone(), key, reply }
    }

    fn lock(&self) -> MutexGuard<'_, Waits> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Expected {
    /// Waits for the answer; nothing if the client refused.
    pub(super) async fn reply(&mut self) -> Option<Value> {
        (&mut self.reply).await.ok().flatten()
    }

    /// Returns the notice that an answer is not needed any more.
    pub(super) fn called_off(&self) -> Value {
        let params = json!({ "requestId": self.key.1, "reason": "it was answered elsewhere" });
        rpc::notification("notifications/cancelled", &params)
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.replies.lock().remove(&self.key);
    }
}

impl McpServer {
    /// Asks the person at a client that shook hands; nothing if they cannot be asked there.
    pub(super) async fn ask_alongside(&self, decision: &Decision, waiting: &Waiting<'_>) -> Option<Expected> {
        let page = self.client.page(decision.id);
        let mut params = match form::show(decision, waiting.peer, page.as_deref()) {
            form::Show::Form(params) | form::Show::Link(params) => params,
            form::Show::Words(_) => return None,
        };
        if params.get("mode").and_then(Value::as_str) == Some("url") {
            params["elicitationId"] = json!(decision.id);
        }
        self.request(waiting, "elicitation/create", &params).await
    }

    /// Asks something of a client that shook hands.
    pub(super) async fn request(
        &self,
        waiting: &Waiting<'_>,
        method: &str,
        params: &Value,
    ) -> Option<Expected> {
        let expected = self.replies.expect(&self.caller);
        let message = rpc::request(&expected.key.1.as_str().into(), method, params);
        waiting.out.send(message).await.is_ok().then_some(expected)
    }

    /// Takes what a client filled in. A person who declines there has decided nothing; what is refused stays open
    /// elsewhere.
    pub(super) async fn take(&self, decision: &Decision, response: Option<Value>) {
        let Some(input) = response.and_then(|response| form::filled(decision, &response)) else { return };
        let Some(person) = &self.in_client else { return };
        if let Err(error) = person.answer(decision.id, input).await {
            tracing::warn!("what the client answered to {} does not count: {error}", decision.id);
        }
    }
}
