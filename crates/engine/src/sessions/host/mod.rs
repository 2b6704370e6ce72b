//! The host: a small process that holds an agent's terminal. It has one thread, blocks in `poll`, and is idle while
//! nothing happens.

mod agent;
mod ending;
mod keys;
mod log;
mod peer;
mod requests;
mod terminal;
mod turn;

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::ExitCode;

use holdpoint_core::job::detect::Notice;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGCHLD, SIGTERM};

use self::agent::Agent;
use self::ending::Ending;
use self::keys::KeyQueue;
use self::log::Log;
use self::peer::Peer;
use self::terminal::Terminal;
use super::files::{self, ReservedFile, SessionInfo};
use super::journal::Journal;
use super::spec::Spec;
use super::{processes, wire};
use crate::clock::Clock;

/// The message of the host on standard output when it has started, or failed to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StartMessage {
    /// The agent runs.
    Runs,
    /// The folder already has a session.
    Taken,
    /// Nothing runs, and why.
    Failed(String),
}

/// Runs as the host of the session in a folder, until the agent and everything that it started have ended. The spec is
/// read from standard input; one line on standard output says that it runs, or why not.
pub fn run(dir: &Path) -> ExitCode {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    agent::leave_home();
    let host = Host::start(&dir);
    let ready = match &host {
        Ok(_) => StartMessage::Runs,
        Err(StartFailure::Taken) => StartMessage::Taken,
        Err(StartFailure::Because(why)) => StartMessage::Failed(why.clone()),
    };
    let mut out = std::io::stdout();
    let _ = serde_json::to_writer(&mut out, &ready);
    let _ = out.write_all(b"\n").and_then(|()| out.flush());
    agent::let_go();
    let Ok(mut host) = host else { return ExitCode::FAILURE };
    host.run();
    ExitCode::SUCCESS
}

/// The state of the host.
struct Host {
    about: SessionInfo,
    spec: Spec,
    agent: Agent,
    terminal: Terminal,
    log: Log,
    journal: Journal,
    keys: KeyQueue,
    /// The last notice of the agent's hooks, and the number of the change before it.
    noticed: Option<(Notice, u64)>,
    peers: Vec<Peer>,
    listener: UnixListener,
    children: UnixStream,
    asked_to_end: UnixStream,
    ending: Ending,
    exit: ReservedFile,
    dir: std::path::PathBuf,
    clock: Clock,
    _lock: std::fs::File,
}

enum StartFailure {
    Taken,
    Because(String),
}

impl Host {
    fn start(dir: &Path) -> Result<Self, StartFailure> {
        let because =
            |what: &str, why: &dyn std::fmt::Display| StartFailure::Because(format!("{what}: {why}"));
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text).map_err(|why| because("standard input", &why))?;
        let spec: Spec = serde_json::from_slice(&text).map_err(|why| because("the spec", &why))?;
        let folder = dir.display().to_string();
        files::make_private(dir).map_err(|why| because(&folder, &why))?;
        let lock = files::append(&dir.join("lock")).map_err(|why| because(&folder, &why))?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() || files::about(dir).exists() {
            return Err(StartFailure::Taken);
        }
        let clock = Clock::System;
        let host = processes::known(std::process::id());
        let (id, command, cwd) = (spec.id.clone(), spec.run.clone(), spec.cwd.clone());
        let mut about = SessionInfo { id, run: command, cwd, at: clock.now(), host, agent: None };
        let exit = ReservedFile::new(files::exit(dir)).map_err(|why| because(&folder, &why))?;
        let journal = Journal::open(dir).map_err(|why| because("the journal", &why))?;
        let listener = listen(dir).map_err(|why| because("the socket", &why))?;
        let children = notice(SIGCHLD).map_err(|why| because("signals", &why))?;
        let asked_to_end = notice(SIGTERM).map_err(|why| because("signals", &why))?;
        // From here on it must not be started again: it may run, whatever happens to this process.
        files::write(&files::about(dir), &about).map_err(|why| because(&folder, &why))?;
        let agent = Agent::start(&spec, dir).inspect_err(|_| {
            // It surely does not run, so the folder may be used for another try.
            let _ = std::fs::remove_file(files::about(dir));
        });
        let agent = agent.map_err(StartFailure::Because)?;
        about.agent = Some(processes::known(agent.pid));
        let _ = files::write(&files::about(dir), &about);
        Ok(Self {
            terminal: Terminal::new(spec.size),
            log: Log::open(dir, spec.log),
            keys: KeyQueue::default(),
            noticed: None,
            peers: Vec::new(),
            ending: Ending::default(),
            dir: dir.to_owned(),
            _lock: lock,
            about,
            spec,
            agent,
            journal,
            listener,
            children,
            asked_to_end,
            exit,
            clock,
        })
    }
}

fn listen(dir: &Path) -> std::io::Result<UnixListener> {
    let (path, _held) = wire::address(dir)?;
    // Left by a failed start; the lock shows that no process listens there.
    let _ = std::fs::remove_file(dir.join("host.sock"));
    let listener = UnixListener::bind(path)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Returns a stream that becomes readable when a signal has come.
fn notice(signal: i32) -> std::io::Result<UnixStream> {
    let (reader, writer) = UnixStream::pair()?;
    reader.set_nonblocking(true)?;
    writer.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(signal, writer)?;
    Ok(reader)
}
