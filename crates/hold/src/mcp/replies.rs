//! What we ask of a client that shook hands: it answers by a message of its own, while the call that made us ask is
//! still held. Clients of revision 2026-07-28 are asked in results instead, and nothing is kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Actor, Decision, DecisionId, MCP, Status};
use holdpoint_engine::Error;
use holdpoint_protocols::mcp::form;
use holdpoint_protocols::mcp::rpc::{self, Response};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::McpServer;
use super::holding::Waiting;

/// Why a decision is cancelled that was answered in the client.
const ANSWERED_THERE: &str = "answered in the client";
/// Who answered there, as far as we know.
const THEIR_PERSON: &str = "the person at the client";

/// Who was asked, and the id of what they were asked.
type Key = (String, String);
type Waits = HashMap<Key, oneshot::Sender<Option<Value>>>;

/// Those who wait for an answer, by who was asked and the id of what they were asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    waiting: Arc<Mutex<Waits>>,
    next: Arc<AtomicU64>,
    /// What people at clients answered there, for tasks and later calls.
    there: Arc<Mutex<HashMap<DecisionId, Decision>>>,
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

    fn kept(&self) -> MutexGuard<'_, HashMap<DecisionId, Decision>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Takes what the person at the client filled in, and returns the question as they answered it. Declining decides nothing;
    /// what is refused stays open elsewhere.
    pub(super) async fn take(&self, decision: &Decision, response: Option<Value>) -> Option<Decision> {
        let input = form::filled(decision, &response?)?;
        match self.settle_there(decision.id, &input).await {
            Ok(answered) => Some(answered),
            Err(error) => {
                tracing::warn!("what the client answered to {} does not count: {error}", decision.id);
                None
            }
        }
    }

    /// Nobody here knows who sits at the client, so there is no answer on record: the asker takes the question back, and only
    /// the call that asked it gets what was filled in.
    async fn settle_there(&self, id: DecisionId, input: &AnswerInput) -> Result<Decision, Error> {
        let now = self.client.now().await?;
        let pending = self.client.get(&id.to_string()).await?;
        let answer = pending.read_answer(input, &Actor::claimed(THEIR_PERSON, MCP), now)?;
        let reason = format!("{ANSWERED_THERE}: {}", answer.brief());
        let taken_back = self.client.cancel(id, Some(reason)).await?;
        let answered = Decision { status: Status::Answered, answer: Some(answer), ..taken_back };
        self.replies.kept().insert(id, answered.clone());
        Ok(answered)
    }

    /// Returns a decision as the person at the client answered it, if they did while this process ran.
    pub(super) fn as_answered_there(&self, decision: Decision) -> Decision {
        let answered =
            (decision.status == Status::Cancelled).then(|| self.replies.kept().get(&decision.id).cloned());
        answered.flatten().unwrap_or(decision)
    }
}
