//! `hold mcp`: an agent asks over the Model Context Protocol, a person answers elsewhere.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use crate::talking::Talking;

fn which() -> Value {
    json!({"prompt": "Which?", "options": ["a:First", "b:Second"]})
}

#[test]
fn both_eras_are_greeted() {
    let sandbox = Sandbox::new().looking();
    for (asked, agreed) in
        [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2031-01-01", "2025-11-25")]
    {
        let mut agent = Talking::legacy(&sandbox, &[]);
        let hello = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        at(&agent.ok("initialize", hello), "/protocolVersion", agreed);
        at(&agent.ok("tools/list", json!({})), "/tools/0/name", "ask");
        assert_eq!(agent.ok("ping", json!({})), json!({}));
        agent.end();
    }
    let mut agent = Talking::modern(&sandbox, &[], &json!({}));
    let found = agent.ok("server/discover", json!({}));
    at(&found, "/supportedVersions/0", "2026-07-28");
    at(&found, "/resultType", "complete");
    let listed = agent.ok("tools/list", json!({}));
    assert_eq!(listed["tools"].as_array().unwrap().len(), 6);
    at(&listed, "/cacheScope", "private");
    assert_eq!(agent.fault("ping", json!({})), -32601, "the newer revision has none");
    agent.end();
}

#[test]
fn an_ask_is_held_until_a_person_has_answered() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let asked = agent.call("ask", &which());
    let id = agent.holding();
    // Others are served meanwhile.
    at(&agent.done("list", &json!({})), "/items/0/id", id.as_str());
    sandbox.ok(&["answer", &id, "b", "-m", "because"]);
    let result = agent.answer(asked)["result"].clone();
    let shown = &result["structuredContent"];
    at(shown, "/state", "answered");
    at(shown, "/accepted", true);
    at(shown, "/values/choice", "b");
    at(shown, "/message", "because");
    at(shown, "/by", "ana");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("ana decided: Second. They say: because"), "{text}");
    let kept = sandbox.show(&id);
    at(&kept, "/requested_by", "mcp:test");
    agent.end();
}

#[test]
fn a_client_without_patience_comes_back() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &["--hold", "1ms"]);
    let shown = agent.done("ask", &which());
    at(&shown, "/state", "pending");
    let id = shown["decision_id"].as_str().unwrap().to_owned();
    at(&agent.done("wait", &json!({"id": id, "timeout": "0s"})), "/state", "pending");
    sandbox.ok(&["answer", &id, "a"]);
    at(&agent.done("wait", &json!({"id": id})), "/values/choice", "a");
    agent.end();
}

#[test]
fn a_modern_client_is_sent_round_with_a_state_that_is_its_own() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::modern(&sandbox, &["--hold", "1ms"], &json!({}));
    let call = json!({"name": "ask", "arguments": which()});
    let later = agent.ok("tools/call", call.clone());
    at(&later, "/resultType", "input_required");
    let state = later["requestState"].as_str().unwrap().to_owned();
    let again = |state: &str, call: &Value| {
        let mut again = call.clone();
        again["requestState"] = state.into();
        again
    };
    let mut forged = state.clone();
    forged.replace_range(4..6, if &state[4..6] == "AA" { "BB" } else { "AA" });
    for bad in [forged.as_str(), "", "x.y", &state[..state.len() - 2]] {
        assert_eq!(agent.fault("tools/call", again(bad, &call)), -32602, "{bad}");
    }
    let other = json!({"name": "ask", "arguments": {"prompt": "Another?"}});
    assert_eq!(agent.fault("tools/call", again(&state, &other)), -32602);
    let id = sandbox.json(&["list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1, "nothing is asked twice");
    at(&agent.ok("tools/call", again(&state, &call)), "/resultType", "input_required");
    sandbox.ok(&["answer", &id, "b"]);
    let done = agent.ok("tools/call", again(&state, &call));
    at(&done, "/resultType", "complete");
    at(&done, "/structuredContent/values/choice", "b");
    agent.end();
}

#[test]
fn the_permission_prompt_is_answered_once_for_one_call() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let call = json!({"tool_name": "Bash", "input": {"command": "touch x"}, "tool_use_id": "toolu_1"});
    let told = |message: &Value| -> Value {
        let text = message["result"]["content"][0]["text"].as_str().unwrap();
        serde_json::from_str(text).unwrap()
    };
    let asked = agent.call("approval_prompt", &call);
    let id = agent.holding();
    at(&sandbox.show(&id), "/subject/tool", "Bash");
    sandbox.ok(&["answer", &id, "approve"]);
    let answer = told(&agent.answer(asked));
    assert_eq!(answer, json!({"behavior": "allow", "updatedInput": {"command": "touch x"}}));
    assert!(sandbox.show(&id)["consumed_at"].is_string(), "it is used up");
    // The same call again was answered before, and a yes is used once; another input is another question.
    let again = agent.call("approval_prompt", &call);
    at(&told(&agent.answer(again)), "/behavior", "deny");
    let other = json!({"tool_name": "Bash", "input": {"command": "rm -rf /"}, "tool_use_id": "toolu_1"});
    let again = agent.call("approval_prompt", &other);
    at(&told(&agent.answer(again)), "/behavior", "deny");
    assert_eq!(sandbox.json(&["list", "--json"]), json!([]), "and nobody is asked");

    let asked = agent.call("approval_prompt", &json!({"tool_name": "Write", "input": {"file_path": "/a"}}));
    let id = agent.holding();
    sandbox.ok(&["answer", &id, "deny", "-m", "not there"]);
    at(&told(&agent.answer(asked)), "/message", "not there");

    // A client that stops waiting withdraws the question.
    let asked = agent.call("approval_prompt", &json!({"tool_name": "Write", "input": {"file_path": "/b"}}));
    let id = agent.holding();
    agent
        .say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": asked}}));
    agent.end();
    at(&sandbox.show(&id), "/status", "cancelled");
    let mut agent = Talking::legacy(&sandbox, &[]);
    agent.call("approval_prompt", &json!({"tool_name": "Write", "input": {"file_path": "/c"}}));
    let id = agent.holding();
    agent.terminate();
    at(&sandbox.show(&id), "/status", "cancelled");
}

#[test]
fn a_call_that_is_sent_twice_asks_once() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let mut ask = |id: &str| {
        let meta = json!({"progressToken": "p", "claudecode/toolUseId": id});
        agent.ask("tools/call", json!({"name": "ask", "arguments": which(), "_meta": meta}));
        agent.holding()
    };
    let first = ask("toolu_1");
    assert_eq!(ask("toolu_1"), first);
    assert_ne!(ask("toolu_2"), first);
    assert_ne!(ask(&"x".repeat(10_000)), first, "and an odd name stops no question");
    agent.end();
}

#[test]
fn an_ask_outlives_the_client_that_asked() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let arguments = json!({"prompt": "Which?", "options": ["a", "b"], "key": "job-1"});
    agent.call("ask", &arguments);
    let id = agent.holding();
    agent.end();
    at(&sandbox.show(&id), "/status", "pending");
    sandbox.ok(&["answer", &id, "a"]);
    let mut agent = Talking::legacy(&sandbox, &[]);
    let shown = agent.done("ask", &arguments);
    at(&shown, "/decision_id", id.as_str());
    at(&shown, "/values/choice", "a");
    agent.end();
}

#[test]
fn every_verb_has_its_tool() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let mut ask = which();
    ask["wait"] = "0s".into();
    let id = agent.done("ask", &ask)["decision_id"].as_str().unwrap().to_owned();
    at(&agent.done("revise", &json!({"id": id, "title": "Cache"})), "/decision/title", "Cache");
    at(&agent.done("show", &json!({"id": id})), "/decision/status", "pending");
    sandbox.ok(&["answer", &id, "--guidance", "cheaper"]);
    let next = agent.done("wait", &json!({"id": id}))["next"].as_str().unwrap().to_owned();
    at(&agent.done("cancel", &json!({"id": next, "reason": "enough"})), "/state", "cancelled");
    let all = agent.done("list", &json!({"status": "all", "limit": 1}));
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert!(all["next"].is_string());

    let approval =
        agent.done("ask", &json!({"prompt": "May I?", "subject": {"run": "deploy"}, "wait": "0s"}));
    let approval = approval["decision_id"].as_str().unwrap().to_owned();
    assert!(
        agent
            .fails("consume", &json!({"id": approval, "subject": {"run": "deploy"}}))
            .starts_with("not_consumable")
    );
    sandbox.ok(&["answer", &approval, "yes"]);
    assert!(
        agent
            .fails("consume", &json!({"id": approval, "subject": {"run": "rm"}}))
            .starts_with("not_consumable")
    );
    assert!(
        agent.done("consume", &json!({"id": approval, "subject": {"run": "deploy"}}))["consumed_at"]
            .is_string()
    );
    assert!(
        agent
            .fails("consume", &json!({"id": approval, "subject": {"run": "deploy"}}))
            .starts_with("not_consumable")
    );

    let options = json!([{"id": "redis", "label": "Use Redis"}, {"id": "memory", "label": "In-memory"}]);
    let point = agent.done(
        "bd_decision_create",
        &json!({"issue_id": "bd-abc123", "prompt": "Which cache?", "options": options}),
    );
    at(&point, "/issue_id", "bd-abc123");
    at(&agent.done("bd_decision_list", &json!({})), "/decisions/0/issue_id", "bd-abc123");
    sandbox.ok(&["bd", "decision", "respond", "bd-abc123", "--select", "redis", "--by", "bo"]);
    at(&agent.done("bd_decision_show", &json!({"issue_id": "bd-abc123"})), "/selected_option", "redis");
    agent.end();
    sandbox.is_well();
}

#[test]
fn decisions_are_resources() {
    let sandbox = Sandbox::new().looking();
    let mut agent = Talking::legacy(&sandbox, &[]);
    let mut ask = which();
    ask["wait"] = "0s".into();
    let id = agent.done("ask", &ask)["decision_id"].as_str().unwrap().to_owned();
    let uri = format!("hold://decisions/{id}");
    at(&agent.ok("resources/list", json!({})), "/resources/0/uri", uri.as_str());
    at(
        &agent.ok("resources/templates/list", json!({})),
        "/resourceTemplates/0/uriTemplate",
        "hold://decisions/{id}",
    );
    let read = agent.ok("resources/read", json!({"uri": uri}));
    let decision: Value = serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(decision, sandbox.show(&id));
    for bad in ["hold://decisions/dcn-000000000000", "file:///etc/passwd", ""] {
        assert_eq!(agent.fault("resources/read", json!({"uri": bad})), -32002, "{bad}");
    }
    assert_eq!(agent.fault("resources/read", json!({})), -32602);
    assert_eq!(agent.fault("resources/list", json!({"cursor": "x"})), -32602);
    agent.end();
}

#[test]
fn bad_input_gets_the_protocols_error_and_writes_nothing() {
    let sandbox = Sandbox::new().looking();
    let id = sandbox.ask_a_or_b();
    let mut agent = Talking::shaking(&sandbox, &["--may-answer"], "2025-06-18", &json!({}));
    assert!(agent.fails("show", &json!({"id": "dcn-000000000000"})).starts_with("not_found"));
    let before = sandbox.log();
    for (line, code) in [
        ("nonsense".to_owned().into_bytes(), -32700),
        (b"\xff\xfe".to_vec(), -32700),
        (b"[]".to_vec(), -32600),
        (b"{\"id\":1}".to_vec(), -32600),
        (vec![b'x'; 17 << 20], -32600),
    ] {
        agent.write(&line);
        let answer = agent.hear();
        at(&answer, "/error/code", code);
    }
    assert_eq!(agent.fault("tools/destroy", json!({})), -32601);
    assert_eq!(agent.fault("tasks/get", json!({"taskId": id})), -32601, "older revisions have no tasks");
    assert_eq!(agent.fault("tools/call", json!({"name": "sudo"})), -32602);
    assert_eq!(agent.fault("tools/call", json!({"name": "show", "arguments": [id]})), -32602);
    let wrong = json!({"io.modelcontextprotocol/protocolVersion": "1999-01-01"});
    assert_eq!(agent.fault("tools/list", json!({"_meta": wrong})), -32022);
    assert!(agent.fails("answer", &json!({"id": id, "choice": "c"})).starts_with("invalid"));
    assert!(
        agent.fails("answer", &json!({"id": id, "choice": "a", "digest": "sha256:old"})).starts_with("stale")
    );
    assert!(agent.fails("ask", &json!({"prompt": "x".repeat(2 << 20)})).starts_with("invalid"));
    assert!(agent.fails("show", &json!({"id": "dcn-000000000000"})).starts_with("not_found"));
    assert!(agent.fails("wait", &json!({"id": "zz"})).starts_with("not_found"));
    assert!(agent.fails("list", &json!({"limit": 100_000})).starts_with("invalid"));
    assert!(
        agent.fails("list", &json!({"status": "open"})).contains("pending"),
        "and says what would be right"
    );
    assert!(agent.fails("ask", &json!({"prompt": "?", "options": [1]})).contains("id:Label"));
    for tool in ["bd_decision_show", "bd_decision_respond"] {
        let why = agent.fails(tool, &json!({"issue_id": "bd-9"}));
        assert!(why.starts_with("not_found: there is no decision on \"bd-9\""), "{why}");
    }
    assert_eq!(sandbox.log(), before, "nothing was written");
    // The first answer wins, the same again is the same, another is refused.
    at(&agent.done("answer", &json!({"id": id, "choice": "a"})), "/values/choice", "a");
    at(&agent.done("answer", &json!({"id": id, "choice": "a"})), "/values/choice", "a");
    assert!(agent.fails("answer", &json!({"id": id, "choice": "b"})).starts_with("already_settled"));
    agent.end();
}

#[test]
fn a_server_that_is_killed_during_a_hold_still_delivers_the_answer() {
    let mut server = Server::start();
    let agent = server.token("builder", "agent", &[]);
    let person = server.token("ana", "person", &[]);
    let sandbox = Sandbox::new().looking().with("HOLD_URL", &server.url()).with("HOLD_TOKEN", agent.token());
    let mut talking = Talking::legacy(&sandbox, &[]);
    let mut arguments = which();
    arguments["wait"] = "5m".into();
    let asked = talking.call("ask", &arguments);
    let id = talking.holding();
    server.parked(1);
    server.kill();
    server.run();
    person.answer(&id, "b").is(200);
    let shown = talking.answer(asked)["result"]["structuredContent"].clone();
    at(&shown, "/values/choice", "b");
    at(&shown, "/by", "ana");
    talking.end();
}

#[test]
fn an_agent_answers_only_what_is_put_to_it() {
    let server = Server::start();
    let with = |name: &str, allow: &[&str]| {
        let new = json!({"name": name, "role": "agent", "permissions": allow});
        let secret = server.local().post("/v1/tokens", &new).is(201).json()["secret"].clone();
        Sandbox::new().looking().with("HOLD_URL", &server.url()).with("HOLD_TOKEN", secret.as_str().unwrap())
    };
    let (asker, helper) = (with("asker", &[]), with("helper", &["answer"]));
    let mut asks = Talking::legacy(&asker, &["--may-answer"]);
    let mut helps = Talking::legacy(&helper, &["--may-answer"]);
    let own = asks.done("ask", &json!({"prompt": "?", "options": ["a"], "wait": "0s"}));
    let own = own["decision_id"].as_str().unwrap();
    assert!(asks.fails("answer", &json!({"id": own, "choice": "a"})).starts_with("forbidden"));
    let of_others = json!({"prompt": "?", "options": ["a"], "assignees": ["ana"], "wait": "0s"});
    let of_others = asks.done("ask", &of_others)["decision_id"].as_str().unwrap().to_owned();
    assert!(helps.fails("answer", &json!({"id": of_others, "choice": "a"})).starts_with("forbidden"));
    let put = json!({"prompt": "?", "options": ["a"], "assignees": ["agent:helper"], "wait": "0s"});
    let put = asks.done("ask", &put)["decision_id"].as_str().unwrap().to_owned();
    at(&helps.done("answer", &json!({"id": put, "choice": "a"})), "/state", "answered");
    at(&asks.done("wait", &json!({"id": put})), "/by", "helper");
    asks.end();
    helps.end();
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_so() {
    let sandbox = Sandbox::new().looking().with("HOLD_URL", "http://127.0.0.1:1");
    let mut agent = Talking::legacy(&sandbox, &[]);
    assert_eq!(agent.ok("tools/list", json!({}))["tools"].as_array().unwrap().len(), 6);
    let why = agent.fails("show", &json!({"id": "abc"}));
    assert!(why.starts_with("unreachable") && why.contains("hold serve"), "{why}");
    agent.end();
}

#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    let sandbox = Sandbox::new().looking();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list", "arguments": {}}});
    let ran = sandbox.run_with(&["mcp"], format!("{hello}\n{list}\n")).exits(0);
    let ids: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert!(ids.contains(&json!(1)) && ids.contains(&json!(2)), "{ran}");
}
