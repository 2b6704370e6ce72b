//! Joining an agent's terminal.

use holdpoint_engine::sessions::{AttachedReader, Piece, Size};

use super::*;

/// Reads until a text has come.
async fn reads(reader: &mut AttachedReader, text: &str) -> String {
    let mut seen = Vec::new();
    let read = tokio::time::timeout(TIMEOUT, async {
        loop {
            match reader.next().await.unwrap() {
                Piece::Bytes(bytes) => seen.extend(bytes),
                other => panic!("{other:?} and not {text:?}"),
            }
            let seen = String::from_utf8_lossy(&seen).into_owned();
            if seen.contains(text) {
                return seen;
            }
        }
    });
    read.await.unwrap()
}

#[tokio::test]
async fn who_joins_sees_the_screen_types_and_leaves() {
    let stage = Stage::new();
    let steps =
        "echo before; while read line; do case $line in size) stty size;; *) echo \"<$line>\";; esac; done";
    let session = stage.start_spec(&stage.shell(steps)).await;
    shows(&session, "before").await;
    let (mut reader, mut writer) = session.attach(Size { rows: 20, cols: 70 }).await.unwrap().split();
    assert!(reads(&mut reader, "before").await.contains("before"));
    writer.write(b"hel").await.unwrap();
    writer.write(b"lo\r").await.unwrap();
    reads(&mut reader, "<hello>").await;
    writer.write(b"size\r").await.unwrap();
    reads(&mut reader, "20 70").await;
    writer.resize(Size { rows: 30, cols: 90 }).await.unwrap();
    writer.write(b"size\r").await.unwrap();
    reads(&mut reader, "30 90").await;
    // When the last one has left, it has its own size again.
    drop((reader, writer));
    let (rows, cols) = (Size::default().rows, Size::default().cols);
    for n in 0.. {
        session.input(&format!("e{n}"), &sessions::Keys::Line("size".into())).await.unwrap();
        let screen = shows(&session, "size").await;
        if all(&screen).contains(&format!("{rows} {cols}")) {
            break;
        }
    }
    // Escape and control bytes of a person go through as they are.
    let (mut reader, mut writer) = session.attach(Size { rows: 20, cols: 70 }).await.unwrap().split();
    writer.write(b"\x03").await.unwrap();
    let ended = tokio::time::timeout(TIMEOUT, async {
        loop {
            if let Piece::Exited(ended) = reader.next().await.unwrap() {
                return ended;
            }
        }
    });
    assert_eq!(ended.await.unwrap().signal, Some(2));
}

#[tokio::test]
async fn two_may_join_and_a_slow_one_gets_a_picture() {
    let stage = Stage::new();
    let session = stage.start(&["line ready", "ask go? ", "flood 4", "line the-end", "idle"]).await;
    shows(&session, "go?").await;
    let (mut slow, _kept) = session.attach(Size::default()).await.unwrap().split();
    let (mut quick, mut keys) = session.attach(Size::default()).await.unwrap().split();
    reads(&mut quick, "go?").await;
    keys.write(b"go\r").await.unwrap();
    reads(&mut quick, "the-end").await;
    // It reads only now, misses most of it, and ends up at the same screen.
    let seen = reads(&mut slow, "the-end").await;
    assert!(seen.len() < 2 << 20, "nothing was left out of {} bytes", seen.len());
}
