//! Hooks that are part of the tree: if a repository keeps its hooks among its files (`core.hooksPath`), a change can
//! alter what git runs.

use std::path::{Component, Path, PathBuf};

use super::{GitError, Repo};

/// How many links the system itself follows.
const MOST_LINKS: usize = 40;

/// The files of a tree that make up its hooks.
#[derive(Debug, Default)]
pub(super) struct HooksInTree(Vec<PathBuf>);

impl HooksInTree {
    /// Returns whether a file of the tree is one of them.
    pub(super) fn include(&self, path: &str) -> bool {
        let path = Path::new(path);
        // A file that replaces a folder above them affects them too.
        self.0.iter().any(|place| path.starts_with(place) || place.starts_with(path))
    }
}

impl Repo {
    /// Finds the files of the tree that make up its hooks: the folder of the hooks, and the targets of links from
    /// there.
    pub(super) async fn hooks_in_tree(&self) -> HooksInTree {
        let top = self.folder();
        // As configured: git resolves links, and a change may point them elsewhere.
        let written = self.written_hooks().await;
        let mut places = Vec::new();
        if self.hooks != self.common.join("hooks") {
            places.extend(within(top, &self.hooks));
        }
        places.extend(written.iter().filter_map(|written| within(top, written)));
        if self.is_bare() {
            // None of the files that git keeps beside them is part of the tree.
            return HooksInTree(places);
        }
        let entries =
            std::fs::read_dir(&self.hooks).into_iter().flatten().flatten().map(|entry| entry.path());
        let top = std::fs::canonicalize(top).unwrap_or_else(|_| top.to_owned());
        let ways = entries.chain([self.hooks.clone()]).chain(written);
        for passed in ways.flat_map(|path| passed(&path)) {
            places.extend(within(&top, &passed));
        }
        places.sort();
        places.dedup();
        HooksInTree(places)
    }

    /// Returns the path of the hooks as configured in git, if it is.
    async fn written_hooks(&self) -> Option<PathBuf> {
        let said = self.git(&["config", "--type=path", "--get", "core.hooksPath"]).line().await.ok()?;
        (!said.is_empty()).then(|| self.folder().join(said))
    }

    /// Returns whether going from one tree to another alters hooks.
    pub(crate) async fn alters_hooks(&self, before: &str, after: &str) -> Result<bool, GitError> {
        let (hooks, differing) = tokio::join!(self.hooks_in_tree(), self.differing(before, after));
        Ok(differing?.iter().any(|path| hooks.include(path)))
    }

    /// Returns whether the hooks that git runs in a work tree come from the commit that is checked out there.
    pub(super) fn has_hooks_in_tree(&self) -> bool {
        self.hooks != self.common.join("hooks") && within(self.folder(), &self.hooks).is_some()
    }
}

/// Returns where a path is in the tree, if it is in it and not in git's own folder.
fn within(top: &Path, path: &Path) -> Option<PathBuf> {
    let place: PathBuf =
        path.strip_prefix(top).ok()?.components().filter(|part| *part != Component::CurDir).collect();
    let of_git = place.components().next() == Some(Component::Normal(".git".as_ref()));
    let husky = place.ends_with(".husky/_");
    // That folder is generated from the files beside it.
    let place = if husky { place.parent()?.to_owned() } else { place };
    (!of_git && !place.as_os_str().is_empty()).then_some(place)
}

/// Returns every link on the way to a file, and the file at its end.
fn passed(path: &Path) -> Vec<PathBuf> {
    let mut passed = Vec::new();
    let mut way = path.to_owned();
    for _ in 0..MOST_LINKS {
        let mut parts = way.components();
        let mut at = PathBuf::new();
        let mut next = None;
        while let Some(part) = parts.next() {
            if part == Component::ParentDir {
                at.pop();
                continue;
            }
            at.push(part);
            if let Ok(target) = std::fs::read_link(&at) {
                let beside = at.parent().unwrap_or(Path::new("/"));
                next = Some(beside.join(target).join(parts.as_path()));
                break;
            }
        }
        passed.push(at);
        match next {
            Some(next) => way = next,
            None => break,
        }
    }
    passed
}
