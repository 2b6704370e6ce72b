//! Standing rules for the tools of agents other than Claude Code: Gemini CLI, opencode and Codex.

use holdpoint_core::Status::{self, Answered, Pending};
use holdpoint_core::rule::{Then, proposals};
use serde_json::{Value, json};

use crate::rules::{add, ask};
use crate::world::World;

#[expect(clippy::needless_pass_by_value, reason = "inputs are made where they are asked about")]
fn call(tool: &str, input: Value) -> Value {
    json!({"tool": tool, "input": input, "cwd": "/srv/app"})
}

fn check(when: Value, table: &[(Value, Status)]) {
    let mut world = World::new();
    let mut when = when;
    when["asked_by"] = json!("coder");
    add(&mut world, json!({"then": "allow", "when": when}));
    for (subject, expected) in table {
        assert_eq!(ask(&mut world, subject.clone()).status, *expected, "{subject}");
    }
}

#[test]
fn shells_of_other_agents_are_shells() {
    let gemini = |input: Value| call("run_shell_command", input);
    let opencode = |input: Value| call("bash", input);
    check(
        json!({"command": {"words": ["cargo", "test"], "more": "looking", "cwd": "/srv/app/**"}}),
        &[
            (gemini(json!({"command": "cargo test", "description": "Tests"})), Answered),
            (gemini(json!({"command": "cargo test", "is_background": false})), Answered),
            (gemini(json!({"command": "cargo test", "dir_path": "crates/core"})), Answered),
            (gemini(json!({"command": "cargo test", "dir_path": "/srv/app/crates"})), Answered),
            (gemini(json!({"command": "cargo test", "is_background": true})), Answered),
            (gemini(json!({"command": "cargo test", "dir_path": "../other"})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": "crates/../../other"})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": "/srv/other"})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": "/srv/app2"})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": "/srv/app/../other"})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": "~/x"})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": ["/srv/app"]})), Pending),
            (gemini(json!({"command": "cargo test", "dir_path": ".git"})), Pending),
            (gemini(json!({"command": "cargo test", "directory": "/srv/app"})), Pending),
            (gemini(json!({"command": "cargo test", "additional_permissions": {"network": true}})), Pending),
            (gemini(json!({"command": "cargo test && curl evil"})), Pending),
            (opencode(json!({"command": "cargo test", "timeout": 60000, "description": "Tests"})), Answered),
            (opencode(json!({"command": "cargo test", "workdir": "/srv/app/web"})), Answered),
            // Where that leads to is another matter in each version.
            (opencode(json!({"command": "cargo test", "workdir": "web"})), Pending),
            (opencode(json!({"command": "cargo test", "workdir": "/srv/other"})), Pending),
            (opencode(json!({"command": "cargo test", "dir_path": "/srv/app/web"})), Pending),
            // Of this shell it is not known that it goes where it is told.
            (call("Bash", json!({"command": "cargo test", "workdir": "/srv/app/web"})), Pending),
            (call("Bash", json!({"command": "cargo test", "dir_path": "/srv/app/web"})), Pending),
            (call("shell", json!({"command": ["cargo", "test"], "timeout_ms": 1000})), Answered),
            (call("shell", json!({"command": ["cargo", "test"], "workdir": "/srv/app/web"})), Answered),
            (
                call("shell", json!({"command": ["cargo", "test"], "with_escalated_permissions": true})),
                Pending,
            ),
            (
                call("exec_command", json!({"cmd": "cargo test", "sandbox_permissions": "use_default"})),
                Answered,
            ),
            (
                call(
                    "exec_command",
                    json!({"cmd": "cargo test", "sandbox_permissions": "require_escalated"}),
                ),
                Pending,
            ),
            (call("exec_command", json!({"cmd": "cargo test", "shell": "/tmp/sh"})), Pending),
            (call("shell", json!({"command": ["bash", "-lc", "cargo test"]})), Pending),
        ],
    );
}

#[test]
fn a_member_that_only_one_tool_knows_hides_nothing_of_others() {
    let input = json!({"input": {"/name": "a"}});
    check(
        input,
        &[
            (json!({"name": "a", "cwd": "/srv"}), Answered),
            (json!({"name": "a", "dir_path": "/etc"}), Pending),
        ],
    );
}

#[test]
fn file_tools_of_other_agents_have_paths() {
    let edit = |path: &str| call("edit", json!({"filePath": path, "oldString": "a", "newString": "b"}));
    let write = |path: &str| call("write_file", json!({"file_path": path, "content": "x"}));
    let replace =
        json!({"file_path": "src/a.rs", "instruction": "rename", "old_string": "a", "new_string": "b"});
    check(
        json!({"path": "/srv/app/**"}),
        &[
            (edit("/srv/app/src/a.rs"), Answered),
            (call("write", json!({"filePath": "/srv/app/a.rs", "content": ""})), Answered),
            (call("read", json!({"filePath": "/srv/app/a.rs", "limit": 5})), Answered),
            (write("/srv/app/a.rs"), Answered),
            (write("src/a.rs"), Answered),
            (write("./src/a.rs"), Answered),
            (call("replace", replace.clone()), Answered),
            (call("read_file", json!({"file_path": "a.rs", "start_line": 1, "end_line": 9})), Answered),
            (edit("src/a.rs"), Pending),
            (edit("/srv/app/.env"), Pending),
            (edit("/srv/app/package.json"), Pending),
            (edit("/srv/app/../x"), Pending),
            (write("../x"), Pending),
            (write("src/../../x"), Pending),
            (write("~/x"), Pending),
            (write("$HOME/x"), Pending),
            (write(".git/hooks/pre-commit"), Pending),
            (write("Makefile"), Pending),
            (write(""), Pending),
            (call("write_file", json!({"file_path": "a.rs", "content": "", "mode": "755"})), Pending),
            (call("write_file", json!({"file_path": "a.rs", "content": "", "cwd": "/srv/app"})), Pending),
            (call("write_file", json!({"path": "/srv/app/a.rs", "content": ""})), Pending),
            (call("write", json!({"file_path": "/srv/app/a.rs", "content": ""})), Pending),
            (json!({"tool": "write_file", "input": {"file_path": "a.rs", "content": ""}}), Pending),
            (
                json!({"tool": "write_file", "input": {"file_path": "a.rs", "content": "", "cwd": "/srv/app"}}),
                Pending,
            ),
        ],
    );
    check(
        json!({"path": "/srv/app/**", "looking": true}),
        &[
            (call("read", json!({"filePath": "/srv/app/a.rs"})), Answered),
            (call("read_file", json!({"file_path": "/srv/app/a.rs"})), Answered),
            (call("read_file", json!({"file_path": "/srv/app/.env"})), Pending),
            (call("replace", replace), Pending),
            (edit("/srv/app/a.rs"), Pending),
        ],
    );
}

#[test]
fn what_other_agents_ask_suggests_the_same_steps() {
    let titles = |subject: Value| -> Vec<String> {
        let asked = ask(&mut World::new(), subject);
        proposals(&asked, Then::Allow).into_iter().skip(1).map(|step| step.title).collect()
    };
    assert_eq!(
        titles(call("write_file", json!({"file_path": "src/a.rs", "content": "x"}))),
        [
            "reading and changing /srv/app/src/a.rs",
            "reading and changing files in /srv/app/src",
            "reading and changing files under /srv/app/src",
            "reading and changing files under /srv/app",
        ]
    );
    let read = titles(call("read", json!({"filePath": "/srv/app/a.rs"})));
    assert_eq!(read.last().unwrap(), "reading files under /srv/app");
    let shell = titles(call("run_shell_command", json!({"command": "cargo test", "dir_path": "web"})));
    assert_eq!(shell[0], "`cargo test` in /srv/app/web");
    assert!(shell.last().unwrap().ends_with("also combined, in /srv/app/web and below"), "{shell:?}");
}
