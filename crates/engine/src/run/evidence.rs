//! Evidence: a command that is run, and what it said.

use std::path::Path;
use std::process::Stdio;

use holdpoint_core::run::{Evidence, ObjectId, RunCommand};
use holdpoint_core::{Refusal, Run, Timestamp};
use tokio::process::Command;

use super::keep;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Repo;

/// How much of the end of what a command said is shown at once.
const TAIL: usize = 4_000;
/// How much of what a command said is kept.
const MOST: usize = 32 << 20;

/// What a command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How it ended; none if a signal ended it.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub took_ms: u64,
    /// The end of what it said.
    pub tail: String,
}

impl Engine {
    /// Runs a command, and adds what it came to to a run. What it says goes nowhere else.
    pub async fn prove(
        &self,
        caller: &Caller,
        run: &Run,
        kind: &str,
        patchset: Option<ObjectId>,
        words: &[String],
        folder: &Path,
    ) -> Result<(Run, Found)> {
        super::takes_more(run)?;
        let Some((program, arguments)) = words.split_first() else {
            return Err(Refusal::invalid("command", "say what to run, after --").into());
        };
        let started = std::time::Instant::now();
        let log = output(program, arguments, folder).await?;
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (exit_code, said) = log;
        let text = String::from_utf8_lossy(&said).into_owned();
        let tail: String = {
            let skip = text.chars().count().saturating_sub(TAIL);
            text.chars().skip(skip).collect()
        };
        let id = self.object_id()?;
        let repo = Repo::open(Path::new(&run.repo)).await?;
        let log = keep(&repo, run.id, &format!("evidence-{id}"), &said).await?;
        let tool = Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
        let evidence = Evidence {
            id,
            patchset: patchset.or_else(|| run.patchsets.last().map(|last| last.id)),
            kind: kind.to_owned(),
            tool: tool.unwrap_or_else(|| program.clone()),
            command: Some(words.join(" ")),
            exit_code,
            took_ms: Some(took_ms),
            summary: Some(tail.clone()),
            log: Some(log),
            created_by: String::new(),
            created_at: Timestamp::from_millis(0),
        };
        let run = self.on_run(caller, run, RunCommand::Evidence(Box::new(evidence))).await?;
        Ok((run, Found { exit_code, took_ms, tail }))
    }
}

/// Runs a command to its end with both of its voices in one file, so that they stay in order.
async fn output(program: &str, arguments: &[String], folder: &Path) -> Result<(Option<i32>, Vec<u8>)> {
    let cannot = |why: std::io::Error| Error::Io { what: format!("{program:?} cannot be run"), source: why };
    let (reader, writer) = std::io::pipe().map_err(cannot)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(writer.try_clone().map_err(cannot)?).stderr(writer).kill_on_drop(true);
    let mut child = command.spawn().map_err(cannot)?;
    // Our own ends of the pipe go with this, or nobody would ever see its end.
    drop(command);
    let read = tokio::task::spawn_blocking(move || {
        use std::io::Read as _;
        let (mut reader, mut said) = (reader, Vec::new());
        let read = (&mut reader).take(MOST as u64).read_to_end(&mut said);
        let _ = std::io::copy(&mut reader, &mut std::io::sink());
        read.map(|_| said)
    });
    let status = child.wait().await.map_err(cannot)?;
    let said = read.await.map_err(|why| cannot(std::io::Error::other(why)))?.map_err(cannot)?;
    Ok((status.code(), said))
}
