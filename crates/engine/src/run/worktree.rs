//! A git worktree for a job that asks for one.

use std::path::{Path, PathBuf};
use std::process::Command;

use holdpoint_core::Job;

#[cfg(feature = "agents")]
pub(crate) use super::job_worktree::{JobLeftovers, WorktreeOrigin, clear, ensure, remove};
use crate::git::SETTINGS;
use crate::home::Home;

/// Returns the folder where a job works.
pub(crate) fn dir(home: &Home, job: &Job) -> PathBuf {
    if wanted(job) { folder(home).join(&job.id) } else { cwd(job) }
}

/// Returns the folder of the worktrees: one that the agents' account can reach, if that folder is a link.
fn folder(home: &Home) -> PathBuf {
    let folder = home.path().join("worktrees");
    let is_link = std::fs::symlink_metadata(&folder).is_ok_and(|found| found.is_symlink());
    if is_link { std::fs::canonicalize(&folder).unwrap_or(folder) } else { folder }
}

/// Returns the folder where a job is started.
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

/// Removes a work tree, whatever it contains.
pub(crate) fn take_away(repo: &Path, place: &Path) {
    if let Err(why) = git(repo, &["worktree", "remove", "--force", &place.display().to_string()]) {
        tracing::info!("The work tree {} stays: {why}", place.display());
    }
}

/// Runs git without environment variables that would lead it elsewhere.
pub(super) fn git(dir: &Path, arguments: &[&str]) -> Result<(), String> {
    git_output(dir, arguments).map(drop)
}

/// Does the same, and returns its output.
pub(super) fn git_output(dir: &Path, arguments: &[&str]) -> Result<String, String> {
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
