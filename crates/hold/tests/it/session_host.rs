//! The real binary as the host of an agent's terminal.

use std::time::{Duration, Instant};

use holdpoint_core::job::detect::{Detector, Patterns, Signal, Timing};
use holdpoint_engine::sessions::{self, Key, Keys, Session, Spec, State, Stopped};

use crate::process::TIMEOUT;
use crate::sandbox::{HOLD, Sandbox};

/// Runs what waits, on a runtime of its own.
fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

async fn shows(session: &Session, text: &str) {
    let deadline = Instant::now() + TIMEOUT;
    let mut ticks = tokio::time::interval(Duration::from_millis(10));
    loop {
        let rows = session.screen().await.unwrap().text.rows;
        if rows.iter().any(|row| row.contains(text)) {
            return;
        }
        assert!(Instant::now() < deadline, "no {text:?} in {rows:?}");
        ticks.tick().await;
    }
}

#[test]
fn the_binary_holds_terminals_in_little_memory() {
    let sandbox = Sandbox::new();
    let mut spec =
        Spec::new("agt-1", "echo hello; read -r line; echo \"<$line>\"; exec sleep 1000", sandbox.path(""));
    spec.host = Some(HOLD.into());
    let dir = sandbox.path("session");
    run(async {
        let session = sessions::start(&dir, &spec).await.unwrap();
        shows(&session, "hello").await;
        session.input("e1", &Keys::Press(vec![Key::Char('y'), Key::Enter])).await.unwrap();
        shows(&session, "<y>").await;
        let about: serde_json::Value =
            serde_json::from_slice(&std::fs::read(dir.join("session.json")).unwrap()).unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", about["host"]["pid"])).unwrap();
        let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        let own: u64 = own.trim().trim_end_matches("kB").trim().parse().unwrap();
        assert!(own < 4096, "a host has {own} KiB for itself");
        assert_eq!(session.stop(Duration::from_secs(5)).await.unwrap(), Stopped::default());
        assert!(matches!(session.state().await.unwrap(), State::Exited(ended) if ended.stopped));
    });
}

/// Claude Code runs the hook as its child; here a shell does.
#[test]
fn a_hook_in_a_session_tells_whoever_watches_and_asks_nobody() {
    let sandbox = Sandbox::new();
    let input = sandbox.file("input", r#"{"session_id": "s1", "hook_event_name": "Stop"}"#);
    let command = format!(
        "echo ready; read -r line; {HOLD} hook claude Stop --idle < {input}; echo told; exec sleep 1000"
    );
    let mut spec = Spec::new("agt-1", command, sandbox.path(""));
    spec.host = Some(HOLD.into());
    spec.env.insert("HOLD_HOME".into(), Some(sandbox.home().display().to_string()));
    run(async {
        let session = sessions::start(&sandbox.path("session"), &spec).await.unwrap();
        shows(&session, "ready").await;
        let timing = Timing { idle_waiting: TIMEOUT * 9, idle_quiet: TIMEOUT * 9, ..Timing::default() };
        let mut watch = sessions::watch(&session, Detector::new(Patterns::default(), timing));
        session.input("e1", &Keys::Line(String::new())).await.unwrap();
        let idle = async { while watch.next().await.unwrap().0 != Signal::Idle {} };
        tokio::time::timeout(TIMEOUT, idle).await.unwrap();
        shows(&session, "told").await;
        session.stop(Duration::from_secs(5)).await.unwrap();
    });
    assert!(!sandbox.store().exists(), "a decision was asked for");
}

#[test]
fn it_is_no_verb_for_people() {
    let sandbox = Sandbox::new();
    assert!(!sandbox.ok(&["--help"]).contains("session-host"));
    sandbox.run(&["session-host"]).exits(2);
    // Nobody who types it by hand has a spec to give; nothing is started and nothing is left.
    let dir = sandbox.path("session");
    sandbox.run(&["session-host", dir.to_str().unwrap()]).exits(1);
    assert!(!dir.join("session.json").exists());
}
