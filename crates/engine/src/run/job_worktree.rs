//! The worktree of a job that runs: made when it begins, taken away when nothing of it is lost.

use std::path::{Path, PathBuf};

use holdpoint_core::Job;

use super::worktree::{cwd, dir, git, said, wanted};
use super::worktree_lock::{self, WorktreeLock};
use crate::home::Home;

/// Whether a worktree had to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// It was, or the job wants none.
    Before,
    /// It is new.
    New,
}

/// Makes the worktree, if one is wanted and it is not there. One that somebody deleted is made again from its branch.
pub(crate) fn ensure(home: &Home, job: &Job, base: Option<&str>) -> Result<Made, String> {
    if !wanted(job) {
        return Ok(Made::Before);
    }
    let (path, from) = (dir(home, job), cwd(job));
    // What the attempt before left may just be taken away.
    let _lock = WorktreeLock::wait(&path);
    if path.join(".git").exists() {
        return Ok(Made::Before);
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
        // They would be the ones of that commit, which nobody may have agreed to.
        arguments.splice(0..0, ["-c", "core.hooksPath=/dev/null"]);
    }
    let aside;
    if known {
        // What the agent committed there before is checked out without programs that may be among it.
        aside = without_programs(&said(&from, &["config", "--null", "--name-only", "--list"])?)?;
        arguments.splice(0..0, aside.iter().flat_map(|setting| ["-c", setting.as_str()]));
        arguments.extend([place.as_str(), &branch]);
    } else {
        arguments.extend(["-b", &branch, &place]);
        arguments.extend(base);
    }
    git(&from, &arguments)?;
    Ok(Made::New)
}

/// Whether the hooks that git runs in a work tree are files of the commit that is checked out there.
fn has_hooks_in_tree(repo: &Path) -> bool {
    let path = said(repo, &["config", "--type=path", "--get", "core.hooksPath"]).unwrap_or_default();
    let path = Path::new(path.trim());
    let top = || said(repo, &["rev-parse", "--show-toplevel"]).unwrap_or_default();
    !path.as_os_str().is_empty() && (path.is_relative() || path.starts_with(top().trim()))
}

/// Takes the worktree away if everything in it is committed; otherwise it stays for inspection.
pub(crate) fn remove(home: &Home, job: &Job) {
    if wanted(job) {
        let place = dir(home, job);
        let _lock = WorktreeLock::wait(&place);
        if let Err(why) = remove_clean(&cwd(job), &place) {
            tracing::info!(job.id = %job.id, "The worktree of job {} stays: {why}", job.id);
        }
    }
}

/// Takes a worktree away that holds nothing new. `git worktree remove` would look into it by the `.git` that lies there, and so by the
/// settings of whoever may write there; what is asked here goes by the repository's own record of it.
fn remove_clean(repo: &Path, place: &Path) -> Result<(), String> {
    let record = record(repo, place)?;
    if record.join("locked").exists() {
        return Err("it is locked".into());
    }
    let (own, at) = (record.display().to_string(), place.display().to_string());
    let aside =
        without_programs(&said(place, &["--git-dir", &own, "config", "--null", "--name-only", "--list"])?)?;
    let aside = aside.iter().flat_map(|setting| ["-c", setting.as_str()]);
    let first: Vec<&str> =
        aside.chain(["--no-optional-locks", "--git-dir", &own, "--work-tree", &at]).collect();
    let look = |words: &[&str]| said(place, &[first.as_slice(), words].concat());
    // What a submodule holds is known to its own repository alone, which lies in the worktree.
    if look(&["ls-files", "--stage"])?.lines().any(|line| line.starts_with("160000 ")) {
        return Err("it has submodules".into());
    }
    let new = look(&["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=all"])?;
    if let Some(first) = new.lines().next() {
        return Err(format!("it holds what is not committed: {}", holdpoint_core::text::inert_line(first)));
    }
    std::fs::remove_dir_all(place).map_err(|why| why.to_string())?;
    std::fs::remove_dir_all(&record).map_err(|why| why.to_string())
}

/// Returns settings by which git runs none of the programs that a repository names for its files: they are run in the work tree and
/// may be taken from it (`sh ./clean.sh`, `python3 -m …`), where whoever worked there wrote them. What only a filter would show to be
/// the same counts as changed.
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

/// Returns where a repository keeps what it knows of a worktree.
fn record(repo: &Path, place: &Path) -> Result<PathBuf, String> {
    let common = said(repo, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
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

/// Takes away the worktree of a job that is gone for good, and its branch where all of it is elsewhere; returns what stays.
pub(crate) fn clear(home: &Home, job: &Job) -> Option<PathBuf> {
    if !wanted(job) {
        return None;
    }
    let place = dir(home, job);
    if place.is_dir() {
        remove(home, job);
    }
    if place.is_dir() {
        return Some(place);
    }
    worktree_lock::forget(&place);
    forget_branch(&cwd(job), &format!("hold/{}", job.id));
    None
}

/// Deletes a branch whose commits are on another, or whose files some other ref has as they are: a verdict's commit, for one.
fn forget_branch(repo: &Path, branch: &str) {
    // Git itself keeps a branch with commits that no other has.
    if git(repo, &["branch", "--delete", branch]).is_ok() {
        return;
    }
    let own = format!("refs/heads/{branch}");
    let listed = said(repo, &["for-each-ref", "--format=%(refname) %(tree)"]).unwrap_or_default();
    let refs: Vec<(&str, &str)> = listed.lines().filter_map(|line| line.split_once(' ')).collect();
    let tree =
        refs.iter().find(|(name, _)| *name == own).map(|(_, tree)| *tree).filter(|tree| !tree.is_empty());
    if refs.iter().any(|(name, other)| *name != own && Some(*other) == tree) {
        let _ = git(repo, &["branch", "--delete", "--force", branch]);
    }
}
