//! Tasks of the Model Context Protocol: those of the extension, and those of revision 2025-11-25.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use crate::talking::Talking;

fn which() -> Value {
    json!({"prompt": "Which?", "options": ["a:First", "b:Second"]})
}

#[test]
fn a_client_that_takes_tasks_gets_one() {
    let sandbox = Sandbox::new().looking();
    let tasks = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let mut agent = Talking::modern(&sandbox, &[], &tasks);
    let task = agent.ok("tools/call", json!({"name": "ask", "arguments": which()}));
    at(&task, "/resultType", "task");
    at(&task, "/status", "working");
    let id = task["taskId"].as_str().unwrap().to_owned();
    at(&sandbox.show(&id), "/status", "pending");
    at(&agent.ok("tasks/get", json!({"taskId": id})), "/status", "working");
    agent.ok("tasks/update", json!({"taskId": id, "inputResponses": {"x": {"action": "accept"}}}));
    at(&sandbox.show(&id), "/status", "pending");
    let listening =
        agent.ask("subscriptions/listen", json!({"notifications": {"taskIds": [id, "dcn-000000000000"]}}));
    let heard = agent.hear();
    at(&heard, "/method", "notifications/subscriptions/acknowledged");
    at(&heard, "/params/notifications/taskIds", json!([id]));
    at(&heard, "/params/_meta/io.modelcontextprotocol~1subscriptionId", listening);
    sandbox.ok(&["answer", &id, "a"]);
    let told = agent.hear();
    at(&told, "/method", "notifications/tasks");
    at(&told, "/params/status", "completed");
    agent.answer(listening);
    // Another process, later, knows it too.
    agent.end();
    let mut agent = Talking::modern(&sandbox, &[], &tasks);
    let done = agent.ok("tasks/get", json!({"taskId": id}));
    at(&done, "/status", "completed");
    at(&done, "/result/structuredContent/values/choice", "a");
    for bad in
        [json!({}), json!({"taskId": 1}), json!({"taskId": "dcn-000000000000"}), json!({"taskId": &id[..8]})]
    {
        assert_eq!(agent.fault("tasks/get", bad), -32602);
    }
    let other = agent.ok("tools/call", json!({"name": "ask", "arguments": which()}));
    agent.ok("tasks/cancel", json!({"taskId": other["taskId"]}));
    at(&agent.ok("tasks/get", json!({"taskId": other["taskId"]})), "/status", "cancelled");
    agent.end();
}

#[test]
fn a_client_that_does_not_say_that_it_takes_tasks_has_none() {
    let sandbox = Sandbox::new().looking();
    let id = sandbox.ask_a_or_b();
    let mut agent = Talking::modern(&sandbox, &[], &json!({}));
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let asked = agent.ask(method, json!({"taskId": id}));
        let message = agent.answer(asked);
        at(&message, "/error/code", -32021);
        at(&message, "/error/data/requiredCapabilities/extensions/io.modelcontextprotocol~1tasks", json!({}));
    }
    at(&sandbox.show(&id), "/status", "pending");
    for removed in ["tasks/result", "tasks/list"] {
        assert_eq!(agent.fault(removed, json!({"taskId": id})), -32601);
    }
    agent.end();
    let mut agent = Talking::shaking(&sandbox, &[], "2025-06-18", &json!({}));
    assert_eq!(agent.fault("tasks/get", json!({"taskId": id})), -32601);
    agent.end();
}

#[test]
fn a_call_of_2025_11_25_that_asks_for_a_task_becomes_one() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let tools = agent.ok("tools/list", json!({}))["tools"].clone();
    let support = |name: &str| {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        tool["execution"]["taskSupport"].clone()
    };
    assert_eq!((support("ask"), support("cancel")), (json!("optional"), Value::Null));
    let call = json!({"name": "ask", "arguments": which(), "task": {"ttl": 60_000}});
    let task = agent.ok("tools/call", call)["task"].clone();
    at(&task, "/status", "working");
    at(&task, "/ttl", Value::Null);
    let id = task["taskId"].as_str().unwrap().to_owned();
    at(&agent.ok("tasks/get", json!({"taskId": id})), "/status", "working");
    // The result is held for.
    let held = agent.ask("tasks/result", json!({"taskId": id, "_meta": {"progressToken": "p"}}));
    at(&agent.hear(), "/method", "notifications/progress");
    sandbox.ok(&["answer", &id, "b"]);
    let result = agent.answer(held)["result"].clone();
    at(&result, "/structuredContent/values/choice", "b");
    at(&result, "/_meta/io.modelcontextprotocol~1related-task/taskId", id.as_str());
    at(&agent.ok("tasks/get", json!({"taskId": id})), "/status", "completed");
    assert_eq!(agent.fault("tasks/cancel", json!({"taskId": id})), -32602, "it is over");
    assert_eq!(agent.fault("tasks/list", json!({})), -32601, "and not declared");
    assert_eq!(agent.fault("tasks/update", json!({"taskId": id})), -32601);
    agent.end();
    // Another process, later, knows it too; and without the word a call is held as ever.
    let mut agent = Talking::legacy(&sandbox, &["--hold", "1ms"]);
    at(&agent.ok("tasks/result", json!({"taskId": id})), "/structuredContent/values/choice", "b");
    at(&agent.done("ask", &which()), "/state", "pending");
    // Even where the call says not to hold, or all is over already, a task is what was asked for.
    let arguments = json!({"prompt": "Which?", "options": ["a"], "wait": "0s", "key": "once"});
    let other = agent.ok("tools/call", json!({"name": "ask", "arguments": arguments, "task": {}}));
    let other = other["task"]["taskId"].clone();
    at(&agent.ok("tasks/cancel", json!({"taskId": other})), "/status", "cancelled");
    let again = agent.ok("tools/call", json!({"name": "ask", "arguments": arguments, "task": {}}));
    at(&again, "/task/status", "cancelled");
    at(&agent.ok("tasks/result", json!({"taskId": other})), "/structuredContent/accepted", false);
    for (bad, code) in [
        (json!({"name": "show", "arguments": {"id": id}, "task": {}}), -32601),
        (json!({"name": "ask", "arguments": which(), "task": 1}), -32602),
        (json!({"name": "ask", "arguments": {"prompt": "x".repeat(2 << 20)}, "task": {}}), -32602),
    ] {
        assert_eq!(agent.fault("tools/call", bad), code);
    }
    agent.end();
    sandbox.is_well();
}

#[test]
fn a_permission_asked_for_as_a_task_is_used_up_when_it_is_told() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let call = json!({"tool_name": "Bash", "input": {"command": "touch x"}, "tool_use_id": "toolu_1"});
    let task = agent.ok("tools/call", json!({"name": "approval_prompt", "arguments": call, "task": {}}));
    let id = task["task"]["taskId"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "approve"]);
    assert!(sandbox.show(&id)["consumed_at"].is_null());
    let told = agent.ok("tasks/result", json!({"taskId": id}));
    let text: Value = serde_json::from_str(told["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, json!({"behavior": "allow", "updatedInput": {"command": "touch x"}}));
    assert!(sandbox.show(&id)["consumed_at"].is_string());
    agent.end();
}

#[test]
fn whoever_listens_over_http_hears_of_tasks_that_are_over_already() {
    let server = Server::start();
    let api = server.token("builder", "agent", &[]);
    let id = api.post("/v1/decisions", &json!({"prompt": "?", "fields": [{"id": "t", "kind": "text"}]}));
    let id = id.is(201).json()["id"].as_str().unwrap().to_owned();
    server.local().post(&format!("/v1/decisions/{id}/answer"), &json!({"values": {"t": "x"}})).is(200);
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"taskIds": [id]}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}}});
    let heard = api
        .with("Accept", "application/json, text/event-stream")
        .with("MCP-Protocol-Version", "2026-07-28")
        .with("Mcp-Method", "subscriptions/listen")
        .post("/mcp", &message)
        .is(200);
    let told: Vec<Value> = heard
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    at(&told[0], "/method", "notifications/subscriptions/acknowledged");
    at(&told[1], "/params/status", "completed");
    at(&told[2], "/id", 1);
}
