//! The worktree of a running job: made when it begins, removed when nothing would be lost.

use std::path::{Path, PathBuf};

use holdpoint_core::Job;

use super::worktree::{cwd, dir, git, git_output, wanted};
use super::worktree_lock::{self, WorktreeLock};
use crate::home::Home;

/// Whether a worktree had to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorktreeOrigin {
    /// It existed, or the job uses none.
    Before,
    /// It is new.
    New,
}

/// Makes the worktree, if one is needed and does not exist. A deleted one is made again from its branch.
pub(crate) fn ensure(home: &Home, job: &Job, base: Option<&str>) -> Result<WorktreeOrigin, String> {
    if !wanted(job) {
        return Ok(WorktreeOrigin::Before);
    }
    let (path, from) = (dir(home, job), cwd(job));
    // The worktree of the previous attempt may just be being removed.
    let _lock = WorktreeLock::wait(&path);
    if path.join(".git").exists() {
        return Ok(WorktreeOrigin::Before);
    }
    if let Some(parent) = path.parent() {
        Home::make_private(parent).map_err(|why| why.to_string())?;
    }
    let branch = format!("hold/{}", job.id);
    git(&from, &["worktree", "prune"])?;
    let known = git(&from, &["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")]).is_ok();
    let place = path.display().to_string();
    let mut arguments = vec!["worktree", "add"];
    if has_hooks_in_tree(&from) {
        // These would be the hooks of that commit, which no person may have agreed to.
        arguments.splice(0..0, ["-c", "core.hooksPath=/dev/null"]);
    }
    let aside;
    if known {
        // What the agent committed there before is checked out without running programs that it may contain.
        aside = without_programs(&git_output(&from, &["config", "--null", "--name-only", "--list"])?)?;
        arguments.splice(0..0, aside.iter().flat_map(|setting| ["-c", setting.as_str()]));
        arguments.extend([place.as_str(), &branch]);
    } else {
        arguments.extend(["-b", &branch, &place]);
        arguments.extend(base);
    }
    git(&from, &arguments)?;
    Ok(WorktreeOrigin::New)
}

/// Returns whether the hooks that git runs in a work tree are files of the commit that is checked out there.
fn has_hooks_in_tree(repo: &Path) -> bool {
    let path = git_output(repo, &["config", "--type=path", "--get", "core.hooksPath"]).unwrap_or_default();
    let path = Path::new(path.trim());
    let top = || git_output(repo, &["rev-parse", "--show-toplevel"]).unwrap_or_default();
    !path.as_os_str().is_empty() && (path.is_relative() || path.starts_with(top().trim()))
}

/// Removes the worktree if everything in it is committed; otherwise it stays for inspection.
pub(crate) fn remove(home: &Home, job: &Job) {
    if wanted(job) {
        let place = dir(home, job);
        let _lock = WorktreeLock::wait(&place);
        if let Err(why) = remove_clean(&cwd(job), &place) {
            tracing::info!(job.id = %job.id, "The worktree of job {} stays: {why}", job.id);
        }
    }
}

/// Removes a worktree that contains nothing new. `git worktree remove` would inspect it through its own `.git`, and so
/// with the settings of anyone who may write there; these checks use the repository's own record of it.
fn remove_clean(repo: &Path, place: &Path) -> Result<(), String> {
    let record = record(repo, place)?;
    if record.join("locked").exists() {
        return Err("it is locked".into());
    }
    let (own, at) = (record.display().to_string(), place.display().to_string());
    let aside = without_programs(&git_output(
        place,
        &["--git-dir", &own, "config", "--null", "--name-only", "--list"],
    )?)?;
    let aside = aside.iter().flat_map(|setting| ["-c", setting.as_str()]);
    let first: Vec<&str> =
        aside.chain(["--no-optional-locks", "--git-dir", &own, "--work-tree", &at]).collect();
    let look = |words: &[&str]| git_output(place, &[first.as_slice(), words].concat());
    // The content of a submodule is known only to its own repository, which is in the worktree.
    if look(&["ls-files", "--stage"])?.lines().any(|line| line.starts_with("160000 ")) {
        return Err("it has submodules".into());
    }
    let new = look(&["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=all"])?;
    if let Some(first) = new.lines().next() {
        return Err(format!("it has uncommitted files: {}", holdpoint_core::text::inert_line(first)));
    }
    std::fs::remove_dir_all(place).map_err(|why| why.to_string())?;
    std::fs::remove_dir_all(&record).map_err(|why| why.to_string())
}

/// Returns settings that keep git from running programs that a repository names for its files: they run in the work
/// tree and may come from it (`sh ./clean.sh`, `python3 -m …`), where anyone who worked there could write them. Files
/// that are the same only after a filter count as changed.
fn without_programs(names: &str) -> Result<Vec<String>, String> {
    let mut settings = vec!["core.fsmonitor=false".to_owned(), "core.hooksPath=/dev/null".to_owned()];
    for name in names.split('\0').filter(|name| name.starts_with("filter.")) {
        if name.contains('=') {
            return Err(format!("its filter {} cannot be set aside", holdpoint_core::text::quote(name)));
        }
        match name.rsplit('.').next() {
            Some("clean" | "smudge" | "process") => settings.push(format!("{name}=")),
            Some("required") => settings.push(format!("{name}=false")),
            _ => {}
        }
    }
    Ok(settings)
}

/// Returns the repository's own record of a worktree.
fn record(repo: &Path, place: &Path) -> Result<PathBuf, String> {
    let common = git_output(repo, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    let records = Path::new(common.trim_end_matches('\n')).join("worktrees");
    let place = std::fs::canonicalize(place).map_err(|why| why.to_string())?.join(".git");
    let is_meant = |record: &PathBuf| {
        let kept = std::fs::read_to_string(record.join("gitdir")).unwrap_or_default();
        let kept = Path::new(kept.trim_end_matches('\n'));
        let parent = kept.parent().and_then(|parent| std::fs::canonicalize(parent).ok());
        parent.is_some_and(|parent| parent.join(".git") == place)
    };
    let listed = std::fs::read_dir(&records).map_err(|why| format!("{}: {why}", records.display()))?;
    let mut known = listed.filter_map(|entry| Some(entry.ok()?.path()));
    known.find(is_meant).ok_or_else(|| format!("{} does not know it", repo.display()))
}

/// What is left of a deleted job.
#[derive(Debug, Default)]
pub(crate) struct JobLeftovers {
    /// Its worktree, if it has something that is not committed anywhere.
    pub(crate) worktree: Option<PathBuf>,
    /// Its branch, if the worktree is left or it has commits that are on no other.
    pub(crate) branch: Option<String>,
}

/// Removes the worktree of a job that is gone for good, and its branch if all of it is elsewhere; returns what is left.
pub(crate) fn clear(home: &Home, job: &Job) -> JobLeftovers {
    if !wanted(job) {
        return JobLeftovers::default();
    }
    let place = dir(home, job);
    if place.is_dir() {
        remove(home, job);
    }
    let (repo, branch) = (cwd(job), format!("hold/{}", job.id));
    let worktree = place.is_dir().then_some(place);
    if worktree.is_none() {
        worktree_lock::forget(&dir(home, job));
        forget_branch(&repo, &branch);
    }
    let stays = git(&repo, &["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")]).is_ok();
    JobLeftovers { worktree, branch: stays.then_some(branch) }
}

/// Deletes a branch whose commits are on another, or whose files are identical to those of some other ref, such as a
/// verdict's commit.
fn forget_branch(repo: &Path, branch: &str) {
    // Git itself keeps a branch with commits that are on no other.
    if git(repo, &["branch", "--delete", branch]).is_ok() {
        return;
    }
    let own = format!("refs/heads/{branch}");
    let listed = git_output(repo, &["for-each-ref", "--format=%(refname) %(tree)"]).unwrap_or_default();
    let refs: Vec<(&str, &str)> = listed.lines().filter_map(|line| line.split_once(' ')).collect();
    let tree =
        refs.iter().find(|(name, _)| *name == own).map(|(_, tree)| *tree).filter(|tree| !tree.is_empty());
    if refs.iter().any(|(name, other)| *name != own && Some(*other) == tree) {
        let _ = git(repo, &["branch", "--delete", "--force", branch]);
    }
}
