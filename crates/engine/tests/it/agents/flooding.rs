//! Agents that write more than anybody can read.

use std::io::Write as _;
use std::os::unix::net::UnixStream;

use super::*;

/// How much memory a process has written to, in KiB.
fn own_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

fn frame(json: &str) -> Vec<u8> {
    let mut frame = u32::try_from(json.len()).unwrap().to_be_bytes().to_vec();
    frame.push(b'j');
    frame.extend(json.as_bytes());
    frame
}

#[tokio::test]
async fn memory_stays_small_whoever_does_not_read() {
    let stage = Stage::new();
    let session = stage.start(&["line ready", "ask go? ", "flood 24", "line the-end", "idle"]).await;
    shows(&session, "go?").await;
    // One follows, one joined, and neither ever reads.
    let mut deaf: Vec<UnixStream> = Vec::new();
    for request in [r#"{"do":"follow"}"#, r#"{"do":"attach","size":{"rows":40,"cols":120}}"#] {
        let mut stream = UnixStream::connect(stage.dir().join("host.sock")).unwrap();
        stream.write_all(&frame(request)).unwrap();
        deaf.push(stream);
    }
    let before = own_memory(stage.host());
    session.input("e1", &sessions::Keys::Line("go".into())).await.unwrap();
    let screen = shows(&session, "the-end").await;
    assert!(screen.written > 24 << 20);
    let after = own_memory(stage.host());
    assert!(after < before + 1536, "grew from {before} to {after} KiB");
}

#[tokio::test]
async fn a_sequence_without_end_fills_no_memory() {
    let stage = Stage::new();
    let session =
        stage.start(&["ask go? ", r"print \e]0;", "flood 32", r"print \x07", "line the-end", "idle"]).await;
    shows(&session, "go?").await;
    let before = own_memory(stage.host());
    session.input("e1", &sessions::Keys::Line("go".into())).await.unwrap();
    shows(&session, "the-end").await;
    let after = own_memory(stage.host());
    assert!(after < before + 512, "grew from {before} to {after} KiB");
}

#[tokio::test]
async fn others_are_not_held_up() {
    let flood = Stage::new();
    let flooding = flood.start_spec(&flood.shell("exec yes flood")).await;
    shows(&flooding, "flood").await;
    let calm = Stage::new();
    let session = calm.start(&["print ready", "idle"]).await;
    shows(&session, "ready").await;
    for n in 0..20 {
        let start = Instant::now();
        session.input(&format!("e{n}"), &sessions::Keys::Line("x".into())).await.unwrap();
        assert!(start.elapsed() < Duration::from_secs(2), "took {:?}", start.elapsed());
    }
    // And it can still be stopped itself, at once.
    assert_eq!(flooding.stop(Duration::from_secs(5)).await.unwrap(), sessions::Stopped::default());
}

#[tokio::test]
async fn nonsense_at_the_socket_is_sent_away() {
    let stage = Stage::new();
    let session = stage.start(&["line ready", "idle"]).await;
    shows(&session, "ready").await;
    for nonsense in [
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0xff; 64],
        frame("{"),
        frame(r#"{"do":"dance"}"#),
        frame(""),
    ] {
        let mut stream = UnixStream::connect(stage.dir().join("host.sock")).unwrap();
        stream.write_all(&nonsense).unwrap();
    }
    // So many callers that it takes no more of them; those who came before are served.
    let mut follow = session.follow().await.unwrap();
    follow.next().await.unwrap();
    let many: Vec<UnixStream> =
        (0..200).filter_map(|_| UnixStream::connect(stage.dir().join("host.sock")).ok()).collect();
    drop(many);
    assert_eq!(session.state().await.unwrap(), State::Running);
    shows(&session, "ready").await;
}
