//! Messages of the Model Context Protocol: read, refused, answered.

use holdpoint_core::Timestamp;
use holdpoint_protocols::mcp::peer::{self, LEGACY, MODERN, Meta, Peer, ProtocolEra, Tasks};
use holdpoint_protocols::mcp::rpc::{self, Incoming, Request};
use holdpoint_protocols::mcp::state::{State, call_digest};
use holdpoint_protocols::mcp::{greeting, resource, task};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::through_core::{ask, cancel, id};

fn request(message: &Value) -> Request {
    match rpc::read(&message.to_string()) {
        Ok(Incoming::Request(request)) => request,
        other => panic!("{message} is no request: {other:?}"),
    }
}

fn modern(capabilities: &Value) -> Request {
    request(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2.1.325"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "progressToken": 7, "claudecode/toolUseId": "toolu_9",
    }}}))
}

#[test]
fn messages_are_requests_notices_or_answers() {
    assert!(matches!(rpc::read(r#"{"jsonrpc":"2.0","method":"m"}"#), Ok(Incoming::Notification(_))));
    assert!(matches!(rpc::read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Ok(Incoming::Response(_))));
    assert!(matches!(rpc::read(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#), Ok(Incoming::Response(_))));
    for (text, code, id) in [
        ("", rpc::PARSE, json!(null)),
        ("{", rpc::PARSE, json!(null)),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#, rpc::PARSE, json!(null)),
        // Read differently by different programs, but whoever asked waits for an answer.
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"n":9007199254740993}}"#,
            rpc::INVALID_PARAMS,
            json!(7),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"n":1,"n":2}}"#,
            rpc::INVALID_PARAMS,
            json!("a"),
        ),
        ("[]", rpc::INVALID_REQUEST, json!(null)),
        ("1", rpc::INVALID_REQUEST, json!(null)),
        (r#"{"id":1,"method":"m"}"#, rpc::INVALID_REQUEST, json!(1)),
        (r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, rpc::INVALID_REQUEST, json!(null)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, rpc::INVALID_REQUEST, json!(null)),
        (r#"{"jsonrpc":"2.0","id":"a","method":3}"#, rpc::INVALID_REQUEST, json!("a")),
        (r#"{"jsonrpc":"2.0","id":"a","method":"m","params":[]}"#, rpc::INVALID_PARAMS, json!("a")),
    ] {
        let (named, fault) = rpc::read(text).unwrap_err();
        assert_eq!((fault.code, &named), (code, &id), "{text}");
    }
}

#[test]
fn a_modern_request_says_who_sends_it() {
    let asked = modern(&json!({"elicitation": {"form": {}, "url": {}}, "extensions": {peer::TASKS: {}}}));
    let peer = Peer::of_request(&asked).unwrap().unwrap();
    let wanted = Peer {
        era: ProtocolEra::Modern,
        name: Some("claude-code".into()),
        tasks: Tasks::Extension,
        form: true,
        url: true,
    };
    assert_eq!(peer, wanted);
    assert!(peer.is_patient());
    let bare = Peer::of_request(&modern(&json!({"elicitation": {}}))).unwrap().unwrap();
    assert_eq!((bare.form, bare.url, bare.tasks), (true, false, Tasks::None));
    assert_eq!(Meta::of(&asked), Meta { progress: Some(json!(7)), tool_use_id: Some("toolu_9".into()) });
    let mut other = asked.clone();
    other.params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let fault = Peer::of_request(&other).unwrap_err();
    assert_eq!(fault.code, rpc::NO_VERSION);
    assert_eq!(fault.data.unwrap(), json!({"requested": "2031-01-01", "supported": [MODERN]}));
    let mut silent = asked.clone();
    silent.params["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    assert_eq!(Peer::of_request(&silent).unwrap_err().code, rpc::INVALID_PARAMS);
    assert_eq!(Peer::of_request(&request(&json!({"jsonrpc":"2.0","id":1,"method":"ping"}))).unwrap(), None);
}

#[test]
fn hands_are_shaken_on_a_revision_that_both_know() {
    let shake = |version: Value| {
        request(&json!({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":version,
            "capabilities":{"extensions":{peer::TASKS:{}}},"clientInfo":{"name":"c"}}}))
    };
    for version in LEGACY {
        let (peer, agreed) = Peer::of_initialize(&shake(json!(version))).unwrap();
        let tasks = if version == "2025-11-25" { Tasks::Core } else { Tasks::None };
        assert_eq!((agreed, peer.era, peer.tasks), (version, ProtocolEra::Legacy, tasks));
        let greeting = greeting::initialize(agreed, &greeting::server_info("1"));
        assert_eq!(greeting["capabilities"].get("tasks").is_some(), tasks == Tasks::Core);
    }
    for other in [MODERN, "1999-01-01"] {
        assert_eq!(Peer::of_initialize(&shake(json!(other))).unwrap().1, LEGACY[0]);
    }
    assert_eq!(Peer::of_initialize(&shake(json!(3))).unwrap_err().code, rpc::INVALID_PARAMS);
}

#[test]
fn modern_results_say_what_they_are() {
    let server = greeting::server_info("1");
    let shown = peer::complete(ProtocolEra::Modern, &server, greeting::discover());
    assert_eq!(shown["resultType"], "complete");
    assert_eq!(shown["_meta"]["io.modelcontextprotocol/serverInfo"], server);
    assert_eq!((&shown["ttlMs"], &shown["cacheScope"]), (&json!(3_600_000), &json!("public")));
    assert_eq!(shown["supportedVersions"][0], MODERN);
    let plain = peer::complete(ProtocolEra::Legacy, &server, Map::new());
    assert_eq!(plain, json!({}));
}

#[test]
fn a_state_is_for_one_call_of_one_caller_for_a_while() {
    let call =
        |text: &str| json!({"name": "ask", "arguments": {"prompt": text}}).as_object().unwrap().clone();
    let state = State {
        decision: id(1),
        call: call_digest(&call("a")),
        caller: "ana".into(),
        round: 1,
        expires: 1_000,
    };
    let check = |params: &Map<String, Value>, caller: &str, now: i64| {
        state.clone().check(params, caller, Timestamp::from_millis(now)).map_err(|fault| fault.code)
    };
    assert!(check(&call("a"), "ana", 1_000).is_ok());
    let mut again = call("a");
    again.insert("_meta".into(), json!({"progressToken": 2}));
    assert!(check(&again, "ana", 1).is_ok(), "what goes along may differ");
    assert_eq!(check(&call("b"), "ana", 1), Err(rpc::INVALID_PARAMS));
    assert_eq!(check(&call("a"), "bob", 1), Err(rpc::INVALID_PARAMS));
    assert_eq!(check(&call("a"), "ana", 1_001), Err(rpc::INVALID_PARAMS));
}

#[test]
fn a_task_bears_its_decisions_id() {
    let new = json!({"prompt": "?", "fields": [{"id": "t", "kind": "text"}]});
    let decision = ask(serde_json::from_value(new).unwrap()).unwrap();
    let created = task::created(&decision);
    assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")));
    assert_eq!(created["taskId"], json!(decision.id));
    assert_eq!(created["ttlMs"], Value::Null);
    assert_eq!(task::task(&cancel(&decision, "x"))["status"], "cancelled");
    let core = task::core_created(&decision)["task"].clone();
    assert_eq!((&core["taskId"], &core["status"]), (&json!(decision.id), &json!("working")));
    assert_eq!((&core["ttl"], core.get("ttlMs")), (&Value::Null, None));
    assert!(core["pollInterval"].is_number());
    assert_eq!(resource::id_in(&resource::uri(decision.id)), Some(decision.id.to_string().as_str()));
    for uri in ["hold://decisions/", "hold://decisions/../x", "file:///etc/passwd", ""] {
        assert_eq!(resource::id_in(uri), None, "{uri}");
    }
}

proptest! {
    #[test]
    fn nothing_that_is_read_panics(text in ".{0,200}") {
        let _ = rpc::read(&text);
    }
}
