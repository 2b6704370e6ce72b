//! Evidence: a command that is run, and its output.

use std::path::Path;
use std::process::Stdio;

use holdpoint_core::run::{self, Evidence, ObjectId, RunCommand};
use holdpoint_core::text::shell_word;
use holdpoint_core::{Refusal, Run, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use super::keep;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Repo;

/// How much of the end of a command's output is shown at once.
const TAIL: usize = 4_000;
/// How much of a command's output is kept.
const MOST: usize = 32 << 20;

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandResult {
    /// The program.
    pub tool: String,
    /// The command line.
    pub command: String,
    /// The exit code; none if a signal ended it.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub took_ms: u64,
    /// Its whole output.
    pub said: Vec<u8>,
}

impl CommandResult {
    /// Returns the end of its output.
    pub fn tail(&self) -> String {
        tail(&self.said)
    }
}

/// What was found about a run, to be added to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewEvidence {
    /// `test`, `lint`, `build` or another word.
    pub kind: String,
    /// The tool.
    pub tool: String,
    /// What was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How it ended; none if it had to be stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
    /// The patch set it is about; if none, the one that was committed, else the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patchset: Option<ObjectId>,
    /// All that it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// Runs a command, and returns the result. Its output goes nowhere else.
pub async fn prove(words: &[String], folder: &Path) -> Result<CommandResult> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Refusal::invalid("command", "say what to run, after --").into());
    };
    let started = std::time::Instant::now();
    let (exit_code, said) = output(program, arguments, folder).await?;
    let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let tool = Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
    let tool = tool.unwrap_or_else(|| program.clone());
    let command = words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
    Ok(CommandResult { tool, command, exit_code, took_ms, said })
}

impl Engine {
    /// Runs a command, and adds the result to a run.
    pub async fn prove(
        &self,
        caller: &Caller,
        run: &Run,
        kind: &str,
        patchset: Option<ObjectId>,
        words: &[String],
        folder: &Path,
    ) -> Result<(Run, CommandResult)> {
        super::takes_evidence(run)?;
        let found = prove(words, folder).await?;
        let new = NewEvidence {
            kind: kind.to_owned(),
            tool: found.tool.clone(),
            command: Some(found.command.clone()),
            exit_code: found.exit_code,
            took_ms: Some(found.took_ms),
            patchset,
            log: None,
        };
        let run = self.add_evidence(caller, run, new, Some(&found.said)).await?;
        Ok((run, found))
    }

    /// Adds evidence to a run; `said` is the whole output of the tool, if it is not in `new`.
    pub async fn add_evidence(
        &self,
        caller: &Caller,
        run: &Run,
        new: NewEvidence,
        said: Option<&[u8]>,
    ) -> Result<Run> {
        super::takes_evidence(run)?;
        let id = self.object_id()?;
        let said = said.or(new.log.as_deref().map(str::as_bytes));
        let log = match said {
            Some(said) => {
                let repo = Repo::open(Path::new(&run.repo)).await?;
                Some(keep(&repo, run.id, &format!("evidence-{id}"), said).await?)
            }
            None => None,
        };
        let evidence = Evidence {
            id,
            patchset: new.patchset.or_else(|| run::committed(run).or(run.patchsets.last()).map(|set| set.id)),
            kind: new.kind,
            tool: new.tool,
            command: new.command,
            exit_code: new.exit_code,
            took_ms: new.took_ms,
            summary: said.map(tail),
            log,
            verdict: None,
            created_by: String::new(),
            created_at: Timestamp::from_millis(0),
        };
        self.on_run(caller, run, RunCommand::Evidence(Box::new(evidence))).await
    }
}

/// Returns the end of the output.
fn tail(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let skip = text.chars().count().saturating_sub(TAIL);
    text.chars().skip(skip).collect()
}

/// Runs a command to its end with stdout and stderr in one stream, so that they stay in order.
async fn output(program: &str, arguments: &[String], folder: &Path) -> Result<(Option<i32>, Vec<u8>)> {
    let cannot = |why: std::io::Error| Error::Io { what: format!("{program:?} cannot be run"), source: why };
    let (reader, writer) = std::io::pipe().map_err(cannot)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(writer.try_clone().map_err(cannot)?).stderr(writer).kill_on_drop(true);
    let mut child = command.spawn().map_err(cannot)?;
    // Dropping it closes our own ends of the pipe, without which its end would never be seen.
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
