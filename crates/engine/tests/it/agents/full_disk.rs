//! A disk that is full: a limit on what the host may write does the same, for any user and at any moment.

use std::os::unix::fs::PermissionsExt as _;

use holdpoint_engine::sessions::{Keys, TypingStatus};

use super::*;

/// Returns a host program that can write files of this many blocks.
fn limited(stage: &Stage, blocks: u32) -> PathBuf {
    let path = stage.path("host.sh");
    let program = host_program();
    // Ignored, the signal becomes an error of the write, as a full disk is.
    let script = format!(
        "#!/bin/sh\ntrap '' XFSZ\nulimit -f {blocks}\nexec {} \"$@\"\n",
        quote(program.to_str().unwrap())
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn the_agent_goes_on_and_what_the_log_lost_is_counted() {
    let stage = Stage::new();
    let mut spec = stage.spec(&["flood 1", "line still here", "ask more? ", "exit 4"]);
    spec.host = Some(limited(&stage, 64));
    let session = stage.start_spec(&spec).await;
    shows(&session, "more?").await;
    let screen = session.screen().await.unwrap();
    assert!(screen.log_lost > 500 << 10, "{screen:?}");
    assert!(session.tail(1 << 20).unwrap().starts_with(b"flood "));
    assert_eq!(session.input("e1", &Keys::Line("yes".into())).await.unwrap(), TypingStatus::Now);
    // How it ended is told all the same: the room for it was taken at the start.
    assert_eq!(ends(&session).await.code, Some(4));
    until("the host leaves", || !lives(stage.host())).await;
    assert!(matches!(session.state().await.unwrap(), State::Exited(ended) if ended.code == Some(4)));
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_typed() {
    let stage = Stage::new();
    let mut spec = stage.spec(&["print ready", "idle"]);
    spec.host = Some(limited(&stage, 2));
    let session = stage.start_spec(&spec).await;
    shows(&session, "ready").await;
    let (mut expected, mut refused) = (String::new(), 0);
    for n in 0..60 {
        match session.input(&format!("effect-{n}"), &Keys::Line("x".into())).await {
            Ok(TypingStatus::Now) => expected.push_str("x\n"),
            // To be tried again: nothing is wrong with it.
            Err(Error::Host(why)) => {
                assert!(why.starts_with("not typed"), "{why}");
                refused += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(refused > 20 && expected.len() > 2, "{refused} refused, typed {expected:?}");
    stage.typed(&expected).await;
    // What was typed is still known, and the rest still is not.
    assert_eq!(session.input("effect-0", &Keys::Line("x".into())).await.unwrap(), TypingStatus::Already);
}

#[tokio::test]
async fn without_any_room_nothing_starts() {
    let stage = Stage::new();
    let mut spec = stage.spec(&["line hello", "idle"]);
    spec.host = Some(limited(&stage, 0));
    assert!(matches!(sessions::start(&stage.dir(), &spec).await, Err(Error::Start(_))));
    assert!(matches!(Session::open(&stage.dir()), Err(Error::NotStarted(_))));
}
