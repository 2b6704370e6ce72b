//! `hold mcp --in-client`: the person at the client is asked too, as each revision has it.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::talking::Talking;

fn which() -> Value {
    json!({"prompt": "Which?", "options": ["a:First", "b:Second"]})
}

/// Returns the key and the content of the one thing that the client is asked.
fn asked(shown: &Value) -> (String, Value) {
    let requests = shown["inputRequests"].as_object().unwrap();
    let (key, request) = requests.iter().next().unwrap();
    (key.clone(), request.clone())
}

#[test]
fn whoever_sits_at_the_client_can_be_asked_there() {
    let sandbox = Sandbox::new();
    let mut agent = Talking::modern(&sandbox, &["--in-client", "--hold", "1ms"], &json!({"elicitation": {}}));
    let call = json!({"name": "ask", "arguments": which()});
    let later = agent.ok("tools/call", call.clone());
    let (key, form) = asked(&later);
    at(&form, "/method", "elicitation/create");
    at(&form, "/params/requestedSchema/properties/choice/oneOf/1/title", "Second");
    let respond = |key: &str, response: Value| {
        let mut again = call.clone();
        again["requestState"] = later["requestState"].clone();
        again["inputResponses"] = json!({key: response, "unknown": 1});
        again
    };
    let accept = json!({"action": "accept", "content": {"choice": "b"}});
    let declined = agent.ok("tools/call", respond(&key, json!({"action": "decline"})));
    at(&declined, "/resultType", "input_required");
    assert_eq!(sandbox.tags(), ["token:created", "decision:created"], "declining decides nothing");
    // What was changed meanwhile was not seen there: it is shown again.
    let id = sandbox.json(&["list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["revise", &id, "-o", "b:Delete everything", "-o", "a:First"]);
    let stale = agent.ok("tools/call", respond(&key, accept.clone()));
    let (newer, form) = asked(&stale);
    assert_ne!(newer, key);
    at(&form, "/params/requestedSchema/properties/choice/oneOf/0/title", "Delete everything");
    let done = agent.ok("tools/call", respond(&newer, accept));
    at(&done, "/structuredContent/values/choice", "b");
    at(&done, "/structuredContent/accepted", true);
    // Nobody here knows who sat there: there is no answer on record, and a late one is told why.
    let shown = sandbox.show(&id);
    at(&shown, "/status", "cancelled");
    at(&shown, "/reason", "answered in the client: b");
    assert!(shown.get("answer").is_none_or(Value::is_null), "{shown}");
    let late = sandbox.run(&["answer", &id, "a"]).exits(4);
    assert!(late.err.contains("answered in the client"), "{late}");
    assert!(!sandbox.tags().contains(&"decision:resolved".to_owned()));
    agent.end();
}

#[test]
fn an_incomplete_answer_is_asked_again_and_fields_keep_their_order() {
    let sandbox = Sandbox::new();
    let fields = json!([
        {"id": "why", "kind": "text", "label": "Why?"},
        {"id": "amount", "kind": "number", "label": "How much?", "min": 0, "exclusive_min": true},
    ]);
    let form = json!({"name": "ask", "arguments": {"prompt": "How much, and why?", "fields": fields}});
    let in_order = |raw: &str| {
        let at =
            |name: &str| raw.find(&format!("\"{name}\":{{")).unwrap_or_else(|| panic!("no {name}: {raw}"));
        assert!(at("why") < at("amount") && at("amount") < at("_comment"), "{raw}");
        assert!(!raw.contains("holdpoint/order"), "{raw}");
    };
    let incomplete = json!({"action": "accept", "content": {"why": "more"}});
    let none = json!({"action": "accept", "content": {"why": "more", "amount": 0}});
    let whole = json!({"action": "accept", "content": {"why": "more", "amount": 0.5}});
    // In rounds of one call.
    let mut agent = Talking::modern(&sandbox, &["--in-client", "--hold", "1ms"], &json!({"elicitation": {}}));
    let mut later = agent.ok("tools/call", form.clone());
    in_order(&agent.last());
    for (response, why) in [(&incomplete, "required"), (&none, "0 is not more than 0")] {
        let mut again = form.clone();
        again["requestState"] = later["requestState"].clone();
        again["inputResponses"] = json!({asked(&later).0: response});
        later = agent.ok("tools/call", again);
        let message = asked(&later).1["params"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("How much, and why?") && message.contains(why), "{message}");
    }
    let mut again = form.clone();
    again["requestState"] = later["requestState"].clone();
    again["inputResponses"] = json!({asked(&later).0: whole});
    at(&agent.ok("tools/call", again), "/structuredContent/values", json!({"amount": 0.5, "why": "more"}));
    agent.end();
    // While the call is held.
    let mut agent = Talking::shaking(&sandbox, &["--in-client"], "2025-06-18", &json!({"elicitation": {}}));
    let call = agent.ask("tools/call", form);
    let first = agent.hear();
    in_order(&agent.last());
    let result = |id: &Value, result: &Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    agent.say(&result(&first["id"], &incomplete));
    let second = agent.hear();
    at(&second, "/method", "elicitation/create");
    assert!(second["params"]["message"].as_str().unwrap().contains("required"), "{second}");
    agent.say(&result(&second["id"], &whole));
    at(&agent.answer(call), "/result/structuredContent/values/amount", 0.5);
    agent.end();
}

#[test]
fn a_task_asks_there_too() {
    let sandbox = Sandbox::new();
    let can = json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let mut agent = Talking::modern(&sandbox, &["--in-client"], &can);
    let task = agent.ok("tools/call", json!({"name": "ask", "arguments": which()}));
    at(&task, "/status", "working");
    let id = task["taskId"].as_str().unwrap().to_owned();
    let shown = agent.ok("tasks/get", json!({"taskId": id}));
    at(&shown, "/status", "input_required");
    let (key, _) = asked(&shown);
    let mut respond = |key: &str, response: Value| {
        agent.ok("tasks/update", json!({"taskId": id, "inputResponses": {key: response}}));
        agent.ok("tasks/get", json!({"taskId": id}))
    };
    let accept = |choice: &str| json!({"action": "accept", "content": {"choice": choice}});
    for (key, response) in [("another", accept("a")), (&key, json!(1)), (&key, accept("no such"))] {
        at(&respond(key, response), "/status", "input_required");
    }
    let done = respond(&key, accept("a"));
    at(&done, "/status", "completed");
    at(&done, "/result/structuredContent/values/choice", "a");
    at(&respond(&key, accept("b")), "/result/structuredContent/values/choice", "a");
    agent.end();
}

#[test]
fn a_client_that_shook_hands_is_asked_while_the_call_is_held() {
    let sandbox = Sandbox::new();
    let mut agent = Talking::shaking(&sandbox, &["--in-client"], "2025-06-18", &json!({"elicitation": {}}));
    let mut ask = || {
        let call = agent.ask("tools/call", json!({"name": "ask", "arguments": which()}));
        let form = agent.hear();
        at(&form, "/method", "elicitation/create");
        at(&form, "/params/requestedSchema/properties/choice/oneOf/0/const", "a");
        (call, form["id"].clone())
    };
    let (first, form) = ask();
    let (second, other) = ask();
    let result = |id: &Value, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    // What nobody asked for is left aside; declining decides nothing.
    agent.say(&result(&json!("hold-99"), json!({"action": "accept", "content": {"choice": "a"}})));
    agent.say(&result(&other, json!({"action": "decline"})));
    agent.say(&result(&form, json!({"action": "accept", "content": {"choice": "b"}})));
    at(&agent.answer(first), "/result/structuredContent/values/choice", "b");
    let left = sandbox.json(&["list", "--json"]);
    assert_eq!(left.as_array().unwrap().len(), 1);
    sandbox.ok(&["answer", left[0]["id"].as_str().unwrap(), "a"]);
    at(&agent.answer(second), "/result/structuredContent/values/choice", "a");
    // Answered elsewhere, it is taken off the screen.
    let call = agent.ask("tools/call", json!({"name": "ask", "arguments": which()}));
    let form = agent.hear();
    let id = sandbox.json(&["list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "a"]);
    let off = agent.hear();
    at(&off, "/method", "notifications/cancelled");
    at(&off, "/params/requestId", form["id"].clone());
    at(&agent.answer(call), "/result/structuredContent/values/choice", "a");
    // A client that cannot show forms is not asked.
    agent.end();
    let mut agent = Talking::shaking(&sandbox, &["--in-client", "--hold", "1ms"], "2025-06-18", &json!({}));
    at(&agent.done("ask", &which()), "/state", "pending");
    agent.end();
}
