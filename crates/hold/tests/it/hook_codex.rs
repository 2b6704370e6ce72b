//! The hooks of Codex: what goes in and what comes out is as on the wire.

use serde_json::{Value, json};

use crate::hook_claude::{Hook, pending};
use crate::sandbox::{Sandbox, at};

fn input(event: &str, turn: &str, more: &Value) -> String {
    let mut input = json!({"session_id": "0199-4f1c", "turn_id": turn, "transcript_path": null, "cwd": "/srv/app",
        "hook_event_name": event, "model": "gpt-5", "permission_mode": "default"});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input.to_string()
}

fn bash(command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": command, "description": "needs the network"}})
}

fn permission(decision: &Value) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}

#[test]
fn a_reply_says_allow_or_deny_and_nothing_else() {
    let sandbox = Sandbox::new().looking();
    let ask = input("PermissionRequest", "t1", &bash("npm ci"));
    for (answer, told) in [
        (&["approve", "-m", "fine"][..], json!({"behavior": "allow"})),
        (&["deny", "-m", "use the mirror"], json!({"behavior": "deny", "message": "use the mirror"})),
    ] {
        let hook = Hook::of("codex", &sandbox, &["PermissionRequest"], &ask);
        let id = pending(&sandbox);
        let shown = sandbox.show(&id);
        at(&shown, "/requested_by", "codex:0199-4f1c");
        at(&shown, "/owner", "thread:0199-4f1c");
        at(&shown, "/origin/protocol", "codex");
        // What Codex could not be told is not offered.
        assert_eq!((shown["fields"].as_array().unwrap().len(), &shown["outs"]), (1, &json!([])));
        sandbox.ok(&[&["answer", &id], answer].concat());
        assert_eq!(hook.told(), permission(&told));
    }
    // Silence is a no.
    let hook = Hook::of("codex", &sandbox, &["PermissionRequest", "--timeout", "50ms"], &ask);
    at(&hook.told(), "/hookSpecificOutput/decision/behavior", "deny");
    sandbox.is_well();
}

#[test]
fn a_patch_is_named_by_its_files_and_shown_as_changed_lines() {
    let sandbox = Sandbox::new().looking();
    let patch =
        "*** Begin Patch\n*** Update File: a.rs\n@@\n-old\n+new\n*** Add File: b.md\n+hello\n*** End Patch";
    let call = json!({"tool_name": "apply_patch", "tool_input": {"command": patch}});
    let hook = Hook::of("codex", &sandbox, &["PermissionRequest"], &input("PermissionRequest", "t1", &call));
    let id = pending(&sandbox);
    at(&sandbox.show(&id), "/title", "apply_patch: a.rs, b.md");
    let shown = sandbox.ok(&["show", &id]);
    assert!(shown.contains("    - old\n    + new\n") && shown.contains("  b.md:\n"), "{shown}");
    sandbox.ok(&["answer", &id, "approve"]);
    assert_eq!(hook.told(), permission(&json!({"behavior": "allow"})));
}

#[test]
fn a_guarded_call_is_asked_about_once() {
    let sandbox = Sandbox::new().looking();
    let call = |turn: &str, id: &str| {
        let mut call = bash("terraform apply");
        call["tool_use_id"] = id.into();
        call["tool_input"].as_object_mut().unwrap().remove("description");
        input("PreToolUse", turn, &call)
    };
    let asks = |turn: &str| input("PermissionRequest", turn, &bash("terraform apply"));
    let hook = Hook::of("codex", &sandbox, &["PreToolUse"], &call("t1", "call_1"));
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "approve"]);
    assert_eq!(hook.told(), Value::Null, "Codex has no word for a yes before a tool");
    let told = Hook::of("codex", &sandbox, &["PermissionRequest"], &asks("t1")).told();
    assert_eq!(told, permission(&json!({"behavior": "allow"})), "nobody is asked twice");
    assert_eq!(sandbox.json(&["list", "--status", "all", "--json"]).as_array().unwrap().len(), 1);

    // A no says nothing that would make Codex drop it, and counts for no other turn.
    let hook = Hook::of("codex", &sandbox, &["PreToolUse"], &call("t2", "call_2"));
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "deny", "-m", "not today"]);
    let denied = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "not today"}});
    assert_eq!(hook.told(), denied);
    let hook = Hook::of("codex", &sandbox, &["PermissionRequest"], &asks("t2"));
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "deny"]);
    at(&hook.told(), "/hookSpecificOutput/decision/behavior", "deny");
}

#[test]
fn what_cannot_be_read_is_refused_and_says_how_to_take_the_hooks_out() {
    let sandbox = Sandbox::new().looking();
    for (event, place) in [
        ("PermissionRequest", "/hookSpecificOutput/decision/message"),
        ("PreToolUse", "/hookSpecificOutput/permissionDecisionReason"),
    ] {
        let told = Hook::of("codex", &sandbox, &[event], "not json").told();
        let why = told.pointer(place).and_then(Value::as_str).unwrap();
        assert!(why.contains("hold hook uninstall codex"), "{told}");
        assert!(told.get("continue").is_none());
    }
    let told = Hook::of("codex", &sandbox, &["PermissionRequest", "--on-failure", "ask"], "not json").told();
    assert_eq!(told, Value::Null, "Codex asks by itself");
    let asks = input("PreToolUse", "t1", &bash("ls"));
    let told = Hook::of("codex", &sandbox, &["PreToolUse", "--defer"], &asks).told();
    at(&told, "/hookSpecificOutput/permissionDecision", "deny");
}

#[test]
fn a_turn_that_ends_is_shown_by_stop_and_by_notify() {
    let sandbox = Sandbox::new().looking();
    let stop = input(
        "Stop",
        "t1",
        &json!({"last_assistant_message": "Done. Shall I push?", "stop_hook_active": false}),
    );
    let hook = Hook::of("codex", &sandbox, &["Stop", "--idle"], &stop);
    let id = pending(&sandbox);
    at(&sandbox.show(&id), "/prompt", "Done. Shall I push?");
    sandbox.ok(&["answer", &id, "nudge", "-m", "yes, push"]);
    assert_eq!(hook.told(), json!({"decision": "block", "reason": "yes, push"}));

    let said = json!({"type": "agent-turn-complete", "thread-id": "0199-4f1c", "turn-id": "t2", "cwd": "/srv/app",
        "input-messages": ["fix it"], "last-assistant-message": "Fixed."});
    sandbox.run(&["hook", "codex", "notify", &said.to_string()]).exits(0);
    let shown = sandbox.show(&pending(&sandbox));
    at(&shown, "/source", "idle");
    at(&shown, "/prompt", "Fixed.");
    at(&shown, "/requested_by", "codex:0199-4f1c");
    // Shown once, however often it is said.
    sandbox.run(&["hook", "codex", "notify", &said.to_string()]).exits(0);
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1);
    // A new prompt takes it back.
    let next = input("UserPromptSubmit", "t3", &json!({"prompt": "go on"}));
    assert_eq!(Hook::of("codex", &sandbox, &["UserPromptSubmit"], &next).told(), Value::Null);
    assert_eq!(sandbox.json(&["list", "--json"]), json!([]));
}

#[test]
fn the_hooks_are_put_beside_what_is_there_and_taken_out_again() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("codex-home");
    std::fs::create_dir(&folder).unwrap();
    let sandbox = sandbox.with("CODEX_HOME", folder.to_str().unwrap());
    let file = folder.join("hooks.json");
    let before =
        "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\"}]}]}\n}\n";
    std::fs::write(&file, before).unwrap();
    sandbox.run(&["hook", "install", "codex", "--defer", "--yes"]).exits(2);
    let ran = sandbox.run(&["hook", "install", "codex", "--guard", "Bash|apply_patch", "--yes"]).exits(0);
    assert!(ran.err.contains("/hooks"), "the review of Codex is named: {}", ran.err);
    let hooks: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let command = |place: &str| hooks.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned();
    assert!(command("/hooks/PermissionRequest/0/hooks/0/command").ends_with(" hook codex PermissionRequest"));
    assert!(command("/hooks/PreToolUse/0/hooks/0/command").ends_with(" hook codex PreToolUse"));
    at(&hooks, "/hooks/PreToolUse/0/matcher", "Bash|apply_patch");
    at(&hooks, "/hooks/PermissionRequest/0/hooks/0/timeout", 3600);
    at(&hooks, "/hooks/Stop/0/hooks/0/command", "beep");
    assert_eq!(hooks.as_object().unwrap().len(), 1, "nothing but hooks: {hooks}");
    assert!(!hooks.to_string().contains("onFailure"), "Codex knows no such member");
    sandbox.run(&["hook", "uninstall", "codex", "--yes"]).exits(0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}
