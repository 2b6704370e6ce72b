//! Hooks: commands from the settings, told as JSON on standard input what happened.

use serde_json::Value;

use crate::process::Running;
use crate::sandbox::{Sandbox, at};

/// Settings in which every hook writes what it is told to a file of its own name.
fn telling(sandbox: &Sandbox) {
    let line = |name: &str| format!("{name} = \"cat >> {}\"", sandbox.path(name).display());
    let names = ["on_decision_create", "on_decision_respond", "on_decision_timeout"];
    sandbox.settings(&format!("[hooks]\n{}\n", names.map(line).join("\n")));
}

/// Returns what a hook was told, each time.
fn told(sandbox: &Sandbox, hook: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(sandbox.path(hook)).unwrap_or_default();
    serde_json::Deserializer::from_str(&text).into_iter().map(Result::unwrap).collect()
}

#[test]
fn each_occasion_has_its_hook_and_each_is_run_once() {
    let sandbox = Sandbox::new();
    telling(&sandbox);
    let id = sandbox.ask(&["Which?", "-o", "a:A", "-o", "b:B", "--requested-by", "agent-7"]);
    let created = told(&sandbox, "on_decision_create");
    assert_eq!(created.len(), 1);
    at(&created[0], "/event/type", "decision:created");
    at(&created[0], "/decision/id", id.as_str());
    at(&created[0], "/decision/prompt", "Which?");
    assert!(told(&sandbox, "on_decision_respond").is_empty());
    sandbox.ok(&["answer", &id, "a"]);
    let responded = told(&sandbox, "on_decision_respond");
    at(&responded[0], "/event/type", "decision:resolved");
    at(&responded[0], "/decision/answer/values/choice", "a");
    at(&responded[0], "/decision/requested_by", "agent-7");
    // A replay tells nobody.
    sandbox.ok(&["answer", &id, "a"]);
    assert_eq!(told(&sandbox, "on_decision_respond").len(), 1);
    sandbox.run(&["ask", "Q?", "-o", "a:A", "--timeout", "20ms"]).exits(6);
    let timed_out = told(&sandbox, "on_decision_timeout");
    assert_eq!(timed_out.len(), 1);
    at(&timed_out[0], "/event/type", "decision:expired");
    // Guidance is a response, and the next round is a new question.
    let id = sandbox.ask(&["Which?", "-o", "a:A"]);
    sandbox.ok(&["answer", &id, "--guidance", "think"]);
    at(&told(&sandbox, "on_decision_respond")[1], "/event/type", "decision:refined");
    at(&told(&sandbox, "on_decision_create")[3], "/decision/iteration", 2);
    let ids: Vec<_> = [&created[0], &responded[0], &timed_out[0]].map(|told| told["id"].to_string()).into();
    assert!(ids[0] != ids[1] && ids[1] != ids[2], "each has an id to de-duplicate on: {ids:?}");
}

/// The asker is not done before its answer came, so the hook ran while it held.
#[test]
fn a_hook_may_answer_what_it_is_told_of() {
    let sandbox = Sandbox::new();
    let script = format!("id=$(jq -r .decision.id) && {} answer $id a --by robot", crate::sandbox::HOLD);
    sandbox.settings(&format!("[hooks]\non_decision_create = '''{script}'''\n"));
    let agent = sandbox.spawn(&["ask", "Which?", "-o", "a:A", "--json"]);
    at(&agent.end().exits(0).json(), "/answer/by", "robot");
}

#[test]
fn a_failing_hook_is_said_and_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\non_decision_create = \"echo broken >&2; exit 3\"\n");
    let ran = sandbox.run(&["ask", "Q?", "--no-wait"]).exits(0).says("warning:").says("on_decision_create");
    let id = ran.out.trim().to_owned();
    at(&sandbox.show(&id), "/status", "pending");
    let report = sandbox.run(&["doctor"]).exits(0);
    assert!(report.out.contains("undelivered") && report.out.contains("on_decision_create"), "{report}");
    // It is not tried forever.
    let ran = sandbox.run(&["answer", &id, "--text", "x"]).exits(0);
    assert_eq!(ran.err, "");
}

#[test]
fn a_hook_that_hangs_is_stopped() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\non_decision_create = [\"sleep\", \"1000\"]\ntimeout = \"100ms\"\n");
    sandbox.run(&["ask", "Q?", "--no-wait"]).exits(0).says("warning:");
}

#[test]
fn the_agents_words_are_never_run() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\non_decision_create = \"cat >/dev/null\"\n");
    let hostile = "$(touch owned) `touch owned`; touch owned";
    sandbox.ask(&[hostile, "--requested-by", "x; touch owned", "--title", hostile]);
    assert!(!sandbox.path("owned").exists());
    let mut command = sandbox.command(&["ask", "--file", "-", "--no-wait"]);
    let hostile = br#"{"prompt":"?","fields":[{"id":"t","kind":"text","label":"?"}],"hooks":{"on_decision_create":"touch owned"}}"#;
    crate::process::finish(&mut command, hostile).exits(1).says("hooks");
    assert!(!sandbox.path("owned").exists());
}

#[test]
fn wrong_settings_are_named_before_anything_is_written() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    for (settings, words) in [
        ("[hooks]\non_decision_creat = \"x\"\n", "on_decision_creat"),
        ("[hooks\n", "config.toml"),
        ("[hooks]\ntimeout = \"never\"\n", "timeout"),
        ("[hooks]\non_decision_create = []\n", "names no command"),
    ] {
        sandbox.settings(settings);
        sandbox.refuses(&["answer", &id, "a"], 1, &[words]);
        sandbox.run(&["list"]).exits(0);
        let report = sandbox.run(&["doctor"]).exits(1);
        assert!(report.out.contains(words), "{report}");
    }
}

#[test]
fn a_desktop_notice_is_the_default_where_there_is_a_desktop() {
    let sandbox = Sandbox::new();
    sandbox
        .executable("notify-send", &format!("printf '%s\\n' \"$@\" > {}", sandbox.path("notice").display()));
    sandbox.link("hold");
    sandbox.shell("hold ask 'Without a desktop?' --no-wait").exits(0);
    assert!(!sandbox.path("notice").exists());
    sandbox.shell("DISPLAY=:0 hold ask 'With <b>one</b>?' --no-wait").exits(0);
    let notice = std::fs::read_to_string(sandbox.path("notice")).unwrap();
    assert!(
        notice.contains("With &lt;b&gt;one&lt;/b&gt;?") && notice.contains("hold answer dcn-"),
        "{notice}"
    );
    std::fs::remove_file(sandbox.path("notice")).unwrap();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let running = Running::start(sandbox.script("hold ask Off --no-wait").env("DISPLAY", ":0"));
    running.end().exits(0);
    assert!(!sandbox.path("notice").exists());
}
