//! Refs: read, and moved from the value that was seen to the next.

use super::mover::RefMover;
use super::{GitError, GitFolder, Kind, Repo};

/// The outcome of moving a ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOutcome {
    /// It has the requested value.
    Yes,
    /// Another process has moved it.
    Elsewhere,
}

impl GitFolder {
    /// Returns the commit that a name resolves to.
    pub(super) async fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        let wanted = format!("{name}^{{commit}}");
        let said = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]).run().await?;
        Ok((said.code == Some(0)).then(|| String::from_utf8_lossy(&said.out).trim().to_owned()))
    }

    /// Finds out why a ref could not be moved: it may have the new value already, or another one.
    pub(super) async fn why_not_moved(
        &self,
        name: &str,
        from: Option<&str>,
        to: &str,
        fault: GitError,
    ) -> Result<MoveOutcome, GitError> {
        match self.resolve(name).await? {
            Some(now) if now == to => Ok(MoveOutcome::Yes),
            now if now.as_deref() != from => Ok(MoveOutcome::Elsewhere),
            _ => Err(fault),
        }
    }

    /// Returns whether a ref exists, if that can be seen without running git.
    pub(crate) async fn has_kept(&self, name: &str) -> bool {
        let Ok(common) = self.common() else { return false };
        if tables(&common).is_some() {
            return self
                .git(&["show-ref", "--verify", "--quiet", name])
                .run()
                .await
                .is_ok_and(|said| said.code == Some(0));
        }
        common.join(name).exists() || is_packed(&common, name)
    }

    /// Lists the refs in one of our folders, if they can be seen without running git.
    pub(crate) async fn kept_under(&self, place: &str) -> Vec<String> {
        let Ok(common) = self.common() else { return Vec::new() };
        if tables(&common).is_some() {
            let listed = self.git(&["for-each-ref", "--format=%(refname)", place]).line().await;
            return listed.unwrap_or_default().lines().map(str::to_owned).collect();
        }
        let loose = std::fs::read_dir(common.join(place)).into_iter().flatten().flatten();
        let loose = loose.filter_map(|entry| Some(format!("{place}{}", entry.file_name().to_str()?)));
        let packed = std::fs::read_to_string(common.join("packed-refs")).unwrap_or_default();
        let packed = packed.lines().filter_map(|line| Some(line.split_once(' ')?.1.to_owned()));
        let packed = packed.filter(|name| name.starts_with(place));
        loose.chain(packed).collect()
    }

    /// Deletes one of our refs.
    pub(crate) async fn drop_ref(&self, name: &str) -> Result<(), GitError> {
        RefMover::later(self).drop_ref(name).await
    }
}

impl Repo {
    /// Returns the commit that a name resolves to.
    pub async fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        self.folder.resolve(name).await
    }

    /// Returns the branch that is checked out, if one is.
    pub async fn head_branch(&self) -> Result<Option<String>, GitError> {
        let said = self.git(&["symbolic-ref", "--quiet", "HEAD"]).run().await?;
        Ok((said.code == Some(0)).then(|| String::from_utf8_lossy(&said.out).trim().to_owned()))
    }

    /// Expands a branch's name to its full form, and refuses an invalid one.
    pub async fn branch_name(&self, name: &str) -> Result<String, GitError> {
        let full =
            if name.starts_with("refs/heads/") { name.to_owned() } else { format!("refs/heads/{name}") };
        let shown = holdpoint_core::text::quote(name);
        if name == "HEAD" || (name.starts_with("refs/") && name != full) {
            return Err(GitError::unfit(format!("{shown} is not a branch; name one as git branch lists it")));
        }
        let said = self.git(&["check-ref-format", &full]).run().await?;
        if said.code != Some(0) || name.starts_with('-') {
            return Err(GitError::unfit(format!("{shown} cannot be a branch")));
        }
        match self.in_the_way_of(&full).await? {
            Some(there) => {
                let there = there.trim_start_matches("refs/heads/");
                let why = format!("{shown} cannot be a branch: there is {there}, and git cannot have both");
                Err(GitError::unfit(why))
            }
            None => Ok(full),
        }
    }

    /// Returns a ref that prevents another from being made, because one is a prefix of the other.
    pub async fn in_the_way_of(&self, full: &str) -> Result<Option<String>, GitError> {
        let below = self
            .git(&["for-each-ref", "--count=1", "--format=%(refname)", &format!("{full}/")])
            .line()
            .await?;
        if !below.is_empty() {
            return Ok(Some(below));
        }
        let parts: Vec<&str> = full.split('/').collect();
        for end in 3..parts.len() {
            let above = parts[..end].join("/");
            if self.has_ref(&above).await? {
                return Ok(Some(above));
            }
        }
        Ok(None)
    }

    /// Moves a ref from the value that was seen, or creates it if it did not exist.
    pub async fn move_ref(&self, name: &str, from: Option<&str>, to: &str) -> Result<MoveOutcome, GitError> {
        RefMover::later(&self.folder).move_ref(name, from, to).await
    }

    /// Returns whether a ref exists.
    pub async fn has_ref(&self, name: &str) -> Result<bool, GitError> {
        Ok(self.git(&["show-ref", "--verify", "--quiet", name]).run().await?.code == Some(0))
    }

    /// Points one of our refs at an object, whatever it was before.
    pub async fn keep(&self, name: &str, object: &str) -> Result<(), GitError> {
        RefMover::later(&self.folder).keep(name, object).await
    }

    /// Deletes one of our refs.
    pub async fn drop_ref(&self, name: &str) -> Result<(), GitError> {
        self.folder.drop_ref(name).await
    }

    /// Returns whether one commit is in the history of another.
    pub async fn contains(&self, head: &str, commit: &str) -> Result<bool, GitError> {
        let said = self.git(&["merge-base", "--is-ancestor", commit, head]).run().await?;
        match said.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(said.fault()),
        }
    }

    /// Returns the first parent of a commit.
    pub async fn parent(&self, commit: &str) -> Result<Option<String>, GitError> {
        self.resolve(&format!("{commit}^1")).await
    }

    pub(super) async fn tree_of(&self, commit: &str) -> Result<String, GitError> {
        self.git(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")]).line().await
    }

    /// Returns whether two names resolve to the same files.
    pub(crate) async fn same_tree(&self, one: &str, other: &str) -> Result<bool, GitError> {
        Ok(self.tree_of(one).await? == self.tree_of(other).await?)
    }

    pub(super) async fn has_commit(&self, name: &str) -> Result<bool, GitError> {
        Ok(self.resolve(name).await?.is_some())
    }

    /// Returns the commit of a name, and refuses anything that is not a commit of this repository.
    pub async fn commit_named(&self, name: &str) -> Result<String, GitError> {
        let missing = || {
            GitError::new(Kind::Unfit, format!("{} is not a commit here", holdpoint_core::text::quote(name)))
        };
        self.resolve(name).await?.ok_or_else(missing)
    }
}

/// Returns where a repository keeps its refs as tables, if it does: then no file has the name of a ref.
pub(super) fn tables(common: &std::path::Path) -> Option<std::path::PathBuf> {
    Some(common.join("reftable")).filter(|tables| tables.is_dir())
}

fn is_packed(common: &std::path::Path, name: &str) -> bool {
    let packed = std::fs::read_to_string(common.join("packed-refs")).unwrap_or_default();
    packed.lines().any(|line| line.split_once(' ').is_some_and(|(_, packed)| packed == name))
}
