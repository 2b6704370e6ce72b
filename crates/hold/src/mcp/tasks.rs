//! Tasks: decisions by another name. Their id is the decision's, so any process that sees the store knows them.

use holdpoint_core::{Decision, Status};
use holdpoint_protocols::claude::output;
use holdpoint_protocols::mcp::rpc::{self, Fault, Request};
use holdpoint_protocols::mcp::{result, task};
use serde_json::{Map, Value};

use super::{Door, Outcome};

impl Door {
    pub(super) async fn get_task(&self, request: &Request) -> Outcome {
        let decision = self.task_named(request).await?;
        Ok(self.task(&decision).await)
    }

    /// Takes what a client answers to a task. We ask nothing there, so there is nothing to take.
    pub(super) async fn update_task(&self, request: &Request) -> Outcome {
        self.task_named(request).await?;
        Ok(Map::new())
    }

    pub(super) async fn cancel_task(&self, request: &Request) -> Outcome {
        let decision = self.task_named(request).await?;
        if decision.status == Status::Pending {
            let cancelled = self.client.cancel(decision.id, Some("the task was cancelled".to_owned())).await;
            cancelled.map_err(|error| Fault::new(rpc::INTERNAL, error.to_string()))?;
        }
        Ok(Map::new())
    }

    /// Shows a task; an approval is used up when it is first shown to whoever asked for it.
    pub(super) async fn task(&self, decision: &Decision) -> Map<String, Value> {
        let mut shown = task::task(decision);
        if let Some(tool) = result::prompted(decision)
            && shown.contains_key("result")
            && decision.subject.is_some()
            && decision.consumed_at.is_none()
        {
            let reply = self.used(&tool, decision).await;
            let result = result::permission(&output::prompt_tool(&reply));
            shown.insert("result".to_owned(), Value::Object(result));
        }
        shown
    }

    async fn task_named(&self, request: &Request) -> Result<Decision, Fault> {
        let id = request.params.get("taskId").and_then(Value::as_str);
        let id = id.ok_or_else(|| Fault::params("\"taskId\" is missing"))?;
        // A task is named in full; a start of its id is for people.
        let unknown = || Fault::params("there is no such task");
        let decision = self.client.get(id).await.map_err(|error| match error {
            holdpoint_engine::Error::Unreachable(why) => Fault::new(rpc::INTERNAL, why),
            _ => unknown(),
        })?;
        if decision.id.to_string() == id { Ok(decision) } else { Err(unknown()) }
    }
}
