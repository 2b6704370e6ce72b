//! What a person answers in Claude Code's own dialog is settled by what the session does next.

use std::io::Write as _;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::process::TIMEOUT;
use crate::sandbox::{HOLD, Sandbox, at};

fn call(event: &str, prompt: &str, command: &str) -> Value {
    json!({"session_id": "4f1c", "cwd": "/srv/app", "prompt_id": prompt, "hook_event_name": event,
        "tool_name": "Bash", "tool_input": {"command": command}})
}

fn start(sandbox: &Sandbox, input: &Value) -> Child {
    let mut command = sandbox.program(HOLD);
    command.args(["hook", "claude", input["hook_event_name"].as_str().unwrap()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    child
}

fn told(child: Child) -> String {
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    String::from_utf8(ended.stdout).unwrap()
}

/// Waits until this many are pending; the oldest first.
fn pending(sandbox: &Sandbox, wanted: usize) -> Vec<Value> {
    let end = std::time::Instant::now() + TIMEOUT;
    loop {
        let listed = sandbox.json(&["list", "--json"]).as_array().unwrap().clone();
        if listed.len() == wanted {
            return listed;
        }
        assert!(std::time::Instant::now() < end, "{} are pending, not {wanted}", listed.len());
    }
}

fn named(listed: &[Value], command: &str) -> String {
    let found = listed.iter().find(|one| one["subject"]["input"]["command"] == command).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_call_that_ran_was_answered_in_the_terminal() {
    for event in ["PostToolUse", "PostToolUseFailure"] {
        let sandbox = Sandbox::new().looking();
        // Calls stand side by side; one dialog is shown at a time.
        let first = start(&sandbox, &call("PermissionRequest", "p1", "ls"));
        let second = start(&sandbox, &call("PermissionRequest", "p1", "rm x"));
        let both = pending(&sandbox, 2);
        let (ls, rm) = (named(&both, "ls"), named(&both, "rm x"));
        // What another session, another prompt or another call did says nothing.
        let mut other = call(event, "p1", "ls");
        other["session_id"] = "other".into();
        for input in [other, call(event, "p2", "ls"), call(event, "p1", "ls -l")] {
            assert_eq!(told(start(&sandbox, &input)), "");
        }
        pending(&sandbox, 2);
        assert_eq!(told(start(&sandbox, &call(event, "p1", "ls"))), "");
        let shown = sandbox.show(&ls);
        at(&shown, "/status", "cancelled");
        at(&shown, "/reason", "answered in the terminal");
        at(&sandbox.show(&rm), "/status", "pending");
        let late = sandbox.run(&["answer", &ls, "deny"]).exits(4);
        assert!(late.err.contains("answered in the terminal"), "{late}");
        assert!(told(first).contains("deny"), "who still holds is told no, and nobody listens");
        sandbox.ok(&["answer", &rm, "deny"]);
        assert!(told(second).contains("deny"));
        sandbox.is_well();
    }
}

#[test]
fn a_new_prompt_or_the_end_of_the_turn_leaves_no_dialog_open() {
    for event in ["UserPromptSubmit", "Stop"] {
        let sandbox = Sandbox::new().looking();
        let held = start(&sandbox, &call("PermissionRequest", "p1", "ls"));
        let mut within = call("PermissionRequest", "p1", "make");
        within["agent_id"] = "sub-1".into();
        let sub_agent = start(&sandbox, &within);
        let both = pending(&sandbox, 2);
        let (ls, make) = (named(&both, "ls"), named(&both, "make"));
        let goes_on = json!({"session_id": "4f1c", "prompt_id": "p2", "hook_event_name": event,
            "background_tasks": [{"id": "sub-1", "type": "agent", "status": "running"}]});
        assert_eq!(told(start(&sandbox, &goes_on)), "");
        at(&sandbox.show(&ls), "/reason", "answered in the terminal");
        at(&sandbox.show(&make), "/status", "pending");
        sandbox.ok(&["answer", &make, "deny"]);
        told(held);
        told(sub_agent);
    }
}

#[test]
fn plans_and_questions_are_settled_too() {
    let plan = json!({"tool_name": "ExitPlanMode", "tool_input": {"plan": "1. Delete it all"}});
    let question = json!({"tool_name": "AskUserQuestion", "tool_input": {"questions": [
        {"question": "Which?", "header": "Which", "multiSelect": false,
         "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]}]}});
    for (tool, event) in [(&plan, "UserPromptSubmit"), (&plan, "Stop"), (&question, "Stop")] {
        let sandbox = Sandbox::new().looking();
        let mut input = json!({"session_id": "4f1c", "cwd": "/srv/app", "prompt_id": "p1", "hook_event_name": "PreToolUse"});
        for (key, value) in tool.as_object().unwrap() {
            input[key] = value.clone();
        }
        let mut held = start(&sandbox, &input);
        let asked = pending(&sandbox, 1)[0]["id"].as_str().unwrap().to_owned();
        // Killed, it takes nothing back; Claude Code then asks by itself.
        held.kill().unwrap();
        held.wait().unwrap();
        let goes_on = json!({"session_id": "4f1c", "prompt_id": "p2", "hook_event_name": event});
        assert_eq!(told(start(&sandbox, &goes_on)), "");
        at(&sandbox.show(&asked), "/reason", "answered in the terminal");
        sandbox.run(&["answer", &asked, "1"]).exits(4);
    }
}

#[test]
fn of_two_calls_that_are_alike_the_one_still_asked_about_stays_open() {
    let sandbox = Sandbox::new().looking();
    let held = [0, 1].map(|_| start(&sandbox, &call("PermissionRequest", "p1", "ls")));
    let both = pending(&sandbox, 2);
    sandbox.ok(&["answer", both[0]["id"].as_str().unwrap(), "approve"]);
    let end = std::time::Instant::now() + TIMEOUT;
    while sandbox.show(both[0]["id"].as_str().unwrap())["consumed_at"].is_null() {
        assert!(std::time::Instant::now() < end, "the yes is not used");
    }
    assert_eq!(told(start(&sandbox, &call("PostToolUse", "p1", "ls"))), "");
    at(&sandbox.show(both[1]["id"].as_str().unwrap()), "/status", "pending");
    sandbox.ok(&["answer", both[1]["id"].as_str().unwrap(), "deny"]);
    for hook in held {
        told(hook);
    }
}

#[test]
fn a_guarded_tool_is_asked_about_in_every_mode() {
    let sandbox = Sandbox::new().looking();
    sandbox.link("hold");
    sandbox
        .shell("hold hook install claude --yes --guard 'mcp__db__.*' --guard Bash")
        .exits(0)
        .says("default");
    let text = std::fs::read_to_string(sandbox.path(".claude/settings.local.json")).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    at(&settings, "/permissions/defaultMode", "default");
    at(&settings, "/hooks/PreToolUse/1/matcher", "mcp__db__.*");
    let command = settings["hooks"]["PreToolUse"][2]["hooks"][0]["command"].as_str().unwrap();
    let input = call("PreToolUse", "p1", "ls").to_string();
    let asked = sandbox.shell(&format!("echo '{input}' | {command}")).exits(0);
    at(&asked.json(), "/hookSpecificOutput/permissionDecision", "ask");
    assert_eq!(sandbox.tags(), Vec::<String>::new(), "whether it is asked is Claude Code's to do");
    let status = settings["hooks"]["PermissionRequest"][0]["hooks"][0]["statusMessage"].as_str().unwrap();
    assert!(status.contains("hold inbox"), "{status}");
}

#[test]
fn the_mode_that_was_there_comes_back() {
    let theirs = r#"{"permissions": {"defaultMode": "acceptEdits"}}"#;
    let sandbox = Sandbox::new().with("CLAUDE_CONFIG_DIR", "/nowhere/.claude");
    let file = sandbox.path(".claude/settings.local.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let read = || -> Value { serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap() };
    std::fs::write(&file, theirs).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    at(&read(), "/permissions/defaultMode", "default");
    // Also where something else was changed meanwhile, and after a second installation.
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap().replacen('{', "{\"model\": \"opus\",", 1))
        .unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes", "--idle"]).exits(0);
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    at(&read(), "/permissions/defaultMode", "acceptEdits");
    // What an older version put into the settings that are committed comes out of there.
    let old = sandbox.path(".claude/settings.json");
    std::fs::write(
        &old,
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/x/hold hook claude Stop"}]}]}}"#,
    )
    .unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(1).says("older version");
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    assert!(!std::fs::read_to_string(&old).unwrap().contains("hook claude"));
}
