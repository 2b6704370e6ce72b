//! Who answers over the Model Context Protocol: nobody, unless a person said so, and never a person's consent.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};
use crate::server::{Api, Server};
use crate::talking::Talking;

fn id(shown: &Value) -> String {
    shown["decision_id"].as_str().unwrap().to_owned()
}

fn question() -> Value {
    json!({"prompt": "Which?", "options": ["a", "b"], "wait": "0s"})
}

fn approval() -> Value {
    json!({"prompt": "May I?", "subject": {"run": "rm -rf /"}, "wait": "0s"})
}

/// Tries everything that would make a yes of the connection's own.
#[track_caller]
fn cannot_approve_itself(agent: &mut Talking) {
    let own = id(&agent.done("ask", &approval()));
    for answer in [json!({"id": own, "choice": "yes"}), json!({"id": own, "values": {"choice": "yes"}})] {
        let why = agent.fails("answer", &answer);
        assert!(why.starts_with("forbidden"), "{why}");
    }
    let why = agent.fails("consume", &json!({"id": own, "subject": {"run": "rm -rf /"}}));
    assert!(why.starts_with("not_consumable"), "{why}");
    let plain = id(&agent.done("ask", &question()));
    let why = agent.fails("answer", &json!({"id": plain, "choice": "a"}));
    assert!(why.starts_with("forbidden"), "{why}");
    let why = agent.fails("answer", &json!({"id": plain, "guidance": "mine"}));
    assert!(why.starts_with("forbidden"), "{why}");
}

#[test]
fn a_connection_approves_nothing_of_its_own() {
    let server = Server::start();
    for sandbox in [&Sandbox::new(), &server.sandbox] {
        for arguments in [&[][..], &["--may-answer"], &["--may-answer", "--in-client"]] {
            let mut agent = Talking::legacy(sandbox, arguments);
            cannot_approve_itself(&mut agent);
            agent.end();
        }
    }
}

#[test]
fn a_connection_that_takes_another_name_answers_nothing_of_its_own() {
    let server = Server::start();
    for sandbox in [&Sandbox::new(), &server.sandbox] {
        let mut agent = Talking::modern(sandbox, &["--may-answer"], &json!({}));
        let own = id(&agent.done("ask", &question()));
        let other = json!({"io.modelcontextprotocol/clientInfo": {"name": "other", "version": "1"}});
        let params = json!({"name": "answer", "arguments": {"id": own, "choice": "a"}, "_meta": other});
        let request = agent.ask("tools/call", params);
        let reply = agent.answer(request);
        at(&reply, "/result/isError", true);
        at(&sandbox.show(&own), "/status", "pending");
        agent.end();
    }
}

#[test]
fn a_persons_questions_are_answered_only_where_a_person_allowed_it() {
    let server = Server::start();
    for sandbox in [&Sandbox::new(), &server.sandbox] {
        let asked = sandbox.ask_a_or_b();
        let mut agent = Talking::legacy(sandbox, &[]);
        let why = agent.fails("answer", &json!({"id": asked, "choice": "a"}));
        assert!(why.starts_with("forbidden") && why.contains("--may-answer"), "{why}");
        agent.end();
        at(&sandbox.show(&asked), "/status", "pending");
        let mut agent = Talking::legacy(sandbox, &["--may-answer"]);
        at(&agent.done("answer", &json!({"id": asked, "choice": "a"})), "/state", "answered");
        let shown = sandbox.show(&asked);
        at(&shown, "/answer/via", "mcp");
        assert!(shown["answer"]["by"].as_str().unwrap().starts_with("mcp@"), "{shown}");
        let approval = sandbox.ok(&["ask", "May it?", "--subject", "-", "--no-wait"]);
        let why = agent.fails("answer", &json!({"id": approval.trim(), "choice": "yes"}));
        assert!(why.contains("answered by a person"), "{why}");
        agent.end();
    }
    at(&server.local().get("/v1/decisions?status=answered").json(), "/items/0/answer/auth", "token");
}

#[test]
fn one_agent_neither_cancels_nor_uses_what_another_asked() {
    let server = Server::start();
    for sandbox in [&Sandbox::new(), &server.sandbox] {
        let mut one = Talking::legacy(sandbox, &["--as", "claude-code"]);
        // Calling itself what the other is called does not make it that one.
        let mut other = Talking::named(sandbox, &["--as", "codex"], "claude-code");
        let asked = id(&one.done("ask", &approval()));
        for (tool, more) in [
            ("cancel", json!({})),
            ("show", json!({})),
            ("revise", json!({"title": "Harmless"})),
            ("consume", json!({"subject": {"run": "rm -rf /"}})),
        ] {
            let mut arguments = more;
            arguments["id"] = asked.as_str().into();
            let why = other.fails(tool, &arguments);
            assert!(why.starts_with("not_found"), "{tool}: {why}");
        }
        at(&one.done("cancel", &json!({"id": asked})), "/state", "cancelled");
        one.end();
        other.end();
        // Each has a credential of its own, which only its owner can read; with it comes back what it asked.
        let kept: Vec<_> =
            std::fs::read_dir(sandbox.home().join("agents")).unwrap().map(Result::unwrap).collect();
        assert_eq!(kept.iter().filter(|file| file.path().extension().is_some()).count(), 2);
        for file in &kept {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        let mut again = Talking::named(sandbox, &["--as", "claude-code"], "another");
        at(&again.done("show", &json!({"id": asked})), "/decision/status", "cancelled");
        again.end();
    }
}

#[test]
fn a_revoked_credential_is_not_made_anew_by_itself() {
    let sandbox = Sandbox::new();
    let mut agent = Talking::legacy(&sandbox, &[]);
    agent.done("ask", &question());
    agent.end();
    let tokens = sandbox.json(&["token", "list", "--json"]);
    at(&tokens, "/0/role", "agent");
    at(&tokens, "/0/projects", json!(["default"]));
    sandbox.ok(&["token", "revoke", tokens[0]["id"].as_str().unwrap()]);
    let mut agent = Talking::legacy(&sandbox, &[]);
    let why = agent.fails("ask", &question());
    assert!(why.contains("was revoked"), "{why}");
    agent.end();
}

#[test]
fn what_a_client_calls_itself_is_a_claim_and_no_credential() {
    let server = Server::start();
    for sandbox in [&Sandbox::new(), &server.sandbox] {
        let mut credentials = Vec::new();
        for name in ["coder", "claude-code", "codex", "job-1", "../../x", "ana", ""] {
            let mut agent = Talking::named(sandbox, &[], name);
            let asked = sandbox.show(&id(&agent.done("ask", &question())));
            let claim = if name.is_empty() { json!(null) } else { json!(format!("mcp:{name}")) };
            at(&asked, "/requested_by", claim);
            credentials.push(asked["asked_by"].clone());
            agent.end();
        }
        let tokens = sandbox.json(&["token", "list", "--json"]);
        assert_eq!(tokens.as_array().unwrap().len(), 1, "one door and folder, one credential: {tokens}");
        let name = tokens[0]["name"].as_str().unwrap();
        assert!(name.starts_with("mcp@"), "{name}");
        let checked = credentials.iter().filter(|by| !by.is_null());
        assert!(checked.clone().all(|by| by == name), "{credentials:?}");
        // Revoking it ends it for every name.
        sandbox.ok(&["token", "revoke", tokens[0]["id"].as_str().unwrap()]);
        let mut agent = Talking::named(sandbox, &[], "fresh");
        assert!(agent.fails("ask", &question()).contains("was revoked"));
        agent.end();
        sandbox.refuses(&["mcp", "--as", "a\u{202e}b"], 2, &["--as must not contain"]);
    }
}

#[test]
fn folders_of_one_name_have_credentials_of_different_names() {
    let sandbox = Sandbox::new();
    let mut made = Vec::new();
    for (folder, arguments) in [
        ("one/app", &[][..]),
        ("two/app", &[]),
        ("one/app", &["--may-answer"]),
        ("two/app", &["--may-answer"]),
    ] {
        let folder = sandbox.path(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut agent = Talking::within(&sandbox, &folder, arguments);
        agent.done("ask", &question());
        agent.end();
        let tokens = sandbox.json(&["token", "list", "--json"]);
        let known: Vec<_> = made.iter().map(|(id, _): &(String, String)| id.clone()).collect();
        let text = |token: &Value, key: &str| token[key].as_str().unwrap().to_owned();
        let fresh = tokens.as_array().unwrap().iter().find(|token| !known.contains(&text(token, "id")));
        made.push(fresh.map(|token| (text(token, "id"), text(token, "name"))).unwrap());
    }
    let names: Vec<_> = made.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names[0], "mcp@app");
    assert!(names[1].starts_with("mcp@app-") && names[1].len() == "mcp@app-".len() + 8, "{names:?}");
    // What may answer is known by the same name as what asks there: it does not answer that.
    assert_eq!(names[2..], names[..2]);
}

fn names(listed: &Value) -> Vec<String> {
    let tools = listed["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn decision_points_are_read_by_all_and_listed_on_request() {
    let server = Server::start();
    for sandbox in [&Sandbox::new(), &server.sandbox] {
        sandbox.ok(&["bd", "decision", "create", "bd-1", "--prompt", "Q", "--option", "a:A"]);
        let private = sandbox.ask_a_or_b();
        let mut agent = Talking::legacy(sandbox, &[]);
        let listed = agent.ok("tools/list", json!({}));
        assert_eq!(names(&listed), ["ask", "wait", "revise", "cancel", "consume", "approval_prompt"]);
        for tool in listed["tools"].as_array().unwrap() {
            let settles = ["answer", "cancel", "consume"].contains(&tool["name"].as_str().unwrap());
            at(tool, "/annotations/destructiveHint", settles);
        }
        let points = agent.done("bd_decision_list", &json!({}));
        at(&points, "/decisions/0/issue_id", "bd-1");
        assert_eq!(points["decisions"].as_array().unwrap().len(), 1);
        at(&agent.done("bd_decision_show", &json!({"issue_id": "bd-1"})), "/issue_id", "bd-1");
        assert!(agent.fails("show", &json!({"id": private})).starts_with("not_found"));
        let respond = json!({"issue_id": "bd-1", "option": "a"});
        assert!(agent.fails("bd_decision_respond", &respond).starts_with("forbidden"));
        agent.end();
        let mut agent = Talking::legacy(sandbox, &["--bd", "--may-answer"]);
        let listed = names(&agent.ok("tools/list", json!({})));
        assert_eq!(listed.len(), 13, "those that answer, and those for work items: {listed:?}");
        at(&agent.done("bd_decision_respond", &respond), "/selected_option", "a");
        agent.end();
    }
}

fn call(api: &Api, tool: &str, arguments: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    let api = api.clone().with("Accept", "application/json");
    api.with("MCP-Protocol-Version", "2025-11-25").post("/mcp", &message).is(200).json()["result"].clone()
}

#[test]
fn over_http_a_persons_credential_does_not_let_a_program_answer() {
    let server = Server::start();
    let asked = server.local().ask();
    let answer = json!({"id": asked, "choice": "a"});
    for api in [server.local(), server.token("ana", "person", &[]), server.token("root", "admin", &[])] {
        let told = call(&api, "answer", &answer);
        at(&told, "/isError", true);
        assert!(told["content"][0]["text"].as_str().unwrap().starts_with("forbidden"), "{told}");
        // Nor does it take back what others asked.
        at(&call(&api, "cancel", &json!({"id": asked})), "/isError", true);
    }
    at(&server.local().decision(&asked).json(), "/status", "pending");
    let new = json!({"name": "helper", "role": "agent", "permissions": ["answer"]});
    let made = server.local().post("/v1/tokens", &new).is(201).json();
    let helper = server.nobody().bearing(made["secret"].as_str().unwrap());
    at(&call(&helper, "answer", &answer), "/structuredContent/state", "answered");
    at(&server.local().decision(&asked).json(), "/answer/via", "mcp");
}

#[test]
fn where_nobody_is_asked_who_they_are_a_connection_still_answers_nothing() {
    let server = Server::open();
    let asked = server.nobody().ask();
    at(&call(&server.nobody(), "answer", &json!({"id": asked, "choice": "a"})), "/isError", true);
    let sandbox = Sandbox::new().with("HOLD_URL", &server.url());
    for arguments in [&[][..], &["--may-answer"]] {
        let mut agent = Talking::legacy(&sandbox, arguments);
        cannot_approve_itself(&mut agent);
        agent.end();
    }
    let mut agent = Talking::legacy(&sandbox, &["--may-answer"]);
    at(&agent.done("answer", &json!({"id": asked, "choice": "a"})), "/state", "answered");
    at(&server.nobody().decision(&asked).json(), "/answer/auth", "claimed");
    at(&server.nobody().decision(&asked).json(), "/answer/via", "mcp");
    agent.end();
}
