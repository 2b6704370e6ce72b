//! `hold job attach`

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::time::Duration;

use holdpoint_core::Job;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use holdpoint_engine::jobs::{NodeId, session_dir};
use holdpoint_engine::sessions::{Piece, Session, Size};
use tokio::sync::mpsc;

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Attach to a job's terminal; Ctrl-] detaches
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The job: its id, an unambiguous prefix, or its name
    pub(super) id: String,
}

/// Ctrl-]: leaves, as telnet does.
const LEAVE: u8 = 0x1d;
/// How long an agent may take to start.
const STARTING: Duration = Duration::from_secs(5);
/// How often its terminal is looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Failure::error("attach needs a terminal on both ends")
            .hint(format!("see what it wrote: hold job logs {}", arguments.id)));
    }
    let job = context.client(Role::Reader).await?.job(&arguments.id).await?;
    let session = hosted(&job, context).await?;
    ui.note("Ctrl-] detaches; the agent continues.");
    let joined = session.attach(size()).await.map_err(|why| Failure::error(why.to_string()))?;
    let (mut reader, mut writer) = joined.split();
    let raw = Raw::enter()?;
    let mut keys = keys();
    let mut resized = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::window_change())?;
    let mut told = false;
    let ended = loop {
        tokio::select! {
            piece = reader.next() => match piece {
                Ok(Piece::Bytes(bytes)) => {
                    let mut out = std::io::stdout().lock();
                    // The first piece redraws the whole screen, so the hint printed before is gone.
                    let way_out = if told { Vec::new() } else { detach_hint() };
                    told = true;
                    let written = out.write_all(&bytes).and_then(|()| out.write_all(&way_out));
                    if written.and_then(|()| out.flush()).is_err() {
                        break "";
                    }
                }
                Ok(Piece::Exited(_)) => break "The agent has ended.",
                Ok(Piece::HostGone) | Err(_) => break "The terminal is gone.",
            },
            typed = keys.recv() => {
                let typed = typed.unwrap_or_default();
                let end = typed.iter().position(|byte| *byte == LEAVE);
                let before = &typed[..end.unwrap_or(typed.len())];
                if !before.is_empty() && writer.write(before).await.is_err() {
                    break "The terminal is gone.";
                }
                if end.is_some() || typed.is_empty() {
                    break "Left.";
                }
            }
            _ = resized.recv() => {
                let _ = writer.resize(size()).await;
            }
        }
    };
    drop(raw);
    ui.note(format!("\n{ended}"));
    Ok(Exit::Done)
}

/// Opens the job's terminal, which can only be joined on the machine that hosts it.
///
/// A job names a step's agent before that agent runs, so the terminal may not exist yet.
async fn hosted(job: &Job, context: &Context) -> Result<Session, Failure> {
    let unbegun = || Failure::error(format!("job {} has not started a step yet", inert_line(&job.name)));
    let visit = job.history.last().ok_or_else(unbegun)?;
    let is_here = NodeId::load_or_make(&context.home).is_ok_and(|node| node.as_str() == visit.node);
    let dir = session_dir(&context.home, &visit.agent_id);
    let deadline = tokio::time::Instant::now() + STARTING;
    loop {
        if let Ok(session) = Session::open(&dir) {
            return Ok(session);
        }
        if !is_here || tokio::time::Instant::now() >= deadline {
            break;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let logs = format!("hold job show {0}, hold job logs {0}", job.id);
    Err(if is_here {
        Failure::error(format!("job {} has no terminal: its agent has not started, or is gone", job.id))
            .hint(format!("see what became of it: {logs}"))
    } else {
        let node = inert_line(&visit.node);
        let why = format!(
            "the terminal of job {} is not here: {node} hosts it, and you can only attach to it there",
            job.id
        );
        Failure::error(why).hint(format!(
            "attach to it there (in the data folder whose file `node` says {node}), or look from here: {logs}"
        ))
    })
}

/// Returns the sequence that shows in the upper right corner how to leave; the cursor stays where it is.
fn detach_hint() -> Vec<u8> {
    const WAY_OUT: &str = " Ctrl-] leaves ";
    let size = size();
    let col = usize::from(size.cols).saturating_sub(WAY_OUT.len()) + 1;
    format!("\x1b7\x1b[1;{col}H\x1b[7m{WAY_OUT}\x1b[0m\x1b8").into_bytes()
}

/// Reads the keyboard on a thread. The thread outlives its receiver, because only a key would wake it.
fn keys() -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel(16);
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read) = std::io::stdin().read(&mut buffer) {
            if read == 0 || sender.blocking_send(buffer[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

fn size() -> Size {
    let (cols, rows) = crossterm::terminal::size().unwrap_or((120, 40));
    Size { rows: rows.max(1), cols: cols.max(1) }
}

/// Puts the terminal into raw mode until dropped.
struct Raw;

impl Raw {
    fn enter() -> Result<Self, Failure> {
        crossterm::terminal::enable_raw_mode()?;
        Ok(Self)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = crossterm::terminal::disable_raw_mode();
        // Undo the modes that the agent may have left switched on.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(b"\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?2004l\x1b[0m");
        // Further output goes below what the agent drew, wherever it left the cursor.
        let _ = write!(out, "\x1b[r\x1b[{};1H", size().rows);
        let _ = out.flush();
    }
}
