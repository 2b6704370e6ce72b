//! `subscriptions/listen`: reports settled tasks, until all of them are or the client disconnects.

use holdpoint_core::{Decision, Status};
use holdpoint_protocols::mcp::rpc::{Request, RpcError, notification};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use super::{CallResult, McpServer, NotificationSender};

/// The maximum number of tasks listened for at once.
const MOST: usize = 1_000;

impl McpServer {
    pub(super) async fn listen(&self, request: &Request, out: &NotificationSender) -> CallResult {
        let wanted = request.params.get("notifications").and_then(|wanted| wanted.get("taskIds"));
        let ids = match wanted {
            None => Vec::new(),
            Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(_) => return Err(RpcError::params("\"taskIds\" must be an array")),
        };
        if ids.len() > MOST {
            return Err(RpcError::params(format!("at most {MOST} tasks can be watched at once")));
        }
        let mut found: Vec<Decision> = Vec::new();
        for id in &ids {
            // Tasks that do not exist, or that the caller may not see, are left out, and the acknowledgement shows
            // that.
            found.extend(self.client.get(id).await.ok().filter(|decision| decision.id.to_string() == *id));
        }
        let about = json!({ "io.modelcontextprotocol/subscriptionId": request.id });
        let heard: Vec<_> = found.iter().map(|decision| decision.id).collect();
        let acknowledged = json!({ "notifications": { "taskIds": heard }, "_meta": about });
        let _ = out.send(notification("notifications/subscriptions/acknowledged", &acknowledged)).await;
        let mut waits = JoinSet::new();
        for decision in found {
            let server = self.clone();
            waits.spawn(async move {
                if decision.status == Status::Pending {
                    server.client.wait(decision.id, None).await
                } else {
                    Ok(decision)
                }
            });
        }
        while let Some(settled) = waits.join_next().await {
            let Ok(Ok(decision)) = settled else { continue };
            let mut shown = self.task(&decision).await;
            shown.insert("_meta".to_owned(), about.clone());
            let _ = out.send(notification("notifications/tasks", &Value::Object(shown))).await;
        }
        Ok(Map::new())
    }
}
