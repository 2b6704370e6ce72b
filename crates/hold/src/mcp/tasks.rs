//! Tasks: decisions by another name. A task's id is the decision's, so every process that sees the store knows it.

use holdpoint_core::{Decision, Status};
use holdpoint_protocols::claude::output;
use holdpoint_protocols::mcp::peer::{self, Meta, Peer, TASKS, Tasks};
use holdpoint_protocols::mcp::rpc::{self, Request, RpcError};
use holdpoint_protocols::mcp::{form, result, task};
use serde_json::{Map, Value, json};

use super::failed::failed;
use super::holding::{PendingCall, WaitLimit};
use super::{CallResult, McpServer, NotificationSender};

impl McpServer {
    /// Answers a task method of either era; none if this client has no such method.
    pub(super) async fn on_task(
        &self,
        request: &Request,
        peer: &Peer,
        out: &NotificationSender,
    ) -> Option<CallResult> {
        let modern = peer.era == peer::ProtocolEra::Modern;
        let core = peer.tasks == Tasks::Core;
        match request.method.as_str() {
            "tasks/get" | "tasks/update" | "tasks/cancel" if modern && peer.tasks != Tasks::Extension => {
                Some(Err(peer::lacks(&json!({ "extensions": { TASKS: {} } }))))
            }
            "tasks/get" if modern => Some(self.get_task(request, peer).await),
            "tasks/update" if modern => Some(self.update_task(request).await),
            "tasks/cancel" if modern => Some(self.cancel_task(request).await),
            "tasks/get" if core => Some(self.get_core_task(request).await),
            "tasks/result" if core => Some(self.core_result(request, peer, out).await),
            "tasks/cancel" if core => Some(self.cancel_core_task(request).await),
            _ => None,
        }
    }

    async fn get_task(&self, request: &Request, peer: &Peer) -> CallResult {
        let decision = self.task_named(request).await?;
        let mut task = self.task(&decision).await;
        if self.in_client && decision.status == Status::Pending {
            let page = self.client.page(decision.id);
            if let form::FormDisplay::Form(asked) | form::FormDisplay::Link(asked) =
                form::show(&decision, peer, page.as_deref())
            {
                let asked = json!({ "method": "elicitation/create", "params": asked });
                task::asks(&mut task, json!({ form::key(&decision): asked }));
            }
        }
        Ok(task)
    }

    /// Takes a client's answers to a task: what the person there filled in, if they were asked.
    async fn update_task(&self, request: &Request) -> CallResult {
        let decision = self.task_named(request).await?;
        let responses = request.params.get("inputResponses");
        if let Some(response) = responses.and_then(|responses| responses.get(form::key(&decision)))
            && self.in_client
            && decision.status == Status::Pending
        {
            // A task stays open after an answer that does not count, and asks again.
            let _ = self.take(&decision, Some(response.clone())).await;
        }
        Ok(Map::new())
    }

    async fn cancel_task(&self, request: &Request) -> CallResult {
        let decision = self.task_named(request).await?;
        if decision.status == Status::Pending {
            self.call_off(&decision).await?;
        }
        Ok(Map::new())
    }

    async fn get_core_task(&self, request: &Request) -> CallResult {
        Ok(task::core(&self.task_named(request).await?))
    }

    /// Holds until a task is settled, and returns the result of its call.
    async fn core_result(&self, request: &Request, peer: &Peer, out: &NotificationSender) -> CallResult {
        let decision = self.task_named(request).await?;
        let meta = Meta::of(request);
        let waiting = PendingCall { request, meta: &meta, peer, out, wait_limit: WaitLimit::Endless };
        let settled = match self.hold_on(&decision, &waiting, None).await {
            Ok(settled) => settled,
            Err(error) => return Ok(task::related(decision.id, failed(&error))),
        };
        Ok(task::related(settled.id, self.result_of(&settled).await))
    }

    async fn cancel_core_task(&self, request: &Request) -> CallResult {
        let decision = self.task_named(request).await?;
        if decision.status != Status::Pending {
            return Err(RpcError::params(format!("the task is {} already", decision.status)));
        }
        Ok(task::core(&self.call_off(&decision).await?))
    }

    async fn call_off(&self, decision: &Decision) -> Result<Decision, RpcError> {
        let cancelled = self.client.cancel(decision.id, Some("the task was cancelled".to_owned())).await;
        cancelled.map_err(|error| RpcError::new(rpc::INTERNAL, error.to_string()))
    }

    /// Shows a task; an approval is consumed when it is first shown to its asker.
    pub(super) async fn task(&self, decision: &Decision) -> Map<String, Value> {
        let mut shown = task::task(decision);
        if shown.contains_key("result") {
            shown.insert("result".to_owned(), Value::Object(self.result_of(decision).await));
        }
        shown
    }

    /// Returns the result of the call that asked for a decision.
    async fn result_of(&self, decision: &Decision) -> Map<String, Value> {
        match result::prompted(decision) {
            Some(tool) if decision.subject.is_some() && decision.consumed_at.is_none() => {
                let reply = self.used(&tool, decision).await;
                result::permission(&output::prompt_tool(&reply))
            }
            _ => result::of_call(decision),
        }
    }

    async fn task_named(&self, request: &Request) -> Result<Decision, RpcError> {
        let id = request.params.get("taskId").and_then(Value::as_str);
        let id = id.ok_or_else(|| RpcError::params("\"taskId\" is missing"))?;
        // Task ids are given in full; prefixes are for people.
        let unknown = || RpcError::params("there is no such task");
        let decision = self.client.get(id).await.map_err(|error| match error {
            holdpoint_engine::Error::Unreachable(why) => RpcError::new(rpc::INTERNAL, why),
            _ => unknown(),
        })?;
        if decision.id.to_string() == id { Ok(self.as_answered_there(decision)) } else { Err(unknown()) }
    }
}
