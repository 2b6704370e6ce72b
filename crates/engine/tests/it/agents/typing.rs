//! What is typed, exactly, and never twice.

use holdpoint_engine::sessions::{Key, Keys, TypingStatus};

use super::*;

fn line(text: &str) -> Keys {
    Keys::Line(text.into())
}

#[tokio::test]
async fn an_effect_is_typed_once_however_often_it_is_asked_for() {
    let stage = Stage::new();
    let session = stage.start(&["print ready", "idle"]).await;
    shows(&session, "ready").await;
    assert_eq!(session.input("e1", &line("go on")).await.unwrap(), TypingStatus::Now);
    assert_eq!(session.input("e1", &line("go on")).await.unwrap(), TypingStatus::Already);
    let more = line("more");
    let (first, second) = tokio::join!(session.input("e2", &more), session.input("e2", &more));
    assert!(matches!(
        (first.unwrap(), second.unwrap()),
        (TypingStatus::Now, TypingStatus::Now | TypingStatus::Already)
            | (TypingStatus::Already, TypingStatus::Now)
    ));
    assert_eq!(session.input("e3", &line("last")).await.unwrap(), TypingStatus::Now);
    stage.typed("go on\nmore\nlast\n").await;
}

#[tokio::test]
async fn what_could_act_is_left_out() {
    let stage = Stage::new();
    let session = stage.start(&["print ready", "idle"]).await;
    shows(&session, "ready").await;
    session.input("e1", &line("a\x03b\x1b[A\x04c\r\nrm -rf /\u{9b}d")).await.unwrap();
    stage.typed("ab[Ac rm -rf /d\n").await;
    assert_eq!(session.state().await.unwrap(), State::Running);
}

#[tokio::test]
async fn a_text_is_pasted_where_pastes_are_taken() {
    let stage = Stage::new();
    let session = stage.start(&["paste on", "box", "got", "idle"]).await;
    shows(&session, "? for shortcuts").await;
    session.input("e1", &line("one\ntwo \x1b[201~three")).await.unwrap();
    shows(&session, r#"got "one\ntwo [201~three""#).await;
    assert!(stage.keys().starts_with("\x1b[200~one\rtwo [201~three\x1b[201~\r"), "{:?}", stage.keys());
}

#[tokio::test]
async fn single_keys_are_pressed_as_they_are() {
    let stage = Stage::new();
    let steps = [
        "key a?",
        "key b?",
        "question Which?|red|green|blue",
        "got",
        "permission rm",
        "got",
        "ask c? ",
        "idle",
    ];
    let session = stage.start(&steps).await;
    shows(&session, "a?").await;
    session.input("e1", &Keys::Press(vec![Key::Char('y')])).await.unwrap();
    shows(&session, "b?").await;
    session.input("e2", &Keys::Press(vec![Key::Char('n')])).await.unwrap();
    shows(&session, "3. blue").await;
    session.input("e3", &Keys::Press(vec![Key::Down, Key::Down, Key::Enter])).await.unwrap();
    shows(&session, r#"got "blue""#).await;
    shows(&session, "Do you want to proceed?").await;
    session.input("e4", &Keys::Press(vec![Key::Escape])).await.unwrap();
    shows(&session, r#"got "escape""#).await;
    shows(&session, "c?").await;
    session.input("e5", &line("yes")).await.unwrap();
    stage.typed("yn\x1b[B\x1b[B\r\x1byes\n").await;
}

#[tokio::test]
async fn what_cannot_be_typed_is_refused_and_leaves_no_trace() {
    let stage = Stage::new();
    let session = stage.start(&["print ready", "idle"]).await;
    shows(&session, "ready").await;
    for (effect, keys) in [
        ("", line("x")),
        ("e1", line(&"x".repeat(5000))),
        ("e1", Keys::Press(vec![])),
        ("e1", Keys::Press(vec![Key::Char('\x03')])),
    ] {
        assert!(matches!(session.input(effect, &keys).await, Err(Error::Refused(_))), "{effect:?}");
    }
    assert_eq!(session.input("e1", &line("right")).await.unwrap(), TypingStatus::Now);
    stage.typed("right\n").await;
}

/// The host died after it wrote an effect down and before it wrote that it was typed.
#[tokio::test]
async fn what_was_begun_and_not_finished_is_unsure_and_never_typed() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.dir()).unwrap();
    let journal = r#"{"effect":"e1","mark":"begun","at":"2026-01-01T00:00:00Z"}
{"effect":"e2","mark":"begun","at":"2026-01-01T00:00:00Z"}
{"effect":"e2","mark":"typed","at":"2026-01-01T00:00:00Z"}
{"effect":"e3","mark":"be"#;
    std::fs::write(stage.dir().join("journal"), journal).unwrap();
    let session = stage.start(&["print ready", "idle"]).await;
    shows(&session, "ready").await;
    for _ in 0..2 {
        assert_eq!(session.input("e1", &line("one")).await.unwrap(), TypingStatus::Unsure);
        assert_eq!(session.input("e2", &line("two")).await.unwrap(), TypingStatus::Already);
    }
    // Half a line was written before anything was typed.
    assert_eq!(session.input("e3", &line("three")).await.unwrap(), TypingStatus::Now);
    assert_eq!(session.input("e3", &line("three")).await.unwrap(), TypingStatus::Already);
    stage.typed("three\n").await;
    // The same is told when no host is there to ask.
    kill(stage.host(), Signal::KILL);
    until("the host is gone", || !lives(stage.host())).await;
    assert_eq!(session.input("e1", &line("one")).await.unwrap(), TypingStatus::Unsure);
    assert_eq!(session.input("e3", &line("three")).await.unwrap(), TypingStatus::Already);
    assert!(matches!(session.input("e4", &line("four")).await, Err(Error::HostGone)));
}

/// The asking process is killed again and again while typing; the next one asks for the same effects.
#[tokio::test]
async fn whoever_asks_may_be_killed_at_any_moment() {
    let stage = Stage::new();
    let session = stage.start(&["print ready", "idle"]).await;
    shows(&session, "ready").await;
    let dir = stage.dir();
    let mut expected = String::new();
    for n in 0..12u64 {
        let text = format!("line {n}");
        let mut command = tokio::process::Command::new(host_program());
        command.args(["type", dir.to_str().unwrap(), &text]).stdout(std::process::Stdio::null());
        let mut asking = command.spawn().unwrap();
        // Sooner or later, from before it connects to after it was answered.
        let _ = tokio::time::timeout(Duration::from_millis(n * 3), asking.wait()).await;
        let _ = asking.start_kill();
        asking.wait().await.unwrap();
        let typed = session.input(&text, &line(&text)).await.unwrap();
        assert!(matches!(typed, TypingStatus::Now | TypingStatus::Already), "{typed:?}");
        expected.push_str(&text);
        expected.push('\n');
    }
    stage.typed(&expected).await;
}
