//! Commits: a tree on top of a branch's head, after the repository's hooks have passed it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use holdpoint_core::Timestamp;
use holdpoint_core::text::inert_line;

use super::command::{GitCommand, GitOutput};
use super::ledger::{Ledger, RefOperation};
use super::orphan::MARK;
use super::scratch::Scratch;
use super::{GitError, Kind, Repo, ScratchIndex};

/// Hooks that take part in a commit.
const HOOKS: [&str; 4] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

/// The address of people that git does not know.
const EMAIL: &str = "holdpoint@localhost";

/// The message and the identities of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Who made the change.
    pub author: Signature,
    /// Who decided on it.
    pub committer: Signature,
}

/// A name and a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name.
    pub name: String,
    /// The address, where git knows one.
    pub email: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// Whether the hooks of a repository take part in a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hooks {
    /// As when a person commits by hand.
    Run,
    /// The same, unless the change turns out to alter them: a patch is checked when it is recorded, and the settings of
    /// git may have changed since.
    RunUnlessAltered,
    /// None runs: the change alters them, and no person has agreed to that.
    Skip,
}

/// A commit that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCommit {
    /// The commit.
    pub commit: String,
    /// The files that hooks changed from what was to be committed.
    pub beyond: Vec<String>,
    /// Whether no hook ran because the change alters them.
    pub unhooked: bool,
}

impl Repo {
    /// Makes the commit of a patch on top of a head; moves nothing. The patch is one that [`Self::read_patch`] or
    /// [`Self::patch_from_worktree`] has passed for the same base.
    pub async fn commit(
        &self,
        patch: &[u8],
        base: &str,
        head: &str,
        message: &Message,
    ) -> Result<NewCommit, GitError> {
        let tree = self.tree_over(&self.folder.scratch_index(base).await?, patch, head).await?;
        self.commit_on(head, &self.tree_of(head).await?, &tree, message, Hooks::RunUnlessAltered).await
    }

    /// Makes the commit that reverts another, on top of a head; moves nothing.
    pub async fn revert(&self, commit: &str, head: &str, message: &Message) -> Result<NewCommit, GitError> {
        let tree = self.tree_without(commit, head).await?;
        self.commit_on(head, &self.tree_of(head).await?, &tree, message, Hooks::RunUnlessAltered).await
    }

    /// Applies a patch to the commit that was prepared for it, and merges the result with what a head has become;
    /// returns the tree.
    pub(crate) async fn tree_over(
        &self,
        index: &ScratchIndex,
        patch: &[u8],
        head: &str,
    ) -> Result<String, GitError> {
        let (tree, base) = (self.folder.tree_on(index, patch).await?, index.base());
        if head == base {
            return Ok(tree);
        }
        // Saved checkpoints belong to the change: it starts at the last common commit of both.
        let common = self.git(&["merge-base", head, base]).run().await?;
        let common = String::from_utf8_lossy(&common.out).trim().to_owned();
        let from = if common.is_empty() { base } else { &common };
        self.joined(head, from, &tree).await
    }

    /// Returns the tree of a head with a commit reverted.
    pub(crate) async fn tree_without(&self, commit: &str, head: &str) -> Result<String, GitError> {
        let before = self.tree_before(commit).await?;
        self.joined(head, commit, &before).await
    }

    /// Returns what reverting a commit changes, relative to that commit.
    pub(crate) async fn diff_without(&self, commit: &str) -> Result<Vec<u8>, GitError> {
        let before = self.tree_before(commit).await?;
        self.diff_trees(&self.tree_of(commit).await?, &before, &[]).await
    }

    /// Returns the tree that a commit was made on.
    async fn tree_before(&self, commit: &str) -> Result<String, GitError> {
        let parent =
            self.git(&["rev-parse", "--verify", "--quiet", &format!("{commit}^1^{{tree}}")]).run().await?;
        match parent.code {
            Some(0) => Ok(String::from_utf8_lossy(&parent.out).trim().to_owned()),
            // It is the first commit: before it there was nothing.
            _ => self.git(&["mktree"]).line().await,
        }
    }

    /// Makes a commit of the result of a patch, to continue from; moves nothing and runs no hook.
    pub async fn save(&self, patch: &[u8], base: &str, message: &str) -> Result<String, GitError> {
        let tree = self.tree_with(base, patch).await?;
        self.commit_tree(&tree, Some(base), message).await
    }

    /// Checks a commit out as a separate work tree, in a folder that does not exist yet.
    pub async fn check_out(&self, folder: &Path, commit: &str) -> Result<(), GitError> {
        if folder.exists() {
            return Err(GitError::unfit(format!("{} is there already; name a new folder", folder.display())));
        }
        let shown = folder.to_string_lossy().into_owned();
        let mut words = vec!["worktree", "add", "--quiet", "--detach", &shown, commit];
        if self.has_hooks_in_tree() {
            // These would be the hooks of that commit, which no person may have agreed to.
            words.splice(0..0, ["-c", "core.hooksPath=/dev/null"]);
        }
        self.git(&words).done().await.map(drop)
    }

    /// Makes a commit of a tree on top of a head, with the repository's hooks; moves nothing. `before` is the tree of
    /// the head.
    pub(crate) async fn commit_on(
        &self,
        head: &str,
        before: &str,
        tree: &str,
        message: &Message,
        hooks: Hooks,
    ) -> Result<NewCommit, GitError> {
        if before == tree {
            let why = format!("it changes nothing: all of it is in {head} already");
            return Err(GitError::new(Kind::Conflict, why));
        }
        let altered = match hooks {
            Hooks::Run => false,
            Hooks::RunUnlessAltered => self.alters_hooks(before, tree).await?,
            Hooks::Skip => true,
        };
        if altered || present(&self.hooks).is_empty() {
            let words = ["commit-tree", tree, "-p", head, "-F", "-"];
            let commit = signed(self.git(&words), message).input(message.text.as_bytes()).line().await?;
            return Ok(NewCommit { commit, beyond: Vec::new(), unhooked: altered });
        }
        let scratch = Scratch::new()?;
        let place = scratch.tree();
        let shown = place.to_string_lossy().into_owned();
        let add = ["worktree", "add", "--quiet", "--detach", "--no-checkout", &shown, head];
        // This moves a ref, the HEAD of the new work tree, so a hook is run.
        self.git(&add).leading().done().await?;
        let made = self.commit_in(&scratch, head, before, tree, message).await;
        // It is removed whether or not the commit succeeded.
        let _ = self.git(&["worktree", "remove", "--force", &shown]).run().await;
        made
    }

    async fn commit_in(
        &self,
        scratch: &Scratch,
        head: &str,
        before: &str,
        tree: &str,
        message: &Message,
    ) -> Result<NewCommit, GitError> {
        let (place, trace) = (scratch.tree(), scratch.trace());
        GitCommand::new(&place, &["read-tree", "--reset", "-u", tree]).done().await?;
        let words = ["commit", "--quiet", "--cleanup=verbatim", "-F", "-"];
        let call = signed(GitCommand::new(&place, &words), message).with("GIT_TRACE2_EVENT", &trace);
        let mut ledger = Ledger::open(&self.folder).await?;
        let call = call.with(MARK, ledger.path()).complains_to(ledger.complaints()?).leading();
        let call = call.input(message.text.as_bytes());
        ledger.begin(&RefOperation::Commit).await?;
        let mut said = ledger.during(&RefOperation::Commit, call.run()).await?;
        said.err = ledger.complaint();
        if said.code.is_some() {
            ledger.end();
        }
        if said.code != Some(0) {
            return Err(refused(&trace, &said));
        }
        let said = GitCommand::new(&place, &["rev-parse", "HEAD", "HEAD^{tree}", "HEAD^1"]).run().await?;
        let said = String::from_utf8_lossy(&said.out).into_owned();
        let [commit, made, parent] = said.lines().collect::<Vec<_>>()[..] else {
            return Err(GitError::new(Kind::Broken, "git did not say what it committed".into()));
        };
        if made == before {
            let hooks = present(&self.hooks).join(" or ");
            let why = format!(
                "a hook of the repository ({hooks}) took the change out again: nothing was left to commit"
            );
            return Err(GitError::new(Kind::Broken, why));
        }
        if parent != head {
            let why = format!(
                "a hook of the repository put the commit on {parent}, not on {head} where it belongs"
            );
            return Err(GitError::new(Kind::Broken, why));
        }
        let beyond = if made == tree { Vec::new() } else { self.differing(tree, made).await? };
        Ok(NewCommit { commit: commit.to_owned(), beyond, unhooked: false })
    }

    /// Lists the files that differ between two trees.
    pub(crate) async fn differing(&self, one: &str, other: &str) -> Result<Vec<String>, GitError> {
        let words = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", one, other];
        let listed = self.git(&words).done().await?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }
}

/// Lists the hooks that exist and take part in a commit.
fn present(folder: &Path) -> Vec<&'static str> {
    let runs = |hook: &&str| {
        let hook = std::fs::metadata(folder.join(hook));
        hook.is_ok_and(|hook| hook.is_file() && hook.permissions().mode() & 0o111 != 0)
    };
    HOOKS.into_iter().filter(runs).collect()
}

/// Returns which hook refused a commit and its output, or git's own objection.
fn refused(trace: &Path, said: &GitOutput) -> GitError {
    let out = String::from_utf8_lossy(&said.out).into_owned();
    let words = [said.err.as_str(), out.trim()].join("\n");
    let words = words.trim();
    let Some((hook, code)) = failed_hook(&std::fs::read_to_string(trace).unwrap_or_default()) else {
        let fault = said.fault();
        if said.cannot_write() || fault.kind == Kind::Busy {
            return fault;
        }
        let words = if words.is_empty() { "it did not say why" } else { words };
        return GitError::new(Kind::Broken, format!("git could not commit it:\n{words}"));
    };
    let why = if words.is_empty() {
        format!("the repository's hook {hook} ended with exit code {code} and printed nothing")
    } else {
        format!("the repository's hook {hook} refused:\n{words}")
    };
    GitError::new(Kind::Broken, why)
}

/// Finds the hook that failed in git's trace, and its exit code.
fn failed_hook(trace: &str) -> Option<(String, i64)> {
    let events = trace.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let (mut hooks, mut failed) = (Vec::new(), None);
    for event in events {
        let whose = (event["sid"].clone(), event["child_id"].clone());
        match event["event"].as_str() {
            Some("child_start") if event["child_class"] == "hook" => {
                hooks.push((whose, event["hook_name"].as_str().unwrap_or_default().to_owned()));
            }
            Some("child_exit") => {
                let code = event["code"].as_i64().filter(|code| *code != 0);
                let hook = hooks.iter().find(|(known, _)| *known == whose);
                failed = hook.zip(code).map(|((_, name), code)| (name.clone(), code)).or(failed);
            }
            _ => {}
        }
    }
    failed
}

fn signed(call: GitCommand, message: &Message) -> GitCommand {
    let date = |signed: &Signature| format!("@{} +0000", signed.at.as_millis() / 1000);
    let plain = |text: &str| inert_line(text).replace(['<', '>'], "");
    let name = |signed: &Signature| {
        let name = plain(&signed.name);
        if name.trim().is_empty() { "someone".to_owned() } else { name }
    };
    let email = |signed: &Signature| signed.email.as_deref().map_or_else(|| EMAIL.to_owned(), plain);
    call.with("GIT_AUTHOR_NAME", name(&message.author))
        .with("GIT_AUTHOR_EMAIL", email(&message.author))
        .with("GIT_AUTHOR_DATE", date(&message.author))
        .with("GIT_COMMITTER_NAME", name(&message.committer))
        .with("GIT_COMMITTER_EMAIL", email(&message.committer))
        .with("GIT_COMMITTER_DATE", date(&message.committer))
}
