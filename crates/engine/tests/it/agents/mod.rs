//! Real agents in real pseudo-terminals, held by real host processes.

mod ending;
#[path = "../../../../../testing/fake-agent/built.rs"]
mod fake_agent;
mod flooding;
mod full_disk;
mod joining;
mod life;
mod typing;
mod watching;

use std::path::PathBuf;
use std::time::Duration;

use holdpoint_engine::sessions::{self, Ended, Error, Screen, Session, SessionChange, Spec, State};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::{Instant, interval};

/// How long anything may take on a machine that does other things too.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A folder with one session in it; whatever still runs is ended with it.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn dir(&self) -> PathBuf {
        self.path("session")
    }

    /// Returns what tells the fake agent to play these steps.
    fn spec(&self, steps: &[&str]) -> Spec {
        let quoted: Vec<String> = steps.iter().map(|step| quote(step)).collect();
        let agent = quote(fake_agent::fake_agent().to_str().unwrap());
        let keys = quote(self.path("keys").to_str().unwrap());
        self.shell(&format!("exec {agent} --keys {keys} {}", quoted.join(" ")))
    }

    /// Returns what runs a command.
    fn shell(&self, run: &str) -> Spec {
        let mut spec = Spec::new("agt-1", run, self.folder.path());
        spec.host = Some(host_program());
        spec.grace = Duration::from_millis(500);
        spec
    }

    async fn start(&self, steps: &[&str]) -> Session {
        self.start_spec(&self.spec(steps)).await
    }

    async fn start_spec(&self, spec: &Spec) -> Session {
        sessions::start(&self.dir(), spec).await.unwrap()
    }

    /// Returns what was typed, as the agent wrote it down.
    fn keys(&self) -> String {
        String::from_utf8(std::fs::read(self.path("keys")).unwrap_or_default()).unwrap()
    }

    /// Waits until that was typed and nothing else.
    async fn typed(&self, keys: &str) {
        until(&format!("{keys:?} is typed"), || self.keys() == keys).await;
    }

    /// Waits until a process has written its id down.
    async fn pid(&self, name: &str) -> u32 {
        let path = self.path(name);
        // A shell makes the file before it writes.
        let written = || std::fs::read_to_string(&path).ok()?.trim().parse().ok();
        until(name, || written().is_some()).await;
        written().unwrap()
    }

    fn about(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.dir().join("session.json")).unwrap()).unwrap()
    }

    fn host(&self) -> u32 {
        self.about()["host"]["pid"].as_u64().unwrap().try_into().unwrap()
    }

    fn agent(&self) -> u32 {
        self.about()["agent"]["pid"].as_u64().unwrap().try_into().unwrap()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let Ok(text) = std::fs::read(self.dir().join("session.json")) else { return };
        let about: Value = serde_json::from_slice(&text).unwrap();
        let host = about["host"]["pid"].as_u64().unwrap().try_into().unwrap();
        if lives(host) {
            kill(host, Signal::TERM);
        }
    }
}

/// Returns the program that holds terminals: an example of this crate, which is built with its tests.
fn host_program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("examples/host");
    assert!(program.exists(), "{} is not there; build the examples too", program.display());
    program
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Waits until something is so.
async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    let mut ticks = interval(Duration::from_millis(10));
    while !so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        ticks.tick().await;
    }
}

/// Waits until the screen shows a text.
async fn shows(session: &Session, text: &str) -> Screen {
    let mut follow = session.follow().await.unwrap();
    let mut last = None;
    let found = tokio::time::timeout(TIMEOUT, async {
        loop {
            match follow.next().await.unwrap() {
                SessionChange::Screen(screen) if all(&screen).contains(text) => return *screen,
                SessionChange::Screen(screen) => last = Some(screen),
                other => {
                    let screen = session.screen().await.unwrap();
                    assert!(all(&screen).contains(text), "{other:?}, and not {text:?}:\n{}", all(&screen));
                    return screen;
                }
            }
        }
    });
    found.await.unwrap_or_else(|_| panic!("no {text:?} on the screen:\n{}", all(&last.unwrap())))
}

fn all(screen: &Screen) -> String {
    screen.text.rows.join("\n")
}

/// Waits until the agent has ended.
async fn ends(session: &Session) -> Ended {
    let mut follow = session.follow().await.unwrap();
    let ended = tokio::time::timeout(TIMEOUT, async {
        loop {
            if let SessionChange::Exited(ended) = follow.next().await.unwrap() {
                return ended;
            }
        }
    });
    ended.await.unwrap()
}

fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn kill(pid: u32, signal: Signal) {
    let _ = kill_process(Pid::from_raw(pid.try_into().unwrap()).unwrap(), signal);
}
