//! The hooks of Gemini CLI and of our plugin for opencode: what goes in and what comes out is as on the wire.

use serde_json::{Value, json};

use crate::hook_claude::{Hook, pending};
use crate::sandbox::{Sandbox, at};

fn input(tool: &str, input: &Value) -> String {
    json!({"session_id": "7d880f6d", "transcript_path": "/x.jsonl", "cwd": "/srv/app", "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": tool, "tool_input": input})
    .to_string()
}

#[test]
fn a_call_is_allowed_or_denied_and_silence_is_a_no() {
    let sandbox = Sandbox::new().looking();
    let ask = input("run_shell_command", &json!({"command": "npm ci", "description": "install"}));
    for (answer, told) in [
        (&["approve", "-m", "fine"][..], json!({"decision": "allow"})),
        (&["deny", "-m", "use the mirror"], json!({"decision": "deny", "reason": "use the mirror"})),
    ] {
        let hook = Hook::of("gemini", &sandbox, &["BeforeTool"], &ask);
        let id = pending(&sandbox);
        let shown = sandbox.show(&id);
        at(&shown, "/requested_by", "gemini:7d880f6d");
        at(&shown, "/title", "run_shell_command: npm ci");
        at(&shown, "/origin/protocol", "gemini-cli");
        assert_eq!((shown["fields"].as_array().unwrap().len(), &shown["outs"]), (1, &json!([])));
        sandbox.ok(&[&["answer", &id], answer].concat());
        assert_eq!(hook.told(), told);
    }
    let hook = Hook::of("gemini", &sandbox, &["BeforeTool", "--timeout", "50ms"], &ask);
    at(&hook.told(), "/decision", "deny");
    sandbox.is_well();
}

#[test]
fn what_cannot_be_asked_about_is_denied() {
    let sandbox = Sandbox::new();
    for text in ["", "{}", "[]", "{\"hook_event_name\": \"AfterTool\", \"session_id\": \"s\"}"] {
        let hook = Hook::of("gemini", &sandbox, &["BeforeTool"], text);
        at(&hook.told(), "/decision", "deny");
        let hook = Hook::of("gemini", &sandbox, &["BeforeTool", "--on-failure", "ask"], text);
        at(&hook.told(), "/decision", "ask");
    }
}

#[test]
fn an_edit_is_shown_as_changed_lines() {
    let sandbox = Sandbox::new().looking();
    let edit =
        json!({"file_path": "a.rs", "instruction": "rename", "old_string": "old\n", "new_string": "new\n"});
    let hook = Hook::of("gemini", &sandbox, &["BeforeTool"], &input("replace", &edit));
    let id = pending(&sandbox);
    let shown = sandbox.ok(&["show", &id]);
    assert!(shown.contains("    - old\n    + new\n") && shown.contains("rename"), "{shown}");
    sandbox.ok(&["answer", &id, "approve"]);
    assert_eq!(hook.told(), json!({"decision": "allow"}));
}

#[test]
fn a_plugin_of_opencode_is_told_the_same() {
    let sandbox = Sandbox::new().looking();
    let edit = json!({"filePath": "a.rs", "oldString": "old\n", "newString": "new\n"});
    let call = json!({"session_id": "ses_1", "cwd": "/srv/app", "hook_event_name": "PreToolUse", "tool_name": "edit",
        "tool_input": edit, "tool_use_id": "call_0"})
    .to_string();
    for (choice, told) in [
        ("approve", json!({"decision": "allow"})),
        // A call of the same id is the same call, and its yes is used up.
        ("", json!("deny")),
    ] {
        let hook = Hook::of("opencode", &sandbox, &["PreToolUse"], &call);
        if choice.is_empty() {
            at(&hook.told(), "/decision", told);
            continue;
        }
        let id = pending(&sandbox);
        at(&sandbox.show(&id), "/requested_by", "opencode:ses_1");
        at(&sandbox.show(&id), "/title", "edit: a.rs");
        let shown = sandbox.ok(&["show", &id]);
        assert!(shown.contains("    - old\n    + new\n"), "{shown}");
        sandbox.ok(&["answer", &id, choice]);
        assert_eq!(hook.told(), told);
    }
}

#[test]
fn the_hook_is_put_beside_what_is_there_and_taken_out_again() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("home");
    std::fs::create_dir_all(folder.join(".gemini")).unwrap();
    let sandbox = sandbox.with("HOME", folder.to_str().unwrap());
    let file = folder.join(".gemini/settings.json");
    let before = "{\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}\n}\n";
    std::fs::write(&file, before).unwrap();
    sandbox.run(&["hook", "install", "gemini", "--defer", "--yes"]).exits(2);
    for (flags, matcher, ends) in [
        (
            &[][..],
            "run_shell_command|write_file|replace|web_fetch|mcp_.*",
            " hook gemini BeforeTool || exit 2",
        ),
        (
            &["--guard", "write_.*", "--on-failure", "ask"],
            "write_.*",
            " hook gemini BeforeTool --on-failure ask",
        ),
    ] {
        sandbox.run(&[&["hook", "install", "gemini", "--yes"], flags].concat()).exits(0);
        let settings: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let hook = &settings["hooks"]["BeforeTool"];
        assert_eq!(hook.as_array().unwrap().len(), 1, "{settings}");
        at(hook, "/0/matcher", matcher);
        at(hook, "/0/hooks/0/timeout", 3_600_000);
        assert!(hook[0]["hooks"][0]["command"].as_str().unwrap().ends_with(ends), "{settings}");
        at(&settings, "/security/auth/selectedType", "gemini-api-key");
        assert_eq!(settings.as_object().unwrap().len(), 2, "{settings}");
    }
    sandbox.run(&["hook", "install", "gemini", "--yes", "--idle"]).exits(2).says("remove --idle");
    sandbox.run(&["hook", "uninstall", "gemini", "--yes"]).exits(0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn what_an_installation_made_goes_with_it() {
    let sandbox = Sandbox::new().looking();
    let home = sandbox.path("user");
    std::fs::create_dir(&home).unwrap();
    let sandbox =
        sandbox.with("HOME", home.to_str().unwrap()).with("XDG_CONFIG_HOME", "").with("CODEX_HOME", "");
    let left = || -> Vec<String> {
        let entries = std::fs::read_dir(&home).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    for agent in ["gemini", "codex", "opencode"] {
        sandbox.ok(&["hook", "install", agent, "--yes"]);
        sandbox.ok(&["hook", "install", agent, "--yes", "--timeout", "10m"]);
        assert_eq!(left().len(), 1, "{agent}");
        sandbox.ok(&["hook", "uninstall", agent, "--yes"]);
        assert_eq!(left(), [""; 0], "{agent}");
    }
    // A folder that was there, or that has something else in it, stays.
    std::fs::create_dir(home.join(".gemini")).unwrap();
    sandbox.ok(&["hook", "install", "gemini", "--yes"]);
    sandbox.ok(&["hook", "install", "codex", "--yes"]);
    std::fs::write(home.join(".codex/mine"), "").unwrap();
    let hook = Hook::of("codex", &sandbox, &["PermissionRequest"], &codex_call());
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "deny"]);
    hook.told();
    sandbox.ok(&["hook", "uninstall", "gemini", "--yes"]);
    // The credential that the hooks used is named, with the way to end it.
    let gone = sandbox.run(&["hook", "uninstall", "codex", "--yes"]).exits(0);
    let mut left = left();
    left.sort();
    assert_eq!(left, [".codex", ".gemini"]);
    let said = gone.err.lines().find(|line| line.contains("hold token revoke")).unwrap();
    assert!(said.contains("Its credential codex@"), "{gone}");
    let id = said.rsplit(' ').next().unwrap();
    assert!(sandbox.ok(&["token", "revoke", id]).starts_with("Revoked"));
}

fn codex_call() -> String {
    json!({"session_id": "s", "turn_id": "t", "cwd": "/srv/app", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": "npm ci"}})
    .to_string()
}

#[test]
fn the_plugin_for_opencode_is_written_and_removed_again() {
    let sandbox = Sandbox::new();
    let home = sandbox.path("home");
    let sandbox = sandbox.with("HOME", home.to_str().unwrap()).with("XDG_CONFIG_HOME", "");
    let file = home.join(".config/opencode/plugin/holdpoint.js");
    let plugin = || std::fs::read_to_string(&file).unwrap();
    for (flag, why) in [
        (&["--guard", "x"][..], "asks about every tool"),
        (&["--idle"], "is not told when a session stops"),
        (&["--defer"], "cannot resume a call"),
        (&["--on-failure", "ask"], "only allow or refuse"),
        (&["--timeout", "1ms"], "at least 1s"),
    ] {
        sandbox.run(&[&["hook", "install", "opencode", "--yes"], flag].concat()).exits(1).says(why);
    }
    assert!(!file.exists());
    let shown = sandbox.ok(&["hook", "install", "opencode", "--yes"]);
    assert!(shown.contains("+export const Holdpoint"), "{shown}");
    let command = plugin().lines().find_map(|line| line.strip_prefix("const COMMAND = ").map(str::to_owned));
    let command: Vec<String> = serde_json::from_str(command.unwrap().trim_end_matches(';')).unwrap();
    assert!(std::path::Path::new(&command[0]).is_absolute(), "{command:?}");
    assert_eq!(command[1..], ["hook", "opencode", "PreToolUse"]);
    // Installed again, over an older one that somebody has edited too, it is still removed whole.
    sandbox.ok(&["hook", "install", "opencode", "--yes", "--timeout", "10m"]);
    assert!(plugin().contains(r#""PreToolUse","--timeout","#), "{}", plugin());
    std::fs::write(&file, plugin() + "// mine\n").unwrap();
    sandbox.ok(&["hook", "uninstall", "opencode", "--yes"]);
    assert!(!file.exists());
    // What is not ours is given back, and never removed.
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "// somebody's own\n").unwrap();
    sandbox.ok(&["hook", "uninstall", "opencode", "--yes"]);
    sandbox.ok(&["hook", "install", "opencode", "--yes"]);
    sandbox.ok(&["hook", "uninstall", "opencode", "--yes"]);
    assert_eq!(plugin(), "// somebody's own\n");
}
