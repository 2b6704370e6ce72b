//! Commits: a tree on top of a branch's head, past the repository's hooks.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use holdpoint_core::Timestamp;
use holdpoint_core::text::inert_line;

use super::command::Call;
use super::scratch::Scratch;
use super::{Fault, Kind, Patch, Repo};

/// Hooks that have a say in a commit.
const HOOKS: [&str; 4] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

/// What a commit says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Who made the change.
    pub author: Signed,
    /// Who decided on it.
    pub committer: Signed,
}

/// A name and a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The name.
    pub name: String,
    /// When.
    pub at: Timestamp,
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
    ) -> Result<String, Fault> {
        let tree = self.tree_unchecked(base, patch).await?;
        if head == base {
            return self.commit_on(head, &tree, message).await;
        }
        // What was saved on the way belongs to the change: it starts where both have their last commit in common.
        let common = self.git(&["merge-base", head, base]).run().await?;
        let common = String::from_utf8_lossy(&common.out).trim().to_owned();
        let from = if common.is_empty() { base } else { &common };
        let tree = self.joined(head, from, &tree).await?;
        self.commit_on(head, &tree, message).await
    }

    /// Makes the commit that takes another back, on top of a head; moves nothing.
    pub async fn revert(&self, commit: &str, head: &str, message: &Message) -> Result<String, Fault> {
        let parent =
            self.git(&["rev-parse", "--verify", "--quiet", &format!("{commit}^1^{{tree}}")]).run().await?;
        let before = match parent.code {
            Some(0) => String::from_utf8_lossy(&parent.out).trim().to_owned(),
            // It is the first there is: before it there was nothing.
            _ => self.git(&["mktree"]).line().await?,
        };
        let tree = self.joined(head, commit, &before).await?;
        self.commit_on(head, &tree, message).await
    }

    /// Makes a commit of what a patch leads to, to go on from; moves nothing and asks no hook.
    pub async fn save(&self, patch: &Patch, message: &str) -> Result<String, Fault> {
        self.commit_tree(&patch.tree, Some(&patch.base), message).await
    }

    /// Checks a commit out as a work tree of its own, in a folder that is not there yet.
    pub async fn check_out(&self, folder: &std::path::Path, commit: &str) -> Result<(), Fault> {
        if folder.exists() {
            return Err(Fault::unfit(format!("{} is there already; name a new folder", folder.display())));
        }
        let shown = folder.to_string_lossy().into_owned();
        self.git(&["worktree", "add", "--quiet", "--detach", &shown, commit]).done().await.map(drop)
    }

    async fn commit_on(&self, head: &str, tree: &str, message: &Message) -> Result<String, Fault> {
        let (before, hooks) = self.tree_and_hooks(head).await?;
        if before == tree {
            let why = format!("it changes nothing: all of it is in {head} already");
            return Err(Fault::new(Kind::Conflict, why));
        }
        if !has_hooks(&hooks) {
            let call = self.git(&["commit-tree", tree, "-p", head, "-F", "-"]);
            return signed(call, message).input(message.text.as_bytes()).line().await;
        }
        let scratch = Scratch::new()?;
        let place = scratch.tree();
        let shown = place.to_string_lossy().into_owned();
        self.git(&["worktree", "add", "--quiet", "--detach", "--no-checkout", &shown, head]).done().await?;
        let made = Self::commit_in(&place, tree, message).await;
        // Whatever came of it, nothing of it stays.
        let _ = self.git(&["worktree", "remove", "--force", &shown]).run().await;
        made
    }

    async fn commit_in(place: &std::path::Path, tree: &str, message: &Message) -> Result<String, Fault> {
        Call::new(place, &["read-tree", "--reset", "-u", tree]).done().await?;
        let call = Call::new(place, &["commit", "--quiet", "--cleanup=verbatim", "-F", "-"]);
        let said = signed(call, message).input(message.text.as_bytes()).run().await?;
        if said.code != Some(0) {
            let out = String::from_utf8_lossy(&said.out).into_owned();
            let words = [said.err.as_str(), out.trim()].join("\n");
            return Err(Fault::new(
                Kind::Broken,
                format!("a hook of the repository said no:\n{}", words.trim()),
            ));
        }
        Call::new(place, &["rev-parse", "HEAD"]).line().await
    }

    /// Returns the tree of a commit, and where the repository's hooks are.
    async fn tree_and_hooks(&self, commit: &str) -> Result<(String, PathBuf), Fault> {
        let tree = format!("{commit}^{{tree}}");
        let said =
            self.git(&["rev-parse", "--path-format=absolute", "--git-path", "hooks", &tree]).line().await?;
        match said.rsplit_once('\n') {
            Some((hooks, tree)) => Ok((tree.to_owned(), PathBuf::from(hooks))),
            None => Err(Fault::new(Kind::Broken, format!("git did not say what {commit} is"))),
        }
    }
}

fn has_hooks(folder: &std::path::Path) -> bool {
    HOOKS.iter().any(|hook| {
        let hook = std::fs::metadata(folder.join(hook));
        hook.is_ok_and(|hook| hook.is_file() && hook.permissions().mode() & 0o111 != 0)
    })
}

fn signed(call: Call, message: &Message) -> Call {
    let date = |signed: &Signed| format!("@{} +0000", signed.at.as_millis() / 1000);
    let name = |signed: &Signed| {
        let name = inert_line(&signed.name).replace(['<', '>'], "");
        if name.trim().is_empty() { "someone".to_owned() } else { name }
    };
    call.with("GIT_AUTHOR_NAME", name(&message.author))
        .with("GIT_AUTHOR_EMAIL", "holdpoint@localhost")
        .with("GIT_AUTHOR_DATE", date(&message.author))
        .with("GIT_COMMITTER_NAME", name(&message.committer))
        .with("GIT_COMMITTER_EMAIL", "holdpoint@localhost")
        .with("GIT_COMMITTER_DATE", date(&message.committer))
}
