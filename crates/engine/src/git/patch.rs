//! Patches: read and checked, or made from the content of a work tree.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use holdpoint_core::run::{Change, MAX_PATCH, MAX_TOUCHED, Touched};

use super::names::{check_headers, name};
use super::{GitError, Repo, ScratchIndex};

/// How many bytes a new file of a work tree may have. A binary file may be smaller in a patch.
const MAX_FILE: u64 = 2 * MAX_PATCH;

/// A patch that applies to its base, and the files that it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The diff, as git writes it.
    pub bytes: Vec<u8>,
    /// The commit it applies to.
    pub base: String,
    /// The resulting tree. It need not be in the repository: a patch that may be refused leaves nothing there.
    pub tree: String,
    /// The files it touches.
    pub touched: Vec<Touched>,
}

impl Repo {
    /// Reads a patch, and applies it to its base to check that it fits.
    pub async fn read_patch(&self, base: &str, bytes: Vec<u8>) -> Result<Patch, GitError> {
        self.read_patch_since(base, base, bytes).await
    }

    /// Reads a patch against an intermediate state of a change; returns the whole change, from the commit where it
    /// started.
    pub async fn read_patch_since(&self, start: &str, base: &str, bytes: Vec<u8>) -> Result<Patch, GitError> {
        check_size(&bytes)?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(GitError::unfit("the patch is empty"));
        }
        if std::str::from_utf8(&bytes).is_err() {
            return Err(GitError::unfit(
                "the patch is not UTF-8; make it with git diff --binary, or convert its files",
            ));
        }
        check_headers(&bytes)?;
        self.check_names(&bytes).await?;
        let index = self.folder.scratch_index_aside(base).await?;
        let tree = self.folder.tree_on(&index, &bytes).await?;
        self.check_tree(&index, &tree).await?;
        self.patch_between(&index, start, tree, (start == base).then_some(bytes)).await
    }

    /// Returns the patch from one commit to another; none if they are the same.
    pub async fn patch_to(&self, base: &str, commit: &str) -> Result<Option<Patch>, GitError> {
        let (from, tree) = (self.tree_of(base).await?, self.tree_of(commit).await?);
        if from == tree {
            return Ok(None);
        }
        let index = self.folder.scratch_index_aside(base).await?;
        self.patch_between(&index, base, tree, None).await.map(Some)
    }

    /// Makes a patch of everything in a work tree that differs from its base; ignored files are left out. The work tree
    /// and its index are not changed.
    pub async fn patch_from_worktree(&self, worktree: &Path, base: &str) -> Result<Patch, GitError> {
        let there = Self::open(worktree).await?;
        if there.is_bare() {
            return Err(GitError::unfit(format!("{} has no work tree", worktree.display())));
        }
        if !there.has_commit(base).await? {
            return Err(GitError::unfit(format!("{} knows nothing of commit {base}", worktree.display())));
        }
        let (index, tree) = there.gathered(base).await?;
        there.check_tree(&index, &tree).await?;
        there.patch_between(&index, base, tree, None).await
    }

    /// Gathers all that a work tree holds, aside from the repository; returns the tree.
    async fn gathered(&self, base: &str) -> Result<(ScratchIndex, String), GitError> {
        let index = self.folder.scratch_index_aside(base).await?;
        self.check_new_files(&index).await?;
        // It lives for a moment, and need not be small.
        let words = ["-c", "core.looseCompression=0", "add", "--all", "--", "."];
        index.under(self.git(&words)).done().await?;
        let tree = self.folder.tree_of_index(&index).await?;
        Ok((index, tree))
    }

    /// Refuses new files that are so large that they are surely too much, before anybody reads them.
    async fn check_new_files(&self, index: &ScratchIndex) -> Result<(), GitError> {
        let words = ["ls-files", "--others", "--exclude-standard", "-z"];
        let listed = index.under(self.git(&words)).done().await?;
        for path in listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let place = self.folder().join(std::ffi::OsStr::from_bytes(path));
            let size = std::fs::symlink_metadata(place).map_or(0, |found| found.len());
            if size > MAX_FILE {
                let (path, size, most) = (String::from_utf8_lossy(path), size >> 20, MAX_FILE >> 20);
                return Err(GitError::unfit(format!(
                    "{} is new and has {size} MiB; no more than {most} are taken, and {} of a patch. Have git ignore it, or \
                     keep it elsewhere",
                    holdpoint_core::text::quote(&path),
                    MAX_PATCH >> 20
                )));
            }
        }
        Ok(())
    }

    /// Refuses a work tree that is not based on a commit: the commits in between would appear as reverted.
    pub async fn check_stands_on(&self, worktree: &Path, base: &str) -> Result<(), GitError> {
        let there = Self::open(worktree).await?;
        let stands = there.git(&["merge-base", "--is-ancestor", base, "HEAD"]).run().await?;
        if stands.code == Some(0) {
            return Ok(());
        }
        let head = there.resolve("HEAD").await?.unwrap_or_else(|| "nothing yet".into());
        Err(GitError::unfit(format!(
            "{} stands at {head}, which does not contain {base}, the commit that the run starts from; its diff would take \
             back what came between. Bring the work tree up to that commit first (git merge or git rebase), or begin a run \
             that starts where the work tree does: hold run start --base {head}",
            worktree.display()
        )))
    }

    /// Returns whether a work tree differs from a commit.
    pub async fn differs(&self, worktree: &Path, base: &str) -> Result<bool, GitError> {
        let there = Self::open(worktree).await?;
        let (_ground, tree) = there.gathered(base).await?;
        Ok(there.tree_of(base).await? != tree)
    }

    /// Returns the patch between a commit and a tree, using the bytes that made the tree if they are given.
    async fn patch_between(
        &self,
        index: &ScratchIndex,
        base: &str,
        tree: String,
        bytes: Option<Vec<u8>>,
    ) -> Result<Patch, GitError> {
        let touched = self.touched(index, base, &tree).await?;
        if touched.is_empty() {
            return Err(GitError::unfit(format!("nothing differs from commit {base}")));
        }
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.diff(index, base, &tree).await?,
        };
        check_size(&bytes)?;
        if std::str::from_utf8(&bytes).is_err() {
            return Err(GitError::unfit(
                "the patch is not UTF-8: convert its files, or mark them as binary in .gitattributes",
            ));
        }
        Ok(Patch { bytes, base: base.to_owned(), tree, touched })
    }

    /// Writes the diff from a commit to a tree, up to the maximum length.
    async fn diff(&self, index: &ScratchIndex, base: &str, tree: &str) -> Result<Vec<u8>, GitError> {
        let plain = ["--no-ext-diff", "--no-textconv"];
        let words = ["diff-tree", "-p", "--binary", "--full-index", "-M", plain[0], plain[1], base, tree];
        let said = index.with_scratch_objects(self.git(&words)).at_most(MAX_PATCH).run().await?;
        check_size(&said.out)?;
        if said.code == Some(0) { Ok(said.out) } else { Err(said.fault()) }
    }

    /// Returns the tree that results from a patch.
    pub async fn tree_of_patch(&self, base: &str, bytes: &[u8]) -> Result<String, GitError> {
        self.tree_with(base, bytes).await
    }

    /// Returns the diff between two trees, limited to some files.
    pub async fn diff_trees(&self, from: &str, to: &str, paths: &[String]) -> Result<Vec<u8>, GitError> {
        let mut arguments = vec![
            "diff-tree",
            "-p",
            "--binary",
            "--full-index",
            "--no-ext-diff",
            "--no-textconv",
            from,
            to,
            "--",
        ];
        arguments.extend(paths.iter().map(String::as_str));
        self.git(&arguments).with("GIT_LITERAL_PATHSPECS", "1").done().await
    }

    /// Lists what differs between a commit and a tree.
    async fn touched(&self, index: &ScratchIndex, base: &str, tree: &str) -> Result<Vec<Touched>, GitError> {
        let asked = |how: &str| {
            let words = ["diff-tree", "-r", "-z", "-M", "--no-ext-diff", "--no-textconv", how, base, tree];
            index.with_scratch_objects(self.git(&words)).done()
        };
        let (counts, kinds) = tokio::try_join!(asked("--numstat"), asked("--raw"))?;
        let mut counts = counts.split(|byte| *byte == 0);
        let mut kinds = kinds.split(|byte| *byte == 0);
        let (mut touched, hooks) = (Vec::new(), self.hooks_in_tree().await);
        while let Some(kind) = kinds.next().filter(|kind| !kind.is_empty()) {
            // `:MODE MODE BLOB BLOB LETTER`, then one name or two.
            let kind = String::from_utf8_lossy(kind).into_owned();
            let words: Vec<&str> = kind.trim_start_matches(':').split(' ').collect();
            let [old, new, _, _, letter] = words[..] else { continue };
            let change = match letter.as_bytes().first() {
                Some(b'A') => Change::Add,
                Some(b'D') => Change::Delete,
                Some(b'R') => Change::Rename,
                Some(b'C') => Change::Copy,
                _ => Change::Modify,
            };
            let moves = matches!(change, Change::Rename | Change::Copy);
            let mut path = name(kinds.next().unwrap_or_default())?;
            let mut from = None;
            if moves {
                from = Some(std::mem::replace(&mut path, name(kinds.next().unwrap_or_default())?));
            }
            let count = String::from_utf8_lossy(counts.next().unwrap_or_default()).into_owned();
            if moves {
                counts.next();
                counts.next();
            }
            let mut numbers = count.split('\t').map(|number| number.parse().unwrap_or(0));
            let (added, deleted) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            let both = old != new && !matches!(change, Change::Add | Change::Delete);
            let mode = both.then(|| new.to_owned());
            let hook = [Some(&path), from.as_ref()].into_iter().flatten().any(|path| hooks.include(path));
            touched.push(Touched { path, change, added, deleted, from, mode, hook });
            if touched.len() > MAX_TOUCHED {
                return Err(GitError::unfit(format!("the patch touches more than {MAX_TOUCHED} files")));
            }
        }
        Ok(touched)
    }

    /// Refuses names that lead out of the work tree or into the repository itself. Git refuses most of them too; this
    /// gives the reason.
    async fn check_names(&self, bytes: &[u8]) -> Result<(), GitError> {
        let listed = self.git(&["apply", "--numstat", "-z", "-"]).input(bytes).run().await?;
        if listed.code != Some(0) {
            return Err(GitError::unfit(format!("the patch cannot be read: {}", listed.err)));
        }
        for part in listed.out.split(|byte| *byte == 0) {
            if let Some(path) = part.splitn(3, |byte| *byte == b'\t').nth(2) {
                name(path)?;
            }
        }
        Ok(())
    }
}

/// Refuses a diff that is too large. Its full size may be unknown: reading stops at the limit.
fn check_size(bytes: &[u8]) -> Result<(), GitError> {
    if bytes.len() as u64 > MAX_PATCH {
        let most = MAX_PATCH >> 20;
        return Err(GitError::unfit(format!("the patch has more than {most} MiB; no more is allowed")));
    }
    Ok(())
}
