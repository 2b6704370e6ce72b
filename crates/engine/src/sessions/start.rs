//! Starts an agent under a separate host.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use super::error::Error;
use super::host::StartMessage;
use super::session::Session;
use super::spec::Spec;
use super::{files, processes};

/// How long a host may take to start.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Starts an agent under a separate host and returns once its process runs.
///
/// The folder is created if needed, for this user alone. If it already has the session of that id, that session is
/// returned and nothing is started, so starting twice is harmless.
pub async fn start(dir: &Path, spec: &Spec) -> Result<Session, Error> {
    let dir =
        std::path::absolute(dir).map_err(|source| Error::Io { what: dir.display().to_string(), source })?;
    match Session::open(&dir) {
        Ok(session) => return of_same_id(session, spec),
        Err(Error::NotStarted(_)) => {}
        Err(other) => return Err(other),
    }
    holdpoint_core::text::check_name(&spec.id)
        .map_err(|why| Error::Start(format!("the session's id {why}")))?;
    let io = |source| Error::Io { what: dir.display().to_string(), source };
    files::make_private(&dir).map_err(io)?;
    match tokio::time::timeout(TIMEOUT, launch(&dir, spec)).await {
        Ok(Ok(StartMessage::Runs)) => Session::open(&dir),
        Ok(Ok(StartMessage::Taken)) => of_same_id(started_by_another(&dir).await?, spec),
        Ok(Ok(StartMessage::Failed(why))) => Err(Error::Start(why)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(Error::Start("its host does not answer".into())),
    }
}

/// Waits for a process that was faster and holds the folder, but has not recorded yet what it starts.
async fn started_by_another(dir: &Path) -> Result<Session, Error> {
    let until = tokio::time::Instant::now() + TIMEOUT;
    loop {
        match Session::open(dir) {
            Err(Error::NotStarted(_)) if tokio::time::Instant::now() < until => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            opened => return opened,
        }
    }
}

async fn launch(dir: &Path, spec: &Spec) -> Result<StartMessage, Error> {
    let unstarted = |why: std::io::Error| Error::Start(format!("its host cannot be started: {why}"));
    let errors = files::append(&dir.join("host.err")).map_err(unstarted)?;
    let mut command = this_program(spec);
    command.arg("session-host").arg(dir);
    // If it is started by an agent of another session, it must not count as one of that session's processes.
    command.env(processes::MARKER, dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
    let mut child = command.spawn().map_err(unstarted)?;
    let text = serde_json::to_vec(spec).map_err(|why| Error::Start(why.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // If it does not read this, it has reported why.
        let _ = stdin.write_all(&text).await;
    }
    let mut said = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut said).await.map_err(unstarted)?;
    }
    // It is not waited for: it outlives this process, and otherwise the runtime reaps it.
    drop(child);
    serde_json::from_slice(said.trim_ascii()).map_err(|_| {
        let errors = std::fs::read_to_string(dir.join("host.err")).unwrap_or_default();
        let last = errors.lines().next_back().unwrap_or("it printed nothing");
        Error::Start(format!("its host ended at once: {last}"))
    })
}

fn this_program(spec: &Spec) -> Command {
    if let Some(program) = &spec.host {
        return Command::new(program);
    }
    // This path works even if the file has been replaced by a newer version.
    let itself = Path::new("/proc/self/exe");
    if itself.exists() {
        let mut command = Command::new(itself);
        command.arg0("hold");
        return command;
    }
    Command::new(std::env::current_exe().unwrap_or_else(|_| "hold".into()))
}

fn of_same_id(session: Session, spec: &Spec) -> Result<Session, Error> {
    if session.id() == spec.id {
        return Ok(session);
    }
    Err(Error::OtherSession { dir: session.dir().to_owned(), id: session.id().to_owned() })
}
