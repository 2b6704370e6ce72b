//! The real binary as the host of an agent's terminal.

use std::time::{Duration, Instant};

use holdpoint_engine::sessions::{self, Key, Keys, Session, Spec, State, Stopped};

use crate::process::PATIENCE;
use crate::sandbox::{HOLD, Sandbox};

/// Runs what waits, on a runtime of its own.
fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

async fn shows(session: &Session, text: &str) {
    let deadline = Instant::now() + PATIENCE;
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
