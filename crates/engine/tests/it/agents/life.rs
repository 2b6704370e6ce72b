//! Starting, being found again, and what is kept.

use std::os::unix::fs::PermissionsExt as _;

use holdpoint_engine::sessions::{LogLimits, OrphanedAgent, Size};

use super::*;

#[tokio::test]
async fn an_agent_runs_and_what_it_showed_last_is_kept() {
    let stage = Stage::new();
    let session = stage.start(&["line hello", "ask name? ", "got", "exit 3"]).await;
    let screen = shows(&session, "name?").await;
    assert_eq!(
        (screen.text.rows.clone(), screen.text.cursor),
        (vec!["hello".into(), "name?".into()], (1, 6))
    );
    assert_eq!(screen.pid, Some(stage.agent()));
    assert_eq!(session.state().await.unwrap(), State::Running);
    session.input("e1", &sessions::Keys::Line("ana".into())).await.unwrap();
    let ended = ends(&session).await;
    assert_eq!((ended.code, ended.signal, ended.stopped), (Some(3), None, false));
    until("the host leaves", || !lives(stage.host())).await;
    // A client that comes now finds all that it left.
    let again = Session::open(&stage.dir()).unwrap();
    assert_eq!(again.id(), "agt-1");
    assert_eq!(again.state().await.unwrap(), State::Exited(ended));
    assert!(all(&again.screen().await.unwrap()).contains("got \"ana\""));
    assert!(String::from_utf8(again.tail(1000).unwrap()).unwrap().starts_with("hello"));
    assert!(!stage.dir().join("host.sock").exists());
    assert!(matches!(again.input("e2", &sessions::Keys::Line("x".into())).await, Err(Error::Ended)));
    assert!(matches!(again.attach(Size::default()).await, Err(Error::Ended)));
}

#[tokio::test]
async fn starting_twice_starts_once() {
    let stage = Stage::new();
    let count = stage.path("count");
    let spec = stage.shell(&format!("echo x >> {}; echo ready; read line", quote(count.to_str().unwrap())));
    let dir = stage.dir();
    let (a, b) = tokio::join!(sessions::start(&dir, &spec), sessions::start(&dir, &spec));
    let session = [a, b].into_iter().map(Result::unwrap).next().unwrap();
    shows(&session, "ready").await;
    sessions::start(&dir, &spec).await.unwrap();
    session.stop(Duration::from_secs(1)).await.unwrap();
    // Nor after its end.
    sessions::start(&dir, &spec).await.unwrap();
    assert_eq!(std::fs::read_to_string(count).unwrap(), "x\n");
    let other = Spec { id: "agt-2".into(), ..spec };
    assert!(matches!(sessions::start(&dir, &other).await, Err(Error::OtherSession { .. })));
}

#[tokio::test]
async fn what_cannot_start_says_why_and_can_be_tried_again() {
    let stage = Stage::new();
    let mut spec = stage.spec(&["line hello", "idle"]);
    spec.cwd = stage.path("gone");
    let Err(Error::Start(why)) = sessions::start(&stage.dir(), &spec).await else {
        panic!("started nowhere")
    };
    assert!(why.contains("gone does not exist"), "{why}");
    assert!(matches!(Session::open(&stage.dir()), Err(Error::NotStarted(_))));
    std::fs::create_dir(&spec.cwd).unwrap();
    shows(&stage.start_spec(&spec).await, "hello").await;
    let nobody = stage.path("nobody");
    spec.host = Some(nobody);
    assert!(matches!(sessions::start(&stage.path("other"), &spec).await, Err(Error::Start(_))));
}

#[tokio::test]
async fn an_agent_outlives_whoever_started_it() {
    let stage = Stage::new();
    let dir = stage.dir();
    let command = stage.spec(&["line hello", "ask more? ", "line thanks", "idle"]).run;
    let mut starter = tokio::process::Command::new(host_program());
    starter.args(["start", dir.to_str().unwrap(), &command]).current_dir(stage.path("")).kill_on_drop(true);
    assert!(starter.output().await.unwrap().status.success());
    let session = Session::open(&dir).unwrap();
    shows(&session, "more?").await;
    session.input("e1", &sessions::Keys::Line("yes".into())).await.unwrap();
    shows(&session, "thanks").await;
    // It leads a session of its own: no terminal of the starter can end it.
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", stage.host())).unwrap();
    assert_eq!(stat.rsplit_once(") ").unwrap().1.split(' ').nth(3), Some(stage.host().to_string().as_str()));
}

#[tokio::test]
async fn the_environment_is_given_and_never_written_down() {
    let stage = Stage::new();
    let mut spec = stage
        .shell("echo \"$HOLD_SESSION $TERM ${SECRET:+secret} ${HOME-none}\"; pwd; ls /proc/self/fd; echo listed; read x");
    spec.env.insert("SECRET".into(), Some("hunter2-hunter2".into()));
    spec.env.insert("HOME".into(), None);
    let session = stage.start_spec(&spec).await;
    let screen = shows(&session, "listed").await;
    assert!(all(&screen).contains("agt-1 xterm-256color secret none"), "{}", all(&screen));
    assert!(all(&screen).contains(&spec.cwd.canonicalize().unwrap().display().to_string()));
    for entry in std::fs::read_dir(stage.dir()).unwrap() {
        let path = entry.unwrap().path();
        let mode = path.metadata().unwrap().permissions().mode();
        if path.extension().is_some_and(|ending| ending == "sock") {
            continue;
        }
        assert_eq!(mode & 0o77, 0, "{} can be read by others", path.display());
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains("hunter2"), "the secret is in {}", path.display());
    }
    assert_eq!(stage.dir().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    // Nothing but its terminal is open to the agent, and the folder that ls reads.
    let fds: Vec<&str> = screen
        .text
        .rows
        .iter()
        .map(String::as_str)
        .filter(|row| row.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(fds.join(" ").split_whitespace().count(), 4, "{fds:?}");
}

#[tokio::test]
async fn a_deep_folder_is_no_hindrance() {
    let stage = Stage::new();
    let dir = (0..8).fold(stage.path(""), |path, n| path.join(format!("a-folder-with-a-long-name-{n}")));
    let mut spec = stage.spec(&["line hello", "idle"]);
    spec.id = "agt-deep".into();
    let session = sessions::start(&dir, &spec).await.unwrap();
    shows(&session, "hello").await;
    assert_eq!(session.stop(Duration::from_secs(1)).await.unwrap(), sessions::Stopped::default());
}

#[tokio::test]
async fn a_log_is_kept_within_its_limits() {
    let stage = Stage::new();
    let mut spec = stage.spec(&["flood 2", "line the-end", "idle"]);
    spec.log = LogLimits { bytes: 256 << 10, files: 3 };
    let session = stage.start_spec(&spec).await;
    let screen = shows(&session, "the-end").await;
    assert!(screen.written > 2 << 20 && screen.log_lost == 0);
    let logs = std::fs::read_dir(stage.dir()).unwrap().map(|entry| entry.unwrap());
    let sizes: Vec<u64> = logs
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("log"))
        .map(|entry| entry.metadata().unwrap().len())
        .collect();
    assert_eq!(sizes.len(), 3);
    // A file may be over by what was written at once.
    assert!(sizes.iter().all(|size| *size <= (256 + 64) << 10), "{sizes:?}");
    let tail = String::from_utf8(session.tail(300 << 10).unwrap()).unwrap();
    assert!(tail.trim_end().ends_with("the-end") && tail.len() == 300 << 10);
}

#[tokio::test]
async fn escapes_do_what_they_do_on_a_terminal_and_no_more() {
    let stage = Stage::new();
    let steps = [
        r"print \e]0;title\x07\e[2J\e[H\e[31mred\e[0m\e[5;1Hfive",
        r"print \e[999;999H\e[1;1Hfirst\e]52;c;ZXZpbA==\x07",
        r"key \e[6nwhere? ",
        "got",
        "idle",
    ];
    let session = stage.start(&steps).await;
    // The program asked where the cursor is, and was answered.
    let screen = shows(&session, r#"got "\u{1b}[1;6R""#).await;
    assert!(screen.text.rows[0].starts_with("firstwhere?"), "{}", all(&screen));
    assert_eq!(screen.text.rows[4], "five");
}

#[tokio::test]
async fn a_session_that_never_was_is_not_there() {
    let stage = Stage::new();
    assert!(matches!(Session::open(&stage.dir()), Err(Error::NotStarted(_))));
    std::fs::create_dir_all(stage.dir()).unwrap();
    std::fs::write(stage.dir().join("session.json"), "{").unwrap();
    assert!(matches!(Session::open(&stage.dir()), Err(Error::Io { .. })));
    // Written down, and then the host died before it could start anything.
    let about = r#"{"id": "agt-9", "run": "x", "cwd": "/", "at": "2026-01-01T00:00:00Z", "host": {"pid": 999999, "start": 1}}"#;
    std::fs::write(stage.dir().join("session.json"), about).unwrap();
    let session = Session::open(&stage.dir()).unwrap();
    assert_eq!(session.state().await.unwrap(), State::HostGone { agent: OrphanedAgent::Unknown });
}
