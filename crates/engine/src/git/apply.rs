//! Trees: of a patch on its base, and of a merge with what a branch has become.

use std::path::PathBuf;

use holdpoint_core::text::quote;

use super::command::GitCommand;
use super::names::{is_gits, name};
use super::scratch::Scratch;
use super::{GitError, GitFolder, Kind, Repo};

/// A temporary index needs no checksum.
const UNCHECKED: &str = "index.skipHash=true";

/// A temporary index that holds a commit, to apply a patch to.
#[derive(Debug)]
pub(crate) struct ScratchIndex {
    base: String,
    scratch: Scratch,
    /// Where objects go, unless into the repository.
    aside: Option<PathBuf>,
}

impl ScratchIndex {
    /// Returns the commit.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Makes a git call use the index, and the objects that are kept aside.
    pub(super) fn under(&self, call: GitCommand) -> GitCommand {
        self.with_scratch_objects(call).with("GIT_INDEX_FILE", self.scratch.index())
    }

    /// Makes a git call see the objects that are kept aside.
    pub(super) fn with_scratch_objects(&self, call: GitCommand) -> GitCommand {
        match &self.aside {
            Some(aside) => call.with("GIT_OBJECT_DIRECTORY", aside),
            None => call,
        }
    }
}

impl GitFolder {
    /// Reads a commit into an index of our own.
    pub(crate) async fn scratch_index(&self, base: &str) -> Result<ScratchIndex, GitError> {
        self.read_into(ScratchIndex { base: base.to_owned(), scratch: Scratch::new()?, aside: None }).await
    }

    /// The same, where nothing of what is made comes into the repository: it may be refused.
    pub(super) async fn scratch_index_aside(&self, base: &str) -> Result<ScratchIndex, GitError> {
        let scratch = Scratch::new()?;
        let aside = Some(scratch.objects_beside(&self.common()?)?);
        self.read_into(ScratchIndex { base: base.to_owned(), scratch, aside }).await
    }

    async fn read_into(&self, index: ScratchIndex) -> Result<ScratchIndex, GitError> {
        index.under(self.git(&["-c", UNCHECKED, "read-tree", &index.base])).done().await?;
        Ok(index)
    }

    /// Applies a patch to the commit that was laid out; returns the tree.
    pub(super) async fn tree_on(&self, index: &ScratchIndex, patch: &[u8]) -> Result<String, GitError> {
        let apply = self.git(&["-c", UNCHECKED, "apply", "--cached", "--whitespace=nowarn", "-"]);
        let applied = index.under(apply).input(patch).run().await?;
        if applied.code != Some(0) {
            if applied.cannot_write() {
                return Err(applied.fault());
            }
            let why = format!("the patch does not apply to {}: {}", index.base, applied.err);
            return Err(GitError::unfit(why));
        }
        self.tree_of_index(index).await
    }

    /// Writes what the index holds; returns the tree.
    pub(super) async fn tree_of_index(&self, index: &ScratchIndex) -> Result<String, GitError> {
        index.under(self.git(&["-c", UNCHECKED, "write-tree"])).line().await
    }
}

impl Repo {
    /// Applies a patch to a commit in a temporary index, and checks the result; returns the tree.
    pub(super) async fn tree_with(&self, base: &str, patch: &[u8]) -> Result<String, GitError> {
        let index = self.folder.scratch_index(base).await?;
        let tree = self.folder.tree_on(&index, patch).await?;
        self.check_tree(&index, &tree).await?;
        Ok(tree)
    }

    /// Refuses links that lead out of the work tree, repositories within it, and names that lead astray.
    pub(super) async fn check_tree(&self, index: &ScratchIndex, tree: &str) -> Result<(), GitError> {
        let words = ["diff-tree", "-r", "-z", "--no-renames", index.base(), tree];
        let raw = index.with_scratch_objects(self.git(&words)).done().await?;
        let mut parts = raw.split(|byte| *byte == 0).filter(|part| !part.is_empty());
        while let (Some(meta), Some(path)) = (parts.next(), parts.next()) {
            let path = name(path)?;
            let meta = String::from_utf8_lossy(meta).into_owned();
            let mut words = meta.split(' ');
            let (mode, blob) = (words.nth(1).unwrap_or_default(), words.nth(1).unwrap_or_default());
            match mode {
                "160000" => {
                    return Err(GitError::unfit(format!("{} is a repository within this one", quote(&path))));
                }
                "120000" => self.check_link(index, &path, blob).await?,
                _ => {}
            }
        }
        Ok(())
    }

    async fn check_link(&self, index: &ScratchIndex, path: &str, blob: &str) -> Result<(), GitError> {
        let target = index.with_scratch_objects(self.git(&["cat-file", "blob", blob])).done().await?;
        let target = String::from_utf8_lossy(&target).into_owned();
        let mut depth = path.split('/').count().saturating_sub(1);
        let mut escapes = target.starts_with('/');
        for part in target.split('/') {
            match part {
                ".." if depth == 0 => escapes = true,
                ".." => depth -= 1,
                "" | "." => {}
                _ => depth += 1,
            }
        }
        if escapes || target.split('/').any(is_gits) {
            return Err(GitError::unfit(format!(
                "{} links to {}, outside of the work tree",
                quote(path),
                quote(&target)
            )));
        }
        Ok(())
    }

    /// Merges a change with what a branch has become; returns the tree. `from` is the commit that the change starts
    /// from, and `to` the tree that it leads to.
    pub(super) async fn joined(&self, head: &str, from: &str, to: &str) -> Result<String, GitError> {
        if head == from {
            return Ok(to.to_owned());
        }
        let change = self.commit_tree(to, Some(from), "change").await?;
        let base = format!("--merge-base={from}");
        let arguments =
            ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", &base, head, &change];
        let said = self.git(&arguments).run().await?;
        let mut parts = said.out.split(|byte| *byte == 0);
        let tree = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
        match said.code {
            Some(0) => Ok(tree),
            Some(1) => {
                let files: Vec<String> = parts
                    .filter(|part| !part.is_empty())
                    .map(|part| String::from_utf8_lossy(part).into_owned())
                    .take(50)
                    .collect();
                let shown: Vec<String> = files.iter().map(|file| quote(file)).collect();
                let why =
                    format!("it conflicts with what the branch has become ({head}) in {}", shown.join(", "));
                let hunks = self.conflicts(&tree, &files, head, &change).await;
                Err(GitError::new(
                    Kind::Conflict,
                    if hunks.is_empty() { why } else { format!("{why}\n\n{hunks}") },
                ))
            }
            _ => Err(said.fault()),
        }
    }

    /// Makes a commit that only holds a tree.
    pub(super) async fn commit_tree(
        &self,
        tree: &str,
        parent: Option<&str>,
        message: &str,
    ) -> Result<String, GitError> {
        let mut arguments = vec!["commit-tree", tree, "-m", message];
        arguments.extend(parent.into_iter().flat_map(|parent| ["-p", parent]));
        let who = [
            ("GIT_AUTHOR_NAME", "Holdpoint"),
            ("GIT_AUTHOR_EMAIL", "holdpoint@localhost"),
            ("GIT_COMMITTER_NAME", "Holdpoint"),
            ("GIT_COMMITTER_EMAIL", "holdpoint@localhost"),
            ("GIT_AUTHOR_DATE", "@1 +0000"),
            ("GIT_COMMITTER_DATE", "@1 +0000"),
        ];
        let call = who.into_iter().fold(self.git(&arguments), |call, (name, value)| call.with(name, value));
        call.line().await
    }
}
