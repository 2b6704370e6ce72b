//! Refs: read, and moved from the value that was seen to the next.

use super::{Fault, Folder, Kind, Repo};

/// What came of moving a ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// It stands where it should.
    Yes,
    /// Somebody else has moved it.
    Elsewhere,
}

impl Folder {
    /// Returns the commit that a name stands for.
    pub(super) async fn resolve(&self, name: &str) -> Result<Option<String>, Fault> {
        let wanted = format!("{name}^{{commit}}");
        let said = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]).run().await?;
        Ok((said.code == Some(0)).then(|| String::from_utf8_lossy(&said.out).trim().to_owned()))
    }

    /// Says what it means that a ref could not be moved: it may stand there already, or somewhere else.
    pub(super) async fn why_not_moved(
        &self,
        name: &str,
        from: Option<&str>,
        to: &str,
        fault: Fault,
    ) -> Result<Moved, Fault> {
        match self.resolve(name).await? {
            Some(now) if now == to => Ok(Moved::Yes),
            now if now.as_deref() != from => Ok(Moved::Elsewhere),
            _ => Err(fault),
        }
    }

    /// Takes a ref of our own away.
    pub(crate) async fn drop_ref(&self, name: &str) -> Result<(), Fault> {
        self.git(&["update-ref", "-d", name]).done().await.map(drop)
    }
}

impl Repo {
    /// Returns the commit that a name stands for.
    pub async fn resolve(&self, name: &str) -> Result<Option<String>, Fault> {
        self.folder.resolve(name).await
    }

    /// Returns the branch that is checked out, if one is.
    pub async fn head_branch(&self) -> Result<Option<String>, Fault> {
        let said = self.git(&["symbolic-ref", "--quiet", "HEAD"]).run().await?;
        Ok((said.code == Some(0)).then(|| String::from_utf8_lossy(&said.out).trim().to_owned()))
    }

    /// Brings a branch's name to its full form, and refuses one that cannot be.
    pub async fn branch_name(&self, name: &str) -> Result<String, Fault> {
        let full =
            if name.starts_with("refs/heads/") { name.to_owned() } else { format!("refs/heads/{name}") };
        let said = self.git(&["check-ref-format", &full]).run().await?;
        if said.code == Some(0) && !name.starts_with('-') {
            Ok(full)
        } else {
            Err(Fault::unfit(format!("{} cannot be a branch", holdpoint_core::text::quote(name))))
        }
    }

    /// Moves a ref from where it was seen, or makes it where it was not there.
    pub async fn move_ref(&self, name: &str, from: Option<&str>, to: &str) -> Result<Moved, Fault> {
        let said = self.git(&["update-ref", "-m", "holdpoint", name, to, from.unwrap_or("")]).run().await?;
        if said.code == Some(0) {
            return Ok(Moved::Yes);
        }
        self.folder.why_not_moved(name, from, to, said.fault()).await
    }

    /// Returns whether there is such a ref.
    pub async fn has_ref(&self, name: &str) -> Result<bool, Fault> {
        Ok(self.git(&["show-ref", "--verify", "--quiet", name]).run().await?.code == Some(0))
    }

    /// Points a ref of our own at an object, whatever it was before.
    pub async fn keep(&self, name: &str, object: &str) -> Result<(), Fault> {
        self.git(&["update-ref", name, object]).done().await.map(drop)
    }

    /// Takes a ref of our own away.
    pub async fn drop_ref(&self, name: &str) -> Result<(), Fault> {
        self.folder.drop_ref(name).await
    }

    /// Returns whether one commit is in the history of another.
    pub async fn contains(&self, head: &str, commit: &str) -> Result<bool, Fault> {
        let said = self.git(&["merge-base", "--is-ancestor", commit, head]).run().await?;
        match said.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(said.fault()),
        }
    }

    /// Returns the first parent of a commit.
    pub async fn parent(&self, commit: &str) -> Result<Option<String>, Fault> {
        self.resolve(&format!("{commit}^1")).await
    }

    pub(super) async fn tree_of(&self, commit: &str) -> Result<String, Fault> {
        self.git(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")]).line().await
    }

    pub(super) async fn has_commit(&self, name: &str) -> Result<bool, Fault> {
        Ok(self.resolve(name).await?.is_some())
    }

    /// Refuses what is no commit of this repository.
    pub async fn commit_named(&self, name: &str) -> Result<String, Fault> {
        let missing =
            || Fault::new(Kind::Unfit, format!("{} is no commit here", holdpoint_core::text::quote(name)));
        self.resolve(name).await?.ok_or_else(missing)
    }
}
