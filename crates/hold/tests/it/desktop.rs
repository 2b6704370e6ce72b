//! `hold notify` with stand-ins for the programs of a desktop, which also misbehave.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::mpsc::{Receiver, channel};

use holdpoint_core::{Role, Span};
use holdpoint_engine::Clock;
use rustix::process::Signal;
use serde_json::json;

use crate::process::{Running, Stream, TIMEOUT, finish};
use crate::sandbox::{Sandbox, at};
use crate::serving::Serving;

/// Writes what it is called with to one pipe and, while it is listened to, says what comes from another. What it does wrong
/// stands in a file.
const GDBUS: &str = r#"
here="$FAKE"
case "$1" in
monitor) echo "Monitoring signals on object"; exec cat "$here/says" ;;
esac
shift 7; method="$1"; shift
wrong="$(cat "$here/wrong")"
{ printf '%s' "$method"; for value; do printf '\t%s' "$value"; done; echo; } >> "$here/calls"
case "$method.$wrong" in
*.GetCapabilities.*) echo "(['actions', 'body'],)" ;;
*.fail) exit 1 ;;
*.garbage) head -c 200000 /dev/zero | tr '\0' 'x' ;;
*) if [ "$2" = 0 ]; then n=$(($(cat "$here/count") + 1)); echo $n > "$here/count"; else n="$2"; fi
   echo "(uint32 $n,)" ;;
esac
"#;

const BROWSER: &str = r#"printf 'open\t%s\n' "$1" >> "$FAKE/calls""#;

struct Desktop {
    sandbox: Sandbox,
    calls: Receiver<String>,
    says: File,
}

impl Desktop {
    fn new(gdbus: Option<&str>, notify_send: Option<&str>) -> Self {
        let sandbox = Sandbox::new();
        let here = sandbox.path("fake");
        std::fs::create_dir_all(&here).unwrap();
        let sandbox = sandbox.with("FAKE", here.to_str().unwrap());
        let bin = sandbox.path("bin");
        // Nothing but what is needed here is on the path: the desktop of the machine is not to be met.
        std::fs::create_dir_all(&bin).unwrap();
        for tool in ["cat", "head", "tr", "sh", "printf", "mkfifo", "sleep"] {
            let found = ["/usr/bin", "/bin"].map(|folder| std::path::Path::new(folder).join(tool));
            let found = found.into_iter().find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(found, bin.join(tool)).unwrap();
        }
        let sandbox = sandbox.with("PATH", bin.to_str().unwrap());
        for (name, script) in [("gdbus", gdbus), ("notify-send", notify_send), ("xdg-open", Some(BROWSER))] {
            if let Some(script) = script {
                sandbox.executable(name, script);
            }
        }
        sandbox.settings("[hooks]\ndesktop = false\n");
        sandbox.file("fake/wrong", "");
        sandbox.file("fake/count", "40");
        for pipe in ["calls", "says"] {
            finish(sandbox.program("mkfifo").arg(here.join(pipe)), b"").exits(0);
        }
        // Open both ways, so that no end of it waits for the other.
        let both = |name: &str| OpenOptions::new().read(true).write(true).open(here.join(name)).unwrap();
        let (sender, calls) = channel();
        let reader = BufReader::new(both("calls"));
        std::thread::spawn(move || {
            for line in reader.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let says = both("says");
        Self { sandbox, calls, says }
    }

    #[track_caller]
    fn follow(&self) -> Running {
        let mut follower = self.sandbox.spawn(&["notify", "--by", "ana"]);
        follower.until(Stream::Err, "Following what waits for ana");
        follower
    }

    /// Waits for the next call, without those that only look whether anybody is there.
    #[track_caller]
    fn next(&self) -> Vec<String> {
        loop {
            let line =
                self.calls.recv_timeout(TIMEOUT).unwrap_or_else(|why| panic!("nothing was called: {why}"));
            if !line.contains("GetCapabilities") {
                return line.split('\t').map(str::to_owned).collect();
            }
        }
    }

    fn click(&mut self, notice: u32, action: &str) {
        let said = format!(
            "/org/freedesktop/Notifications: org.freedesktop.Notifications.ActionInvoked (uint32 {notice}, '{action}')\n"
        );
        self.says.write_all(said.as_bytes()).unwrap();
    }

    fn is_quiet(&self) {
        if let Ok(line) = self.calls.try_recv() {
            panic!("called unasked: {line}");
        }
    }
}

fn ends(follower: Running) {
    follower.signal(Signal::INT);
    follower.end().exits(0);
}

#[test]
fn a_notice_answers_a_question_and_follows_it() {
    let mut desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    let follower = desktop.follow();
    let id = desktop.sandbox.ask(&[
        "Which <b>cache</b> & \"why\"?",
        "-o",
        "a:Redis",
        "-o",
        "b:None",
        "--assign",
        "ana",
    ]);
    let shown = desktop.next();
    assert_eq!(shown[0], "org.freedesktop.Notifications.Notify");
    assert_eq!(shown[1..4], ["\"Holdpoint\"", "0", "\"\""]);
    assert_eq!(shown[4], "\"Decision needed in default\"");
    assert!(shown[5].contains("Which &lt;b&gt;cache&lt;/b&gt; &amp; \\\"why\\\"?"), "{}", shown[5]);
    assert_eq!(shown[6], "@as [\"answer-0\", \"Redis\", \"answer-1\", \"None\", \"default\", \"Open\"]");
    // What is not for ana is not shown, and what nobody offered is not answered.
    desktop.sandbox.ask(&["For bo?", "-o", "a:A", "--assign", "bo"]);
    for action in ["answer-2", "answer-", "answer--1", "x", "answer-99999999999999999999"] {
        desktop.click(41, action);
    }
    desktop.click(7, "answer-0");
    desktop.says.write_all(b"\xff\xfe nonsense\n").unwrap();
    desktop.click(41, "default");
    assert_eq!(desktop.next(), ["open".to_owned(), format!("{}/d/{id}", server.url)]);
    at(&desktop.sandbox.show(&id), "/status", "pending");
    desktop.click(41, "answer-0");
    let settled = desktop.next();
    assert_eq!((settled[2].as_str(), settled[6].as_str()), ("41", "@as []"));
    assert!(settled[4].contains("Answered by") && settled[4].contains("Redis"), "{settled:?}");
    let answered = desktop.sandbox.show(&id);
    at(&answered, "/answer/values/choice", "a");
    at(&answered, "/answer/via", "desktop");
    // What somebody else answers changes too.
    let other = desktop.sandbox.ask(&["Which queue?", "-o", "a:A", "--assign", "ana"]);
    assert_eq!(desktop.next()[2], "0");
    desktop.sandbox.ok(&["answer", &other, "a"]);
    let settled = desktop.next();
    assert_eq!(settled[2], "42");
    assert!(settled[4].contains("Answered by"), "{settled:?}");
    ends(follower);
    desktop.is_quiet();
    server.stop();
}

#[test]
fn a_subject_is_never_consented_to() {
    let mut desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    let follower = desktop.follow();
    let id = desktop.sandbox.ask_document(&json!({
        "title": "Delete it?", "source": "approval", "subject": {"command": "rm -rf /"}, "assignees": ["ana"],
        "fields": [{"id": "choice", "kind": "choice", "label": "?", "options": [
            {"id": "yes", "label": "Allow"}, {"id": "no", "label": "Deny", "refuses": true}]}],
    }));
    let shown = desktop.next();
    assert_eq!(shown[6], "@as [\"answer-0\", \"Deny\", \"default\", \"Open\"]");
    assert!(!shown[5].contains("rm -rf"), "{shown:?}");
    desktop.click(41, "answer-1");
    desktop.click(41, "default");
    assert_eq!(desktop.next()[0], "open");
    at(&desktop.sandbox.show(&id), "/status", "pending");
    desktop.click(41, "answer-0");
    assert!(desktop.next()[4].contains("Deny"));
    at(&desktop.sandbox.show(&id), "/answer/values/choice", "no");
    ends(follower);
    server.stop();
}

#[test]
fn programs_that_misbehave_stop_nothing() {
    let desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    let follower = desktop.follow();
    for wrong in ["fail", "garbage"] {
        desktop.sandbox.file("fake/wrong", wrong);
        desktop.sandbox.ask(&["Lost?", "-o", "a:A", "--assign", "ana"]);
        assert!(desktop.next()[5].contains("Lost?"));
    }
    desktop.sandbox.file("fake/wrong", "");
    desktop.sandbox.ask(&["Found?", "-o", "a:A", "--assign", "ana"]);
    assert!(desktop.next()[5].contains("Found?"));
    ends(follower);
    server.stop();
    let none = Desktop::new(Some("exit 1"), None);
    let server = Serving::start(&none.sandbox);
    none.sandbox.refuses(&["notify"], 1, &["no desktop shows notices", "notify-send"]);
    server.stop();
}

#[test]
fn it_follows_a_server_that_comes_back_and_heeds_how_one_wants_to_be_told() {
    let desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    server.person("ana", None, &[]);
    desktop.sandbox.ok(&["person", "notify", "ana", "--rule", "priority=low: none"]);
    for at in 0..5 {
        desktop.sandbox.ask(&[&format!("Old {at}?"), "-o", "a:A", "--assign", "ana"]);
    }
    let follower = desktop.follow();
    assert_eq!(desktop.next()[4], "\"5 decisions wait for you\"");
    desktop.sandbox.ask(&["Low?", "-o", "a:A", "--assign", "ana", "--priority", "low"]);
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    server.stop();
    let server = Serving::start_at(&desktop.sandbox, &address);
    desktop.sandbox.ask(&["New?", "-o", "a:A", "--assign", "ana"]);
    assert!(desktop.next()[5].contains("New?"));
    ends(follower);
    desktop.is_quiet();
    server.stop();
}

#[test]
fn notify_send_will_do() {
    let script = r#"
n=$(($(cat "$FAKE/count") + 1)); echo $n > "$FAKE/count"
{ printf 'notify-send'; for value; do printf '\t%s' "$value"; done; echo; } >> "$FAKE/calls"
echo $n
case "$*" in *--action=*) read -r action < "$FAKE/says"; echo "$action" ;; esac
"#;
    let mut desktop = Desktop::new(None, Some(script));
    let server = Serving::start(&desktop.sandbox);
    let follower = desktop.follow();
    let id = desktop.sandbox.ask(&["Which?", "-o", "a:A", "-o", "b:B", "--assign", "ana"]);
    let shown = desktop.next();
    assert_eq!(shown[0], "notify-send");
    assert!(
        shown.contains(&"--action=answer-0=A".to_owned()) && shown.contains(&"--".to_owned()),
        "{shown:?}"
    );
    desktop.says.write_all(b"answer-1\n").unwrap();
    let settled = desktop.next();
    assert!(settled.contains(&"--replace-id=41".to_owned()), "{settled:?}");
    at(&desktop.sandbox.show(&id), "/answer/values/choice", "b");
    ends(follower);
    server.stop();
}

/// Shows a notice and waits for a click, with an open pipe that shows that it lives.
const WAITING: &str = r#"
n=$(($(cat "$FAKE/count") + 1)); echo $n > "$FAKE/count"
exec 9> "$FAKE/alive"
echo $n
echo notify-send >> "$FAKE/calls"
read -r action < "$FAKE/says"
"#;

#[test]
fn programs_that_wait_for_a_click_end_with_it() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let desktop = Desktop::new(None, Some(WAITING));
        let alive = desktop.sandbox.path("fake/alive");
        finish(desktop.sandbox.program("mkfifo").arg(&alive), b"").exits(0);
        let server = Serving::start(&desktop.sandbox);
        let follower = desktop.follow();
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            // It is open for as long as one of those who write to it lives.
            std::io::copy(&mut File::open(alive).unwrap(), &mut std::io::sink()).unwrap();
            sender.send(()).unwrap();
        });
        desktop.sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana"]);
        assert_eq!(desktop.next(), ["notify-send"]);
        follower.signal(signal);
        follower.end().exits(0);
        ended.recv_timeout(TIMEOUT).expect("notify-send was left behind");
        server.stop();
    }
}

#[test]
fn that_notices_cannot_be_shown_is_said_once() {
    let fails = r#"echo notify-send >> "$FAKE/calls"; exit 3"#;
    let desktop = Desktop::new(None, Some(fails));
    let server = Serving::start(&desktop.sandbox);
    let mut follower = desktop.follow();
    // The second has failed when the third is tried.
    for _ in 0..3 {
        desktop.sandbox.ask(&["Which?", "-o", "a:A", "--assign", "ana"]);
        assert_eq!(desktop.next(), ["notify-send"]);
    }
    follower.until(Stream::Err, "could not be shown");
    follower.signal(Signal::INT);
    let ran = follower.end().exits(0);
    assert_eq!(ran.err.matches("could not be shown").count(), 1, "{ran}");
    assert!(ran.err.contains("exit status: 3"), "{ran}");
    server.stop();
}

#[test]
fn a_token_says_who_follows() {
    let desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    let token = server.token(Role::Person, &[]);
    let with_token = |arguments: &[&str]| {
        let mut command = desktop.sandbox.command(arguments);
        command.env("HOLD_TOKEN", &token).env("USER", "root");
        command
    };
    let wrong = finish(&mut with_token(&["notify", "--by", "ana"]), b"").exits(1);
    assert!(wrong.err.contains("the token is that of \"person\"") && wrong.err.contains("--by"), "{wrong}");
    let mut follower = Running::start(&mut with_token(&["notify"]));
    follower.until(Stream::Err, "Following what waits for person;");
    desktop.sandbox.ask(&["For root?", "-o", "a:A", "--assign", "root"]);
    desktop.sandbox.ask(&["For me?", "-o", "a:A", "--assign", "person"]);
    assert!(desktop.next()[5].contains("For me?"));
    ends(follower);
    desktop.is_quiet();
    // The inbox knows it too.
    let shown = finish(&mut with_token(&["inbox", "--plain", "--mine"]), b"q\n").exits(0);
    assert!(shown.out.contains("For me?") && !shown.out.contains("For root?"), "{shown}");
    server.stop();
}

#[test]
fn quiet_hours_take_no_notice_away() {
    let desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    server.person("ana", None, &[]);
    let follower = desktop.follow();
    let first = desktop.sandbox.ask(&["First?", "-o", "a:A", "--assign", "ana"]);
    assert!(desktop.next()[5].contains("First?"));
    let hour = |from_now: i64| {
        let at = Clock::System.now().checked_add(Span::from_secs(from_now * 3_600)).unwrap().to_string();
        at[11..16].to_owned()
    };
    desktop.sandbox.ok(&["person", "notify", "ana", "--quiet", &format!("{}-{}", hour(-1), hour(6))]);
    desktop.sandbox.ask(&["Second?", "-o", "a:A", "--assign", "ana"]);
    desktop.sandbox.ok(&["answer", &first, "a"]);
    let settled = desktop.next();
    assert!(settled[2] == "41" && settled[4].contains("Answered by"), "{settled:?}");
    // What was held back comes once they are over.
    desktop.sandbox.ok(&["person", "notify", "ana", "--no-quiet"]);
    assert!(desktop.next()[5].contains("Second?"));
    ends(follower);
    desktop.is_quiet();
    server.stop();
}

#[test]
fn a_server_that_is_not_there_yet_is_waited_for() {
    let desktop = Desktop::new(Some(GDBUS), None);
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    Serving::start(&desktop.sandbox).stop();
    let token = std::fs::read_to_string(desktop.sandbox.home().join("local.token")).unwrap();
    let mut command = desktop.sandbox.command(&["notify", "--by", "ana"]);
    command.env("HOLD_URL", format!("http://{address}")).env("HOLD_TOKEN", token.trim());
    let mut follower = Running::start(&mut command);
    follower.until(Stream::Err, "cannot be reached");
    let server = Serving::start_at(&desktop.sandbox, &address);
    follower.until(Stream::Err, "Following what waits for ana");
    desktop.sandbox.ask(&["New?", "-o", "a:A", "--assign", "ana"]);
    assert!(desktop.next()[5].contains("New?"));
    ends(follower);
    server.stop();
}

#[test]
fn it_goes_on_in_the_store_and_comes_back_to_a_server_elsewhere() {
    let desktop = Desktop::new(Some(GDBUS), None);
    let server = Serving::start(&desktop.sandbox);
    let mut follower = desktop.follow();
    server.kill();
    follower.until(Stream::Err, "holding on until it is back");
    desktop.sandbox.ask(&["Alone?", "-o", "a:A", "--assign", "ana"]);
    let shown = desktop.next();
    assert!(shown[5].contains("Alone?") && !shown[6].contains("Open"), "{shown:?}");
    let server = Serving::start(&desktop.sandbox);
    desktop.sandbox.ask(&["Served?", "-o", "a:A", "--assign", "ana"]);
    let shown = desktop.next();
    assert!(shown[5].contains("Served?") && shown[6].contains("Open"), "{shown:?}");
    ends(follower);
    server.stop();
}
