//! Calls of tools: what they take, and what they make of it.

use holdpoint_core::{Kind, Source, Span};
use holdpoint_protocols::mcp::call::{Call, CallError, read};
use holdpoint_protocols::mcp::peer::Tasks;
use holdpoint_protocols::mcp::tools::{self, Tool};
use holdpoint_protocols::mcp::{result, rpc};
use serde_json::{Value, json};

use crate::through_core::{answer, ask, guide};

fn call(name: &str, arguments: &Value) -> Result<Call, CallError> {
    let params = json!({"name": name, "arguments": arguments});
    read(params.as_object().unwrap())
}

fn asked(arguments: &Value) -> holdpoint_core::Decision {
    match call("ask", arguments) {
        Ok(Call::Ask { new, .. }) => ask(*new).unwrap(),
        other => panic!("{arguments}: {other:?}"),
    }
}

#[test]
fn the_tools_are_those_that_are_promised() {
    let listed = tools::list(Tasks::None, tools::Listing { answering: true, points: true });
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let promised = [
        "ask",
        "wait",
        "revise",
        "list",
        "show",
        "answer",
        "cancel",
        "consume",
        "approval_prompt",
        "bd_decision_list",
        "bd_decision_show",
        "bd_decision_create",
        "bd_decision_respond",
    ];
    assert_eq!(names, promised);
    for tool in listed.as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|about| about.len() > 20), "{tool}");
        for required in tool["inputSchema"]["required"].as_array().unwrap() {
            assert!(tool["inputSchema"]["properties"].get(required.as_str().unwrap()).is_some(), "{tool}");
        }
    }
    assert_eq!(Tool::from_name("nope"), None);
}

#[test]
fn the_short_form_is_one_question() {
    let one = asked(
        &json!({"prompt": "Which?", "options": ["redis:Use Redis", {"id": "memory", "recommended": true}]}),
    );
    assert_eq!((one.fields[0].id.as_str(), one.fields[0].kind), ("choice", Kind::Choice));
    assert_eq!(one.fields[0].options[0].label, "Use Redis");
    let several =
        asked(&json!({"prompt": "Which?", "options": ["a", "b"], "multiple": true, "custom": true}));
    assert_eq!((several.fields[0].kind, several.fields[0].custom), (Kind::Choices, true));
    assert_eq!(asked(&json!({"prompt": "Say"})).fields[0].kind, Kind::Multiline);
    assert_eq!(asked(&json!({"prompt": "When?", "kind": "date"})).fields[0].kind, Kind::Date);
    let approval = asked(&json!({"prompt": "May I?", "subject": {"command": "deploy"}}));
    assert_eq!((approval.source, approval.fields[0].kind), (Source::Approval, Kind::Confirm));
    assert!(approval.fields[0].options[1].refuses);
}

#[test]
fn a_whole_form_is_taken_as_it_is() {
    let form = asked(
        &json!({"title": "Trip", "source": "form", "timeout": "2h", "assignees": ["ana"], "fields": [
            {"id": "where", "kind": "location", "label": "Where?"},
            {"id": "what", "kind": "products", "options": [{"id": "p", "label": "P", "variants": [{"id": "v", "label": "V"}]}]},
            {"id": "why", "kind": "text", "visible_if": {"field": "what", "op": "EXISTS"}, "required": false},
        ]}),
    );
    assert_eq!((form.source, form.fields.len()), (Source::Form, 3));
    assert!(form.deadline.is_some());
    let held = call("ask", &json!({"prompt": "?", "key": "k", "wait": "5m"})).unwrap();
    assert!(
        matches!(held, Call::Ask { key: Some(key), wait: Some(wait), .. } if key == "k" && wait == Span::from_secs(300))
    );
}

#[test]
fn what_is_wrong_is_the_protocols_fault_or_words_for_the_model() {
    let fault = |params: Value| match read(params.as_object().unwrap()) {
        Err(CallError::RpcError(fault)) => fault.code,
        other => panic!("{params}: {other:?}"),
    };
    assert_eq!(fault(json!({})), rpc::INVALID_PARAMS);
    assert_eq!(fault(json!({"name": 3})), rpc::INVALID_PARAMS);
    assert_eq!(fault(json!({"name": "drop_tables"})), rpc::INVALID_PARAMS);
    assert_eq!(fault(json!({"name": "ask", "arguments": []})), rpc::INVALID_PARAMS);
    for (name, arguments, words) in [
        ("ask", json!({"prompt": 1}), "prompt"),
        ("ask", json!({"promt": "?"}), "promt"),
        ("ask", json!({"prompt": "?", "wait": "soon"}), "wait"),
        ("ask", json!({"prompt": "?", "kind": "chioce"}), "kind"),
        ("ask", json!({"prompt": "?", "options": [{"label": "no id"}]}), "options"),
        (
            "ask",
            json!({"prompt": "?", "options": ["a"], "fields": [{"id": "t", "kind": "text"}]}),
            "short form",
        ),
        ("wait", json!({}), "id is missing"),
        ("wait", json!({"id": "x", "by": "me"}), "by"),
        ("show", json!({"id": ["x"]}), "id"),
        ("answer", json!({"id": "x", "valuse": {}}), "valuse"),
        ("consume", json!({"id": "x"}), "subject is missing"),
        ("list", json!({"limit": "many"}), "limit"),
        ("approval_prompt", json!({"input": {}}), "tool_name"),
        ("approval_prompt", json!({"tool_name": "Bash", "input": "rm"}), "input"),
        ("approval_prompt", json!({"tool_name": "Bash"}), "input"),
        ("bd_decision_create", json!({"issue_id": "bd-1", "prompt": "?"}), "options"),
        ("bd_decision_create", json!({"prompt": "?", "options": ["a"]}), "issue_id is missing"),
        (
            "bd_decision_create",
            json!({"issue_id": "bd-1", "parent": "bd-2", "prompt": "?", "options": ["a"]}),
            "exclude each other",
        ),
        ("bd_decision_show", json!({}), "issue_id"),
    ] {
        match call(name, &arguments) {
            Err(CallError::Words(said)) => assert!(said.contains(words), "{name} {arguments}: {said}"),
            other => panic!("{name} {arguments}: {other:?}"),
        }
    }
}

#[test]
fn results_say_whether_to_go_on() {
    let decision = asked(&json!({"prompt": "Deploy?", "kind": "confirm"}));
    let shown = |decision: &_| Value::Object(result::outcome(decision));
    let pending = shown(&decision);
    assert_eq!(pending["structuredContent"]["state"], "pending");
    assert_eq!(pending["structuredContent"]["accepted"], false);
    let summary = pending["structuredContent"]["summary"].as_str().unwrap();
    assert!(summary.contains("`wait`"), "some clients show a model the JSON only: {summary}");
    assert!(pending["structuredContent"]["poll_after_ms"].is_number());
    let choose = |id: &str| serde_json::from_value(json!({"choice": id, "message": "fine"})).unwrap();
    let yes = shown(&answer(&decision, choose("yes")).unwrap());
    assert_eq!(
        (&yes["structuredContent"]["accepted"], &yes["structuredContent"]["by"]),
        (&json!(true), &json!("ana"))
    );
    assert!(yes["content"][0]["text"].as_str().unwrap().starts_with("ana decided: Yes. They say: fine"));
    let no = shown(&answer(&decision, choose("no")).unwrap());
    assert_eq!(no["structuredContent"]["accepted"], false);
    assert!(no["content"][0]["text"].as_str().unwrap().contains("Do not go on"));
    let question = asked(&json!({"prompt": "Which?", "options": ["a", "b"]}));
    let (refined, next) = guide(&question, "cheaper");
    let refined = shown(&refined);
    assert_eq!(refined["structuredContent"]["next"], json!(next.id));
    assert!(refined["content"][0]["text"].as_str().unwrap().contains("cheaper"));
    let failure = Value::Object(result::failure("no"));
    assert_eq!(failure["isError"], true);
}
