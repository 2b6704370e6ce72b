//! What is said of agents, from their screens and from who waits at their terminals.

use holdpoint_core::job::detect::{Detector, ErrorKind, Notice, Patterns, Prompt, Signal as Said, Timing};
use holdpoint_engine::sessions::{Key, Keys, Watch, watch};

use super::*;

/// Shorter than in earnest, so that tests are quick.
fn timing() -> Timing {
    Timing {
        idle_waiting: Duration::from_millis(300),
        idle_quiet: Duration::from_millis(1500),
        error: Duration::from_millis(300),
        recheck: Duration::from_millis(300),
        ..Timing::default()
    }
}

fn watched(session: &Session) -> Watch {
    watch(session, Detector::new(Patterns::default(), timing()))
}

async fn next(watch: &mut Watch) -> Said {
    tokio::time::timeout(TIMEOUT, watch.next()).await.expect("nothing is said").unwrap().0
}

async fn next_but_working(watch: &mut Watch) -> Said {
    loop {
        let said = next(watch).await;
        if said != Said::Working {
            return said;
        }
    }
}

#[tokio::test]
async fn a_conversation_is_followed_from_prompt_to_prompt() {
    let stage = Stage::new();
    let steps = [
        "line hello",
        "work 300",
        "permission Bash: rm -rf build",
        "got",
        "work 600",
        "question Which colour?|red|green",
        "got",
        "work 600",
        "plan do it well",
        "got",
        "ask Overwrite? [y/N] ",
        "exit 3",
    ];
    let session = stage.start(&steps).await;
    let mut watch = watched(&session);
    assert_eq!(next(&mut watch).await, Said::Working);
    let Said::Prompt { prompt: Prompt::Permission { text, keys } } = next(&mut watch).await else {
        panic!("no permission")
    };
    assert!(text.contains("rm -rf build"), "{text}");
    assert_eq!((keys.yes.as_str(), keys.no.as_str(), keys.enter), ("1", "3", false));
    session.input("e1", &Keys::Press(vec![Key::Char('1')])).await.unwrap();
    assert_eq!(next(&mut watch).await, Said::Working);
    let Said::Prompt { prompt: Prompt::Question { questions, .. } } = next(&mut watch).await else {
        panic!("no question")
    };
    assert_eq!(questions[0].text, "Which colour?");
    let labels: Vec<&str> = questions[0].options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["red", "green"]);
    session.input("e2", &Keys::Press(vec![Key::Char('2')])).await.unwrap();
    assert_eq!(next(&mut watch).await, Said::Working);
    let Said::Prompt { prompt: Prompt::Plan { text, options, .. } } = next(&mut watch).await else {
        panic!("no plan")
    };
    assert!(text.contains("do it well") && options.len() == 4, "{text}");
    session.input("e3", &Keys::Press(vec![Key::Char('4')])).await.unwrap();
    let Said::Prompt { prompt: Prompt::Permission { keys, .. } } = next_but_working(&mut watch).await else {
        panic!("no permission")
    };
    assert_eq!((keys.yes.as_str(), keys.no.as_str(), keys.enter), ("y", "n", false));
    session.input("e4", &Keys::Line(keys.yes)).await.unwrap();
    assert_eq!(next_but_working(&mut watch).await, Said::Dead { code: Some(3), signal: None });
    assert_eq!(stage.keys(), "124y\n");
}

#[tokio::test]
async fn who_waits_for_input_is_idle_and_who_sleeps_is_not() {
    let stage = Stage::new();
    // It reads from the terminal, after it slept for longer than an idle agent is left in peace.
    let session = stage
        .start_spec(&stage.shell("echo sleeping; sleep 3; echo reading; read line; echo woken; sleep 1000"))
        .await;
    let mut watch = watched(&session);
    assert_eq!(next(&mut watch).await, Said::Working);
    let (said, screen) = tokio::time::timeout(TIMEOUT, watch.next()).await.unwrap().unwrap();
    assert_eq!(said, Said::Idle);
    assert!(all(&screen).contains("reading"), "cried idle at\n{}", all(&screen));
    assert_eq!(screen.waiting_for_input, Some(true));
    // It goes on by itself and is quiet again, busy with something else.
    session.input("e1", &Keys::Line(String::new())).await.unwrap();
    shows(&session, "woken").await;
    let busy = session.screen().await.unwrap();
    assert_eq!(busy.waiting_for_input, Some(false));
}

#[tokio::test]
async fn a_shell_at_its_prompt_waits_for_input() {
    let stage = Stage::new();
    let session = stage.start_spec(&stage.shell("PS1='here> ' exec bash --norc -i")).await;
    shows(&session, "here>").await;
    let mut watch = watched(&session);
    let (said, screen) = loop {
        let (said, screen) = tokio::time::timeout(TIMEOUT, watch.next()).await.unwrap().unwrap();
        if said != Said::Working {
            break (said, screen);
        }
    };
    assert_eq!((said, screen.waiting_for_input), (Said::Idle, Some(true)));
}

#[tokio::test]
async fn an_error_is_told_from_talk_about_errors() {
    let stage = Stage::new();
    let steps = [
        "line I read what a rate limit exceeded answer means, and API Error: 429 too.",
        "work 500",
        r"line \n  ⎿  API Error: 429 {slow down}",
        "box",
        "idle",
    ];
    let session = stage.start(&steps).await;
    let mut watch = watched(&session);
    let Said::Error { kind, text } = next_but_working(&mut watch).await else { panic!("no error") };
    assert_eq!(kind, ErrorKind::RateLimit);
    assert!(text.starts_with("API Error: 429"), "{text}");
}

#[tokio::test]
async fn a_painted_prompt_is_none() {
    let stage = Stage::new();
    let steps = [
        r"line Do you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel",
        "line and that was the dialog.",
        r"line Delete everything? [y/N] ",
        "box",
        "idle",
    ];
    let session = stage.start(&steps).await;
    let mut watch = watched(&session);
    assert_eq!(next_but_working(&mut watch).await, Said::Idle);
}

#[tokio::test]
async fn hooks_are_heard_at_once() {
    let stage = Stage::new();
    let session = stage.start(&["line hello", "deaf"]).await;
    let mut watch = watched(&session);
    assert_eq!(next(&mut watch).await, Said::Working);
    let notices = watch.notices();
    notices.say(Notice::Idle);
    assert_eq!(next(&mut watch).await, Said::Idle);
    // Also from another process, as hooks are.
    session.notice(&Notice::Working).await.unwrap();
    assert_eq!(next(&mut watch).await, Said::Working);
    session.notice(&Notice::Idle).await.unwrap();
    assert_eq!(next(&mut watch).await, Said::Idle);
    let mut late = watched(&session);
    assert_eq!(next(&mut late).await, Said::Idle);
    notices.say(Notice::Error { kind: ErrorKind::Auth, text: "signed out".into() });
    assert_eq!(next(&mut watch).await, Said::Error { kind: ErrorKind::Auth, text: "signed out".into() });
}

/// Its last words are a moment old when the watch begins: that is not work, and the first that is said is what it is.
#[tokio::test]
async fn what_was_written_before_the_watch_began_is_not_work() {
    let stage = Stage::new();
    let session = stage.start_spec(&stage.shell("echo Never mind.; read line")).await;
    shows(&session, "Never mind.").await;
    let mut watch = watched(&session);
    assert_eq!(next(&mut watch).await, Said::Idle);
}

#[tokio::test]
async fn a_watch_can_begin_at_any_time() {
    let stage = Stage::new();
    let session = stage.start(&["ask Overwrite? [y/N] ", "exit 0"]).await;
    shows(&session, "Overwrite?").await;
    // The server that watched it before is gone; the prompt still stands.
    for _ in 0..2 {
        let mut watch = watched(&session);
        assert!(matches!(next_but_working(&mut watch).await, Said::Prompt { .. }));
        watch.look_again();
        assert!(matches!(next_but_working(&mut watch).await, Said::Prompt { .. }));
    }
    kill(stage.host(), Signal::KILL);
    until("the host is gone", || !lives(stage.host())).await;
    let mut watch = watched(&session);
    assert!(matches!(watch.next().await, Err(Error::HostGone)));
    // Of one that ended properly, its end is said, however late.
    let other = Stage::new();
    let session = other.start(&["exit 6"]).await;
    ends(&session).await;
    let mut watch = watched(&session);
    assert_eq!(next(&mut watch).await, Said::Dead { code: Some(6), signal: None });
}
