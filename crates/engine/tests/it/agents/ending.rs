//! How agents end, and nothing is left behind.

use holdpoint_engine::sessions::{Keys, OrphanedAgent, Stopped};

use super::*;

#[tokio::test]
async fn an_end_is_told_as_it_was() {
    for (step, code, signal) in [
        ("exit 0", Some(0), None),
        ("exit 7", Some(7), None),
        ("die KILL", None, Some(9)),
        ("die TERM", None, Some(15)),
    ] {
        let stage = Stage::new();
        let session = stage.start(&["line hello", step]).await;
        let ended = ends(&session).await;
        assert_eq!((ended.code, ended.signal, ended.stopped), (code, signal, false), "{step}");
    }
}

#[tokio::test]
async fn stopping_is_polite_first() {
    let stage = Stage::new();
    let said = stage.path("said");
    let trap = format!(
        "trap 'echo bye > {}; exit 5' TERM; echo ready; while :; do sleep 0.05; done",
        quote(said.to_str().unwrap())
    );
    let session = stage.start_spec(&stage.shell(&trap)).await;
    shows(&session, "ready").await;
    assert_eq!(session.stop(Duration::from_secs(20)).await.unwrap(), Stopped::default());
    let State::Exited(ended) = session.state().await.unwrap() else { panic!("still there") };
    assert_eq!((ended.code, ended.stopped), (Some(5), true));
    assert_eq!(std::fs::read_to_string(said).unwrap(), "bye\n");
    // Stopping again does nothing.
    assert_eq!(session.stop(Duration::ZERO).await.unwrap(), Stopped::default());
}

#[tokio::test]
async fn who_does_not_heed_is_killed() {
    let stage = Stage::new();
    let session = stage.start(&["line ready", "hang"]).await;
    shows(&session, "ready").await;
    let agent = stage.agent();
    is_deaf(agent).await;
    assert_eq!(session.stop(Duration::from_millis(200)).await.unwrap(), Stopped::default());
    let State::Exited(ended) = session.state().await.unwrap() else { panic!("still there") };
    assert_eq!((ended.signal, ended.stopped), (Some(9), true));
    assert!(!lives(agent));
    until("the host leaves", || !lives(stage.host())).await;
}

#[tokio::test]
async fn an_interactive_shell_is_stopped_with_its_jobs() {
    let stage = Stage::new();
    let session = stage.start_spec(&stage.shell("PS1='here> ' exec sh -i")).await;
    shows(&session, "here>").await;
    let file = stage.path("job");
    let job = format!("sleep 1000 & echo $! > {}", quote(file.to_str().unwrap()));
    session.input("e1", &Keys::Line(job)).await.unwrap();
    let job = stage.pid("job").await;
    assert!(lives(job));
    assert_eq!(session.stop(Duration::from_secs(2)).await.unwrap(), Stopped::default());
    assert!(!lives(job));
}

#[tokio::test]
async fn what_an_agent_forked_and_detached_ends_with_it() {
    let stage = Stage::new();
    let (one, two) = (stage.path("one"), stage.path("two"));
    let steps = [
        format!("fork {}", one.display()),
        format!("detach {}", two.display()),
        "line ready".into(),
        "idle".into(),
    ];
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let session = stage.start(&steps).await;
    shows(&session, "ready").await;
    let left = [stage.pid("one").await, stage.pid("two").await];
    assert!(left.iter().all(|pid| lives(*pid)));
    assert_eq!(session.stop(Duration::from_millis(300)).await.unwrap(), Stopped::default());
    assert!(left.iter().all(|pid| !lives(*pid)));
}

#[tokio::test]
async fn what_an_agent_leaves_behind_when_it_ends_is_ended_too() {
    let stage = Stage::new();
    let one = stage.path("one");
    let detach = format!("detach {}", one.display());
    let session = stage.start(&[&detach, "exit 0"]).await;
    // The end is told at once, before the rest has been seen to.
    assert_eq!(ends(&session).await.code, Some(0));
    let left = stage.pid("one").await;
    until("it is ended", || !lives(left)).await;
    until("the host leaves", || !lives(stage.host())).await;
    assert_eq!(session.stop(Duration::ZERO).await.unwrap(), Stopped::default());
}

#[tokio::test]
async fn a_host_that_is_killed_is_missed_and_its_agent_found() {
    let stage = Stage::new();
    let one = stage.path("one");
    let session = stage.start(&[&format!("detach {}", one.display()), "line ready", "hang"]).await;
    shows(&session, "ready").await;
    let (agent, left) = (stage.agent(), stage.pid("one").await);
    is_deaf(agent).await;
    let mut follow = session.follow().await.unwrap();
    follow.next().await.unwrap();
    kill(stage.host(), Signal::KILL);
    let gone = loop {
        match tokio::time::timeout(TIMEOUT, follow.next()).await.unwrap().unwrap() {
            SessionChange::Screen(_) => {}
            other => break other,
        }
    };
    assert_eq!(gone, SessionChange::HostGone(OrphanedAgent::Alive));
    let again = Session::open(&stage.dir()).unwrap();
    assert_eq!(again.state().await.unwrap(), State::HostGone { agent: OrphanedAgent::Alive });
    assert!(matches!(again.screen().await, Err(Error::HostGone)));
    // The way on: what is left can still be ended.
    assert_eq!(again.stop(Duration::from_millis(200)).await.unwrap(), Stopped::default());
    assert!(!lives(agent) && !lives(left));
    assert_eq!(again.state().await.unwrap(), State::HostGone { agent: OrphanedAgent::Gone });
}

/// Waits until an agent that was told to hang no longer obeys the signal that the end of its terminal sends.
async fn is_deaf(agent: u32) {
    let status = || std::fs::read_to_string(format!("/proc/{agent}/status")).unwrap_or_default();
    until("it is deaf", || ignores_hangup(&status())).await;
}

fn ignores_hangup(status: &str) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(ignored.trim(), 16).is_ok_and(|bits| bits & 1 != 0)
}

#[tokio::test]
async fn a_host_that_is_asked_to_end_takes_its_agent_along() {
    let stage = Stage::new();
    let session = stage.start(&["line ready", "idle"]).await;
    shows(&session, "ready").await;
    kill(stage.host(), Signal::TERM);
    let ended = ends(&session).await;
    assert_eq!((ended.signal, ended.stopped), (Some(15), false));
    until("the host leaves", || !lives(stage.host())).await;
}

#[tokio::test]
async fn a_worktree_that_is_deleted_is_the_agents_trouble_alone() {
    let stage = Stage::new();
    let mut spec = stage.shell("echo ready; read line; ls . >/dev/null && pwd; echo over; read line");
    spec.cwd = stage.path("tree");
    std::fs::create_dir(&spec.cwd).unwrap();
    let session = stage.start_spec(&spec).await;
    shows(&session, "ready").await;
    std::fs::remove_dir_all(&spec.cwd).unwrap();
    session.input("e1", &Keys::Line(String::new())).await.unwrap();
    shows(&session, "over").await;
    assert_eq!(session.state().await.unwrap(), State::Running);
}

/// An agent may start sessions itself, without a server in between: they are not its children.
#[tokio::test]
async fn a_session_that_an_agent_started_outlives_it() {
    let stage = Stage::new();
    let (inner, program) = (stage.path("inner"), host_program());
    let start = format!(
        "{} start {} 'echo inside; read line'; echo started; read line",
        quote(program.to_str().unwrap()),
        quote(inner.to_str().unwrap())
    );
    let session = stage.start_spec(&stage.shell(&start)).await;
    shows(&session, "started").await;
    assert_eq!(session.stop(Duration::from_secs(5)).await.unwrap(), Stopped::default());
    let other = Session::open(&inner).unwrap();
    shows(&other, "inside").await;
    assert_eq!(other.state().await.unwrap(), State::Running);
    assert_eq!(other.stop(Duration::from_secs(5)).await.unwrap(), Stopped::default());
}
