//! Requests to a client that shook hands: it replies in a separate message, while the call that made us ask is still
//! held. Clients of revision 2026-07-28 are asked in results instead, and nothing is kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holdpoint_core::{Decision, DecisionId};
use holdpoint_protocols::mcp::rpc::{self, Response};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// The client that was asked, and the id of the request.
type Key = (String, String);
type PendingReplies = HashMap<Key, oneshot::Sender<Option<Value>>>;

/// The requests that wait for a reply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    waiting: Arc<Mutex<PendingReplies>>,
    next: Arc<AtomicU64>,
    /// Answers given by people at clients, for tasks and later calls.
    there: Arc<Mutex<HashMap<DecisionId, Decision>>>,
}

/// A request that we sent; forgotten on drop.
pub(super) struct ExpectedReply {
    replies: Replies,
    key: Key,
    reply: oneshot::Receiver<Option<Value>>,
}

impl Replies {
    /// Takes a reply; one that is not expected, or comes from another client, is ignored.
    pub(crate) fn deliver(&self, caller: &str, response: Response) {
        let Value::String(id) = response.id else { return };
        let waits = self.lock().remove(&(caller.to_owned(), id));
        if let Some(waits) = waits {
            let _ = waits.send(response.result);
        }
    }

    /// Starts to expect a reply.
    pub(super) fn expect(&self, caller: &str) -> ExpectedReply {
        let id = format!("hold-{}", self.next.fetch_add(1, Ordering::Relaxed) + 1);
        let key = (caller.to_owned(), id);
        let (sender, reply) = oneshot::channel();
        self.lock().insert(key.clone(), sender);
        ExpectedReply { replies: self.clone(), key, reply }
    }

    fn lock(&self) -> MutexGuard<'_, PendingReplies> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the answer of a person at a client.
    pub(super) fn keep(&self, answered: &Decision) {
        self.kept().insert(answered.id, answered.clone());
    }

    /// Returns a decision as a person at a client answered it, if one did while this process ran.
    pub(super) fn answered_there(&self, id: DecisionId) -> Option<Decision> {
        self.kept().get(&id).cloned()
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<DecisionId, Decision>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExpectedReply {
    /// Returns the request's id.
    pub(super) fn id(&self) -> &str {
        &self.key.1
    }

    /// Waits for the reply; none if the client refused.
    pub(super) async fn reply(&mut self) -> Option<Value> {
        (&mut self.reply).await.ok().flatten()
    }

    /// Returns the notification that a reply is not needed any more.
    pub(super) fn called_off(&self) -> Value {
        let params = json!({ "requestId": self.key.1, "reason": "it was answered elsewhere" });
        rpc::notification("notifications/cancelled", &params)
    }
}

impl Drop for ExpectedReply {
    fn drop(&mut self) {
        self.replies.lock().remove(&self.key);
    }
}
