//! Bytes kept in the repository: artifacts under our refs, and objects on a ref without history.

use super::scratch::Scratch;
use super::{GitError, Kind, Repo};

impl Repo {
    /// Returns how many lines a file of a tree has; nothing if there is no such file.
    pub(crate) async fn lines_in(&self, tree: &str, path: &str) -> Result<Option<u64>, GitError> {
        let said = self.git(&["cat-file", "blob", &format!("{tree}:{path}")]).run().await?;
        if said.code != Some(0) {
            return Ok(None);
        }
        let parts = said.out.split(|byte| *byte == b'\n').count() as u64;
        // Text after the last line break is a line only if there is any.
        let ended = said.out.last().is_none_or(|last| *last == b'\n');
        Ok(Some(if ended { parts.saturating_sub(1) } else { parts }))
    }

    /// Keeps some bytes under one of our refs; returns the blob.
    pub async fn keep_bytes(&self, name: &str, bytes: &[u8]) -> Result<String, GitError> {
        let blob = self.git(&["hash-object", "-w", "--stdin"]).input(bytes).line().await?;
        self.keep(name, &blob).await?;
        Ok(blob)
    }

    /// Returns the bytes of a blob.
    pub async fn bytes(&self, blob: &str) -> Result<Vec<u8>, GitError> {
        self.git(&["cat-file", "blob", blob]).done().await
    }

    /// Adds files to the tree of a ref that shares no history with the code, in one commit; adding the same files again
    /// changes nothing. Returns the commit.
    pub async fn add_files(
        &self,
        name: &str,
        files: &[(String, Vec<u8>)],
        message: &str,
        author: (&str, &str),
    ) -> Result<Option<String>, GitError> {
        // Other processes may add at the same time; the second writer starts from what the first left.
        for _ in 0..32 {
            let head = self.resolve(name).await?;
            let scratch = Scratch::new()?;
            let index = scratch.index();
            let before = match &head {
                Some(head) => {
                    self.git(&["read-tree", head]).with("GIT_INDEX_FILE", &index).done().await?;
                    Some(self.tree_of(head).await?)
                }
                None => None,
            };
            let mut lines = Vec::new();
            for (path, bytes) in files {
                let blob = self.git(&["hash-object", "-w", "--stdin"]).input(bytes).line().await?;
                lines.extend_from_slice(format!("100644 {blob}\t{path}\0").as_bytes());
            }
            let update = self.git(&["update-index", "-z", "--add", "--index-info"]);
            update.with("GIT_INDEX_FILE", &index).input(&lines).done().await?;
            let tree = self.git(&["write-tree"]).with("GIT_INDEX_FILE", &index).line().await?;
            if before.as_ref() == Some(&tree) {
                return Ok(head);
            }
            let mut arguments = vec!["commit-tree", &tree, "-m", message];
            arguments.extend(head.iter().flat_map(|head| ["-p", head]));
            let who = [
                ("GIT_AUTHOR_NAME", author.0),
                ("GIT_AUTHOR_EMAIL", author.1),
                ("GIT_COMMITTER_NAME", author.0),
                ("GIT_COMMITTER_EMAIL", author.1),
            ];
            let call =
                who.into_iter().fold(self.git(&arguments), |call, (name, value)| call.with(name, value));
            let commit = call.line().await?;
            if self.move_ref(name, head.as_deref(), &commit).await? == super::MoveOutcome::Yes {
                return Ok(Some(commit));
            }
        }
        Err(GitError::new(Kind::Busy, format!("others keep writing to {name}")))
    }

    /// Returns the bytes of a blob, unless it has more than this many.
    pub async fn bytes_of(&self, blob: &str, most: u64) -> Result<Vec<u8>, GitError> {
        let size = self.git(&["cat-file", "-s", blob]).run().await?;
        if size.code != Some(0) {
            return Err(GitError::unfit(format!("there is no blob {blob} in this repository")));
        }
        let size: u64 = String::from_utf8_lossy(&size.out).trim().parse().unwrap_or(u64::MAX);
        if size > most {
            return Err(GitError::unfit(format!("blob {blob} has {size} bytes; at most {most} are allowed")));
        }
        self.bytes(blob).await
    }

    /// Lists the files on a ref, without reading them; none if there is no such ref.
    pub async fn entries(&self, name: &str) -> Result<Option<Vec<Entry>>, GitError> {
        let Some(head) = self.resolve(name).await? else { return Ok(None) };
        let listed = self.git(&["ls-tree", "-r", "-l", "-z", &head]).done().await?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let entry = |line: &str| {
            let (meta, path) = line.split_once('\t')?;
            let mut words = meta.split_ascii_whitespace();
            let (mode, _, blob, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
            let size = size.parse().unwrap_or(u64::MAX);
            Some(Entry { mode: mode.to_owned(), blob: blob.to_owned(), size, path: path.to_owned() })
        };
        Ok(Some(listed.split('\0').filter_map(entry).collect()))
    }
}

/// A file in the tree of a ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its mode: `100644` is a plain file.
    pub mode: String,
    /// The blob.
    pub blob: String,
    /// How many bytes the blob has.
    pub size: u64,
    /// Its path.
    pub path: String,
}
