//! A session of Claude Code from the hooks' point of view: what is installed is read from the settings, run by a shell
//! as Claude Code runs it, and its answer is taken as Claude Code takes it. The program itself is driven in `just interop`.

use std::io::Write as _;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::process::TIMEOUT;
use crate::sandbox::{Sandbox, at};

/// A session in a folder with settings.
struct Session<'a> {
    sandbox: &'a Sandbox,
    id: &'static str,
}

/// The hooks of one event under way.
struct Fired(Vec<(Child, Value)>);

/// What the session makes of it.
#[derive(Debug, PartialEq)]
enum Told {
    /// No hook had anything to say.
    Nothing,
    Json(Value),
    /// The call may not go on.
    Blocked,
}

impl Session<'_> {
    fn settings(&self) -> Value {
        let text = std::fs::read_to_string(self.sandbox.path(".claude/settings.local.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Starts every command whose matcher takes the tool.
    fn fire(&self, event: &str, more: &Value) -> Fired {
        let tool = more["tool_name"].as_str().unwrap_or_default();
        let mut input = json!({"session_id": self.id, "transcript_path": "/t.jsonl", "cwd": "/srv/app",
            "permission_mode": "default", "hook_event_name": event});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        // Where a permission is asked for, the call is not named.
        if event == "PermissionRequest" {
            input.as_object_mut().unwrap().remove("tool_use_id");
        }
        let settings = self.settings();
        let entries = settings["hooks"][event].as_array().cloned().unwrap_or_default();
        let taken = entries.iter().filter(|entry| {
            let matcher = entry["matcher"].as_str().unwrap_or("*");
            matcher == "*" || matcher.split('|').any(|known| known == tool)
        });
        let hooks = taken.flat_map(|entry| entry["hooks"].as_array().cloned().unwrap());
        Fired(hooks.map(|hook| (self.start(&hook, &input), hook)).collect())
    }

    fn start(&self, hook: &Value, input: &Value) -> Child {
        assert_eq!(hook["type"], "command");
        let mut command = self.sandbox.script(hook["command"].as_str().unwrap());
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that is not found does not read.
        let _ = child.stdin.take().unwrap().write_all(input.to_string().as_bytes());
        child
    }

    /// Answers what is asked next, in the words of `hold answer`.
    #[track_caller]
    fn answer(&self, words: &[&str]) -> Value {
        let end = std::time::Instant::now() + TIMEOUT;
        loop {
            let listed = self.sandbox.json(&["list", "--json"]);
            if let Some(id) = listed[0]["id"].as_str() {
                self.sandbox.ok(&[&["answer", id], words].concat());
                return listed[0].clone();
            }
            assert!(std::time::Instant::now() < end, "nothing is asked");
        }
    }
}

impl Fired {
    #[track_caller]
    fn told(self) -> Told {
        let mut told = Told::Nothing;
        for (child, hook) in self.0 {
            let ended = child.wait_with_output().unwrap();
            match ended.status.code() {
                Some(0) if ended.stdout.is_empty() => {}
                Some(0) => told = Told::Json(serde_json::from_slice(&ended.stdout).unwrap()),
                Some(2) => return Told::Blocked,
                _ if hook["onFailure"] == "block" => return Told::Blocked,
                // What fails otherwise is shown and forgotten.
                _ => {}
            }
        }
        told
    }

    #[track_caller]
    fn json(self) -> Value {
        match self.told() {
            Told::Json(value) => value,
            other => panic!("{other:?}"),
        }
    }
}

fn call(tool: &str, input: &Value) -> Value {
    json!({"tool_name": tool, "tool_input": input, "tool_use_id": format!("toolu_{tool}")})
}

#[test]
fn a_session_from_the_first_word_to_the_last() {
    let sandbox = Sandbox::new().looking();
    sandbox.link("hold");
    sandbox.shell("hold hook install claude --project --idle --yes").exits(0);
    let session = Session { sandbox: &sandbox, id: "4f1c" };
    assert_eq!(session.settings()["hooks"]["Stop"][0]["hooks"][0]["command"], "hold hook claude Stop --idle");
    assert_eq!(session.fire("SessionStart", &json!({"source": "startup"})).told(), Told::Nothing);

    // A tool that needs no permission meets no hook of ours; one that does is held.
    let bash = call("Bash", &json!({"command": "touch x"}));
    assert_eq!(session.fire("PreToolUse", &bash).told(), Told::Nothing);
    let held = session.fire("PermissionRequest", &bash);
    at(
        &session.answer(&["approve"]),
        "/subject",
        json!({"tool": "Bash", "input": {"command": "touch x"}, "cwd": "/srv/app"}),
    );
    at(&held.json(), "/hookSpecificOutput/decision/behavior", "allow");

    let question = json!({"questions": [{"question": "Which?", "header": "W", "multiSelect": false,
        "options": [{"label": "One", "description": ""}, {"label": "Two", "description": ""}]}]});
    let held = session.fire("PreToolUse", &call("AskUserQuestion", &question));
    session.answer(&["--set", "choice={\"text\":\"neither\"}"]);
    at(&held.json(), "/hookSpecificOutput/updatedInput/answers/Which?", "neither");
    let asked = session.fire("PermissionRequest", &call("AskUserQuestion", &question));
    assert_eq!(asked.told(), Told::Nothing, "it is answered already");

    let held = session.fire("PreToolUse", &call("ExitPlanMode", &json!({"plan": "# All at once"})));
    session.answer(&["revise", "-m", "in steps"]);
    at(&held.json(), "/hookSpecificOutput/permissionDecisionReason", "in steps");

    let held = session.fire("Stop", &json!({"stop_hook_active": false, "last_assistant_message": "Done?"}));
    at(&session.answer(&["nudge", "-m", "and the tests?"]), "/source", "idle");
    assert_eq!(held.json(), json!({"decision": "block", "reason": "and the tests?"}));

    // What still waits when the session ends waits for nobody.
    let told = json!({"notification_type": "idle_prompt", "message": "Claude is waiting"});
    assert_eq!(session.fire("Notification", &told).told(), Told::Nothing);
    assert_eq!(sandbox.json(&["list", "--json"])[0]["source"], "idle");
    assert_eq!(session.fire("SessionEnd", &json!({"reason": "exit"})).told(), Told::Nothing);
    assert_eq!(sandbox.json(&["list", "--json"]), json!([]));

    sandbox.shell("hold hook uninstall claude --project --yes").exits(0);
    assert!(!sandbox.path(".claude/settings.local.json").exists());
    sandbox.is_well();
}

#[test]
fn sessions_and_the_agents_within_ask_beside_each_other() {
    let sandbox = Sandbox::new().looking();
    sandbox.link("hold");
    sandbox.shell("hold hook install claude --project --yes").exits(0);
    let within = |id: &str, command: &str| {
        let mut call = call("Bash", &json!({"command": command}));
        call["agent_id"] = id.into();
        call["agent_type"] = "reviewer".into();
        call
    };
    let (first, second) = (Session { sandbox: &sandbox, id: "s1" }, Session { sandbox: &sandbox, id: "s2" });
    let held = [
        (first.fire("PermissionRequest", &call("Bash", &json!({"command": "c0"}))), "c0"),
        (first.fire("PermissionRequest", &within("a1", "c1")), "c1"),
        (first.fire("PermissionRequest", &within("a2", "c2")), "c2"),
        (second.fire("PermissionRequest", &call("Bash", &json!({"command": "c3"}))), "c3"),
    ];
    let end = std::time::Instant::now() + TIMEOUT;
    let cards = loop {
        let listed = sandbox.json(&["list", "--json"]).as_array().unwrap().clone();
        if listed.len() == held.len() {
            break listed;
        }
        assert!(std::time::Instant::now() < end, "{listed:?}");
    };
    let card =
        |command: &str| cards.iter().find(|card| card["subject"]["input"]["command"] == command).unwrap();
    at(card("c1"), "/title", "Bash: c1 (sub-agent reviewer a1)");
    at(card("c2"), "/requested_by", "claude:s1/a2");
    at(card("c3"), "/owner", "thread:s2");
    // One session's end is none of the other's business.
    assert_eq!(first.fire("SessionEnd", &json!({"reason": "exit"})).told(), Told::Nothing);
    sandbox.ok(&["answer", card("c3")["id"].as_str().unwrap(), "approve"]);
    for (held, command) in held {
        let wanted = if command == "c3" { "allow" } else { "deny" };
        at(&held.json(), "/hookSpecificOutput/decision/behavior", wanted);
    }
}

#[test]
fn hooks_whose_program_has_gone_let_nothing_pass() {
    let sandbox = Sandbox::new().looking();
    sandbox.link("hold");
    sandbox.shell("hold hook install claude --project --yes").exits(0);
    std::fs::remove_file(sandbox.path("bin/hold")).unwrap();
    let session = Session { sandbox: &sandbox, id: "4f1c" };
    let bash = call("Bash", &json!({"command": "touch x"}));
    assert_eq!(session.fire("PermissionRequest", &bash).told(), Told::Blocked);
    let plan = call("ExitPlanMode", &json!({"plan": "x"}));
    assert_eq!(session.fire("PreToolUse", &plan).told(), Told::Blocked);
    assert_eq!(session.fire("SessionEnd", &json!({})).told(), Told::Nothing);
}
