//! Claude Code's hooks, as commands and over HTTP: what goes in and what comes out is as on the wire.

use std::io::Write as _;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::process::TIMEOUT;
use crate::sandbox::{HOLD, Sandbox, at};
use crate::server::Server;

fn input(event: &str, more: &Value) -> String {
    let mut input = json!({"session_id": "4f1c", "transcript_path": "/t.jsonl", "cwd": "/srv/app",
        "permission_mode": "default", "hook_event_name": event});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input.to_string()
}

fn bash(command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_1"})
}

/// A hook under way.
pub(crate) struct Hook(std::process::Child);

impl Hook {
    fn start(sandbox: &Sandbox, arguments: &[&str], input: &str) -> Self {
        Self::of("claude", sandbox, arguments, input)
    }

    /// Starts a hook of an agent.
    pub(crate) fn of(agent: &str, sandbox: &Sandbox, arguments: &[&str], input: &str) -> Self {
        let mut command = sandbox.program(HOLD);
        command.args(["hook", agent]).args(arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Self(child)
    }

    /// Waits for its end and returns what it printed.
    #[track_caller]
    pub(crate) fn told(self) -> Value {
        let ended = self.0.wait_with_output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
        if ended.stdout.is_empty() { Value::Null } else { serde_json::from_slice(&ended.stdout).unwrap() }
    }
}

/// Waits until something is pending, and returns its id.
#[track_caller]
pub(crate) fn pending(sandbox: &Sandbox) -> String {
    let end = std::time::Instant::now() + TIMEOUT;
    loop {
        if let Some(id) = sandbox.json(&["list", "--json"])[0]["id"].as_str() {
            return id.to_owned();
        }
        assert!(std::time::Instant::now() < end, "nothing is asked");
    }
}

#[test]
fn a_permission_is_held_allowed_denied_and_edited() {
    let sandbox = Sandbox::new().looking();
    let ask = input(
        "PermissionRequest",
        &json!({"tool_name": "Bash", "tool_input": {"command": "rm -rf build"},
        "permission_suggestions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]}),
    );
    for (answer, wanted) in [
        (vec!["approve"], json!({"behavior": "allow", "updatedInput": {"command": "rm -rf build"}})),
        (
            vec!["deny", "-m", "use trash"],
            json!({"behavior": "deny", "message": "use trash", "interrupt": false}),
        ),
        (
            vec!["approve", "--set", "input=trash build"],
            json!({"behavior": "allow", "updatedInput": {"command": "trash build"}}),
        ),
        (vec!["stop", "-m", "enough"], json!({"behavior": "deny", "message": "enough", "interrupt": true})),
    ] {
        let hook = Hook::start(&sandbox, &["PermissionRequest"], &ask);
        let id = pending(&sandbox);
        let shown = sandbox.show(&id);
        let call = json!({"tool": "Bash", "input": {"command": "rm -rf build"}, "cwd": "/srv/app"});
        at(&shown, "/subject", call);
        at(&shown, "/on_timeout", "deny");
        sandbox.ok(&[&["answer", &id], answer.as_slice()].concat());
        let told = hook.told();
        at(&told, "/hookSpecificOutput/hookEventName", "PermissionRequest");
        at(&told, "/hookSpecificOutput/decision", wanted.clone());
        let used = sandbox.show(&id)["consumed_at"].is_string();
        assert_eq!(used, wanted["behavior"] == "allow", "a yes is used up, a no is not");
    }
    sandbox.is_well();
}

#[test]
fn permissions_for_the_future_are_sent_back_only_if_the_person_chose_them() {
    let sandbox = Sandbox::new().looking();
    let edits = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
    let rule = json!({"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "npm test:*"}], "behavior": "allow",
        "destination": "localSettings"});
    let never = json!({"type": "setMode", "mode": "bypassPermissions", "destination": "session"});
    let ask = input(
        "PermissionRequest",
        &json!({"tool_name": "Bash", "tool_input": {"command": "npm test"}, "permission_suggestions": [edits, rule, never]}),
    );
    let hook = Hook::start(&sandbox, &["PermissionRequest"], &ask);
    let id = pending(&sandbox);
    let fields = sandbox.show(&id)["fields"].clone();
    let offered: Vec<&Value> =
        fields.as_array().unwrap().iter().filter(|field| field["kind"] == "boolean").collect();
    let label = "Also stop asking for Bash(npm test:*), in this folder (.claude/settings.local.json)";
    assert_eq!(
        offered.iter().map(|field| &field["label"]).collect::<Vec<_>>(),
        ["Also stop asking before edits, in this session", label]
    );
    let chosen = format!("{}=true", offered[1]["id"].as_str().unwrap());
    sandbox.ok(&["answer", &id, "approve", "--set", &chosen]);
    let wanted =
        json!({"behavior": "allow", "updatedInput": {"command": "npm test"}, "updatedPermissions": [rule]});
    at(&hook.told(), "/hookSpecificOutput/decision", wanted);

    // A no takes none along, and neither does a hook before the tool, which has no place for them.
    let hook = Hook::start(&sandbox, &["PermissionRequest"], &ask);
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "deny"]);
    assert_eq!(hook.told()["hookSpecificOutput"]["decision"].get("updatedPermissions"), None);
    let before = ask.replace("PermissionRequest", "PreToolUse");
    let hook = Hook::start(&sandbox, &["PreToolUse"], &before);
    let id = pending(&sandbox);
    assert!(!sandbox.show(&id)["fields"].to_string().contains("boolean"));
    sandbox.ok(&["answer", &id, "approve"]);
    at(&hook.told(), "/hookSpecificOutput/permissionDecision", "allow");
    sandbox.is_well();
}

#[test]
fn questions_and_plans_are_answered_before_the_tool() {
    let sandbox = Sandbox::new().looking();
    let questions = json!({"questions": [
        {"question": "Which framework?", "header": "F", "multiSelect": false, "options": [{"label": "React", "description": "a"}, {"label": "Vue", "description": "b"}]},
        {"question": "Which parts?", "header": "P", "multiSelect": true, "options": [{"label": "API", "description": ""}, {"label": "Web", "description": ""}]}]});
    let more = json!({"tool_name": "AskUserQuestion", "tool_input": questions, "tool_use_id": "toolu_q"});
    let hook = Hook::start(&sandbox, &["PreToolUse"], &input("PreToolUse", &more));
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "--set", "q1=vue", "--set", "q2=api,web"]);
    let told = hook.told();
    at(&told, "/hookSpecificOutput/permissionDecision", "allow");
    at(
        &told,
        "/hookSpecificOutput/updatedInput/answers",
        json!({"Which framework?": "Vue", "Which parts?": "API, Web"}),
    );
    at(&told, "/hookSpecificOutput/updatedInput/questions", questions["questions"].clone());
    // Where the permission is asked for, all is said already.
    let asked = Hook::start(&sandbox, &["PermissionRequest"], &input("PermissionRequest", &more));
    assert_eq!(asked.told(), Value::Null);

    // Guidance is the answer to the whole card, and opens no round that nobody waits for.
    let more = json!({"tool_name": "AskUserQuestion", "tool_input": questions, "tool_use_id": "toolu_q2"});
    let hook = Hook::start(&sandbox, &["PreToolUse"], &input("PreToolUse", &more));
    let id = pending(&sandbox);
    sandbox.ok(&["answer", &id, "--guidance", "ask later"]);
    at(&hook.told(), "/hookSpecificOutput/updatedInput/response", "ask later");
    assert_eq!(sandbox.json(&["list", "--json"]), json!([]));

    let more = json!({"tool_name": "ExitPlanMode", "tool_input": {"plan": "# Do it", "planFilePath": "/p"}, "tool_use_id": "toolu_p"});
    let hook = Hook::start(&sandbox, &["PreToolUse"], &input("PreToolUse", &more));
    let id = pending(&sandbox);
    at(&sandbox.show(&id), "/source", "plan");
    sandbox.refuses(&["answer", &id, "revise"], 1, &["message"]);
    sandbox.ok(&["answer", &id, "revise", "-m", "tests first"]);
    let told = hook.told();
    at(&told, "/hookSpecificOutput/permissionDecision", "deny");
    at(&told, "/hookSpecificOutput/permissionDecisionReason", "tests first");
}

#[test]
fn a_run_that_nobody_attends_is_deferred_and_resumed() {
    let sandbox = Sandbox::new().looking();
    let ask = input("PreToolUse", &bash("deploy"));
    let told = Hook::start(&sandbox, &["PreToolUse", "--defer"], &ask).told();
    at(&told, "/hookSpecificOutput/permissionDecision", "defer");
    let id = pending(&sandbox);
    // The session ends; what it will come back for stays.
    assert_eq!(
        Hook::start(&sandbox, &["SessionEnd"], &input("SessionEnd", &json!({"reason": "other"}))).told(),
        Value::Null
    );
    let again = Hook::start(&sandbox, &["PreToolUse", "--defer"], &ask).told();
    at(&again, "/hookSpecificOutput/permissionDecision", "defer");
    assert_eq!(pending(&sandbox), id, "the same call is asked about once");
    sandbox.ok(&["answer", &id, "approve", "-m", "go"]);
    let started =
        Hook::start(&sandbox, &["SessionStart"], &input("SessionStart", &json!({"source": "resume"}))).told();
    let context = started["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains(&id) && context.starts_with("<system-reminder>"), "{context}");
    // Whoever resumes it gives another prompt.
    let mut resumed: Value = serde_json::from_str(&ask).unwrap();
    resumed["prompt_id"] = "p2".into();
    let told = Hook::start(&sandbox, &["PreToolUse", "--defer"], &resumed.to_string()).told();
    at(&told, "/hookSpecificOutput/permissionDecision", "allow");
    at(&told, "/hookSpecificOutput/additionalContext", "go");
    let told = Hook::start(&sandbox, &["PreToolUse", "--defer"], &ask).told();
    at(&told, "/hookSpecificOutput/permissionDecision", "deny");
    // Another session cannot use what this one was granted.
    let mut other: Value = serde_json::from_str(&ask).unwrap();
    other["session_id"] = "9999".into();
    let told = Hook::start(&sandbox, &["PreToolUse", "--defer"], &other.to_string()).told();
    at(&told, "/hookSpecificOutput/permissionDecision", "defer");
}

#[test]
fn a_guarded_tool_is_held_where_nobody_sits_before_the_session() {
    let sandbox = Sandbox::new().looking().with("CLAUDE_CODE_SESSION_ATTENDED", "0");
    let hook = Hook::start(&sandbox, &["PreToolUse", "--guard"], &input("PreToolUse", &bash("ls")));
    sandbox.ok(&["answer", &pending(&sandbox), "approve"]);
    at(&hook.told(), "/hookSpecificOutput/permissionDecision", "allow");
}

#[test]
fn a_hook_that_is_ended_takes_its_question_back() {
    let sandbox = Sandbox::new().looking();
    let hook = Hook::start(&sandbox, &["PermissionRequest"], &input("PermissionRequest", &bash("x")));
    let id = pending(&sandbox);
    kill_process(Pid::from_child(&hook.0), Signal::TERM).unwrap();
    let told = hook.told();
    at(&told, "/hookSpecificOutput/decision/behavior", "deny");
    at(&sandbox.show(&id), "/status", "cancelled");
}

#[test]
fn an_ended_session_asks_nothing_any_more() {
    let sandbox = Sandbox::new().looking();
    let hook = Hook::start(&sandbox, &["PermissionRequest"], &input("PermissionRequest", &bash("x")));
    let id = pending(&sandbox);
    let other = sandbox.ask_a_or_b();
    Hook::start(&sandbox, &["SessionEnd"], &input("SessionEnd", &json!({}))).told();
    at(&sandbox.show(&id), "/status", "cancelled");
    at(&sandbox.show(&other), "/status", "pending");
    at(&hook.told(), "/hookSpecificOutput/decision/behavior", "deny");
}

#[test]
fn a_session_that_stops_can_be_nudged() {
    let sandbox = Sandbox::new().looking();
    let stop = input("Stop", &json!({"stop_hook_active": false, "last_assistant_message": "All done."}));
    assert_eq!(Hook::start(&sandbox, &["Stop"], &stop).told(), Value::Null, "unless asked to, it stops");
    let hook = Hook::start(&sandbox, &["Stop", "--idle"], &stop);
    let id = pending(&sandbox);
    at(&sandbox.show(&id), "/source", "idle");
    sandbox.ok(&["answer", &id, "nudge", "-m", "now the docs"]);
    assert_eq!(hook.told(), json!({"decision": "block", "reason": "now the docs"}));
    let hook = Hook::start(&sandbox, &["Stop", "--idle"], &stop);
    sandbox.ok(&["answer", &pending(&sandbox), "done"]);
    assert_eq!(hook.told(), Value::Null);
    let notice = input(
        "Notification",
        &json!({"notification_type": "idle_prompt", "message": "Claude is waiting for your input"}),
    );
    for _ in 0..2 {
        Hook::start(&sandbox, &["Notification", "--idle"], &notice).told();
    }
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1, "shown once");
    let other = input("Notification", &json!({"notification_type": "auth_success", "message": "ok"}));
    Hook::start(&sandbox, &["Notification", "--idle"], &other).told();
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn nothing_that_goes_wrong_passes_for_a_yes() {
    let sandbox = Sandbox::new().looking();
    let gone = Sandbox::new().looking().with("HOLD_URL", "http://127.0.0.1:1");
    let pre = "/hookSpecificOutput/permissionDecision";
    let permission = "/hookSpecificOutput/decision/behavior";
    for (place, event, input, pointer) in [
        (&sandbox, "PreToolUse", "nonsense".to_owned(), pre),
        (&sandbox, "PreToolUse", "{}".to_owned(), pre),
        (&sandbox, "PreToolUse", input("PermissionRequest", &bash("x")), pre),
        (&sandbox, "PermissionRequest", String::new(), permission),
        (&sandbox, "PermissionRequest", input("PermissionRequest", &json!({})), permission),
        (
            &sandbox,
            "PreToolUse",
            input("PreToolUse", &json!({"tool_name": "AskUserQuestion", "tool_input": {"questions": 1}})),
            pre,
        ),
        (&gone, "PreToolUse", input("PreToolUse", &bash("x")), pre),
        (&gone, "PermissionRequest", input("PermissionRequest", &bash("x")), permission),
    ] {
        let told = Hook::start(place, &[event], &input).told();
        at(&told, pointer, "deny");
        let words = told.to_string();
        assert!(words.contains("hold serve") && words.contains("hold hook uninstall claude"), "{words}");
    }
    assert_eq!(sandbox.tags(), ["token:created"], "nothing is asked");
    let asks = Hook::start(&gone, &["PreToolUse", "--on-failure", "ask"], &input("PreToolUse", &bash("x")));
    assert_eq!(asks.told(), Value::Null, "the terminal asks instead");
    sandbox.run(&["hook", "claude", "PreToolUze"]).exits(2).says("use one of");
}

#[test]
fn what_is_installed_can_be_taken_out_to_the_letter() {
    let sandbox = Sandbox::new().looking();
    let file = sandbox.path(".claude/settings.local.json");
    let theirs = "{\n    \"model\" : \"opus\",\n    \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\":\"command\",\"command\":\"./mine\"}]}]}}";
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, theirs).unwrap();
    let shown = sandbox.run(&["hook", "install", "claude"]).exits(1).says("--yes");
    assert!(
        shown.out.contains("+        \"command\"") || shown.out.contains("hold hook claude PreToolUse"),
        "{shown}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs, "it only shows the difference");
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    let installed = std::fs::read_to_string(&file).unwrap();
    assert!(installed.contains("./mine") && installed.contains("\"onFailure\": \"block\""), "{installed}");
    let home = format!("Read(/{}/**)", sandbox.home().display());
    assert!(installed.contains(&home) && installed.contains("hold absence:*"), "{installed}");
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0).says("already");
    sandbox.run(&["hook", "install", "claude", "--yes", "--idle"]).exits(0);
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0).says("not in");

    // What changed meanwhile stays; only ours goes.
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    let changed = std::fs::read_to_string(&file).unwrap().replace("opus", "sonnet");
    std::fs::write(&file, changed).unwrap();
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    let left: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let wanted: Value = serde_json::from_str(&theirs.replace("opus", "sonnet")).unwrap();
    assert_eq!(left, wanted);

    // A file that was not there is gone again; one that is not JSON is left alone.
    sandbox.run(&["hook", "install", "claude", "--user", "--yes"]).exits(0);
    std::fs::remove_file(&file).unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(0);
    sandbox.run(&["hook", "uninstall", "claude", "--yes"]).exits(0);
    assert!(!file.exists());
    std::fs::write(&file, "{ not json").unwrap();
    sandbox.run(&["hook", "install", "claude", "--yes"]).exits(1).says("is not JSON");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ not json");
}

#[test]
fn hooks_also_come_over_http() {
    let server = Server::start();
    let agent = server.token("claude", "agent", &[]);
    let ask: Value = serde_json::from_str(&input("PermissionRequest", &bash("ls"))).unwrap();
    server.nobody().post("/hooks/claude", &ask).is(401);
    let asking = std::thread::spawn(move || agent.post("/hooks/claude", &ask));
    server.parked(1);
    let id = server.local().get("/v1/decisions").json()["items"][0]["id"].as_str().unwrap().to_owned();
    server.local().answer(&id, "approve").is(200);
    let told = asking.join().unwrap().is(200).json();
    at(&told, "/hookSpecificOutput/decision/behavior", "allow");
    let agent = server.token("claude-2", "agent", &[]);
    let start: Value = serde_json::from_str(&input("SessionStart", &json!({}))).unwrap();
    assert_eq!(agent.post("/hooks/claude", &start).is(200).json(), json!({}));
    agent.post("/hooks/claude", &json!({"hook_event_name": "Stop"})).is(422);
    agent.post("/hooks/claude?defre=true", &start).is(422);
    let defer: Value = serde_json::from_str(&input("PreToolUse", &bash("ls"))).unwrap();
    let told = agent.post("/hooks/claude?defer=true", &defer).is(200).json();
    at(&told, "/hookSpecificOutput/permissionDecision", "defer");
}

#[test]
fn the_seeds_hook_blocks_where_it_exits_2() {
    let sandbox = Sandbox::new().looking();
    sandbox.link("bd");
    let hook = r#"
pending=$(bd decision list --json 2>/dev/null)
if [ -n "$pending" ]; then
  echo "Pending decisions require attention" >&2
  exit 2
fi
"#;
    sandbox.shell(hook).exits(0);
    sandbox.shell("bd decision create bd-1 --prompt Q --option a:A").exits(0);
    sandbox.shell(hook).exits(2).says("Pending decisions require attention");
}

#[test]
fn a_hook_holds_through_the_restart_of_its_server() {
    let mut server = Server::start();
    let agent = server.token("claude", "agent", &[]);
    let sandbox = Sandbox::new().looking().with("HOLD_URL", &server.url()).with("HOLD_TOKEN", agent.token());
    let hook = Hook::start(&sandbox, &["PermissionRequest"], &input("PermissionRequest", &bash("ls")));
    server.parked(1);
    let id = server.local().get("/v1/decisions").json()["items"][0]["id"].as_str().unwrap().to_owned();
    server.kill();
    server.run();
    server.local().answer(&id, "approve").is(200);
    at(&hook.told(), "/hookSpecificOutput/decision/behavior", "allow");
    assert!(server.local().decision(&id).json()["consumed_at"].is_string());
}
