//! A git worktree for a job that asks for one.

use std::path::{Path, PathBuf};
use std::process::Command;

use holdpoint_core::Job;

#[cfg(feature = "agents")]
pub(crate) use super::job_worktree::{Made, clear, ensure, remove};
use crate::git::SETTINGS;
use crate::home::Home;

/// Returns where a job works.
pub(crate) fn dir(home: &Home, job: &Job) -> PathBuf {
    if wanted(job) { folder(home).join(&job.id) } else { cwd(job) }
}

/// Returns where worktrees are made: where the account of agents can reach them, if that folder is a link.
fn folder(home: &Home) -> PathBuf {
    let folder = home.path().join("worktrees");
    let is_link = std::fs::symlink_metadata(&folder).is_ok_and(|found| found.is_symlink());
    if is_link { std::fs::canonicalize(&folder).unwrap_or(folder) } else { folder }
}

/// Returns where a job is started from.
pub(crate) fn cwd(job: &Job) -> PathBuf {
    let start = PathBuf::from(&job.cwd);
    match job.definition().and_then(|definition| definition.cwd.as_ref()) {
        Some(within) => {
            let within = holdpoint_core::job::interpolate::plain(within, &job.values());
            start.join(within.unwrap_or_default())
        }
        None => start,
    }
}

pub(super) fn wanted(job: &Job) -> bool {
    job.definition().is_some_and(|definition| definition.worktree)
}

/// Takes a work tree away, whatever it holds.
pub(crate) fn take_away(repo: &Path, place: &Path) {
    if let Err(why) = git(repo, &["worktree", "remove", "--force", &place.display().to_string()]) {
        tracing::info!("The work tree {} stays: {why}", place.display());
    }
}

/// Runs git with nothing of the environment that would lead it elsewhere.
pub(super) fn git(dir: &Path, arguments: &[&str]) -> Result<(), String> {
    said(dir, arguments).map(drop)
}

/// The same, and returns what it said.
pub(super) fn said(dir: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.arg("-C").arg(dir).args(arguments).env("GIT_TERMINAL_PROMPT", "0");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
        command.env_remove(name);
    }
    let output = command.output().map_err(|why| format!("git cannot be run: {why}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = holdpoint_core::text::inert_line(&String::from_utf8_lossy(&output.stderr));
    Err(format!("git {} in {}: {said}", arguments.first().unwrap_or(&""), dir.display()))
}
